// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The writer: fences, device counters and reports on their way to host memory, one at a time.
#pragma once

#include <optional>

#include "hw/contract/host_records.hpp"

namespace ppu::hw {

class HostWriter {
 public:
  enum class Job : std::uint8_t { kNone, kFence, kQuery, kReport };

  void begin_fence(std::uint32_t address, const FenceRecord& fence, bool interrupt);
  void begin_query(std::uint32_t address);
  void begin_report(std::uint32_t address, const RunReport& report);

  [[nodiscard]] Job job() const { return job_; }
  [[nodiscard]] bool idle() const { return job_ == Job::kNone; }
  [[nodiscard]] const FenceRecord& fence() const { return fence_; }
  [[nodiscard]] bool interrupt() const { return interrupt_; }
  [[nodiscard]] const RunReport& report() const { return report_; }

  [[nodiscard]] bool wants_write() const { return sent_ < beats_; }
  /// The next beat is requested; `counters` are those of this cycle, the first one counts.
  void request(const DeviceCounters& counters);
  [[nodiscard]] std::uint32_t address() const {
    return beat_address(address_) + sent_ * spec::kBeatBytes;
  }
  /// The beat is accepted: what is written.
  StrobedBeat accept_write();
  /// A beat is acknowledged; true if it was the last one.
  bool acknowledge() { return ++acknowledged_ == beats_; }
  void finish() { begin(Job::kNone, 0, 0); }

 private:
  void begin(Job job, std::uint32_t address, std::uint32_t beats);

  Job job_ = Job::kNone;
  std::uint32_t address_ = 0;
  std::uint32_t beats_ = 0;
  std::uint32_t sent_ = 0;
  std::uint32_t acknowledged_ = 0;
  std::optional<Beat> beat_;  ///< Of a query or report, while it is requested.
  FenceRecord fence_{};
  bool interrupt_ = false;
  RunReport report_;
};

}  // namespace ppu::hw
