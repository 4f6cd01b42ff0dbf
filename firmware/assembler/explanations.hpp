// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the codes of the assembler's complaints mean: a paragraph, a wrong and a right example.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ppu::firmware {

struct Explanation {
  std::string code;  ///< "E012", "W001".
  std::string_view title;
  std::string_view text;
  std::string wrong;            ///< A program that is complained about with this code alone.
  std::string right;            ///< The same as it should be.
  int wrong_repeats_first = 1;  ///< How often the first line of the wrong program stands there.
};

/// Errors, then warnings, in the order of their numbers.
const std::vector<Explanation>& explanations();
/// Takes small letters, too. Null if there is no such code.
const Explanation* find_explanation(std::string_view code);
/// The codes that there are: "E001 to E040 or W001 to W003", with the last ones of today.
std::string code_ranges();

/// As `ppu asm --explain` prints it.
std::string format(const Explanation& explanation);

}  // namespace ppu::firmware
