// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The linker of an early run: it builds the rings of the bodies while rows arrive and those before
// them issue (docs/inside/dataflow.md, Early runs).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/contract/cycles.hpp"
#include "hw/engine/open_linker.hpp"
#include "hw/program/row_rings.hpp"

namespace ppu::hw {

class EarlyLinker {
 public:
  EarlyLinker(std::uint32_t pipes, std::uint32_t rows, std::uint32_t bodies)
      : pipes_(pipes), names_(rows), links_(rows), bodies_(bodies) {}

  /// The next row has come: its last beat in `cycle`.
  void arrive(const RowNames& row, std::uint64_t cycle) {
    names_[came_.size()] = row;
    came_.push_back(cycle);
  }
  /// Rows are read from `cycle` on.
  void begin(std::uint64_t cycle) { from_ = cycle; }
  [[nodiscard]] bool has_begun() const { return from_ != kNever; }
  [[nodiscard]] bool is_done() const { return linked_ == names_.size(); }

  /// A cycle begins. `holds`: rows that are apart wait until no row that was linked is pending or
  /// in flight, which `quiet` says. The row whose bodies are read in this cycle, or PPU_NONE.
  std::uint32_t begin_cycle(std::uint64_t now, bool holds, bool quiet, bool reads_parents);

  enum class Step {
    kNothing,
    kLinked,  ///< The row of slot() waits for tokens.
    kFree,    ///< The row of slot() waits for none.
  };
  /// The cycle ends; links were read in it before.
  Step end_cycle();
  [[nodiscard]] std::uint32_t slot() const { return linked_ - 1; }
  /// One of two tokens of that row is there.
  [[nodiscard]] bool has_token() const { return has_token_; }

  /// It does nothing from `now` on before this cycle; kNever if it waits for a row to come, or to
  /// issue. `quiet_from`: no row that was linked is pending, and none is in flight from then on.
  [[nodiscard]] std::uint64_t next(std::uint64_t now, std::uint64_t quiet_from) const;

  /// The links of a row that has issued are read. A token without a link rests.
  std::array<RowRings::Link, 2> take_links(std::uint32_t slot);

  [[nodiscard]] std::size_t bodies() const { return bodies_.size(); }
  // All rows have been linked, and no row is in flight.
  /// The token of a body rests.
  [[nodiscard]] bool rests(std::uint32_t body) const {
    return bodies_[body].first != PPU_NONE && bodies_[body].rests;
  }
  /// The first row of the body is the first one on its other body, too.
  [[nodiscard]] bool is_free(std::uint32_t body) const;
  [[nodiscard]] std::uint32_t first_row(std::uint32_t body) const { return bodies_[body].first; }

 private:
  /// The rows of a body so far, and its token.
  struct Body {
    std::uint32_t first = PPU_NONE, last = PPU_NONE;
    std::uint8_t lane = 0;  ///< On which side of the last row the body is.
    bool rests = false;
  };

  [[nodiscard]] std::array<std::uint32_t, 2> bodies_of(std::uint32_t slot) const {
    return {names_[slot].body_a, names_[slot].body_b};
  }
  [[nodiscard]] bool is_apart(std::uint32_t slot, bool reads_parents) const;
  /// There is a row that has both bodies of the row, and comes last on each.
  [[nodiscard]] bool follows_one(std::uint32_t slot) const {
    const auto [a, b] = bodies_of(slot);
    return has_rows(a) && has_rows(b) && bodies_[a].last == bodies_[b].last;
  }
  [[nodiscard]] bool has_rows(std::uint32_t body) const {
    return body != PPU_NONE && bodies_[body].last != PPU_NONE;
  }
  /// Links the row to the last one on its body of that side; true if it waits for that one's token.
  bool link(std::uint32_t side);

  std::uint32_t pipes_;
  std::vector<RowNames> names_;  ///< By slot, of those that have come.
  std::vector<std::uint64_t> came_;
  std::vector<std::array<RowRings::Link, 2>> links_;
  std::vector<Body> bodies_;
  std::uint64_t from_ = kNever;
  std::uint32_t read_ = 0;    ///< Rows whose bodies have been read.
  std::uint32_t linked_ = 0;  ///< Rows that have been linked.
  // The row behind those is in stage 1, the next ones in the queue before it, then one in stage 0.
  bool stage0_ = false, stage1_ = false;
  std::uint32_t queued_ = 0;
  bool second_ = false;   ///< The second cycle of the row in stage 1.
  bool waits_a_ = false;  ///< In that one: it waits for the token of body a.
  bool fence_ = false;    ///< The row that was linked last is apart.
  bool has_token_ = false;
  // In this cycle.
  bool reads_ = false, held_ = false, two_ = false, apart_ = false;
};

}  // namespace ppu::hw
