// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The stepping engine: firmware and row arithmetic of the functional engine, an instruction or a
// row at a time, for debuggers. Each row takes its place in time from a device that has carried out
// the run, and the first thing that the device did otherwise is remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/contract/run_stop.hpp"
#include "hw/program/issue_rules.hpp"
#include "hw/program/row_state.hpp"
#include "hw/program/sequencer.hpp"
#include "hw/stepping/observed_run.hpp"

namespace ppu::hw {

class SteppingEngine final : private ComputingRowUnit {
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
  struct State : RowState {
    State(const Config& config, const Program& program, const RunCommand& command,
          RunReport* of_engine)
        : RowState(command),
          sequencer(program, command, of_engine),
          rules(config, command.row_count, command.body_count) {}

    std::uint64_t position = 0;  ///< Steps so far.
    At at = At::kInstruction;
    Sequencer sequencer;
    RunReport report;
    std::uint32_t instruction = 0;     ///< Address of the next one, of `rows` during its pass.
    std::uint32_t kernel_address = 0;  ///< Of the loaded kernel.
    bool in_pass = false;
    Pass pass;
    std::uint32_t passes = 0, passes_ended = 0;
    bool cut = false;             ///< By the budget: no row begins any more.
    std::size_t row_passes = 0;   ///< Passes of at least one row so far.
    std::size_t rdlates = 0;      ///< `rdlate` instructions so far.
    std::uint64_t sequenced = 0;  ///< Cycle of the last `rows` or `rdlate` in the log.
    std::size_t rows_issued = 0;
    std::vector<std::uint32_t> issues;  ///< By slot, how often it has; of rows in any order.
    std::uint64_t last_issue = 0;       ///< Cycle of the last row.
    IssueRules rules;                   ///< With the rows in the cycles of the log.
    std::optional<RunStop> stop;        ///< The run ended with it, not with `halt`.
    std::string mismatch;               ///< Empty, or what the device did otherwise.
  };

  /// When the row at hand could issue, by what it waits for, and when it did.
  struct Waits {
    /// The row before it has issued; where rows flow(), its pass has begun.
    std::uint64_t turn;
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
  /// True if rows issue when their bodies come free: then the log is not in the order of the walk,
  /// which goes through the rows of a pass by their slots.
  [[nodiscard]] bool flow() const { return !issues_of_.empty(); }
  /// What the row in `slot` would read and compute now, under the loaded kernel.
  [[nodiscard]] model::RowOperands operands(std::uint32_t slot) {
    return state_.operands(state_.sequencer.kernel(), rows_[slot], slot);
  }
  [[nodiscard]] model::RowResult result(std::uint32_t slot) {
    return state_.result(state_.sequencer.kernel(), rows_[slot], slot);
  }

  /// Place in time of the row at hand; null at an instruction, without a log, and behind a
  /// mismatch.
  [[nodiscard]] const RowTimes* times() const;
  /// There is a place in time.
  [[nodiscard]] Waits waits() const;
  /// True if both bodies of the row lie in one velocity bank: one is read a cycle before the row
  /// issues, and b is written a cycle after a.
  [[nodiscard]] bool shares_bank(const ppu_row& row) const { return state_.rules.same_bank(row); }

 private:
  void spend(int /*cycles*/) override {}
  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override;
  bool drain() override { return true; }
  bool set_budget(std::uint32_t cycles) override;
  std::optional<std::uint32_t> cut_passes() override;

  void execute();
  void run_row();
  /// From one step to what comes next.
  void settle();
  void pass_over_rows();
  void end_pass(bool cut);
  /// True if the budget has cut the pass at hand.
  [[nodiscard]] bool pass_is_cut() const;
  /// ... and the device has issued no more of its rows.
  [[nodiscard]] bool is_cut_here() const;
  /// Of the log, the next row for the walk when it is at `slot`; null if there is none.
  [[nodiscard]] const RowTimes* next_issue(std::uint32_t slot) const;
  /// Takes the next row of the log for the row at hand.
  void match();
  /// Takes the next pass of the log for the one that a `rows` begins.
  void match_pass(std::uint32_t first, std::uint32_t count);
  /// Takes the next `rdlate` of the log for the one at hand; `cut` passes are behind it by now.
  void match_rdlate(const ObservedRdlate& rdlate, std::uint32_t cut);
  /// An instruction of the log executed in `cycle`, after those before it.
  void match_order(std::uint64_t cycle, const char* instruction);
  /// At the end of a run that was not stopped, the log holds nothing more.
  void match_end();
  /// The slot of the first row of the log that the walk has not come to.
  [[nodiscard]] std::uint32_t first_left() const;
  [[nodiscard]] std::string difference(const RowTimes& times) const;
  void differ(const std::string& what);
  void end();
  [[nodiscard]] bool follows_log() const { return observed_.timed && state_.mismatch.empty(); }
  [[nodiscard]] bool log_is_used_up() const { return state_.rows_issued == observed_.rows.size(); }

  std::uint32_t pipes_;
  RunCommand command_;
  Program program_;
  const ObservedRun& observed_;
  bool streamed_;
  std::vector<ppu_row> rows_;
  std::vector<std::vector<std::uint32_t>> issues_of_;  ///< By slot, places in the log: see flow().
  State state_;
};

}  // namespace ppu::hw
