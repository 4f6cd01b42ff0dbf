// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/programs/programs.hpp"

#include "firmware/assembler/source.hpp"
#include "firmware/programs/program_texts.hpp"

namespace ppu::firmware {
namespace {

/// The first comment line that is no SPDX line, without its `; `.
std::string_view summary_of(std::string_view source) {
  for (const std::string_view line : split_lines(source)) {
    if (line.substr(0, 2) == "; " && line.substr(0, 7) != "; SPDX-") return line.substr(2);
  }
  return {};
}

}  // namespace

const std::vector<Program>& programs() {
  static const std::vector<Program> list = [] {
    std::vector<Program> made;
    for (const ProgramText& text : program_texts()) {
      made.push_back({text.name, text.source, summary_of(text.source)});
    }
    return made;
  }();
  return list;
}

const Program* find_program(std::string_view name) {
  for (const Program& program : programs()) {
    if (program.name == name) return &program;
  }
  return nullptr;
}

}  // namespace ppu::firmware
