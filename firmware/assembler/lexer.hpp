// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Splits one line of assembly into tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "firmware/assembler/diagnostics.hpp"

namespace ppu::firmware {

struct Token {
  enum class Kind { kName, kDirective, kNumber, kNotANumber, kComma, kColon };
  Kind kind = Kind::kName;
  std::string_view text;
  int column = 1;          ///< From 1.
  std::int64_t value = 0;  ///< Of a number; saturated.
};

/// The tokens of `line` up to its comment. Reports a character that cannot stand there and returns
/// false.
bool tokenize(std::string_view line, Report& report, std::vector<Token>& tokens);

}  // namespace ppu::firmware
