// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Waiting for a run.
#include "run.hpp"

#include "failure.hpp"

namespace ppu::driver {

void set_program(hw::RunCommand& command, const Device& device, const Program& program) {
  if (program.device.get() != &device)
    fail(PPU_ERROR_INVALID_HANDLE, "the program was loaded on another device");
  command.program_address = program.range.address;
  command.program_words = program.words;
}

void fail_timeout(std::uint64_t number, std::uint64_t timeout_ns, const char* then) {
  fail(PPU_ERROR_TIMEOUT, "run ", number, " did not end within ",
       static_cast<double>(timeout_ns) * 1e-9, " s and ", then);
}

}  // namespace ppu::driver
