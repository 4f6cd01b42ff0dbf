// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Packing the rows of frames.
#include "sim/replay/replay_rows.hpp"

#include <algorithm>
#include <numeric>

#include "sim/replay/packed_columns.hpp"

namespace ppu::sim {
namespace {

/// What a row's cycles are beside its waits is nearly the same for all, so that is kept in place of
/// their sum.
std::string rows_block(const FrameDetail& detail) {
  std::vector<std::uint8_t> kind;
  std::vector<std::int32_t> body_a, body_b;
  std::vector<std::uint32_t> impulse, body_stall, parent_stall, fetch_stall, other;
  for (const RowDetail& row : detail.rows) {
    const ppu_row_profile& cycles = row.profile;
    kind.push_back(static_cast<std::uint8_t>(row.kind));
    body_a.push_back(row.body[0]);
    body_b.push_back(row.body[1]);
    impulse.push_back(rounded_bits(row.impulse, 24));
    body_stall.push_back(cycles.body_stall);
    parent_stall.push_back(cycles.parent_stall);
    fetch_stall.push_back(cycles.fetch_stall);
    other.push_back(cycles.cycles - cycles.body_stall - cycles.parent_stall - cycles.fetch_stall);
  }
  PackedColumns columns(nlohmann::ordered_json::object());
  columns.add("kind", kind, 1);
  columns.add("body_a", body_a, 1);
  columns.add("body_b", body_b, 1);
  columns.add("impulse", impulse);
  columns.add("body_stall", body_stall);
  columns.add("parent_stall", parent_stall);
  columns.add("fetch_stall", fetch_stall);
  columns.add("other_cycles", other);
  columns.add("row_of_slot", detail.row_of_slot, 1);
  columns.add("held_by", detail.held_by, 1);
  return columns.block();
}

}  // namespace

void KeptRows::take(std::size_t frame, const FrameDetail& detail) {
  const bool most = detail.rows.size() > most_rows_;
  if (most) {
    heaviest_ = frame;
    most_rows_ = detail.rows.size();
    thin_out(step_);  // The frame that was the heaviest has lost its privilege.
  }
  if (!most && frame % step_ != 0) return;
  kept_.push_back({frame, rows_block(detail)});
  fit(budget_bytes_);
}

void KeptRows::fit(std::size_t budget_bytes) {
  const auto add = [](std::size_t sum, const PackedRows& rows) { return sum + rows.block.size(); };
  while (std::accumulate(kept_.begin(), kept_.end(), std::size_t{0}, add) > budget_bytes) {
    if (kept_.size() > 2)
      thin_out(2 * step_);
    else
      kept_.erase(kept_[0].frame == heaviest_ ? kept_.end() - 1 : kept_.begin());
  }
}

void KeptRows::thin_out(std::size_t step) {
  step_ = std::max(step_, step);
  const auto given_up = [this](const PackedRows& rows) {
    return rows.frame % step_ != 0 && rows.frame != heaviest_;
  };
  kept_.erase(std::remove_if(kept_.begin(), kept_.end(), given_up), kept_.end());
}

}  // namespace ppu::sim
