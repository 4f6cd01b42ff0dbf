// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The runs of a solve, packed.
#include "driver/solve/job.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "driver/solve/run_memory.hpp"

namespace ppu::driver {
namespace {

constexpr std::size_t kVelocityFloats = 6;

}  // namespace

Job::Job(const ppu_problem& problem, const ppu_solve_def& def, SolveSetup setup)
    : setup_(std::move(setup)), start_(std::size_t{problem.body_count} * kVelocityFloats) {
  const bool warm = def.start == PPU_START_WARM;
  if (warm) std::copy_n(problem.velocity_change, start_.size(), start_.begin());
  const MassScaling* const scaling = setup_.scaling ? &*setup_.scaling : nullptr;
  for (const RunPlan& run : setup_.plan.runs) {
    RunMemory& memory = memories_.emplace_back();
    memory.rows.resize(row_bytes(run, scaling != nullptr));
    memory.impulses.resize(run.order.size());
    memory.velocities.resize(run.bodies.size());
    pack_run_rows(problem, setup_.plan, run, setup_.scale, scaling, memory.rows.data());
    if (warm)
      pack_run_start(problem, run, scaling, memory.impulses.data(), memory.velocities.data());
  }
}

ppu_job_run Job::run(std::size_t number) const {
  const RunPlan& plan = setup_.plan.runs[number];
  const RunMemory& memory = memories_[number];
  const hw::RunCommand& command = setup_.commands[number];
  ppu_job_run run{};
  run.row_count = command.row_count;
  run.body_count = command.body_count;
  run.row_of_slot = plan.order.data();
  run.body_of_number = plan.bodies.data();
  run.reduced = command.reduced;
  run.rows = memory.rows.data();
  run.rows_size_bytes = memory.rows.size();
  run.impulses = memory.impulses.data();
  run.velocities = memory.velocities.data();
  std::copy(command.arguments.begin(), command.arguments.end(), std::begin(run.arguments));
  run.stream = command.stream;
  return run;
}

void Job::answer(const float* const* impulses, const ppu_velocity* const* velocities,
                 float* impulse, float* velocity_change) const {
  std::copy(start_.begin(), start_.end(), velocity_change);
  for (std::size_t run = 0; run < runs(); ++run)
    unpack_run(setup_.plan.runs[run], setup_.scaling ? &*setup_.scaling : nullptr, impulses[run],
               velocities[run], impulse, velocity_change);
}

}  // namespace ppu::driver
