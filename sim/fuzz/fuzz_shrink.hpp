// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Makes a case of the fuzz as small as it can be while it still shows what it shows.
#pragma once

#include <functional>

#include "sim/fuzz/fuzz_case.hpp"

namespace ppu::sim {

/// Leaves out runs, instructions, kernel operations and rows, and shortens loops, as long as
/// `differs` says that what is left still does; asks it `most_tries` times at most. The case must
/// have come from a seed.
FuzzCase shrink(FuzzCase fuzz, const std::function<bool(const FuzzCase&)>& differs,
                std::uint32_t most_tries);

}  // namespace ppu::sim
