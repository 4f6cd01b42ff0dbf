// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The stepping engine: firmware and row arithmetic of the functional engine, an instruction or a
// row at a time, for debuggers. Each row takes its place in time from a device that has carried out
// the run, and the first thing that the device did otherwise is remembered.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/contract/run_stop.hpp"
#include "hw/program/body_tags.hpp"
#include "hw/program/scoreboard.hpp"
#include "hw/program/sequencer.hpp"
#include "hw/program/working_set.hpp"
#include "hw/stepping/observed_run.hpp"

namespace ppu::hw {

class SteppingEngine final : private RowUnit {
 public:
  /// What the next step executes.
  enum class At : std::uint8_t {
    kInstruction,
    kRow,
    kEnd,  ///< Nothing: the run has ended.
  };

  /// A pass with rows left. Rows that are passed over are no steps.
  struct Pass {
    LoadedKernel kernel;
    std::uint32_t first = 0, next = 0, end = 0;  ///< Slots; `next` is the row at hand.
    std::uint32_t passed_over = 0;               ///< Rows so far.
    RowSums sums{};
  };

  /// Everything that a step changes.
  struct State {
    State(const Program& program, const RunCommand& command, RunReport* of_engine,
          std::size_t pipes)
        : sequencer(program, command, of_engine),
          tags(command.body_count),
          scoreboard(command.row_count, command.body_count),
          pipe_free(pipes) {}

    std::uint64_t position = 0;  ///< Steps so far.
    At at = At::kInstruction;
    Sequencer sequencer;
    RunReport report;
    WorkingSet set;
    BodyTags tags;
    float mark_threshold = 0;
    float max_residual = 0;
    std::uint32_t instruction = 0;     ///< Address of the next one, of `rows` during its pass.
    std::uint32_t kernel_address = 0;  ///< Of the loaded kernel.
    bool in_pass = false;
    Pass pass;
    std::uint32_t passes = 0, passes_ended = 0;
    bool cut = false;                                 ///< By the budget: no row begins any more.
    std::uint32_t whole_passes = 0, early_looks = 0;  ///< See CutPoint.
    std::size_t rows_issued = 0;
    std::uint64_t last_issue = 0;  ///< Cycle of the last row.
    Scoreboard scoreboard;
    std::vector<std::uint64_t> pipe_free;  ///< The pipe takes a row from this cycle on.
    std::optional<RunStop> stop;           ///< The run ended with it, not with `halt`.
    std::string mismatch;                  ///< Empty, or what the device did otherwise.
  };

  /// When the row at hand could issue, by what it waits for, and when it did.
  struct Waits {
    std::uint64_t turn;  ///< The row before it has issued.
    std::uint64_t pipe, bodies, impulses;
    std::uint64_t issue;
  };

  /// Works on a copy of what is in device memory. `observed` must last.
  SteppingEngine(const Config& config, Memory device_memory, const RunCommand& command,
                 Program program, const ObservedRun& observed);
  SteppingEngine(const SteppingEngine&) = delete;
  SteppingEngine& operator=(const SteppingEngine&) = delete;

  /// Executes the instruction or row at hand; nothing at the end.
  void step();
  /// Ends the walk at a run that goes on where the device's has ended.
  void give_up(const std::string& reason);

  [[nodiscard]] const State& state() const { return state_; }
  void restore(const State& state);

  [[nodiscard]] At at() const { return state_.at; }
  [[nodiscard]] std::uint64_t position() const { return state_.position; }
  [[nodiscard]] const RunCommand& command() const { return command_; }
  [[nodiscard]] const ppu_row& row(std::uint32_t slot) const { return rows_[slot]; }
  [[nodiscard]] bool is_streamed() const { return streamed_; }
  /// What the row in `slot` would read and compute now, under the loaded kernel.
  [[nodiscard]] model::RowOperands operands(std::uint32_t slot);
  [[nodiscard]] model::RowResult result(std::uint32_t slot);

  /// Place in time of the row at hand; null at an instruction, without a log, and behind a
  /// mismatch.
  [[nodiscard]] const RowTimes* times() const;
  /// There is a place in time.
  [[nodiscard]] Waits waits() const;
  /// True if both bodies of the row lie in one velocity bank: one is read a cycle before the row
  /// issues, and b is written a cycle after a.
  [[nodiscard]] bool shares_bank(const ppu_row& row) const;

 private:
  void spend(int /*cycles*/) override {}
  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override;
  bool drain() override { return true; }
  std::uint32_t take_max_residual() override;
  void set_mark_threshold(std::uint32_t bits) override;
  void tag_all() override { state_.tags.set_all(); }
  void tag_next() override { state_.tags.advance(); }
  void set_lead_factor(std::uint32_t bits) override;
  void rebase() override { state_.set.rebase(&state_.report.counters); }
  bool go_ahead() override { return state_.set.go_ahead(&state_.report.counters); }
  bool set_budget(std::uint32_t cycles) override;
  std::optional<std::uint32_t> cut_passes() override;

  void execute();
  void run_row();
  /// From one step to what comes next.
  void settle();
  void pass_over_rows();
  void end_pass(bool cut);
  /// True if the device was late before the row at hand.
  [[nodiscard]] bool is_cut_here() const;
  /// True if it was late before the end of a pass without a row left to issue.
  bool is_cut_at_end();
  /// Takes the next row of the log for the row at hand.
  void match();
  [[nodiscard]] std::string difference(const RowTimes& times) const;
  void differ(const std::string& what);
  void end();
  [[nodiscard]] bool follows_log() const { return observed_.timed && state_.mismatch.empty(); }
  [[nodiscard]] bool log_is_used_up() const { return state_.rows_issued == observed_.rows.size(); }

  Config config_;
  RunCommand command_;
  Program program_;
  const ObservedRun& observed_;
  bool streamed_;
  std::vector<ppu_row> rows_;
  State state_;
};

}  // namespace ppu::hw
