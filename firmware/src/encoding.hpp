// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The bit layout of instruction words, hw/spec/isa.toml, and look-ups in its tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ppu_spec.hpp"

namespace ppu::firmware {

inline constexpr std::size_t kMaxWords = std::size_t{1} << 16U;  ///< Addresses are imm16.
inline constexpr std::int64_t kMinImmediate = INT16_MIN;
inline constexpr std::int64_t kMaxImmediate = INT16_MAX;

/// The four fields of a word.
struct Fields {
  std::uint32_t opcode = 0, ra = 0, rb = 0, imm = 0;
};

constexpr std::uint32_t encode(const Fields& f) {
  return f.opcode << 24U | f.ra << 20U | f.rb << 16U | f.imm;
}
constexpr Fields decode(std::uint32_t word) {
  return {word >> 24U, word >> 20U & 15U, word >> 16U & 15U, word & 0xffffU};
}
constexpr std::uint32_t encode(const spec::KernelOp& op) {
  return std::uint32_t{op.opcode} << 24U | op.bits;
}
constexpr bool is_kernel_word(std::uint32_t word) {
  return decode(word).opcode >= static_cast<std::uint32_t>(spec::Opcode::kKernelFirst);
}

/// Null if there is none of that name or opcode.
const spec::Instruction* find_instruction(std::string_view name);
const spec::Instruction* find_instruction(std::uint32_t opcode);
const spec::KernelOp* find_op(std::uint32_t opcode);

/// The operation that closes a kernel.
const spec::KernelOp& end_op();

/// Every operation called `name` that may stand in a kernel; `end`, which closes it, may not.
std::vector<const spec::KernelOp*> ops_named(std::string_view name);

int operand_count(const spec::KernelOp& op);

/// "step t, r.x, r.d, u"
std::string syntax(const spec::KernelOp& op);

/// "0x0000002a"
std::string hex_word(std::uint32_t word);

}  // namespace ppu::firmware
