// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper: rows as given in one pass, others by a plan; then copy in, run and copy out in
// one batch.
#include "driver/solve/solver.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "driver/base/failure.hpp"
#include "driver/solve/given_rows.hpp"
#include "driver/solve/problem.hpp"
#include "driver/solve/residual.hpp"
#include "driver/solve/solve_batch.hpp"
#include "driver/solve/solve_checks.hpp"
#include "driver/solve/solve_command.hpp"
#include "driver/solve/solve_memory.hpp"
#include "driver/solve/solve_report.hpp"

namespace ppu::driver {
namespace {

/// Gives back what a batch holds, for the next solve.
class Lease {
 public:
  explicit Lease(std::shared_ptr<Batch> batch) : batch_(std::move(batch)) {}
  ~Lease() {
    if (!batch_->under_way()) batch_->clear();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  [[nodiscard]] const std::shared_ptr<Batch>& batch() const { return batch_; }

 private:
  std::shared_ptr<Batch> batch_;
};

/// Runs, and fills in all of `result` but the host's times and the residual. `row_of` says which
/// row of the problem is in a slot of a run. Throws Failure, with `report` written at a fault.
template <class RowOf>
const Batch& run_batch(SolveBatch& batch, RowOf row_of, ppu_solve_report* result,
                       ppu_solve_report* report) {
  const Batch& ended = batch.run();
  batch.report_to(result);
  if (const auto failed = failed_run(ended)) {
    result->fault_row = row_of(*failed, ended.report(*failed).fault_row);
    if (report != nullptr) *report = *result;
    batch.fail_run(*failed, result->fault_row);
  }
  return ended;
}

void take_profile(const Batch& ended, std::uint32_t run, const RowOrder& order,
                  ppu_row_profile* profile) {
  if (order.empty()) return;
  const auto* const of_slot = reinterpret_cast<const ppu_row_profile*>(ended.profile(run));
  for (std::size_t slot = 0; slot < order.size(); ++slot) profile[order[slot]] = of_slot[slot];
}

/// Refuses a program or a def that records cannot have.
void check_records(const Device& device, const Program& program, std::uint32_t row_count,
                   std::uint32_t body_count, const ppu_solve_def& def) {
  ppu_problem counts{};
  counts.row_count = row_count;
  counts.body_count = body_count;
  counts.impulse_form = program.impulse_form;
  check_solve(device, program, counts, def);
  if (program.reduced)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "the program takes rows in the reduced form, expected one on records of the full form");
  if (def.start != PPU_START_WARM || def.relaxation != 1 || def.true_residual)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "start, relaxation or true_residual of the def is not as by default, as for records it "
         "must be");
}

/// Bodies and parents of records.
RowGraph graph_of(const Records& records) {
  RowGraph graph;
  graph.body_count = records.bodies();
  graph.body.reserve(records.rows());
  graph.parent.reserve(records.rows());
  for (std::uint32_t i = 0; i < records.rows(); ++i) {
    const ppu_row& row = records.memory().rows[i];
    graph.body.push_back(
        {static_cast<std::int32_t>(row.body_a), static_cast<std::int32_t>(row.body_b)});
    graph.parent.push_back(static_cast<std::int32_t>(row.parent));
  }
  return graph;
}

/// True if no array is missing that rows as given are read from.
bool has_arrays(const ppu_problem& problem, ppu_start start) {
  const bool rows = problem.body != nullptr && problem.parent != nullptr &&
                    problem.jacobian != nullptr && problem.inv_mass_jacobian != nullptr &&
                    problem.rate_bias != nullptr && problem.inv_diagonal != nullptr &&
                    problem.lower != nullptr && problem.upper != nullptr &&
                    problem.friction != nullptr && problem.compliance != nullptr;
  const bool state =
      problem.impulse != nullptr && (problem.velocity_change != nullptr || problem.body_count == 0);
  return rows && (state || start == PPU_START_COLD);
}

}  // namespace

PlanTarget Solver::target_of(const Program& program, const ppu_solve_def& def) const {
  return driver::target_of(device_.config(), program, def);
}

std::shared_ptr<Batch> Solver::empty_batch() {
  if (!batch_ || batch_->under_way()) batch_ = std::make_shared<Batch>(device_.host_memory());
  return batch_;
}

SolveSetup Solver::set_up(const Program& program, const ppu_problem& problem,
                          const ppu_solve_def& def) {
  check_solve(device_, program, problem, def);
  SolveSetup setup;
  Stopwatch stopwatch;
  const hw::Config& config = device_.config();
  setup.plan = make_plan(graph_of(problem), target_of(program, def));
  check_plan(config, program, def, problem, setup.plan);
  setup.plan_seconds = stopwatch.lap();
  setup.scale = scale_of(program, problem, def);
  check_numbers(problem, def.start);
  if (program.reduced) setup.scaling.emplace(problem, def.start);
  setup.commands = commands_of(program, setup.plan, def);
  return setup;
}

std::vector<hw::RunCommand> Solver::commands_of(const Program& program, const Plan& plan,
                                                const ppu_solve_def& def) const {
  std::vector<hw::RunCommand> commands;
  for (const RunPlan& run : plan.runs)
    commands.push_back(command_of(device_, program, def, run.order.size(), run.bodies.size()));
  return commands;
}

void Solver::solve(const Program& program, const ppu_problem& problem, const ppu_solve_def& def,
                   float* impulse, float* velocity_change, ppu_solve_report* report) {
  ppu_solve_report result{};
  const PlanTarget target = target_of(program, def);
  if (!program.reduced && is_as_given(target, problem.row_count, problem.body_count)) {
    solve_given(program, problem, def, impulse, velocity_change, &result, report);
  } else {
    solve_planned(program, problem, def, impulse, velocity_change, &result, report);
  }
  result.max_residual = def.true_residual ? true_residual(problem, impulse, velocity_change)
                                          : std::numeric_limits<double>::quiet_NaN();
  if (report != nullptr) *report = result;
}

void Solver::solve_planned(const Program& program, const ppu_problem& problem,
                           const ppu_solve_def& def, float* impulse, float* velocity_change,
                           ppu_solve_report* result, ppu_solve_report* report) {
  Stopwatch stopwatch;
  SolveSetup setup = set_up(program, problem, def);
  result->plan_seconds = setup.plan_seconds;
  device_.require_idle();
  const bool warm = def.start == PPU_START_WARM;
  const Lease lease(empty_batch());
  const SolveMemory memory(device_, setup.plan, setup.scaling ? &*setup.scaling : nullptr);
  memory.pack(problem, setup.scale, warm);
  run_planned(program, def, setup, memory, stopwatch, lease.batch(), result, report);
  memory.unpack(problem, warm, impulse, velocity_change);
  result->transfer_seconds += stopwatch.lap();
}

void Solver::run_planned(const Program& program, const ppu_solve_def& def, SolveSetup& setup,
                         const SolveMemory& memory, Stopwatch& stopwatch,
                         const std::shared_ptr<Batch>& empty, ppu_solve_report* result,
                         ppu_solve_report* report) {
  for (std::size_t run = 0; run < setup.commands.size(); ++run)
    memory.place(run, &setup.commands[run]);
  SolveBatch batch(device_, empty, program, def, memory.regions(), setup.commands.data(),
                   setup.commands.size());
  result->transfer_seconds = stopwatch.lap() - result->plan_seconds;
  const auto row_of = [&setup](std::uint32_t run, std::uint32_t slot) {
    const RowOrder& order = setup.plan.runs[run].order;
    return slot < order.size() ? order[slot] : PPU_NONE;
  };
  const Batch& ended = run_batch(batch, row_of, result, report);
  result->device_seconds = stopwatch.lap();
  if (def.profile != nullptr)
    for (std::uint32_t run = 0; run < ended.runs(); ++run)
      take_profile(ended, run, setup.plan.runs[run].order, def.profile);
}

void Solver::solve(const Program& program, Records& records, const ppu_solve_def& def,
                   ppu_solve_report* report) {
  ppu_solve_report result{};
  Stopwatch stopwatch;
  check_records(device_, program, records.rows(), records.bodies(), def);
  device_.require_idle();
  records.complete(records.rows());
  if (is_as_given(target_of(program, def), records.rows(), records.bodies())) {
    const Lease lease(empty_batch());
    const hw::RunCommand command =
        command_over(records.regions(), program, def, records.rows(), records.bodies());
    SolveBatch batch(device_, lease.batch(), program, def, records.regions(), &command, 1);
    run_given(batch, def, records.rows(), stopwatch, &result, report);
    result.transfer_seconds += stopwatch.lap();
  } else {
    solve_planned(program, records, def, &result, report);
  }
  result.max_residual = std::numeric_limits<double>::quiet_NaN();
  if (report != nullptr) *report = result;
}

void Solver::start(std::shared_ptr<const Program> program, Records& records,
                   const ppu_solve_def& def, std::uint32_t row_count) {
  check_records(device_, *program, row_count, records.bodies(), def);
  device_.require_idle();
  StartedSolve& solve = records.start(row_count);
  solve.program = std::move(program);
  solve.def = def;
  if (is_as_given(target_of(*solve.program, def), row_count, records.bodies()))
    solve.commands.emplace(
        device_, solve.batch, *solve.program, solve.def, records.regions(),
        command_over(records.regions(), *solve.program, def, row_count, records.bodies()));
  solve.handover.begin(row_count);
}

void Solver::finish(Records& records, ppu_solve_report* report) {
  Stopwatch stopwatch;
  StartedSolve& solve = records.started();
  if (records.rows() != solve.rows)
    fail(PPU_ERROR_INVALID_ARGUMENT, records.rows(), " rows are committed, expected ", solve.rows,
         ", the row_count of ppu_records_start()");
  const struct End {
    StartedSolve& solve;
    ~End() { solve.end(); }
  } end{solve};
  if (!solve.commands) return this->solve(*solve.program, records, solve.def, report);
  device_.require_idle();
  ppu_solve_report result{};
  result.max_residual = std::numeric_limits<double>::quiet_NaN();
  run_blocks(*solve.commands, solve.handover, solve.def, solve.rows, stopwatch, &result, report);
  result.transfer_seconds += stopwatch.lap();
  if (report != nullptr) *report = result;
}

void Solver::solve_planned(const Program& program, Records& records, const ppu_solve_def& def,
                           ppu_solve_report* result, ppu_solve_report* report) {
  Stopwatch stopwatch, planning;
  SolveSetup setup;
  ppu_problem counts{};
  counts.row_count = records.rows();
  counts.body_count = records.bodies();
  setup.plan = make_plan(graph_of(records), target_of(program, def));
  check_plan(device_.config(), program, def, counts, setup.plan);
  setup.commands = commands_of(program, setup.plan, def);
  result->plan_seconds = planning.lap();
  const Lease lease(empty_batch());
  const SolveMemory memory(device_, setup.plan, nullptr);
  memory.pack(records.memory());
  run_planned(program, def, setup, memory, stopwatch, lease.batch(), result, report);
  memory.unpack(records.memory());
  result->transfer_seconds += stopwatch.lap();
}

void Solver::solve_given(const Program& program, const ppu_problem& problem,
                         const ppu_solve_def& def, float* impulse, float* velocity_change,
                         ppu_solve_report* result, ppu_solve_report* report) {
  Stopwatch stopwatch;
  check_solve(device_, program, problem, def);
  device_.require_idle();
  const Lease lease(empty_batch());
  const SolveRegions regions = regions_of(device_, problem.row_count, problem.body_count);
  auto* const rows = regions.rows.at<ppu_row>();
  auto* const impulses = regions.impulses.at<float>();
  auto* const velocities = regions.velocities.at<ppu_velocity>();
  const auto refuse_unless = [&](bool good) {
    if (good) return;
    graph_of(problem);
    check_numbers(problem, def.start);
  };
  refuse_unless(has_arrays(problem, def.start) &&
                pack_start(problem, def.start == PPU_START_WARM, impulses, velocities));
  SolveBatch batch(device_, lease.batch(), program, def, regions,
                   command_over(regions, program, def, problem.row_count, problem.body_count));
  const RowScale scale = scale_of(program, problem, def);
  handover_.begin(problem.row_count);
  for (std::uint32_t row = 0; row < problem.row_count;) {
    const std::uint32_t end =
        row + std::min(block_rows(problem.row_count), problem.row_count - row);
    refuse_unless(pack_given(problem, scale, row, end, rows));
    handover_.reach(end);
    row = end;
  }
  run_blocks(batch, handover_, def, problem.row_count, stopwatch, result, report);
  unpack_given(problem, impulses, velocities, impulse, velocity_change);
  result->transfer_seconds += stopwatch.lap();
}

hw::RunCommand Solver::command_over(const SolveRegions& regions, const Program& program,
                                    const ppu_solve_def& def, std::uint32_t row_count,
                                    std::uint32_t body_count) const {
  hw::RunCommand command = command_of(device_, program, def, row_count, body_count);
  command.rows_address = regions.rows.address();
  command.impulses_address = regions.impulses.address();
  command.velocities_address = regions.velocities.address();
  return command;
}

void Solver::run_given(SolveBatch& batch, const ppu_solve_def& def, std::uint32_t row_count,
                       Stopwatch& stopwatch, ppu_solve_report* result, ppu_solve_report* report) {
  result->transfer_seconds = stopwatch.lap();
  const Batch& ended = run_batch(
      batch,
      [row_count](std::uint32_t, std::uint32_t slot) { return slot < row_count ? slot : PPU_NONE; },
      result, report);
  result->device_seconds = stopwatch.lap();
  if (def.profile != nullptr && row_count > 0)
    std::memcpy(def.profile, ended.profile(0), row_count * sizeof *def.profile);
}

void Solver::run_blocks(SolveBatch& batch, Handover& handover, const ppu_solve_def& def,
                        std::uint32_t row_count, Stopwatch& stopwatch, ppu_solve_report* result,
                        ppu_solve_report* report) {
  handover.end();
  run_given(batch, def, row_count, stopwatch, result, report);
  if (const auto copies = batch.block_copies())
    result->overlap_seconds = overlap(handover.before(), *copies);
}

}  // namespace ppu::driver
