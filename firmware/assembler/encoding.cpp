// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/encoding.hpp"

#include <algorithm>
#include <cstdio>

namespace ppu::firmware {

const spec::Instruction* find_instruction(std::string_view name) {
  for (const spec::Instruction& instruction : spec::kInstructions) {
    if (instruction.name == name) return &instruction;
  }
  return nullptr;
}

const spec::Instruction* find_instruction(std::uint32_t opcode) {
  for (const spec::Instruction& instruction : spec::kInstructions) {
    if (static_cast<std::uint32_t>(instruction.opcode) == opcode) return &instruction;
  }
  return nullptr;
}

const spec::KernelOp& end_op() {
  return *spec::find_op(static_cast<std::uint32_t>(spec::Opcode::kKernelEnd));
}

std::vector<const spec::KernelOp*> ops_named(std::string_view name) {
  std::vector<const spec::KernelOp*> ops;
  for (const spec::KernelOp& op : spec::kKernelOps) {
    if (op.name == name && &op != &end_op()) ops.push_back(&op);
  }
  return ops;
}

int operand_count(const spec::KernelOp& op) {
  const auto unused = std::find(op.operands.begin(), op.operands.end(), std::string_view());
  return static_cast<int>(unused - op.operands.begin());
}

std::string syntax(const spec::KernelOp& op) {
  std::string text(op.name);
  for (int i = 0; i < operand_count(op); ++i) {
    text += (i == 0 ? " " : ", ") + std::string(op.operands[static_cast<std::size_t>(i)]);
  }
  return text;
}

std::string hex_word(std::uint32_t word) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", word);
  return text;
}

}  // namespace ppu::firmware
