// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows, impulses and velocities of one planned run.
#include "driver/solve/run_packing.hpp"

#include <algorithm>
#include <cstring>

#include "hw/contract/row_records.hpp"

namespace ppu::driver {

std::uint64_t row_bytes(const RunPlan& run, bool reduced) {
  return hw::RowRecords::bytes(reduced, 0, static_cast<std::uint32_t>(run.order.size()));
}

void pack_run_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run,
                   const RowScale& scale, const MassScaling* scaling, void* rows) {
  if (scaling != nullptr) {
    pack_reduced_rows(problem, plan, run, scale, *scaling, static_cast<ppu_reduced_block*>(rows));
  } else {
    pack_rows(problem, plan, run, scale, static_cast<ppu_row*>(rows));
  }
}

void pack_run_start(const ppu_problem& problem, const RunPlan& run, const MassScaling* scaling,
                    float* impulses, ppu_velocity* velocities) {
  for (std::size_t slot = 0; slot < run.order.size(); ++slot)
    impulses[slot] = problem.impulse[run.order[slot]];
  for (std::size_t number = 0; number < run.bodies.size(); ++number) {
    const std::uint32_t body = run.bodies[number];
    const float* const v = problem.velocity_change + body * kVelocityFloats;
    if (scaling != nullptr) {
      const MassScaling::Vector reduced = scaling->to_reduced(body, v);
      std::memcpy(velocities + number, reduced.data(), sizeof reduced);
    } else {
      std::memcpy(velocities + number, v, kVelocityFloats * sizeof(float));
    }
  }
}

void unpack_run(const RunPlan& run, const MassScaling* scaling, const float* impulses,
                const ppu_velocity* velocities, float* impulse, float* velocity_change) {
  for (std::size_t slot = 0; slot < run.order.size(); ++slot)
    impulse[run.order[slot]] = impulses[slot];
  for (std::size_t number = 0; number < run.bodies.size(); ++number) {
    const std::uint32_t body = run.bodies[number];
    float v[kVelocityFloats];
    std::memcpy(v, velocities + number, sizeof v);
    if (scaling != nullptr) {
      const MassScaling::Vector full = scaling->from_reduced(body, v);
      std::copy(full.begin(), full.end(), v);
    }
    std::memcpy(velocity_change + body * kVelocityFloats, v, sizeof v);
  }
}

}  // namespace ppu::driver
