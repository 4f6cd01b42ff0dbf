// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers, counts, sentences and aligned tables for people.
#include "sim/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace ppu::sim {
namespace {

template <class... Arguments>
std::string printed(const char* format, Arguments... arguments) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, arguments...);
  return buffer;
}

bool is_numeric(const std::string& cell) {
  return cell.find_first_not_of("0123456789.,+-e% ") == std::string::npos;
}

/// Columns on the screen: bytes of UTF-8 but those that continue a character.
std::size_t width_of(const std::string& cell) {
  return static_cast<std::size_t>(std::count_if(cell.begin(), cell.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string fixed(double value, int digits) {
  return std::isnan(value) ? "-" : printed("%.*f", digits, value);
}

std::string scientific(double value) {
  return std::isnan(value) ? "-" : printed("%.2e", value);
}

std::string significant(double value) {
  return printed("%.3g", value);
}

std::string hex64(std::uint64_t value) {
  return printed("0x%016llx", static_cast<unsigned long long>(value));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

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

std::string complaint_unless_one_of(const std::vector<std::string>& words,
                                    const std::string& word) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return {};
  return "unknown value '" + word + "', expected one of " + joined(words);
}

bool ends_with(const std::string& text, const std::string& suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

std::string Table::str() const {
  std::vector<std::size_t> widths(rows_.front().size());
  std::vector<bool> numeric(widths.size(), rows_.size() > 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      widths[c] = std::max(widths[c], width_of(rows_[r][c]));
      if (r > 0 && !is_numeric(rows_[r][c])) numeric[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string padding(widths[c] - width_of(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (numeric[c] ? padding + row[c] : row[c] + padding);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string Table::markdown() const {
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const std::string& cell : rows_[r]) text += "| " + cell + " ";
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < rows_[r].size(); ++c) text += "| --- ";
    text += "|\n";
  }
  return text;
}

}  // namespace ppu::sim
