// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands: bodies that rows connect, directly or through other bodies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ppu::sim {

/// The island of each of `bodies` bodies, numbered by their first bodies; -1 for a body without
/// rows. `rows` are the bodies of each row, -1 for the static world.
std::vector<std::int32_t> island_of_bodies(const std::vector<std::array<std::int32_t, 2>>& rows,
                                           std::size_t bodies);
/// The island of a row on `bodies`; -1 for a row on the static world alone.
std::int32_t island_of_row(const std::array<std::int32_t, 2>& bodies,
                           const std::vector<std::int32_t>& island_of_body);

}  // namespace ppu::sim
