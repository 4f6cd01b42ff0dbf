// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A case of the fuzz on one device.
#include "sim/fuzz/fuzz_run.hpp"

#include <algorithm>

namespace ppu::sim {
namespace {

/// Runs of a case take milliseconds; a machine may be very busy.
constexpr std::uint64_t kTimeoutNs = 600'000'000'000;

/// A buffer has at least a byte.
Buffer buffer_of(const Device& device, std::size_t size_bytes) {
  return Buffer(device, std::max<std::size_t>(size_bytes, 1));
}

}  // namespace

FuzzRun::FuzzRun(const Device& device, const FuzzCase& fuzz, const std::vector<std::byte>& image,
                 bool reduced)
    : device_(device),
      program_(Program::from_image(device, image.data(), image.size())),
      commands_(device) {
  record(fuzz, reduced);
  fence_ = commands_.submit();
}

void FuzzRun::record(const FuzzCase& fuzz, bool reduced) {
  const std::vector<std::uint8_t> rows = row_records(fuzz.set.rows, reduced);
  const std::size_t impulse_bytes = fuzz.set.impulses.size() * sizeof(float);
  const std::size_t velocity_bytes = fuzz.set.velocities.size() * sizeof(ppu_velocity);
  outcome_.impulses.resize(fuzz.copies * impulse_bytes);
  outcome_.velocities.resize(fuzz.copies * velocity_bytes);
  first_query_ = commands_.query();
  for (std::uint32_t copy = 0; copy < fuzz.copies; ++copy) {
    memories_.push_back({buffer_of(device_, rows.size()), buffer_of(device_, impulse_bytes),
                         buffer_of(device_, velocity_bytes)});
    const Memory& memory = memories_.back();
    commands_.copy_in(memory.rows, rows.data(), rows.size());
    commands_.copy_in(memory.impulses, fuzz.set.impulses.data(), impulse_bytes);
    commands_.copy_in(memory.velocities, fuzz.set.velocities.data(), velocity_bytes);
  }
  commands_.barrier();
  for (const Memory& memory : memories_) {
    ppu_run_def def = ppu_default_run_def();
    def.program = program_.get();
    def.rows = memory.rows.get();
    def.impulses = memory.impulses.get();
    def.velocities = memory.velocities.get();
    def.row_count = static_cast<std::uint32_t>(fuzz.set.rows.size());
    def.body_count = static_cast<std::uint32_t>(fuzz.set.velocities.size());
    std::copy(fuzz.arguments.begin(), fuzz.arguments.end(), def.arguments);
    def.stream = fuzz.stream;
    commands_.run(def);
  }
  commands_.barrier();
  for (std::uint32_t copy = 0; copy < fuzz.copies; ++copy) {
    commands_.copy_out(memories_[copy].impulses, outcome_.impulses.data() + copy * impulse_bytes,
                       impulse_bytes);
    commands_.copy_out(memories_[copy].velocities,
                       outcome_.velocities.data() + copy * velocity_bytes, velocity_bytes);
  }
  last_query_ = commands_.query();
}

void FuzzRun::read_memories() {
  const std::size_t impulse_bytes = outcome_.impulses.size() / memories_.size();
  const std::size_t velocity_bytes = outcome_.velocities.size() / memories_.size();
  for (std::size_t copy = 0; copy < memories_.size(); ++copy) {
    memories_[copy].impulses.read(outcome_.impulses.data() + copy * impulse_bytes, impulse_bytes);
    memories_[copy].velocities.read(outcome_.velocities.data() + copy * velocity_bytes,
                                    velocity_bytes);
  }
}

FuzzOutcome FuzzRun::finish() {
  try {
    fence_->wait(kTimeoutNs);
  } catch (const Error& error) {
    outcome_.sentence = error.what();
    outcome_.lost = error.result != PPU_ERROR_FAULT;
    if (error.result == PPU_ERROR_TIMEOUT || error.result == PPU_ERROR_DEVICE_LOST)
      return std::move(outcome_);
    read_memories();
  }
  for (std::uint32_t run = 0; run < memories_.size(); ++run)
    outcome_.runs.push_back(fence_->report(run));
  const DeviceCounters before = fence_->counters(first_query_);
  const DeviceCounters after = fence_->counters(last_query_);
  for (std::size_t i = 0; i < after.size(); ++i) outcome_.counters[i] = after[i] - before[i];
  return std::move(outcome_);
}

}  // namespace ppu::sim
