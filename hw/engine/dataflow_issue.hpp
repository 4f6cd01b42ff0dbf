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
#include <utility>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/contract/cycles.hpp"
#include "hw/engine/early_linker.hpp"
#include "hw/engine/open_linker.hpp"
#include "hw/engine/row_window.hpp"
#include "hw/engine/token_network.hpp"
#include "hw/program/cycle_classes.hpp"
#include "hw/program/row_rings.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::hw {

class DataflowIssue {
 public:
  /// A row issues.
  struct Issued {
    std::uint32_t place;  ///< In row memory; the slot of a resident row.
    std::uint32_t slot;
    std::uint32_t pass;  ///< 0: of the oldest pass that is not fully issued, 1: of the next.
    std::uint64_t cycle, write;  ///< `write`: of its results.
  };
  /// False: run() ends with this cycle.
  using OnIssue = std::function<bool(const Issued&)>;

  explicit DataflowIssue(const Config& config);

  /// The rows of the run, by slot, are linked; they stay where they are.
  void link(std::vector<const ppu_row*> rows, std::uint32_t bodies);
  /// Rows come anew in every pass: passes are open. `rows` is how many the run has.
  void open(std::uint32_t rows, std::uint32_t bodies);
  /// As many rows come while the program runs.
  void link_early(std::uint32_t rows, std::uint32_t bodies);
  /// The next one has come, its last beat in `cycle`; run() has not come to the cycle after. It
  /// stays where it is.
  void arrive(const ppu_row& row, std::uint64_t cycle) {
    rows_.push_back(&row);
    early_->arrive(names(row), cycle);
  }
  /// Rows are read by the linker from this cycle on, if they have not been.
  void begin_linking(std::uint64_t cycle) {
    if (!early_->has_begun()) early_->begin(cycle);
  }
  [[nodiscard]] bool has_begun_linking() const { return early_->has_begun(); }
  /// All rows have come, and no pass is left; the last one was cut in cycle `cut`, if it was. The
  /// first cycle from which on the rings are closed.
  std::uint64_t close_rings(std::uint64_t cut);

  /// Called in a cycle in which rows of a pass are left and none is before the linker: arrive() and
  /// pass_over() tell of the next ones as far as they are known.
  using OnEmpty = std::function<void()>;
  /// Passes over linked rows are open from now on, with no row in flight.
  void open_resident(std::uint32_t bodies, OnEmpty on_empty);
  [[nodiscard]] bool is_open() const { return open_.has_value(); }
  /// The next row of the passes in their order; run() has not come to its cycle.
  void arrive(const OpenLinker::Arrival& arrival) { open_->arrive(arrival); }
  /// `rows` rows of the pass do not come: that is known in `cycle`.
  void pass_over(std::uint32_t rows, std::uint64_t cycle) { left_out_.push_back({cycle, rows}); }
  /// The cycle in which the row that was linked last was taken.
  [[nodiscard]] std::uint64_t taken() const { return open_->entry().taken(); }
  /// How the last row that was told is taken, if none is linked from now on.
  [[nodiscard]] OpenLinker::Entry entry() const { return open_->entry_without_links(); }
  /// Told of places of a pipe that become free.
  using OnRelease = std::function<void(std::uint32_t pipe, const OpenLinker::Release&)>;
  void on_release(OnRelease on_release) { on_release_ = std::move(on_release); }
  /// The first cycle in which the next pass may begin.
  [[nodiscard]] std::uint64_t pass_from() const {
    return open_ ? left_[(queued_ / kOpenTurn + 1) % 4] : 0;
  }
  /// Rows that were passed over since the last call.
  std::uint32_t take_passed_over() { return std::exchange(passed_over_, 0); }
  /// The slot of the row that ends the run: run() has found it to be bad.
  [[nodiscard]] std::uint32_t bad_slot() const { return open_->bad_slot(); }
  /// The cycles before it have passed.
  [[nodiscard]] std::uint64_t now() const { return now_; }

  /// Uses of the links of the row at this place stop run(), and are counted.
  void watch_links(std::uint32_t place) { watched_links_ = place; }
  /// The links that were used so since the last call.
  std::uint32_t take_watched() { return std::exchange(watched_uses_, 0); }
  /// The cycle after the first one of those.
  [[nodiscard]] std::uint64_t used_from() const { return used_from_; }
  /// No pass is pending: the rows that have issued send their tokens.
  void send_rest();

  /// The last cycle of the linker of these rows; the last beat of row s came in arrived[s].
  [[nodiscard]] std::uint64_t linked(const std::vector<std::uint64_t>& arrived,
                                     std::uint32_t bodies) const;

  /// True if a pass that begins at slot `first` is open.
  [[nodiscard]] bool opens(const LoadedKernel& kernel, std::uint32_t first) const;
  /// Takes a pass over `count` rows whose `rows` executes in `cycle`. Unless it joins the one
  /// before it, no row is in flight.
  /// Its number, if it is open.
  std::uint32_t queue_pass(const LoadedKernel& kernel, std::uint32_t count, std::uint64_t cycle);

  /// Takes back the pass that was queued last, of which no row has issued.
  void drop_pass() {
    queued_ = passes_.back().first;
    passes_.pop_back();
  }

  enum class Progress { kDone, kStopped, kBudget, kBound, kBad };
  /// Goes on until the oldest pass is fully issued, `on_issue` stops it, `budget` is used up, or
  /// `bound`; or a bad row ends the run with this cycle.
  Progress run(std::uint64_t bound, std::uint32_t* budget, CycleClasses* classes,
               const OnIssue& on_issue);
  /// The oldest pass ends: fully issued, or cut. `count` is told of each of its rows that issued,
  /// unless it is open.
  template <class Count>
  void end_pass(Count count) {
    const Pass& pass = passes_.front();
    for (std::uint64_t position = pass.first; !open_ && position < pass.end; ++position) {
      const auto slot = static_cast<std::uint32_t>(position % rings_.size());
      if (turn_[slot] > position / rings_.size()) count(slot);
    }
    passes_.pop_front();
  }

  /// The first cycle in which none of the rows so far is in flight.
  [[nodiscard]] std::uint64_t drained() const { return drained_; }

 private:
  static constexpr std::uint32_t kParentBanks = 16;  ///< Of impulses, for reads of parents.

  /// Turn * rows + slot; of an open pass, its number * kOpenTurn + slot.
  using Position = std::uint64_t;
  static constexpr Position kOpenTurn = Position{1} << 32U;
  struct Pass {
    Position first, end;
    std::uint64_t left;   ///< Rows that have not issued.
    std::uint64_t cycle;  ///< In which its `rows` executed.
    std::uint32_t turn;   ///< Of its last row, modulo 2.
  };
  struct Candidate {
    std::uint32_t slot;
    bool after_same_bank;  ///< See Message::after_same_bank.
    bool body_b_last;      ///< The token of its body b came last.
  };
  /// A row whose links have been read.
  struct Sent {
    std::uint32_t slot;
    bool one_bank;
    std::array<RowRings::Link, 2> links;
  };
  struct Pipe {
    RowWindow window;
    std::size_t held = 0;  ///< Rows in the window or on their way to it when the cycle began.
    /// Rows whose bodies were read: in the cycle before, and in the one before that.
    std::optional<Candidate> read, known;
    /// Rows whose tokens have come, of even and of odd turns.
    std::array<std::deque<Candidate>, 2> ready;
    std::deque<std::uint32_t> parked;
    std::size_t recheck = 0;  ///< Of those parked, the first ones may leave.
    /// Rows whose links will be read: the cycle, and the row.
    std::deque<std::pair<std::uint64_t, Candidate>> sent;
    std::optional<Candidate> linked;  ///< Its links were read in the cycle before.
    std::optional<Sent> leaving;      ///< Those of this one were read in the cycle before that.
    std::uint64_t free_from = 0;      ///< It takes a row from this cycle on.

    void begin_cycle() { held = window.size() + (read ? 1 : 0) + (known ? 1 : 0); }
    /// `coming`: those of odd turns wait.
    [[nodiscard]] bool has_ready(bool coming) const {
      return !ready[0].empty() || (!coming && !ready[1].empty());
    }
  };

  // Rows are known by their slot, those of open passes by their place.
  [[nodiscard]] Position position(std::uint32_t slot) const {
    return open_ ? turn_[slot] * kOpenTurn + open_->at(slot).slot
                 : turn_[slot] * Position{rings_.size()} + slot;
  }
  [[nodiscard]] Position turn_positions() const { return open_ ? kOpenTurn : rings_.size(); }
  [[nodiscard]] RowNames names_of(std::uint32_t slot) const {
    return open_ ? open_->at(slot).names : names(*rows_[slot]);
  }
  /// No row that was linked was pending or in flight when the cycle began.
  [[nodiscard]] bool is_linked_quiet() const { return held_ == 0 && now_ >= drained_; }
  [[nodiscard]] bool pending() const { return !passes_.empty() && passes_.front().cycle < now_; }
  /// The cycle up to which nothing moves and no pass comes, if there is one behind now_.
  [[nodiscard]] std::uint64_t quiet_until() const;
  [[nodiscard]] bool is_quiet() const;
  void admit_passes();
  void issue(const OnIssue& on_issue);
  /// Charges the cycle.
  void charge(ppu_counter waits, CycleClasses* classes);
  bool fire(std::uint32_t pipe, std::size_t place, const OnIssue& on_issue);
  /// What the rows wait for if none issues in this cycle.
  [[nodiscard]] ppu_counter stall() const;
  /// Charges the cycles before `until` to a class.
  void wait(CycleClasses* classes, std::uint64_t until, ppu_counter cycle_class);
  /// One cycle of everything before the windows.
  void move();
  /// The turn of the oldest rows that may issue, modulo 2.
  [[nodiscard]] std::uint32_t oldest_turn() const {
    return pending() ? passes_.front().turn : limit_turn_;
  }
  /// The next row leaves a queue; the one that was read goes on.
  void fetch(Pipe* pipe, bool is_free);
  void enter(Pipe* pipe, Candidate row);
  void deliver(std::uint32_t pipe);
  void use_watched(const std::array<RowRings::Link, 2>& links);
  void send();
  /// The row of an open pass is gone in `cycle`.
  void gone(std::uint32_t place, std::uint64_t cycle);
  /// One cycle of the linker of open passes.
  void link_next();
  /// When a row without a token to wait for, which is linked in this cycle, is parked.
  [[nodiscard]] std::uint64_t seed_cycle() const {
    return now_ + spec::kSeedCycles + network_.steps();
  }
  /// Rows without a token to wait for whose cycle has come.
  void park_free_rows();
  /// The same of an early run: what is left of the cycle.
  void link_on();
  /// Rows of a pass are left, and none is before the linker.
  [[nodiscard]] bool wants_rows() const {
    return on_empty_ != nullptr && unlinked_ > 0 && open_->is_empty() && left_out_.empty();
  }

  Config config_;
  std::uint64_t latency_, interval_;
  std::uint64_t ahead_;               ///< D, the cycles from issue to the read of the links.
  std::vector<const ppu_row*> rows_;  ///< By slot.
  RowRings rings_;
  TokenNetwork network_;
  std::vector<Pipe> pipes_;
  std::vector<std::uint32_t> turn_;
  std::vector<std::uint8_t> token_;  ///< One of two has come.
  std::optional<OpenLinker> open_;
  std::optional<EarlyLinker> early_;  ///< While rows come.
  std::uint64_t holds_until_ = 0;     ///< Rows apart are held in this cycle, too.
  OnRelease on_release_;
  OnEmpty on_empty_;  ///< Where rows are resident.
  /// Rows that do not come, and the cycle in which that is known.
  std::deque<std::pair<std::uint64_t, std::uint32_t>> left_out_;
  /// Rows without a token to wait for, and the cycle in which each is parked.
  std::deque<std::pair<std::uint64_t, std::uint32_t>> free_rows_;
  std::uint64_t unlinked_ = 0;  ///< Rows of passes left to link.
  std::uint64_t linked_ = 0;    ///< Rows that were linked and have not issued.
  std::uint64_t held_ = 0;      ///< Those when the cycle began.
  /// Rows that issue in this cycle, the first one, and whether one stays for want of a bank.
  std::uint32_t issued_ = 0, first_issued_ = 0;
  bool conflict_ = false;
  bool body_b_last_ = false;                   ///< Of the first one.
  std::uint32_t passed_over_ = 0;              ///< See take_passed_over().
  bool passes_over_ = false, is_bad_ = false;  ///< In this cycle.
  /// By the number of a pass modulo 4: the first cycle in which none of its rows is in flight.
  std::array<std::uint64_t, 4> left_{};
  LoadedKernel kernel_;
  std::deque<Pass> passes_;
  Position queued_ = 0;  ///< The limit when all passes are visible.
  Position limit_ = 0;
  std::uint32_t limit_turn_ = 1;  ///< Of the last row before the limit, modulo 2.
  std::uint64_t now_ = 0;
  std::uint64_t drained_ = 0;
  std::uint64_t blocked_ = 0;  ///< Velocity banks not to be used in this cycle.
  bool stopped_ = false;       ///< Somebody has asked run() to end.
  bool from_last_ = false;     ///< The last pipe is the first one to choose a row.
  std::uint32_t watched_links_ = PPU_NONE, watched_uses_ = 0;
  std::uint64_t used_from_ = 0;
  RowProfile since_;  ///< Cycles since the last issue.
};

}  // namespace ppu::hw
