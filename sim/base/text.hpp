// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers, counts, sentences and aligned tables for people.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ppu::sim {

/// 12345 -> "12,345".
std::string grouped(std::uint64_t value);
/// A value that was not measured.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// Fixed-point with `digits` decimals; "-" for a value that is not a number (not measured).
std::string fixed(double value, int digits);
/// Three significant digits, scientific: "3.1e-07"; "-" for a value that is not a number.
std::string scientific(double value);
/// Three significant digits: "0.0123", "2.03"; an exponent only where it is shorter.
std::string significant(double value);
/// 16 hexadecimal digits after "0x".
std::string hex64(std::uint64_t value);
/// "a, b, c".
std::string joined(const std::vector<std::string>& words);
/// Empty if `word` is one of `words`, else "unknown value 'x', expected one of a, b, c".
std::string complaint_unless_one_of(const std::vector<std::string>& words, const std::string& word);

/// "1 row", "1,566 rows".
std::string counted(std::uint64_t count, const std::string& what);
/// 0.0213 -> "2.1 %"; never "-0.0 %"; "-" for a value that is not a number.
std::string percent(double share);
/// `text` with line breaks in place of spaces, so that lines have at most `columns` where words
/// allow it; its own line breaks stay, and one is at its end.
std::string wrapped(const std::string& text, std::size_t columns = 100);

bool ends_with(const std::string& text, const std::string& suffix);

/// Columns padded to their widest cell; cells that look like numbers are right-aligned.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] std::string str() const;
  [[nodiscard]] std::string markdown() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ppu::sim
