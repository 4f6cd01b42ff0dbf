// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/row_fetch.hpp"

#include <algorithm>

namespace ppu::hw {

RowFetch::RowFetch(const Config& config, const RunCommand& command, EngineBus& bus)
    : bus_(bus),
      rows_address_(command.rows_address),
      streamed_(command.row_count > config.row_memory_rows),
      rows_(streamed_ ? config.stream_buffer_rows : command.row_count),
      freed_(streamed_ ? config.stream_buffer_rows : 0) {
}

std::uint64_t RowFetch::load(std::uint64_t cycle) {
  if (streamed_ || rows_.empty()) return cycle;
  return bus_.read(cycle, rows_address_, rows_.data(), rows_.size() * PPU_ROW_BYTES);
}

RowFetch::Fetched RowFetch::fetch(std::uint32_t slot) {
  if (!streamed_) return {&rows_[slot], 0};
  place_ = (place_ + 1) % rows_.size();
  const std::uint64_t request = std::max(pass_start_, freed_[place_]);
  ppu_row* row = &rows_[place_];
  const std::uint64_t address = rows_address_ + std::uint64_t{slot} * PPU_ROW_BYTES;
  return {row, bus_.read(request, address, row, PPU_ROW_BYTES)};
}

std::uint64_t RowFetch::horizon() const {
  if (!streamed_) return ~std::uint64_t{0};
  return freed_[(place_ + 1) % freed_.size()];
}

void RowFetch::issued(std::uint64_t cycle) {
  if (streamed_) freed_[place_] = cycle + 1;
}

}  // namespace ppu::hw
