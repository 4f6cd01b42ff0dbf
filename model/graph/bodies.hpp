// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The bodies of a row.
#pragma once

#include <array>
#include <cstdint>

namespace ppu::model {

/// -1: static world.
using Bodies = std::array<std::int32_t, 2>;

}  // namespace ppu::model
