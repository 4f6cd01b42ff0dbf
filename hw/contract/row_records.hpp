// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row records of a run in device memory, in either form: where the beats of a row lie, how many
// there are, and the record that is put together from them when they arrive on chip.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/contract/device.hpp"
#include "hw/contract/run.hpp"

namespace ppu::hw {

class RowRecords {
 public:
  RowRecords(const Memory& memory, const RunCommand& command)
      : base_(memory.data + command.rows_address),
        address_(command.rows_address),
        reduced_(command.reduced) {}

  /// Beats of rows [first, first + count), of a pass or of all rows of a run.
  static constexpr std::uint64_t beats(bool reduced, std::uint32_t first, std::uint32_t count) {
    if (!reduced) return std::uint64_t{count} * kFullBeats;
    const std::uint64_t blocks =
        count == 0 ? 0 : (first + count - 1) / kBlockRows - first / kBlockRows + 1;
    return count + blocks;
  }
  static constexpr std::uint64_t bytes(bool reduced, std::uint32_t first, std::uint32_t count) {
    return beats(reduced, first, count) * spec::kBeatBytes;
  }

  /// A run of consecutive beats.
  struct Beats {
    std::uint32_t address;  ///< In device memory.
    std::uint32_t count;
  };

  /// Beats that a pass requests with the row in `slot`, in one or two runs; `opens` says that it is
  /// the first row of the pass.
  template <class Request>
  void request(std::uint32_t slot, bool opens, Request request_beats) const {
    if (!reduced_) return request_beats(Beats{address_ + slot * PPU_ROW_BYTES, kFullBeats});
    const std::uint32_t tails = address_ + slot / kBlockRows * std::uint32_t{sizeof(Block)};
    const std::uint32_t row = slot % kBlockRows;
    if (row == 0) return request_beats(Beats{tails, 2});
    if (opens) request_beats(Beats{tails, 1});
    request_beats(Beats{tails + (1 + row) * spec::kBeatBytes, 1});
  }
  /// How many those are.
  [[nodiscard]] std::uint32_t requested(std::uint32_t slot, bool opens) const {
    return reduced_ && !opens && slot % kBlockRows != 0 ? 1 : 2;
  }

  /// The record in `slot`.
  [[nodiscard]] ppu_row operator[](std::uint32_t slot) const {
    return reduced_ ? expand(slot) : full()[slot];
  }
  /// All records, in slot order.
  [[nodiscard]] std::vector<ppu_row> first(std::uint32_t count) const {
    if (!reduced_) return {full(), full() + count};
    std::vector<ppu_row> rows;
    rows.reserve(count);
    for (std::uint32_t slot = 0; slot < count; ++slot) rows.push_back(expand(slot));
    return rows;
  }
  /// Records in the full form where they lie, null in the reduced form.
  [[nodiscard]] const ppu_row* in_place() const { return reduced_ ? nullptr : full(); }

 private:
  using Block = ppu_reduced_block;
  static constexpr std::uint32_t kBlockRows = PPU_REDUCED_BLOCK_ROWS;
  static constexpr std::uint32_t kFullBeats = PPU_ROW_BYTES / spec::kBeatBytes;

  [[nodiscard]] const ppu_row* full() const { return reinterpret_cast<const ppu_row*>(base_); }

  [[nodiscard]] ppu_row expand(std::uint32_t slot) const {
    const Block& block = reinterpret_cast<const Block*>(base_)[slot / kBlockRows];
    const ppu_reduced_tail& tail = block.tail[slot % kBlockRows];
    const ppu_reduced_head& head = block.head[slot % kBlockRows];
    ppu_row row;
    std::copy_n(head.jacobian, spec::kRowElements, row.jacobian);
    std::copy_n(head.jacobian, spec::kRowElements, row.inv_mass_jacobian);
    row.bias = head.bias;
    row.inv_diagonal = head.inv_diagonal;
    row.lower = head.lower;
    row.upper = head.upper;
    row.compliance = tail.compliance;
    row.body_a = tail.body_a;
    row.body_b = tail.body_b;
    row.parent = tail.parent;
    return row;
  }

  const std::byte* base_;
  std::uint32_t address_;
  bool reduced_;
};

}  // namespace ppu::hw
