// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Text put together of parts, the same in every locale that the program around us may have set.
#pragma once

#include <locale>
#include <sstream>
#include <string>

namespace ppu::text {

/// A stream of the classic locale.
class Sentence : public std::ostringstream {
 public:
  Sentence() { imbue(std::locale::classic()); }
};

/// The parts one after another.
template <class... Parts>
std::string sentence_of(const Parts&... parts) {
  Sentence sentence;
  (sentence << ... << parts);
  return sentence.str();
}

}  // namespace ppu::text
