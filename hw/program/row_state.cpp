// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/program/row_state.hpp"

namespace ppu::hw {

model::RowOperands RowState::operands(const LoadedKernel& kernel, const ppu_row& row,
                                      std::uint32_t slot) {
  return view().operands(kernel.control, row, slot);
}

model::RowResult RowState::result(const LoadedKernel& kernel, const ppu_row& row,
                                  std::uint32_t slot) {
  return model::update_row(kernel.control, operands(kernel, row, slot));
}

RunStop RowState::fault(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot) {
  if (const auto lost = flipped.row_stop(kernel.control, row, slot)) return *lost;
  return row_fault(slot, result(kernel, row, slot));
}

}  // namespace ppu::hw
