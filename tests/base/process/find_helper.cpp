// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Prints the helper executable that this program would start, or why there is none. With an
// argument it goes into that folder first, with a second one it removes that file.
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "base/process/child_process.hpp"

int main(int argc, char** argv) {
  if (argc > 1 && chdir(argv[1]) != 0) return 2;
  if (argc > 2 && unlink(argv[2]) != 0) return 2;
  try {
    std::puts(ppu::process::find_helper({"ppu-helper", "PPU_HELPER", "helper"}).c_str());
    return 0;
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
    return 1;
  }
}
