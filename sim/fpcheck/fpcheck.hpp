// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The floating-point units of the RTL alone: against the float32 of this machine, which rounds to
// nearest even, or against results that another suite expects.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw {
class RtlFloat;
}

namespace ppu::sim {

class FloatCheck {
 public:
  /// Operation "add", "mul" or "div" with the stages of `config`. Throws hw::ConfigError if no unit
  /// was built for them.
  FloatCheck(const std::string& operation, const hw::Config& config);
  ~FloatCheck();

  /// Every pair of exponents, with mantissas and signs at the borders: 4,718,592 pairs.
  void check_exponents();
  /// Random pairs that cancel, align, vanish and overflow often.
  void check_random(std::uint64_t pairs, std::uint64_t seed);
  /// Reads lines of two hexadecimal words, and writes the result of each as eight digits. A third
  /// word is the result that is expected; any not-a-number is as good as another. More words are
  /// left alone. Results appear at the end of the input, and every 4,096 lines. Throws CliError
  /// (usage) for any other line, naming it.
  void answer(std::istream& in, std::ostream& out);

  [[nodiscard]] int stages() const;
  [[nodiscard]] std::uint64_t pairs() const { return pairs_; }
  [[nodiscard]] std::uint64_t differences() const { return differences_; }
  /// The first few differences, a line each.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  class Batch;

  [[nodiscard]] std::uint32_t host_result(std::uint32_t a, std::uint32_t b) const;
  void note(std::uint32_t a, std::uint32_t b, std::uint32_t got, std::uint32_t expected);

  char symbol_;
  std::unique_ptr<hw::RtlFloat> unit_;
  std::uint64_t pairs_ = 0, differences_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace ppu::sim
