// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/solve/solve_regions.hpp"

namespace ppu::driver {

Region::Region(const Device& device, std::uint64_t size_bytes)
    : used_bytes_(static_cast<std::uint32_t>(size_bytes)) {
  if (size_bytes == 0) return;
  host_ = device.host_memory().allocate(size_bytes);
  device_ = device.take(size_bytes);
}

void Region::append_to(Ranges* ranges) const {
  if (used_bytes_ == 0) return;
  ranges->range[ranges->count++] = {host_.address(), device_.address(), used_bytes_, 0};
}

Ranges SolveRegions::state() const {
  Ranges ranges;
  impulses.append_to(&ranges);
  velocities.append_to(&ranges);
  return ranges;
}

std::uint64_t whole_beats(std::uint64_t size_bytes) {
  return (size_bytes + spec::kBeatBytes - 1) / spec::kBeatBytes * spec::kBeatBytes;
}

SolveRegions regions_of(const Device& device, std::size_t rows, std::size_t bodies) {
  return {Region(device, rows * sizeof(ppu_row)),
          Region(device, whole_beats(rows * spec::kImpulseBytes)),
          Region(device, whole_beats(bodies * spec::kVelocityBytes))};
}

}  // namespace ppu::driver
