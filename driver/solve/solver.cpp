// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper: plan, and copy in, run and copy out in one batch.
#include "driver/solve/solver.hpp"

#include <memory>
#include <string>
#include <vector>

#include "base/bits/float_bits.hpp"
#include "driver/base/failure.hpp"
#include "driver/base/stopwatch.hpp"
#include "driver/device/outcome.hpp"
#include "driver/device/recording.hpp"
#include "driver/solve/class_arguments.hpp"
#include "driver/solve/problem.hpp"
#include "driver/solve/residual.hpp"
#include "driver/solve/solve_checks.hpp"
#include "driver/solve/solve_memory.hpp"
#include "driver/solve/solve_report.hpp"
#include "hw/contract/config.hpp"

namespace ppu::driver {
namespace {

/// True if one run must have all rows.
bool wants_one_run(const Program& program, const ppu_solve_def& def) {
  return program.reads_residual || program.takes_classes || def.budget_cycles > 0;
}

PlanTarget target_of(const hw::Config& config, bool one_run, const ppu_solve_def& def) {
  PlanTarget target;
  target.order = def.order;
  target.class_rows = {def.class_rows[0], def.class_rows[1]};
  target.machine = {config.pipes, static_cast<std::uint32_t>(hw::initiation_interval(config)),
                    static_cast<std::uint32_t>(hw::body_latency(config)), config.velocity_banks};
  target.runs = one_run ? 1 : config.engines;
  target.capacity = {config.impulse_memory_rows, config.body_memory_bodies};
  return target;
}

/// Refuses a plan with a run that no engine takes, or with several where one must see all rows.
void check_plan(const hw::Config& config, bool one_run, const ppu_problem& problem,
                const Plan& plan) {
  if (one_run && plan.runs.size() > 1)
    check_capacity(config, "the problem", problem.row_count, problem.body_count);
  const char* const what = plan.runs.size() > 1 ? "an island of the problem" : "the problem";
  for (const RunPlan& run : plan.runs)
    check_capacity(config, what, static_cast<std::uint32_t>(run.order.size()),
                   static_cast<std::uint32_t>(run.bodies.size()));
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

RowScale scale_of(const Program& program, const ppu_problem& problem, const ppu_solve_def& def) {
  return {def.relaxation, program.impulse_form, problem.impulse_form};
}

/// The commands of one solve: a query, copies in, runs, copies out, a query.
class SolveBatch {
 public:
  SolveBatch(Device& device, const Program& program, const ppu_problem& problem,
             const ppu_solve_def& def, const SolveSetup& setup)
      : device_(device),
        def_(def),
        plan_(setup.plan),
        warm_(def.start == PPU_START_WARM),
        batch_(std::make_shared<Batch>(device.host_memory())),
        memory_(device, problem, plan_, setup.scaling ? &*setup.scaling : nullptr, batch_.get()) {
    memory_.pack(setup.scale, warm_);
    batch_->keep(program.memory);
    first_query_ = batch_->add_query();
    record_copy(spec::CommandOpcode::kCopyIn, memory_.inputs());
    uploaded_ = batch_->add_time_stamp();
    for (std::size_t run = 0; run < setup.commands.size(); ++run) {
      hw::RunCommand command = setup.commands[run];
      memory_.place(run, &command);
      batch_->add_run(command, program.words, def.profile != nullptr);
    }
    run_ = batch_->add_time_stamp();
    record_copy(spec::CommandOpcode::kCopyOut, memory_.outputs());
    last_query_ = batch_->add_query();
  }

  /// Throws Failure, at the timeout after having cancelled the runs.
  const Batch& run() {
    device_.submit(batch_);
    if (!device_.wait(*batch_, def_.timeout_ns)) {
      device_.cancel(*batch_);
      fail(PPU_ERROR_TIMEOUT, "the solve did not end within ",
           static_cast<double>(def_.timeout_ns) * 1e-9, " s and was cancelled");
    }
    return *batch_;
  }

  void report_cost(ppu_solve_report* report) const {
    const hw::DeviceCounters before = batch_->counters(first_query_);
    const hw::DeviceCounters after = batch_->counters(last_query_);
    for (std::size_t i = 0; i < after.size(); ++i)
      report->device_counters[i] = after[i] - before[i];
    const std::uint64_t start = before[PPU_DEVICE_COUNTER_DEVICE_CYCLES];
    const std::uint64_t uploaded = batch_->time_stamp(uploaded_);
    const std::uint64_t run = batch_->time_stamp(run_);
    const std::uint64_t end = after[PPU_DEVICE_COUNTER_DEVICE_CYCLES];
    report->upload_cycles = uploaded - start;
    report->run_cycles = run - uploaded;
    report->download_cycles = end - run;
    report->device_cycles = end - start;
  }

  void read_back(float* impulse, float* velocity_change) const {
    memory_.unpack(warm_, impulse, velocity_change);
    if (def_.profile == nullptr) return;
    for (std::uint32_t run = 0; run < batch_->runs(); ++run) {
      const RowOrder& order = plan_.runs[run].order;
      if (order.empty()) continue;
      const auto* profile = reinterpret_cast<const ppu_row_profile*>(batch_->profile(run));
      for (std::size_t slot = 0; slot < order.size(); ++slot)
        def_.profile[order[slot]] = profile[slot];
    }
  }

 private:
  void record_copy(spec::CommandOpcode opcode, const std::vector<Descriptor>& ranges) {
    if (!ranges.empty()) batch_->add_copy(opcode, ranges);
  }

  Device& device_;
  const ppu_solve_def& def_;
  const Plan& plan_;
  bool warm_;
  std::shared_ptr<Batch> batch_;
  SolveMemory memory_;
  std::uint32_t first_query_ = 0, last_query_ = 0, uploaded_ = 0, run_ = 0;
};

[[noreturn]] void fail_run(const Batch& batch, std::uint32_t run, std::uint32_t row) {
  const hw::RunReport& report = batch.report(run);
  const std::string sentence = sentence_of(batch, run);
  if (row == PPU_NONE) throw Failure(result_of(report.status), sentence);
  fail(result_of(report.status), "row ", row, " (slot ", report.fault_row, "): ", sentence);
}

}  // namespace

SolveSetup Solver::set_up(const Program& program, const ppu_problem& problem,
                          const ppu_solve_def& def) {
  check_solve(device_, program, problem, def);
  SolveSetup setup;
  Stopwatch stopwatch;
  const hw::Config& config = device_.config();
  const bool one_run = wants_one_run(program, def);
  setup.plan = plans_.get(graph_of(problem), target_of(config, one_run, def));
  check_plan(config, one_run, problem, setup.plan);
  setup.schedule_seconds = stopwatch.lap();
  setup.scale = scale_of(program, problem, def);
  check_numbers(problem, def.start);
  if (program.reduced) setup.scaling.emplace(problem, def.start);
  for (const RunPlan& run : setup.plan.runs) {
    hw::RunCommand& command = setup.commands.emplace_back();
    command.row_count = static_cast<std::uint32_t>(run.order.size());
    command.body_count = static_cast<std::uint32_t>(run.bodies.size());
    command.stream = def.stream;
    set_program(command, device_, program);
    set_arguments(program, def, &command);
  }
  return setup;
}

void Solver::solve(const Program& program, const ppu_problem& problem, const ppu_solve_def& def,
                   float* impulse, float* velocity_change, ppu_solve_report* report) {
  Stopwatch stopwatch;
  ppu_solve_report result{};
  const SolveSetup setup = set_up(program, problem, def);
  result.schedule_seconds = setup.schedule_seconds;
  device_.require_idle();
  SolveBatch batch(device_, program, problem, def, setup);
  result.transfer_seconds = stopwatch.lap() - result.schedule_seconds;
  const Batch& ended = batch.run();
  result.device_seconds = stopwatch.lap();

  check_commands(ended);
  result.run = joined_report(ended);
  result.runs = ended.runs();
  result.engine_cycles = engine_cycles(ended);
  result.sweeps = result.run.progress;
  result.late = result.run.counters[PPU_COUNTER_PASSES_CUT] > 0;
  result.fault_row = PPU_NONE;
  batch.report_cost(&result);
  if (const auto failed = failed_run(ended)) {
    result.fault_row = fault_row(ended, setup.plan, *failed);
    if (report != nullptr) *report = result;
    fail_run(ended, *failed, result.fault_row);
  }
  batch.read_back(impulse, velocity_change);
  result.transfer_seconds += stopwatch.lap();
  result.max_residual = true_residual(problem, impulse, velocity_change);
  if (report != nullptr) *report = result;
}

}  // namespace ppu::driver
