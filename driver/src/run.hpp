// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What submitting and waiting have in common for the C API and the solver helper.
#pragma once

#include <cstdint>

#include "device.hpp"
#include "registry.hpp"

namespace ppu::driver {

/// The command's program fields, after checking that the program is of this device.
void set_program(hw::RunCommand& command, const Device& device, const Program& program);

/// The report of run `number`. Throws Failure (PPU_ERROR_TIMEOUT, PPU_ERROR_DEVICE_LOST).
hw::RunReport wait_for(Device& device, std::uint64_t number, std::uint64_t timeout_ns);

}  // namespace ppu::driver
