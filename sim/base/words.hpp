// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Counts, shares and sentences for people.
#pragma once

#include <cstdint>
#include <string>

namespace ppu::sim {

/// "1 row", "1,566 rows".
std::string counted(std::uint64_t count, const std::string& what);
/// 0.0213 -> "2.1 %"; never "-0.0 %"; "-" for a value that is not a number.
std::string percent(double share);
/// `text` with line breaks in place of spaces, so that lines have at most `columns` where words
/// allow it; its own line breaks stay, and one is at its end.
std::string wrapped(const std::string& text, std::size_t columns = 100);

}  // namespace ppu::sim
