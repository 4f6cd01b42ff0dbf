// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the device writes to host memory: reports, counters and fences, beat by beat as the
// specification lays them out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/contract/device.hpp"
#include "hw/contract/run.hpp"

namespace ppu::hw {

using Beat = std::array<std::byte, spec::kBeatBytes>;

/// A beat of which only the bytes are written that the strobe names, a bit each.
struct StrobedBeat {
  Beat data;
  std::uint64_t strobe;
};
/// Bytes [begin, end) of a beat.
constexpr std::uint64_t strobe_of(std::uint32_t begin, std::uint32_t end) {
  return ~std::uint64_t{0} >> (spec::kBeatBytes - (end - begin)) << begin;
}

/// Beats that `bytes` bytes from the begin of a beat on take.
constexpr std::uint32_t beats_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + spec::kBeatBytes - 1) / spec::kBeatBytes);
}
/// The address of the beat that contains `address`.
constexpr std::uint32_t beat_address(std::uint32_t address) {
  return address - address % spec::kBeatBytes;
}

inline constexpr std::uint32_t kReportBytes = spec::kReportHeaderBytes + sizeof(Counters);
inline constexpr std::uint32_t kReportBeats = beats_of(kReportBytes);
inline constexpr std::uint32_t kCounterBeats = beats_of(sizeof(DeviceCounters));

/// What a fence writes.
struct FenceRecord {
  std::uint64_t value;
  std::uint64_t device_cycle;
};
static_assert(sizeof(FenceRecord) == spec::kFenceBytes);

/// The beat that a fence at `address` writes.
StrobedBeat fence_beat(std::uint32_t address, const FenceRecord& fence);
/// Beat `index` of a report; bytes behind its last counter are 0.
Beat report_beat(const RunReport& report, std::uint32_t index);
/// Beat `index` of the device counters; bytes behind the last one are 0.
Beat counter_beat(const DeviceCounters& counters, std::uint32_t index);

/// Writes the bytes of a beat that `strobe` names, from the last to the first, and 8 of them at a
/// time where all 8 are named: a host that looks at such 8 bytes sees all of them or none, and if
/// it sees them, it sees everything that was written before.
void write_host_beat(const Memory& host_memory, std::uint32_t address, const Beat& beat,
                     std::uint64_t strobe);
/// Writes a fence; whoever sees its value sees all that was written before.
void write_fence(const Memory& host_memory, std::uint32_t address, const FenceRecord& fence);

/// The beat at `address`, a multiple of 64; 0 outside of the memory.
Beat read_beat(const Memory& memory, std::uint32_t address);

}  // namespace ppu::hw
