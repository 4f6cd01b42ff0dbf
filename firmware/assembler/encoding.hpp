// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Look-ups in the tables of hw/spec/isa.toml and kernel.toml.
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

constexpr std::uint32_t encode(const spec::KernelOp& op) {
  return spec::encode({op.opcode, 0, 0, op.bits, 0});
}
constexpr bool is_kernel_word(std::uint32_t word) {
  return spec::decode(word).opcode >= static_cast<std::uint32_t>(spec::Opcode::kKernelFirst);
}

/// The operand that is another row's impulse.
inline constexpr std::string_view kParentImpulse = "r.xp";

/// True if the operation runs in the divider behind the row pipe.
inline bool divides(const spec::KernelOp& op) {
  return spec::ControlWord{op.bits}.resid() == spec::Resid::kQuotient;
}

/// Null if there is none of that name or opcode.
const spec::Instruction* find_instruction(std::string_view name);
const spec::Instruction* find_instruction(std::uint32_t opcode);

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
