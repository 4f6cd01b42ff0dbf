// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/solve/solve_command.hpp"

#include "base/bits/float_bits.hpp"
#include "driver/device/recording.hpp"
#include "driver/solve/class_arguments.hpp"

namespace ppu::driver {
namespace {

/// True if one run must have all rows.
bool wants_one_run(const Program& program, const ppu_solve_def& def) {
  return program.reads_residual || program.takes_classes || def.budget_cycles > 0;
}

void set_arguments(const Program& program, const ppu_solve_def& def, hw::RunCommand* command) {
  const auto set_argument = [command](spec::Argument argument, std::uint32_t value) {
    command->arguments[static_cast<std::size_t>(argument)] = value;
  };
  const float mark = def.mark_threshold > 0 ? def.mark_threshold : def.threshold;
  set_argument(spec::Argument::kRowCount, command->row_count);
  set_argument(spec::Argument::kMaxSweeps, def.max_sweeps);
  set_argument(spec::Argument::kThreshold, bits_of(def.threshold));
  set_argument(spec::Argument::kFrictionRule, static_cast<std::uint32_t>(def.friction));
  set_argument(spec::Argument::kMarkThreshold, bits_of(mark));
  set_argument(spec::Argument::kBudgetCycles, def.budget_cycles);
  if (!program.takes_classes) return;
  for (std::size_t i = 0; i < kClassArguments.size(); ++i) {
    command->arguments[kClassArguments[i].rows] = def.class_rows[i];
    if (!program.reads_residual)
      command->arguments[kClassArguments[i].sweeps] = def.class_sweeps[i];
  }
}

}  // namespace

PlanTarget target_of(const hw::Config& config, const Program& program, const ppu_solve_def& def) {
  PlanTarget target;
  target.order = def.order;
  target.class_rows = {def.class_rows[0], def.class_rows[1]};
  target.runs = wants_one_run(program, def) ? 1 : config.engines;
  target.capacity = {config.impulse_memory_rows, config.body_memory_bodies};
  return target;
}

RowScale scale_of(const Program& program, const ppu_problem& problem, const ppu_solve_def& def) {
  return {def.relaxation, program.impulse_form, problem.impulse_form};
}

hw::RunCommand command_of(const Device& device, const Program& program, const ppu_solve_def& def,
                          std::size_t rows, std::size_t bodies) {
  hw::RunCommand command;
  command.row_count = static_cast<std::uint32_t>(rows);
  command.body_count = static_cast<std::uint32_t>(bodies);
  command.stream = def.stream;
  set_program(command, device, program);
  set_arguments(program, def, &command);
  return command;
}

void check_plan(const hw::Config& config, const Program& program, const ppu_solve_def& def,
                const ppu_problem& problem, const Plan& plan) {
  if (wants_one_run(program, def) && plan.runs.size() > 1)
    check_capacity(config, "the problem", problem.row_count, problem.body_count);
  const char* const what = plan.runs.size() > 1 ? "an island of the problem" : "the problem";
  for (const RunPlan& run : plan.runs)
    check_capacity(config, what, static_cast<std::uint32_t>(run.order.size()),
                   static_cast<std::uint32_t>(run.bodies.size()));
}

}  // namespace ppu::driver
