// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One Verilated floating-point unit (rtl/prim/ppu_fp_add.sv, _mul, _div) alone, pairs in and
// results out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw {

enum class FloatOperation { kAdd, kMul, kDiv };

/// Operands as the bits of binary32.
struct FloatPair {
  std::uint32_t a = 0, b = 0;
};

class RtlFloat {
 public:
  virtual ~RtlFloat() = default;

  /// A unit with the stages that `config` gives the operation. `seed` randomises its registers,
  /// which have no reset. Throws ConfigError naming the configurations that were built if none has
  /// these stages.
  static std::unique_ptr<RtlFloat> create(FloatOperation operation, const Config& config,
                                          int seed = 1);

  /// A pair enters in every cycle; returns the results in the order of the pairs, as bits.
  virtual std::vector<std::uint32_t> calculate(const std::vector<FloatPair>& pairs) = 0;

  /// Clock cycles from operands to result.
  [[nodiscard]] virtual int stages() const = 0;
};

}  // namespace ppu::hw
