// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The listing of a program: every word, and for kernel operations the unit of the row pipe, when it
// works, what it waits for and what it costs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/assembler/assembler.hpp"

namespace ppu::firmware {

/// A cost per row, and what rows of a kind add to it.
struct PerRow {
  int always = 0;
  int with_cfm = 0;     ///< More for a row with compliance.
  int with_parent = 0;  ///< More for a row with a parent.
};

struct ListingLine {
  std::uint32_t address = 0;
  std::uint32_t word = 0;
  std::string label;
  std::string source;
  bool operation = false;      ///< Of a kernel; what follows is empty for other lines ...
  std::string_view unit;       ///< ... but for this and ...
  std::string_view waits_for;  ///< ... this. Rows wait before they issue, whatever the operation.
  int first_cycle = 0;         ///< Counted from the row's operands at the pipe's input.
  int last_cycle = 0;          ///< As the first one where the operation takes no time of its own.
  PerRow bytes_read;           ///< From row, impulse and velocity memory.
  PerRow bytes_written;        ///< To impulse and velocity memory.
  PerRow flops;
};

/// One line per word.
std::vector<ListingLine> list(const Assembly& assembly, const spec::Config& config);

/// As `ppu asm --listing` prints it: a header, aligned columns, the name of each kernel above it
/// and its sum below it.
std::string format_listing(const Assembly& assembly, const spec::Config& config);

}  // namespace ppu::firmware
