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

hw::RunReport wait_for(Device& device, std::uint64_t number, std::uint64_t timeout_ns) {
  const auto report = device.wait(number, timeout_ns);
  if (!report)
    fail(PPU_ERROR_TIMEOUT, "run ", number, " did not end within ",
         static_cast<double>(timeout_ns) * 1e-9, " s and goes on");
  return *report;
}

}  // namespace ppu::driver
