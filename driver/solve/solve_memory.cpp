// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Packing and unpacking of a planned problem.
#include "driver/solve/solve_memory.hpp"

#include <algorithm>
#include <cstring>

#include "driver/solve/run_memory.hpp"

namespace ppu::driver {
namespace {

constexpr std::size_t kVelocityFloats = 6;

std::uint64_t whole_beats(std::uint64_t size_bytes) {
  return (size_bytes + spec::kBeatBytes - 1) / spec::kBeatBytes * spec::kBeatBytes;
}

}  // namespace

SolveMemory::SolveMemory(const Device& device, const ppu_problem& problem, const Plan& plan,
                         const MassScaling* scaling, Batch* batch)
    : problem_(problem), plan_(plan), scaling_(scaling) {
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
  rows_ = take(device, rows, batch);
  impulses_ = take(device, impulses, batch);
  velocities_ = take(device, velocities, batch);
}

SolveMemory::Region SolveMemory::take(const Device& device, std::uint64_t size_bytes,
                                      Batch* batch) const {
  if (size_bytes == 0) return {};
  Region region;
  region.host = &batch->stage(size_bytes);
  region.device = device.allocate(size_bytes);
  region.size_bytes = static_cast<std::uint32_t>(size_bytes);
  batch->keep(region.device);
  return region;
}

void SolveMemory::append(const Region& region, std::vector<Descriptor>* ranges) const {
  if (region.size_bytes > 0)
    ranges->push_back({region.host->address(), region.device->address(), region.size_bytes, 0});
}

std::vector<Descriptor> SolveMemory::inputs() const {
  std::vector<Descriptor> ranges;
  append(rows_, &ranges);
  append(impulses_, &ranges);
  append(velocities_, &ranges);
  return ranges;
}

std::vector<Descriptor> SolveMemory::outputs() const {
  std::vector<Descriptor> ranges;
  append(impulses_, &ranges);
  append(velocities_, &ranges);
  return ranges;
}

void SolveMemory::place(std::size_t run, hw::RunCommand* command) const {
  const auto address = [](const Region& region, std::uint32_t place) {
    return region.size_bytes > 0 ? region.device->address() + place : 0;
  };
  command->rows_address = address(rows_, places_[run].rows);
  command->impulses_address = address(impulses_, places_[run].impulses);
  command->velocities_address = address(velocities_, places_[run].velocities);
}

void SolveMemory::pack(const RowScale& scale, bool warm) const {
  // Also what lies between the runs and the numbers that no body has.
  for (const Region& region : {impulses_, velocities_})
    if (region.size_bytes > 0) std::memset(region.host->data(), 0, region.size_bytes);
  for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
    const RunPlan& run = plan_.runs[i];
    if (run.order.empty()) continue;
    pack_run_rows(problem_, plan_, run, scale, scaling_, at<std::byte>(rows_, places_[i].rows));
    if (warm)
      pack_run_start(problem_, run, scaling_, at<float>(impulses_, places_[i].impulses),
                     at<ppu_velocity>(velocities_, places_[i].velocities));
  }
}

void SolveMemory::unpack(bool warm, float* impulse, float* velocity_change) const {
  const std::size_t floats = problem_.body_count * kVelocityFloats;
  if (warm) {
    std::copy_n(problem_.velocity_change, floats, velocity_change);
  } else {
    std::fill_n(velocity_change, floats, 0.0F);
  }
  for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
    const RunPlan& run = plan_.runs[i];
    if (run.order.empty()) continue;
    unpack_run(run, scaling_, at<float>(impulses_, places_[i].impulses),
               at<ppu_velocity>(velocities_, places_[i].velocities), impulse, velocity_change);
  }
}

}  // namespace ppu::driver
