// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One run on a timed engine, from its start to its report: the phases of docs/device.md.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ppu/hw/engine_port.hpp"
#include "ppu/hw/issue_stage.hpp"
#include "ppu/hw/row_observer.hpp"
#include "ppu/hw/row_stream.hpp"
#include "ppu/hw/run_stop.hpp"
#include "ppu/hw/sequencer.hpp"
#include "ppu/hw/trace.hpp"
#include "ppu/hw/working_set.hpp"

namespace ppu::hw {

/// What an engine is and what it is connected to.
struct EngineSurroundings {
  Config config;
  std::uint32_t index;
  Memory memory;
  EnginePort& port;
  RowObserver* observer;  ///< May be null.
  TraceSink* trace;       ///< May be null.
};

class EngineRun final : private RowUnit {
 public:
  /// `profile` has a record for each row.
  EngineRun(const EngineSurroundings& engine, const RunCommand& command, Program program,
            std::vector<RowProfile>& profile);

  /// The run is begun in `cycle`: posts the loads.
  void start(std::uint64_t cycle);
  // See TimedEngine.
  void advance();
  void cancel(std::uint64_t cycle);
  void accept_write() { set_.store_beat(engine_.memory, command_, stored_++); }

  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  /// A pass that was queued and has rows left.
  struct Pass {
    LoadedKernel kernel;
    std::uint32_t first, next, end;
    std::uint64_t cycle;  ///< In which its `rows` executed.
    std::uint64_t skipped = 0, skipped_bodies = 0;
  };

  void spend(int cycles) override { sequencer_cycle_ += static_cast<std::uint64_t>(cycles); }
  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override;
  bool drain() override;
  std::uint32_t take_max_residual() override;
  void signal(std::uint32_t value) override;

  void finish_load();
  /// Executes until the rows allow no more; throws RunStop.
  void execute();
  /// Runs the rows of the oldest pass; false if it waits for a record, or `budget` is used up.
  bool run_pass(std::uint32_t* budget);
  template <class Control>
  bool run_rows(Control control, Pass* pass, std::uint32_t* budget);
  template <class Control>
  void run_row(Control control, Pass* pass, const ppu_row& row, std::uint64_t arrival);
  /// Throws RunStop if the record is bad: the run ends when the row is the next to issue, and none
  /// is in flight.
  void check_streamed(const ppu_row& row, std::uint32_t slot, std::uint64_t arrival);
  /// Tells trace and observer, which counts from the first instruction.
  void observe(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
               const IssueStage::Issued& issued);
  /// Computes the row again to say what went wrong.
  [[noreturn, gnu::cold, gnu::noinline]] void stop_at_fault(const LoadedKernel& kernel,
                                                            const ppu_row& row, std::uint32_t slot,
                                                            const IssueStage::Issued& issued);
  void finish_pass(const Pass& pass);

  // The end of the run is known before its cycle has come: until then it may be cancelled.
  /// The run ends with `stop`, the first one that was found.
  void end_with(const RunStop& stop);
  /// A row has faulted: until it leaves the pipe, instructions and rows go on, but nothing counts.
  void run_out();
  /// Tells the trace what has happened before `cycle`.
  void tell(std::uint64_t cycle);
  /// There is nothing more to do before the run is over.
  void settle();
  /// The run is over.
  void conclude();
  void finish_program();
  void finish_store();
  void abort();
  void finish_abort();

  void post(std::uint64_t cycle, std::uint32_t address, std::uint64_t bytes, bool write);
  /// Takes all responses; returns the cycle of the last one, or `none` if there were none.
  std::uint64_t take_responses(std::uint64_t none);
  void enter(EnginePhase phase, std::uint64_t cycle);
  void note(TraceKind kind, std::uint64_t cycle, std::uint64_t a, std::uint64_t b) {
    if (engine_.trace == nullptr) return;
    events_.push_back({cycle, kind, static_cast<std::uint8_t>(engine_.index), a, b});
  }
  void done(std::uint64_t cycle);
  [[nodiscard]] const ppu_row* device_rows() const;

  const EngineSurroundings& engine_;
  RunCommand command_;
  RunReport report_;
  std::string message_;
  EnginePhase phase_ = EnginePhase::kIdle;
  std::uint64_t phase_start_ = 0;  ///< Cycle.
  bool streamed_;
  bool watched_;               ///< There is a trace or an observer.
  std::vector<ppu_row> rows_;  ///< Row memory, where rows stay on chip.
  WorkingSet set_;
  RowCensus census_;
  IssueStage issue_;
  RowStream stream_;
  Sequencer sequencer_;
  std::deque<Pass> passes_;            ///< Two at most: the sequencer runs that far ahead.
  std::uint64_t origin_ = 0;           ///< Cycle of the first instruction.
  std::uint64_t sequencer_cycle_ = 0;  ///< In which the next instruction would execute.
  /// Cycle after the last issue of the latest two passes that have finished, older one first: the
  /// pass after the next may come from then on.
  std::array<std::uint64_t, 2> pass_ends_{};
  float max_residual_ = 0;
  std::optional<RunStop> stop_;  ///< How the run ends, if not at its `halt`.
  bool settled_ = false;
  std::vector<TraceEvent> events_;  ///< That are still to come.
  std::uint32_t stored_ = 0;        ///< Beats.
};

}  // namespace ppu::hw
