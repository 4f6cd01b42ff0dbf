// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The writer: fences, device counters and the reports of engines on their way to host memory, one
// at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "hw/contract/host_records.hpp"
#include "hw/contract/trace.hpp"
#include "hw/uncore/register_block.hpp"

namespace ppu::hw {

class HostWriter final : public BeatMaster {
 public:
  /// Whose counters and reports it writes, and whom it tells that it has.
  struct Ports {
    RegisterBlock* registers = nullptr;
    CounterBlock* counters = nullptr;
    std::vector<EngineLink*> engines;
  };

  /// `trace` may be null.
  explicit HostWriter(TraceSink* trace) : trace_(trace) {}
  void connect(Ports ports) { ports_ = std::move(ports); }

  void begin_fence(std::uint32_t address, const FenceRecord& fence, bool interrupt, ContextId id);
  void begin_query(std::uint32_t address);
  [[nodiscard]] bool idle() const { return job_ == Job::kNone; }

  // A cycle: the next beat is asked for, with the device counters of the first cycle in which it
  // is; a report is begun; beats are acknowledged. True if anything changes.
  void ask();
  bool work(std::uint64_t cycle);
  bool receive(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t next_event() const {
    return answers_.empty() ? kNever : answers_.front().cycle;
  }

  // See BeatMaster.
  [[nodiscard]] bool requests(std::uint64_t) const override { return sent_ < beats_; }
  BeatRequest accept(std::uint64_t) override;
  void answer(const BeatAnswer& answer) override { answers_.push_back(answer); }

  /// As after power-on.
  void reset() {
    begin(Job::kNone, 0, 0);
    beat_.reset();
    answers_.clear();
  }

 private:
  enum class Job : std::uint8_t { kNone, kFence, kQuery, kReport };

  void begin(Job job, std::uint32_t address, std::uint32_t beats);
  /// The last beat is acknowledged.
  void finish(std::uint64_t cycle);
  void finish_report(std::uint64_t cycle);
  void trace(TraceKind kind, std::uint64_t cycle, std::uint32_t unit, std::uint64_t a) const {
    if (trace_ != nullptr) trace_->on_event({cycle, kind, static_cast<std::uint8_t>(unit), a, 0});
  }

  TraceSink* trace_;
  Ports ports_;

  Job job_ = Job::kNone;
  std::uint32_t address_ = 0;
  std::uint32_t beats_ = 0;
  std::uint32_t sent_ = 0;
  std::uint32_t acknowledged_ = 0;
  std::optional<Beat> beat_;  ///< Of a query or report, while it is requested.
  FenceRecord fence_{};
  bool interrupt_ = false;
  ContextId id_ = 0;                ///< Whose fence it is.
  EngineLink* reported_ = nullptr;  ///< Whose report is being written.
  std::deque<BeatAnswer> answers_;  ///< That will come.
};

}  // namespace ppu::hw
