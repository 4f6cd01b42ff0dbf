// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Counts, shares and sentences for people.
#include "sim/base/words.hpp"

#include <cmath>
#include <sstream>

#include "sim/base/text.hpp"

namespace ppu::sim {

std::string counted(std::uint64_t count, const std::string& what) {
  return grouped(count) + " " + what + (count == 1 ? "" : "s");
}

std::string percent(double share) {
  return std::isnan(share) ? "-" : fixed(std::round(1000 * share) / 10 + 0.0, 1) + " %";
}

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); out += "\n") {
    std::size_t used = 0;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const std::size_t width = word.size();
      const bool fits = used + 1 + width <= columns;
      if (used > 0) out += fits ? " " : "\n";
      used = used > 0 && fits ? used + 1 + width : width;
      out += word;
    }
  }
  return out;
}

}  // namespace ppu::sim
