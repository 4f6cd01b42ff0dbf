// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/control_encoder.hpp"

#include <algorithm>
#include <string>

#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

/// "addi ra, rb, imm"
std::string syntax_of(const spec::Instruction& instruction) {
  std::string text(instruction.name);
  const char* separator = " ";
  for (const char kind : instruction.format) {
    if (kind == '-') break;
    text += separator;
    text += kind == 'i' ? "imm" : kind == 'l' ? "label" : std::string("r") + kind;
    separator = ", ";
  }
  return text;
}

class Encoder {
 public:
  Encoder(const Statement& statement, const Addresses& addresses, Report& report)
      : statement_(statement), addresses_(addresses), report_(report) {}

  std::uint32_t encode_with(const spec::Instruction& instruction) {
    const std::size_t expected = instruction.format == "-" ? 0 : instruction.format.size();
    if (statement_.operands.size() != expected) {
      fail(Error::kInstructionOperands, statement_.mnemonic,
           quoted(instruction.name) + " takes " + std::to_string(expected) + " operand" +
               (expected == 1 ? "" : "s") + ", got " + std::to_string(statement_.operands.size()),
           "write " + quoted(syntax_of(instruction)));
      return 0;
    }
    spec::Fields fields;
    fields.opcode = static_cast<std::uint32_t>(instruction.opcode);
    for (std::size_t i = 0; i < expected; ++i) {
      const Token& operand = statement_.operands[i];
      const char kind = instruction.format[i];
      if (kind == 'a') fields.ra = register_index(operand);
      if (kind == 'b') fields.rb = register_index(operand);
      if (kind == 'c') fields.imm = register_index(operand);
      if (kind == 'i') fields.imm = immediate(operand);
      if (kind == 'l') fields.imm = target(operand, instruction.opcode == spec::Opcode::kKernel);
    }
    return spec::encode(fields);
  }

 private:
  std::uint32_t register_index(const Token& operand) {
    const auto& names = spec::kRegisterNames;
    const auto found = std::find(names.begin(), names.end(), operand.text);
    if (found == names.end()) {
      std::string hint = did_you_mean(operand.text, {names.begin(), names.end()});
      if (hint.empty() || operand.kind == Token::Kind::kNumber) {
        hint = "registers are";
        for (const std::string_view name : names) hint += " " + std::string(name);
      }
      fail(Error::kRegister, operand, "expected a register, got " + quoted(operand.text), hint);
      return 0;
    }
    return static_cast<std::uint32_t>(found - names.begin());
  }

  std::uint32_t immediate(const Token& operand) {
    if (operand.kind != Token::Kind::kNumber) {
      fail(Error::kNumber, operand, "expected a number, got " + quoted(operand.text));
      return 0;
    }
    if (operand.value < kMinImmediate || operand.value > kMaxImmediate) {
      fail(Error::kImmediate, operand,
           quoted(operand.text) + " does not fit in a signed 16-bit immediate",
           "numbers go from " + std::to_string(kMinImmediate) + " to " +
               std::to_string(kMaxImmediate));
      return 0;
    }
    return static_cast<std::uint32_t>(operand.value) & 0xffffU;
  }

  /// Address of a kernel or of a label, whichever the instruction takes.
  std::uint32_t target(const Token& operand, bool kernel) {
    const char* const kind = kernel ? "kernel" : "label";
    const auto found = addresses_.find(operand.text);
    if (found == addresses_.end()) {
      std::vector<std::string_view> known;
      for (const auto& [name, address] : addresses_) {
        if (is_kernel(address) == kernel) known.push_back(name);
      }
      fail(Error::kNoTarget, operand,
           std::string("there is no ") + kind + " " + quoted(operand.text),
           did_you_mean(operand.text, known));
      return 0;
    }
    if (is_kernel(found->second) != kernel) {
      report_.error(
          Error::kTargetKind, place_of(statement_, operand),
          quoted(operand.text) + " is a " + (kernel ? "label" : "kernel") + ", not a " + kind,
          {kernel ? "`kernel` loads what `.kernel NAME` defines"
                  : "branches go to labels, `kernel` loads a kernel",
           "it was defined here", found->second.symbol.place});
      return 0;
    }
    return found->second.word;
  }

  static bool is_kernel(const Address& address) {
    return address.symbol.kind == Symbol::Kind::kKernel;
  }

  void fail(Error code, const Token& token, std::string reason, std::string hint = {}) {
    report_.error(code, place_of(statement_, token), std::move(reason), {std::move(hint), {}, {}});
  }

  const Statement& statement_;
  const Addresses& addresses_;
  Report& report_;
};

void report_unknown(const Statement& statement, Report& report) {
  const std::string_view name = statement.mnemonic.text;
  const Place place = place_of(statement, statement.mnemonic);
  if (!ops_named(name).empty()) {
    report.error(Error::kOperationInControl, place, quoted(name) + " is a kernel operation",
                 {"it belongs between `.kernel NAME` and `.end`", {}, {}});
    return;
  }
  std::vector<std::string_view> names;
  for (const spec::Instruction& instruction : spec::kInstructions) {
    names.push_back(instruction.name);
  }
  report.error(Error::kInstruction, place, "unknown instruction " + quoted(name),
               {did_you_mean(name, names), {}, {}});
}

}  // namespace

std::uint32_t encode_control(const Statement& statement, const Addresses& addresses,
                             Report& report) {
  const spec::Instruction* instruction = find_instruction(statement.mnemonic.text);
  if (instruction == nullptr) {
    report_unknown(statement, report);
    return 0;
  }
  return Encoder(statement, addresses, report).encode_with(*instruction);
}

}  // namespace ppu::firmware
