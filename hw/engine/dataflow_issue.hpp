// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Dataflow issue, clocked: tokens go from row to row along the rings of the bodies, rows issue when
// theirs have come (docs/inside/dataflow.md). Cycles in which nothing moves are skipped.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/contract/cycles.hpp"
#include "hw/engine/token_network.hpp"
#include "hw/program/cycle_classes.hpp"
#include "hw/program/row_rings.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::hw {

class DataflowIssue {
 public:
  /// A row issues.
  struct Issued {
    std::uint32_t slot;
    std::uint32_t pass;  ///< 0: of the oldest pass that is not fully issued, 1: of the next.
    std::uint64_t cycle, write;  ///< `write`: of its results.
  };
  /// False: run() ends with this cycle.
  using OnIssue = std::function<bool(const Issued&)>;

  explicit DataflowIssue(const Config& config);

  /// The rows of the run are linked.
  void link(const std::vector<ppu_row>& rows, std::uint32_t bodies);
  /// The last cycle of the linker of these rows; the last beat of row s came in arrived[s].
  [[nodiscard]] std::uint64_t linked(const std::vector<std::uint64_t>& arrived,
                                     std::uint32_t bodies) const;

  /// True if a pass that begins at slot `first` issues by dataflow.
  [[nodiscard]] bool takes(const LoadedKernel& kernel, std::uint32_t first) const;
  /// Takes a pass over `count` rows whose `rows` executes in `cycle`. Unless it joins the one
  /// before it, no row is in flight.
  void queue_pass(const LoadedKernel& kernel, std::uint32_t count, std::uint64_t cycle);

  /// Takes back the pass that was queued last, of which no row has issued.
  void drop_pass() {
    queued_ = passes_.back().first;
    passes_.pop_back();
  }

  enum class Progress { kDone, kStopped, kBudget, kBound };
  /// Goes on until the oldest pass is fully issued, `on_issue` stops it, `budget` is used up, or
  /// `bound`.
  Progress run(std::uint64_t bound, std::uint32_t* budget, CycleClasses* classes,
               const OnIssue& on_issue);
  /// The oldest pass ends: fully issued, or cut. `count` is told of each of its rows that issued.
  template <class Count>
  void end_pass(Count count) {
    const Pass& pass = passes_.front();
    for (std::uint64_t position = pass.first; position < pass.end; ++position) {
      const auto slot = static_cast<std::uint32_t>(position % rings_.size());
      if (turn_[slot] > position / rings_.size()) count(slot);
    }
    passes_.pop_front();
  }

  /// The first cycle in which none of the rows so far is in flight.
  [[nodiscard]] std::uint64_t drained() const { return drained_; }

 private:
  static constexpr std::size_t kWindow = 8;          ///< Rows of a window.
  static constexpr std::uint32_t kParentBanks = 16;  ///< Of impulses, for reads of parents.

  /// Turn * rows + slot.
  using Position = std::uint64_t;
  struct Pass {
    Position first, end;
    std::uint64_t left;   ///< Rows that have not issued.
    std::uint64_t cycle;  ///< In which its `rows` executed.
  };
  /// Whom a row reads, and writes.
  struct Names {
    std::uint32_t body_a, body_b, parent;
  };
  struct Candidate {
    std::uint32_t slot;
    bool after_same_bank;  ///< See Message::after_same_bank.
  };
  struct Entry {
    Position position;
    std::uint32_t slot;
    std::uint64_t banks;        ///< Of velocities, a bit each.
    std::uint32_t parent_bank;  ///< Of impulses, a bit.
    bool one_bank, after_same_bank;
  };
  struct Pipe {
    std::vector<Entry> window;      ///< By position.
    std::size_t held = 0;           ///< Rows in the window or read when the cycle began.
    std::optional<Candidate> read;  ///< Its bodies were read in the cycle before.
    /// Rows whose tokens have come, of even and of odd turns.
    std::array<std::deque<Candidate>, 2> ready;
    std::deque<std::uint32_t> parked;
    std::size_t recheck = 0;  ///< Of those parked, the first ones may leave.
    /// Rows whose links will be read: the cycle, and the row.
    std::deque<std::pair<std::uint64_t, Candidate>> sent;
    std::optional<Candidate> linked;  ///< Its links were read in the cycle before.
    std::uint64_t free_from = 0;      ///< It takes a row from this cycle on.

    [[nodiscard]] bool has_ready() const { return !ready[0].empty() || !ready[1].empty(); }
  };

  [[nodiscard]] Position position(std::uint32_t slot) const {
    return turn_[slot] * Position{rings_.size()} + slot;
  }
  [[nodiscard]] bool pending() const { return !passes_.empty() && passes_.front().cycle < now_; }
  /// The cycle up to which nothing moves and no pass comes, if there is one behind now_.
  [[nodiscard]] std::uint64_t quiet_until() const;
  [[nodiscard]] bool is_quiet() const;
  void admit_passes();
  /// Issues the rows of this cycle; how many there are.
  std::uint32_t issue(CycleClasses* classes, const OnIssue& on_issue);
  bool fire(Pipe* pipe, std::size_t entry, const OnIssue& on_issue);
  /// What the rows wait for if none issues in this cycle.
  [[nodiscard]] ppu_counter stall() const;
  /// Charges the cycles before `until` to a class.
  void wait(CycleClasses* classes, std::uint64_t until, ppu_counter cycle_class);
  /// One cycle of everything before the windows.
  void move();
  /// The turn of the oldest rows that may issue, modulo 2.
  [[nodiscard]] std::uint32_t oldest_turn() const;
  /// The next row leaves a queue; the one that was read goes on.
  void fetch(Pipe* pipe);
  void enter(Pipe* pipe, Candidate row);
  void deliver(std::uint32_t pipe);
  void send();

  Config config_;
  std::uint64_t latency_, interval_;
  std::uint64_t early_;       ///< D, the cycles from issue to the read of the links.
  std::vector<Names> names_;  ///< By slot.
  RowRings rings_;
  TokenNetwork network_;
  std::vector<Pipe> pipes_;
  std::vector<std::uint32_t> turn_;
  std::vector<std::uint8_t> token_;  ///< One of two has come.
  LoadedKernel kernel_;
  std::deque<Pass> passes_;
  Position queued_ = 0;  ///< The limit when all passes are visible.
  Position limit_ = 0;
  std::uint64_t now_ = 0;
  std::uint64_t drained_ = 0;
  std::uint64_t blocked_ = 0;  ///< Velocity banks not to be used in this cycle.
  bool stopped_ = false;       ///< Somebody has asked run() to end.
  bool from_last_ = false;     ///< The last pipe is the first one to choose a row.
  RowProfile since_;           ///< Cycles since the last issue.
};

}  // namespace ppu::hw
