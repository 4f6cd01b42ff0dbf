// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/program/row_rings.hpp"

namespace ppu::hw {
namespace {

bool is_alone(const ppu_row& row) {
  return row.body_a == PPU_NONE || row.body_b == PPU_NONE;
}

bool share_a_body(const ppu_row& row, const ppu_row& other) {
  const auto in_other = [&other](std::uint32_t body) {
    return body != PPU_NONE && (body == other.body_a || body == other.body_b);
  };
  return in_other(row.body_a) || in_other(row.body_b);
}

/// First and last row of a body so far.
struct Ends {
  std::uint32_t first = PPU_NONE, last = PPU_NONE;
  std::uint8_t lane = 0;  ///< On which side of the last one the body is.
};

}  // namespace

RowRings::RowRings(const Config& config, const std::vector<const ppu_row*>& rows,
                   std::uint32_t bodies)
    : rows_(rows.size()) {
  std::vector<Ends> ends(bodies);
  for (std::uint32_t slot = 0; slot < rows.size(); ++slot) {
    const ppu_row& row = *rows[slot];
    const std::array<std::uint32_t, 2> body{row.body_a, row.body_b};
    std::array<Ends, 2> before;
    int waits = 0;
    for (std::uint8_t side = 0; side < 2; ++side) {
      if (body[side] == PPU_NONE) continue;
      Ends& of_body = ends[body[side]];
      before[side] = of_body;
      if (of_body.last == PPU_NONE)
        of_body.first = slot;
      else
        ++waits;
      of_body.last = slot;
      of_body.lane = side;
    }
    const bool both = waits == 2 && before[0].last == before[1].last;
    if (both) {
      const std::uint32_t lane = slot / config.pipes % 2;
      rows_[before[0].last].next[lane] = {slot, true, true};
    } else {
      for (std::uint8_t side = 0; side < 2; ++side)
        if (const Ends& end = before[side]; end.last != PPU_NONE)
          rows_[end.last].next[end.lane] = {slot, true, is_alone(row), side == 1};
      rows_[slot].two_cycles = waits == 2 && before[0].lane == before[1].lane;
    }
    if (row.body_a == PPU_NONE && row.body_b == PPU_NONE) rows_[slot].next[0] = {slot, true, true};
    if (waits == 0) seeds_.push_back(slot);
    rows_[slot].token = waits == 1 && !is_alone(row);
    if (row.parent != PPU_NONE)
      apart_ = apart_ || row.parent > slot || !share_a_body(row, *rows[row.parent]);
  }
  for (std::uint32_t body = 0; body < bodies; ++body) {
    const Ends& end = ends[body];
    if (end.last == PPU_NONE) continue;
    const ppu_row& first = *rows[end.first];
    rows_[end.last].next[end.lane] = {end.first, true, is_alone(first), first.body_b == body};
  }
}

}  // namespace ppu::hw
