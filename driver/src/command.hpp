// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Commands as the device reads them from the ring.
#pragma once

#include <array>
#include <cstdint>

#include "ppu/hw/run.hpp"
#include "ppu_spec.hpp"

namespace ppu::driver {

using Command = std::array<std::uint32_t, spec::kCommandBytes / sizeof(std::uint32_t)>;

/// One range of a copy, as a descriptor in host memory has it.
struct Descriptor {
  std::uint32_t host_address = 0;  ///< copy_within: the source in device memory.
  std::uint32_t device_address = 0;
  std::uint32_t bytes = 0;
  std::uint32_t zero = 0;
};
static_assert(sizeof(Descriptor) == spec::kDescriptorBytes);

/// What a fence writes to host memory.
struct FenceRecord {
  std::uint64_t value = 0;
  std::uint64_t device_cycle = 0;
};
static_assert(sizeof(FenceRecord) == spec::kFenceBytes);

/// A command without fields.
Command plain_command(spec::CommandOpcode opcode);
/// A copy or load_program of `first` and then `list_count` descriptors at `list_address`.
Command copy_command(spec::CommandOpcode opcode, const Descriptor& first,
                     std::uint32_t list_address = 0, std::uint32_t list_count = 0);
Command run_command(const hw::RunCommand& run, std::uint32_t report_address);
Command fence_command(std::uint32_t address, std::uint64_t value, bool interrupt);
Command query_command(std::uint32_t address);

/// The name of the command's opcode, for sentences.
const char* name_of(const Command& command);

}  // namespace ppu::driver
