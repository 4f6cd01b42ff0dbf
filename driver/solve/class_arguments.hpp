// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where a program that takes classes of rows has them, as firmware/programs/classes.s does.
#pragma once

#include <array>
#include <cstddef>

namespace ppu::driver {

/// The arguments of a class: how many rows it has, and its sweeps.
struct ClassArguments {
  std::size_t rows, sweeps;
};

/// a4 and a5 of the first class, a6 and a2 of the next. The next begins at row a4, by which a
/// program that takes classes is known. Thresholds are in some of them, too.
inline constexpr std::array<ClassArguments, 2> kClassArguments = {{{4, 5}, {6, 2}}};

}  // namespace ppu::driver
