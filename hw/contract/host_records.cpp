// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/host_records.hpp"

#include <algorithm>
#include <cstring>

namespace ppu::hw {
namespace {

constexpr std::uint32_t kHeaderBeats = beats_of(spec::kReportHeaderBytes);
static_assert(kHeaderBeats * spec::kBeatBytes == spec::kReportHeaderBytes);

template <std::size_t kCount>
Beat value_beat(const std::array<std::uint64_t, kCount>& values, std::uint32_t index) {
  constexpr std::size_t kPerBeat = spec::kBeatBytes / sizeof(std::uint64_t);
  Beat beat{};
  const std::size_t first = index * kPerBeat;
  const std::size_t count = std::min(kPerBeat, kCount - first);
  std::memcpy(beat.data(), values.data() + first, count * sizeof(std::uint64_t));
  return beat;
}

/// Writes 8 bytes in one piece, after everything that was written before.
void publish(std::byte* target, const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(target), word, __ATOMIC_RELEASE);
}

}  // namespace

StrobedBeat fence_beat(std::uint32_t address, const FenceRecord& fence) {
  const std::uint32_t offset = address % spec::kBeatBytes;
  StrobedBeat beat{{}, strobe_of(offset, offset + sizeof fence)};
  std::memcpy(&beat.data[offset], &fence, sizeof fence);
  return beat;
}

Beat report_beat(const RunReport& report, std::uint32_t index) {
  if (index >= kHeaderBeats) return value_beat(report.counters, index - kHeaderBeats);
  using Word = spec::ReportWord;
  Beat beat{};
  const auto put = [&beat](Word word, std::uint32_t value) {
    std::memcpy(&beat[static_cast<std::size_t>(word) * sizeof value], &value, sizeof value);
  };
  put(Word::kStatus, report.status);
  put(Word::kFaultRow, report.fault_row);
  put(Word::kFaultDetail, report.fault_detail);
  put(Word::kFaultValue, report.fault_value);
  put(Word::kProgress, report.progress);
  put(Word::kLastResidual, report.last_residual);
  put(Word::kCommand, report.command);
  put(Word::kEngine, report.engine);
  return beat;
}

Beat counter_beat(const DeviceCounters& counters, std::uint32_t index) {
  return value_beat(counters, index);
}

void write_host_beat(const Memory& host_memory, std::uint32_t address, const Beat& beat,
                     std::uint64_t strobe) {
  constexpr std::uint64_t kAll = 0xff;
  std::byte* const target = host_memory.data + address;
  for (std::size_t at = beat.size(); at > 0;) {
    at -= sizeof(std::uint64_t);
    const std::uint64_t named = strobe >> at & kAll;
    if (named == kAll) {
      publish(target + at, &beat[at]);
      continue;
    }
    for (std::size_t n = 0; n < sizeof named; ++n)
      if ((named >> n & 1U) != 0) target[at + n] = beat[at + n];
  }
}

void write_fence(const Memory& host_memory, std::uint32_t address, const FenceRecord& fence) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&fence);
  for (const std::size_t at : {offsetof(FenceRecord, device_cycle), offsetof(FenceRecord, value)})
    publish(host_memory.data + address + at, bytes + at);
}

Beat read_beat(const Memory& memory, std::uint32_t address) {
  Beat beat{};
  if (std::uint64_t{address} + beat.size() <= memory.size_bytes)
    std::memcpy(beat.data(), memory.data + address, beat.size());
  return beat;
}

}  // namespace ppu::hw
