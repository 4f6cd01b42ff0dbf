// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper: check, plan, and copy in, run and copy out in one batch.
#include "solver.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "outcome.hpp"
#include "ppu/hw/config.hpp"
#include "problem.hpp"
#include "recording.hpp"
#include "residual.hpp"
#include "solve_memory.hpp"
#include "solve_report.hpp"
#include "stopwatch.hpp"

namespace ppu::driver {
namespace {

void check_def(const ppu_solve_def& def) {
  if (!std::isfinite(def.threshold) || def.threshold < 0)
    fail(PPU_ERROR_INVALID_ARGUMENT, "threshold is ", def.threshold,
         ", expected a finite number >= 0");
  if (!std::isfinite(def.mark_threshold) || def.mark_threshold < 0)
    fail(PPU_ERROR_INVALID_ARGUMENT, "mark_threshold is ", def.mark_threshold,
         ", expected a finite number >= 0");
  if (!(def.relaxation > 0 && def.relaxation < 2))
    fail(PPU_ERROR_INVALID_ARGUMENT, "relaxation is ", def.relaxation,
         ", expected more than 0 and less than 2");
  if (def.friction != PPU_FRICTION_CLAMP && def.friction != PPU_FRICTION_SKIP)
    fail(PPU_ERROR_INVALID_ARGUMENT, "friction is ", static_cast<int>(def.friction),
         ", expected a ppu_friction_rule");
  if (def.start != PPU_START_WARM && def.start != PPU_START_COLD)
    fail(PPU_ERROR_INVALID_ARGUMENT, "start is ", static_cast<int>(def.start),
         ", expected a ppu_start");
}

void check_forms(const Program& program, const ppu_problem& problem) {
  if (problem.impulse_form && program.rate_form)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "problem->impulse_form is set, but the program has kernels of the rate form; expected ",
         "one of the impulse form, as 'impulse'");
  if (program.rate_form && program.impulse_form)
    fail(PPU_ERROR_PROGRAM,
         "the program has kernels of the rate form and of the impulse form, which want b and cfm ",
         "scaled differently; ppu_solve takes programs of one form");
}

bool has_classes(const ppu_solve_def& def) {
  return def.class_rows[0] > 0 || def.class_rows[1] > 0 || def.class_sweeps[0] > 0 ||
         def.class_sweeps[1] > 0;
}

/// True if both the sweeps of a class and the threshold are asked for: they are in one register.
bool sweeps_stand_for(const Program& program, const ppu_solve_def& def) {
  if (!program.reads_residual) return def.threshold > 0;
  return def.class_sweeps[0] > 0 || def.class_sweeps[1] > 0;
}

void check_classes(const Program& program, const ppu_problem& problem, const ppu_solve_def& def) {
  if (has_classes(def) && !program.takes_classes)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "def->class_rows or class_sweeps is set, but the program has no `rows` that begins at "
         "another row than 0; expected one as the program 'classes', or 0");
  if (program.takes_classes && (def.mark_threshold > 0 || sweeps_stand_for(program, def)))
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "the program takes classes, which stand in the registers of the thresholds; expected ",
         program.reads_residual ? "class_sweeps" : "threshold", " and mark_threshold 0");
  if (std::uint64_t{def.class_rows[0]} + def.class_rows[1] > problem.row_count)
    fail(PPU_ERROR_INVALID_ARGUMENT, "def->class_rows is ", def.class_rows[0], " and ",
         def.class_rows[1], ", but the problem has ", problem.row_count, " rows");
}

void check_budget(const Device& device, const Program& program, std::uint32_t cycles) {
  if (cycles == 0) return;
  device.require_time("def->budget_cycles");
  if (!program.takes_budget)
    fail(PPU_ERROR_INVALID_ARGUMENT, "def->budget_cycles is ", cycles,
         ", but the program has no `budget`; expected 0");
}

void check_friction(const Program& program, const ppu_solve_def& def) {
  if (def.friction == PPU_FRICTION_SKIP && program.cones && !program.skips)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "def->friction is PPU_FRICTION_SKIP, but the program has no kernel with `skip`; expected ",
         "PPU_FRICTION_CLAMP");
}

/// True if one run must have all rows.
bool wants_one_run(const Program& program, const ppu_solve_def& def) {
  return program.reads_residual || program.takes_classes || def.budget_cycles > 0;
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

const Plan& plan_for(Device& device, const ppu_problem& problem, const ppu_solve_def& def,
                     bool one_run) {
  const hw::Config& config = device.config();
  PlanTarget target;
  target.order = def.order;
  target.class_rows = {def.class_rows[0], def.class_rows[1]};
  target.machine = {config.pipes, static_cast<std::uint32_t>(hw::initiation_interval(config)),
                    static_cast<std::uint32_t>(hw::body_latency(config)), config.velocity_banks};
  target.runs = one_run ? 1 : config.engines;
  target.capacity = {config.impulse_memory_rows, config.body_memory_bodies};
  const Plan& plan = device.plan_cache.get(graph_of(problem), target);
  check_plan(config, one_run, problem, plan);
  return plan;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
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
  // See firmware/programs/classes.s: a4 and a5, a6 and a2, which may be the threshold's.
  command->arguments[4] = def.class_rows[0];
  command->arguments[6] = def.class_rows[1];
  if (program.reads_residual) return;
  command->arguments[5] = def.class_sweeps[0];
  command->arguments[2] = def.class_sweeps[1];
}

RowScale scale_of(const Program& program, const ppu_problem& problem, const ppu_solve_def& def) {
  return {def.relaxation, program.impulse_form, problem.impulse_form};
}

/// The commands of one solve: a query, copies in, runs, copies out, a query.
class Solve {
 public:
  Solve(Device& device, const Program& program, const ppu_problem& problem,
        const ppu_solve_def& def, const Plan& plan, const MassScaling* scaling)
      : device_(device),
        def_(def),
        plan_(plan),
        warm_(def.start == PPU_START_WARM),
        batch_(std::make_shared<Batch>(device.host_memory())),
        memory_(device, problem, plan, scaling, batch_.get()) {
    memory_.pack(scale_of(program, problem, def), warm_);
    batch_->keep(program.memory);
    first_query_ = batch_->add_query();
    record_copy(spec::CommandOpcode::kCopyIn, memory_.inputs());
    uploaded_ = batch_->add_time_stamp();
    for (std::size_t run = 0; run < plan.runs.size(); ++run) record_run(program, run);
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

  void record_run(const Program& program, std::size_t run) {
    hw::RunCommand command;
    set_program(command, device_, program);
    memory_.place(run, &command);
    command.stream = def_.stream;
    set_arguments(program, def_, &command);
    batch_->add_run(command, def_.profile != nullptr);
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

/// Refuses what does not depend on the numbers of the problem.
void check(const Device& device, const Program& program, const ppu_problem& problem,
           const ppu_solve_def& def) {
  check_def(def);
  if (def.profile != nullptr) device.require_profiles("def->profile");
  check_friction(program, def);
  check_budget(device, program, def.budget_cycles);
  check_classes(program, problem, def);
  check_forms(program, problem);
}

}  // namespace

SolveSetup set_up(Device& device, const Program& program, const ppu_problem& problem,
                  const ppu_solve_def& def) {
  check(device, program, problem, def);
  SolveSetup setup;
  setup.plan = plan_for(device, problem, def, wants_one_run(program, def));
  setup.scale = scale_of(program, problem, def);
  check_numbers(problem, def.start);
  if (program.reduced) setup.scaling.emplace(problem, def.start);
  for (const RunPlan& run : setup.plan.runs) {
    hw::RunCommand& command = setup.commands.emplace_back();
    command.row_count = static_cast<std::uint32_t>(run.order.size());
    command.body_count = static_cast<std::uint32_t>(run.bodies.size());
    command.reduced = program.reduced;
    command.stream = def.stream;
    set_arguments(program, def, &command);
  }
  return setup;
}

void solve(Device& device, const Program& program, const ppu_problem& problem,
           const ppu_solve_def& def, float* impulse, float* velocity_change,
           ppu_solve_report* report) {
  check(device, program, problem, def);
  device.require_idle();
  Stopwatch stopwatch;
  ppu_solve_report result{};
  const Plan& plan = plan_for(device, problem, def, wants_one_run(program, def));
  result.schedule_seconds = stopwatch.lap();
  check_numbers(problem, def.start);
  std::optional<MassScaling> scaling;
  if (program.reduced) scaling.emplace(problem, def.start);
  Solve job(device, program, problem, def, plan, scaling ? &*scaling : nullptr);
  result.transfer_seconds = stopwatch.lap();
  const Batch& ended = job.run();
  result.device_seconds = stopwatch.lap();

  check_commands(ended);
  result.run = joined_report(ended);
  result.runs = ended.runs();
  result.engine_cycles = engine_cycles(ended);
  result.sweeps = result.run.progress;
  result.late = result.run.counters[PPU_COUNTER_PASSES_CUT] > 0;
  result.fault_row = PPU_NONE;
  job.report_cost(&result);
  if (const auto failed = failed_run(ended)) {
    result.fault_row = fault_row(ended, plan, *failed);
    if (report != nullptr) *report = result;
    fail_run(ended, *failed, result.fault_row);
  }
  job.read_back(impulse, velocity_change);
  result.transfer_seconds += stopwatch.lap();
  result.max_residual = true_residual(problem, impulse, velocity_change);
  if (report != nullptr) *report = result;
}

}  // namespace ppu::driver
