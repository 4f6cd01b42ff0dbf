// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Commands for the ring.
#pragma once

#include <cstdint>

#include "hw/contract/command.hpp"

namespace ppu::driver {

using Command = hw::CommandWords;
using hw::Descriptor;

/// A command without fields.
Command plain_command(spec::CommandOpcode opcode);
/// A copy of `first` and then `list_count` descriptors at `list_address`, or a load_program that
/// nobody checks.
Command copy_command(spec::CommandOpcode opcode, const Descriptor& first,
                     std::uint32_t list_address = 0, std::uint32_t list_count = 0);
/// A load_program whose lines, up to the end of the last, have this CRC32C.
Command load_command(const Descriptor& range, std::uint32_t checksum);
Command run_command(const hw::RunCommand& run, std::uint32_t report_address);
Command fence_command(std::uint32_t address, std::uint64_t value, bool interrupt);
Command query_command(std::uint32_t address);
Command scrub_command(std::uint32_t context);

/// The name of the command's opcode, for sentences.
const char* name_of(const Command& command);

}  // namespace ppu::driver
