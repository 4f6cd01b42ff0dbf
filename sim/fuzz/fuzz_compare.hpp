// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Comparison of what two back ends made of a case of the fuzz.
#pragma once

#include <string>
#include <vector>

#include "sim/fuzz/fuzz_bench.hpp"

namespace ppu::sim {

/// What differs, a line each: "run 0, counter flops: 120 on functional, 122 on rtl". `cycles`: both
/// have time, and all runs ended with `halt`, so that every cycle must be equal, too.
std::vector<std::string> differences(const std::string& name_a, const FuzzOutcome& a,
                                     const std::string& name_b, const FuzzOutcome& b, bool cycles);

}  // namespace ppu::sim
