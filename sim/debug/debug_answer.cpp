// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Words and numbers of the debugger.
#include "sim/debug/debug_answer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <numeric>

namespace ppu::sim {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

template <class... Arguments>
std::string printed(const char* format, Arguments... arguments) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, arguments...);
  return buffer;
}

}  // namespace

std::string exact(float value) {
  return printed("%.9g", static_cast<double>(value));
}

std::string hex32(std::uint32_t value) {
  return printed("0x%08x", value);
}

std::string address_text(std::uint32_t address) {
  return printed("%04x", address);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 2) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest.empty() ? "" : ", did you mean '" + nearest + "'?";
}

std::uint64_t parse_number(const std::string& word, const std::string& what, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (word.empty() || error != std::errc() || stop != end || value > most)
    throw CommandError("'" + word + "' is no " + what + ", expected a number from 0 to " +
                       std::to_string(most));
  return value;
}

}  // namespace ppu::sim
