// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/host_writer.hpp"

namespace ppu::hw {

void HostWriter::begin(Job job, std::uint32_t address, std::uint32_t beats) {
  job_ = job;
  address_ = address;
  beats_ = beats;
  sent_ = 0;
  acknowledged_ = 0;
}

void HostWriter::begin_fence(std::uint32_t address, const FenceRecord& fence, bool interrupt) {
  begin(Job::kFence, address, 1);
  fence_ = fence;
  interrupt_ = interrupt;
}

void HostWriter::begin_query(std::uint32_t address) {
  begin(Job::kQuery, address, kCounterBeats);
}

void HostWriter::begin_report(std::uint32_t address, const RunReport& report) {
  begin(Job::kReport, address, kReportBeats);
  report_ = report;
}

void HostWriter::request(const DeviceCounters& counters) {
  if (!beat_)
    beat_ = job_ == Job::kReport ? report_beat(report_, sent_) : counter_beat(counters, sent_);
}

StrobedBeat HostWriter::accept_write() {
  const StrobedBeat beat = job_ == Job::kFence
                               ? fence_beat(address_, fence_)
                               : StrobedBeat{*beat_, strobe_of(0, spec::kBeatBytes)};
  beat_.reset();
  ++sent_;
  return beat;
}

}  // namespace ppu::hw
