// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The linker of open passes: rows are linked to the row before them on each of their bodies one
// after another, while rows before them issue (docs/inside/dataflow.md, Open passes).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/contract/cycles.hpp"
#include "hw/program/row_rings.hpp"

namespace ppu::hw {

/// Whom a row reads, and writes.
struct RowNames {
  std::uint32_t body_a, body_b, parent;
};
inline RowNames names(const ppu_row& row) {
  return {row.body_a, row.body_b, row.parent};
}

/// Rows that fit between the one before the linker and the one that is linked: ppu_row_linker has
/// a register for each.
inline constexpr std::uint32_t kLinkerQueue = 2;

class OpenLinker {
 public:
  /// A row that will be before the linker from `cycle` on.
  struct Arrival {
    RowNames names;
    std::uint32_t slot;
    std::uint32_t pass;  ///< The number of its pass.
    std::uint64_t cycle;
    bool live;  ///< Else it is passed over.
    bool bad;
  };
  /// What happens in a cycle.
  enum class Step {
    kNothing,
    kLinked,      ///< The row of place() waits for tokens.
    kFree,        ///< The row of place() waits for none.
    kPassedOver,  ///< The row of place() is.
    kBad,         ///< The next row is bad, and no row before it is left.
  };

  /// Of as many rows as are streamed.
  OpenLinker(const Config& config, std::uint32_t rows, std::uint32_t bodies);
  /// Of rows that are there: the place of each is its slot, and stays so.
  OpenLinker(const Config& config, const std::vector<RowNames>& rows, std::uint32_t bodies);

  void arrive(const Arrival& arrival) { arrivals_.push_back(arrival); }
  /// One cycle of it. `quiet`: no row that was linked is pending or in flight.
  Step step(std::uint64_t now, bool quiet, bool reads_parents);
  [[nodiscard]] std::uint32_t place() const { return place_; }
  /// No row is before the linker, or in it.
  [[nodiscard]] bool is_empty() const { return arrivals_.empty(); }
  /// How rows come to be linked, one after another: through a queue.
  class Entry {
   public:
    /// The next row is before the linker from `cycle` on.
    void take(std::uint64_t cycle) {
      taken_ = std::max({cycle, plus(taken_, 1), plus(left_.front(), 1)});
      std::move(left_.begin() + 1, left_.end(), left_.begin());
      left_.back() = std::max(plus(taken_, 1), linked_);
      linked_ = kNever;
    }
    /// That row is linked in `cycle`.
    void link(std::uint64_t cycle) { linked_ = cycle; }
    /// The cycle in which the last row went into the queue, or kNever.
    [[nodiscard]] std::uint64_t taken() const { return taken_; }

   private:
    std::uint64_t taken_ = 0, linked_ = 0;            ///< Cycles of the last row, or kNever.
    std::array<std::uint64_t, kLinkerQueue> left_{};  ///< In which the last rows left the queue.
  };
  /// That of the row that was linked last.
  [[nodiscard]] const Entry& entry() const { return entry_; }
  /// That of the last row before the linker, if none is linked from now on.
  [[nodiscard]] Entry entry_without_links() const;
  [[nodiscard]] std::uint32_t bad_slot() const { return arrivals_.front().slot; }
  /// One of two tokens of the row that was linked is there.
  [[nodiscard]] bool has_token() const { return has_token_; }
  /// The first cycle in which the next row may be linked, if it does not wait for quiet.
  [[nodiscard]] std::uint64_t next() const {
    return arrivals_.empty() ? kNever
                             : std::max(arrivals_.front().cycle + spec::kLinkerCycles, from_);
  }
  /// The next row waits for quiet.
  [[nodiscard]] bool waits() const { return waits_; }

  /// The row at a place.
  [[nodiscard]] const Arrival& at(std::uint32_t place) const { return rows_[place]; }
  /// The links of the row at a place are read: it sends these. A token without a link rests.
  std::array<RowRings::Link, 2> take_links(std::uint32_t place);

  /// Places of a pipe that become free, and from which cycle on.
  struct Release {
    std::uint32_t count;
    std::uint64_t cycle;
  };
  /// The row at a place is gone in `cycle`. Places become free part by part, in their order.
  template <class OnRelease>
  void gone(std::uint32_t place, std::uint64_t cycle, OnRelease on_release) {
    Pipe& pipe = pipes_[place % pipe_count_];
    Part& part = pipe.parts[place / pipe_count_ / part_places_];
    ++part.gone;
    part.last = std::max(part.last, cycle);
    for (; pipe.parts[pipe.oldest].gone == part_places_;
         pipe.oldest = (pipe.oldest + 1) % static_cast<std::uint32_t>(pipe.parts.size())) {
      pipe.free_from = std::max(pipe.free_from + 1, pipe.parts[pipe.oldest].last + 2);
      pipe.parts[pipe.oldest] = {};
      on_release(Release{part_places_, pipe.free_from});
    }
  }

 private:
  /// Where the token of a body is.
  struct Body {
    bool rests = true;
    std::uint32_t last = 0;  ///< The place of the last row, which has it or waits for it.
    std::uint32_t lane = 0;  ///< On which side of that row the body is.
  };
  struct Part {
    std::uint32_t gone = 0;
    std::uint64_t last = 0;  ///< When the last one went.
  };
  struct Pipe {
    std::uint32_t next = 0;  ///< The place of its next row.
    std::uint32_t oldest = 0;
    std::uint64_t free_from = 0;
    std::vector<Part> parts;
  };

  [[nodiscard]] std::array<std::uint32_t, 2> bodies_of(const RowNames& row) const {
    return {row.body_a, row.body_b};
  }
  [[nodiscard]] bool is_apart(const Arrival& arrival, bool reads_parents) const;
  /// The row at place_ becomes the link of the last row on its body of that side.
  bool link(std::uint32_t side, bool full);
  /// The next row leaves the linker.
  void leave(std::uint64_t now);

  bool resident_;
  std::uint32_t pipe_count_, pipe_places_, part_places_;
  std::deque<Arrival> arrivals_;
  std::vector<Arrival> rows_;                         ///< By place.
  std::vector<std::array<RowRings::Link, 2>> links_;  ///< By place.
  std::vector<Body> bodies_;
  std::vector<std::array<std::uint32_t, 2>> bodies_of_;  ///< By slot.
  std::uint32_t known_ = 0;                              ///< The rows before it have been linked.
  std::vector<Pipe> pipes_;
  std::uint64_t from_ = 0;  ///< No row is linked before it.
  Entry entry_;
  std::uint32_t place_ = 0;
  bool has_token_ = false;
  bool second_ = false;  ///< The second cycle of a row.
  bool fence_ = false;   ///< The last row is apart.
  bool waits_ = false;
};

}  // namespace ppu::hw
