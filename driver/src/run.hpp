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

/// Throws the Failure (PPU_ERROR_TIMEOUT) of a run that did not end in time; `then` says what
/// becomes of it.
[[noreturn]] void fail_timeout(std::uint64_t number, std::uint64_t timeout_ns, const char* then);

}  // namespace ppu::driver
