// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The structure of a program text: control statements, kernels and the names of both.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "firmware/assembler/diagnostics.hpp"
#include "firmware/assembler/lexer.hpp"

namespace ppu::firmware {

/// One instruction, kernel operation or directive with its operands.
struct Statement {
  int line = 0;
  Token mnemonic;
  std::vector<Token> operands;
  std::string_view label;  ///< The last one before it, if any.
  bool flawed = false;     ///< Reported by the parser; nothing more to say about it.
};

struct SourceKernel {
  Statement head;               ///< `.kernel NAME`
  Statement end;                ///< `.end`
  std::string_view name;        ///< Empty if the head is flawed.
  std::vector<Statement> body;  ///< The operations.
};

struct Symbol {
  enum class Kind { kLabel, kKernel };
  Kind kind = Kind::kLabel;
  std::size_t index = 0;  ///< Of the control statement or of the kernel.
  Place place;            ///< Of its name.
};

struct Source {
  std::vector<Statement> control;
  std::vector<SourceKernel> kernels;
  std::map<std::string_view, Symbol> symbols;
};

Place place_of(const Statement& statement, const Token& token);

std::vector<std::string_view> split_lines(std::string_view text);

/// Parses `lines`; what is no statement is reported and left out.
Source parse(const std::vector<std::string_view>& lines, Report& report);

}  // namespace ppu::firmware
