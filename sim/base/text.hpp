// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers and aligned tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ppu::sim {

/// 12345 -> "12,345".
std::string grouped(std::uint64_t value);
/// Fixed-point with `digits` decimals; "-" for a value that is not a number (not measured).
std::string fixed(double value, int digits);
/// Three significant digits, scientific: "3.1e-07"; "-" for a value that is not a number.
std::string scientific(double value);
/// 16 hexadecimal digits after "0x".
std::string hex64(std::uint64_t value);
/// "a, b, c".
std::string joined(const std::vector<std::string>& words);

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
