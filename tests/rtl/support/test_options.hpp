// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Options of the randomised RTL tests, after the GoogleTest ones:
//   --seed N      repeats a run (printed by every run; default 1)
//   --patterns N  random patterns per floating-point unit (default 1,000,000)
//   --rounds N    random jobs per engine or device, up to so many times as many (default 1)
#pragma once

#include <cstdint>

namespace ppu::test {

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t patterns = 1'000'000;
  std::uint64_t rounds = 1;
};

const Options& options();

}  // namespace ppu::test
