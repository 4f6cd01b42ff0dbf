// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The cases of `ppu fuzz`: a random program and the random rows that it runs on, told by a seed.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "firmware/random/random_program.hpp"
#include "ppu/ppu.h"
#include "ppu_spec.hpp"
#include "sim/fuzz/fuzz_rows.hpp"

namespace ppu::sim {

struct FuzzCase {
  std::uint64_t seed = 0;
  bool row_pipe = false;
  firmware::RandomProgram program;
  std::string text;  ///< Of the program, where it is not `program`: read from a file.
  RowSet set;
  std::array<std::uint32_t, spec::kArgumentCount> arguments{};
  std::uint32_t copies =
      1;  ///< Runs of the list, each on rows, impulses and velocities of its own.
  bool stream = false;
  bool early = false;  ///< Rows come with copies behind the run, and may issue while others come.

  /// The program as text; without time, every budget is 0.
  [[nodiscard]] std::string source(bool timed = true) const {
    return text.empty() ? program.text(timed) : text;
  }
  /// It has a budget, so that it can only run where there is time.
  [[nodiscard]] bool needs_time() const;
  /// Rows were added or removed: tells the program how many there are.
  void count_rows();
};

enum class FuzzType { kBoth, kProgram, kRowPipe };

/// What cases are made for.
struct FuzzTarget {
  ppu_device_info device;
  bool budgets = false;  ///< At least two of the back ends have time.
  FuzzType type = FuzzType::kBoth;
};

FuzzCase make_case(std::uint64_t seed, const FuzzTarget& target);

/// Any kernels and any control flow over a few rows; most of them end well.
FuzzCase make_program_case(firmware::Random& random, const FuzzTarget& target);
/// Many kernels, one after another, over many rows of any nature that share no body. Rows that
/// would fault are left out; now and then one that faults in a certain way ends the run.
FuzzCase make_row_pipe_case(firmware::Random& random, const FuzzTarget& target);

/// The arguments that every case has: rows, a threshold of marks, anything.
std::array<std::uint32_t, spec::kArgumentCount> random_arguments(firmware::Random& random,
                                                                 std::uint32_t rows);

}  // namespace ppu::sim
