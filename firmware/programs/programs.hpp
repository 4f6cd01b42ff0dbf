// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The programs that ship with the driver, as source text.
#pragma once

#include <string_view>
#include <vector>

namespace ppu::firmware {

struct Program {
  std::string_view name;     ///< As `--program` takes it.
  std::string_view source;   ///< Text of firmware/programs/NAME.s.
  std::string_view summary;  ///< First comment line after the SPDX lines.
};

/// All of them, in the order of the patent: docs/guide/firmware.md.
const std::vector<Program>& programs();
/// Null if there is none of that name.
const Program* find_program(std::string_view name);

}  // namespace ppu::firmware
