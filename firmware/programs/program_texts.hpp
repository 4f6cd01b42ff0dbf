// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The texts of firmware/programs/*.s, embedded when the library is built.
#pragma once

#include <string_view>
#include <vector>

namespace ppu::firmware {

struct ProgramText {
  std::string_view name;
  std::string_view source;
};

const std::vector<ProgramText>& program_texts();

}  // namespace ppu::firmware
