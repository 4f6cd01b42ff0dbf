// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Encodes control instructions.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "firmware/assembler/source.hpp"

namespace ppu::firmware {

/// Word addresses of the labels and kernels.
struct Address {
  Symbol symbol;
  std::uint32_t word = 0;
};
using Addresses = std::map<std::string_view, Address>;

/// The word of `statement`; reports what is wrong with it and returns 0 then.
std::uint32_t encode_control(const Statement& statement, const Addresses& addresses,
                             Report& report);

}  // namespace ppu::firmware
