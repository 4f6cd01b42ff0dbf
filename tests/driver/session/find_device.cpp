// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Prints the device executable that the driver would start, or why there is none. With an argument
// it goes into that folder first.
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "driver/session/process_session.hpp"

int main(int argc, char** argv) {
  if (argc > 1 && chdir(argv[1]) != 0) return 2;
  try {
    std::puts(ppu::process::find_helper(ppu::driver::kDeviceHelper).c_str());
    return 0;
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
    return 1;
  }
}
