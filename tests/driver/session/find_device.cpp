// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Prints the device executable that the driver would start, or why there is none.
#include <cstdio>

#include "driver/base/failure.hpp"
#include "driver/session/child_process.hpp"

int main() {
  try {
    std::puts(ppu::driver::find_device_executable().c_str());
    return 0;
  } catch (const ppu::driver::Failure& failure) {
    std::puts(failure.what());
    return 1;
  }
}
