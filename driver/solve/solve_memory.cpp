// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Packing and unpacking of a planned problem.
#include "driver/solve/solve_memory.hpp"

#include <algorithm>
#include <cstring>

#include "driver/solve/run_packing.hpp"

namespace ppu::driver {
SolveMemory::SolveMemory(const Device& device, const Plan& plan, const MassScaling* scaling)
    : plan_(plan), scaling_(scaling) {
  std::uint64_t rows = 0;
  std::uint64_t impulses = 0;
  std::uint64_t velocities = 0;
  for (const RunPlan& run : plan.runs) {
    places_.push_back({static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(impulses),
                       static_cast<std::uint32_t>(velocities)});
    rows += row_bytes(run, scaling != nullptr);
    impulses += whole_beats(run.order.size() * spec::kImpulseBytes);
    velocities += whole_beats(run.bodies.size() * spec::kVelocityBytes);
  }
  regions_ = {Region(device, rows), Region(device, impulses), Region(device, velocities)};
}

void SolveMemory::place(std::size_t run, hw::RunCommand* command) const {
  command->rows_address = regions_.rows.address(places_[run].rows);
  command->impulses_address = regions_.impulses.address(places_[run].impulses);
  command->velocities_address = regions_.velocities.address(places_[run].velocities);
}

void SolveMemory::clear() const {
  // Also what lies between the runs and the numbers that no body has.
  for (const Region* region : {&regions_.impulses, &regions_.velocities})
    if (region->used_bytes() > 0) std::memset(region->at<std::byte>(), 0, region->used_bytes());
}

void SolveMemory::pack(const ppu_problem& problem, const RowScale& scale, bool warm) const {
  clear();
  for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
    const RunPlan& run = plan_.runs[i];
    if (run.order.empty()) continue;
    pack_run_rows(problem, plan_, run, scale, scaling_,
                  regions_.rows.at<std::byte>(places_[i].rows));
    if (warm)
      pack_run_start(problem, run, scaling_, regions_.impulses.at<float>(places_[i].impulses),
                     regions_.velocities.at<ppu_velocity>(places_[i].velocities));
  }
}

void SolveMemory::pack(const ppu_record_memory& records) const {
  clear();
  for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
    const RunPlan& run = plan_.runs[i];
    auto* const rows = regions_.rows.at<ppu_row>(places_[i].rows);
    auto* const impulses = regions_.impulses.at<float>(places_[i].impulses);
    auto* const velocities = regions_.velocities.at<ppu_velocity>(places_[i].velocities);
    for (std::size_t slot = 0; slot < run.order.size(); ++slot) {
      ppu_row row = records.rows[run.order[slot]];
      row.body_a = planned(plan_.device_body, static_cast<std::int32_t>(row.body_a));
      row.body_b = planned(plan_.device_body, static_cast<std::int32_t>(row.body_b));
      row.parent = planned(plan_.slot, static_cast<std::int32_t>(row.parent));
      rows[slot] = row;
      impulses[slot] = records.impulses[run.order[slot]];
    }
    for (std::size_t number = 0; number < run.bodies.size(); ++number)
      velocities[number] = records.velocities[run.bodies[number]];
  }
}

void SolveMemory::unpack(const ppu_record_memory& records) const {
  for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
    const RunPlan& run = plan_.runs[i];
    const auto* const impulses = regions_.impulses.at<float>(places_[i].impulses);
    const auto* const velocities = regions_.velocities.at<ppu_velocity>(places_[i].velocities);
    for (std::size_t slot = 0; slot < run.order.size(); ++slot)
      records.impulses[run.order[slot]] = impulses[slot];
    for (std::size_t number = 0; number < run.bodies.size(); ++number)
      records.velocities[run.bodies[number]] = velocities[number];
  }
}

void SolveMemory::unpack(const ppu_problem& problem, bool warm, float* impulse,
                         float* velocity_change) const {
  const std::size_t floats = problem.body_count * kVelocityFloats;
  if (warm) {
    std::copy_n(problem.velocity_change, floats, velocity_change);
  } else {
    std::fill_n(velocity_change, floats, 0.0F);
  }
  for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
    const RunPlan& run = plan_.runs[i];
    if (run.order.empty()) continue;
    unpack_run(run, scaling_, regions_.impulses.at<float>(places_[i].impulses),
               regions_.velocities.at<ppu_velocity>(places_[i].velocities), impulse,
               velocity_change);
  }
}

}  // namespace ppu::driver
