// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The PPU assembler: text to image, with the schedule and the cost of every row kernel.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/assembler/image.hpp"
#include "ppu_spec.hpp"

namespace ppu::firmware {

/// A place in the source, with the text of its line.
struct SourcePlace {
  int line = 0;    ///< From 1.
  int column = 0;  ///< From 1.
  int length = 1;  ///< Characters to underline.
  std::string text;
};

/// One complaint about the source.
struct Diagnostic {
  std::string code;  ///< "E012", an error, or "W001", a warning; see explanations.hpp.
  std::string file;
  SourcePlace place;
  std::string reason;
  std::string hint;        ///< Empty if there is none.
  std::string note;        ///< About another place; empty if there is none.
  SourcePlace note_place;  ///< Of the note.
};

/// "file:line:column: error[E012]: reason", the line, a caret line, "hint: ..." and a note with its
/// own place where there are any.
std::string format(const Diagnostic& diagnostic);

/// Every error of the source (not only the first), formatted in what().
class AssemblyError : public std::runtime_error {
 public:
  explicit AssemblyError(std::vector<Diagnostic> diagnostics);
  std::vector<Diagnostic> diagnostics;
};

/// Flops per row, counted from the kernel's operations.
struct FlopCount {
  int always = 0;       ///< Every row.
  int with_cfm = 0;     ///< More for a row with compliance.
  int with_parent = 0;  ///< More for a row with a parent.
};

/// One kernel of a program.
struct Kernel {
  std::string name;
  std::uint32_t address = 0;               ///< First word.
  std::uint32_t words = 0;                 ///< `end` included.
  std::vector<const spec::KernelOp*> ops;  ///< In the order of the text, without `end`.
  spec::ControlWord control;               ///< The control bits of all operations.
  FlopCount flops;
  int bytes_read = 0;              ///< Record, impulse (twice with `lead`), velocities.
  int bytes_read_with_parent = 0;  ///< More for a row with a parent: the parent's impulse.
  int bytes_written = 0;           ///< Velocities, impulse and its lead, if it stores them.
};

/// What stands in the source for a word.
struct SourceText {
  std::string label;  ///< The last one before it; empty if there is none.
  std::string text;   ///< Mnemonic and operands, evenly spaced.
  int line = 0;       ///< Of the source, from 1.
};

struct Assembly {
  Image image;
  std::vector<Kernel> kernels;
  std::vector<SourceText> source;    ///< Of every word.
  std::vector<Diagnostic> warnings;  ///< In the order of the text.
};

/// Assembles `source`; `file` stands for it in messages. Throws AssemblyError.
Assembly assemble(std::string_view file, std::string_view source);

/// Cycle of the row pipe at which an operation starts or the cycles it takes, under a
/// configuration.
int cycles(const spec::Moment& moment, const spec::Config& config);

}  // namespace ppu::firmware
