// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes the report and the glTF file of the falling stack: replay_fixture OUT.html OUT.glb
// [BACKEND [BYTES]], with BYTES for the replay in the report.
#include <fstream>
#include <iostream>
#include <string>

#include "sim/replay/glb.hpp"
#include "sim/replay/replay_page.hpp"
#include "tests/sim/support/falling_stack.hpp"

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "usage: replay_fixture OUT.html OUT.glb [BACKEND [BYTES]]\n";
    return 2;
  }
  const ppu::sim::ReplayReport report =
      ppu::sim::falling_stack(count > 3 ? arguments[3] : "systemc", 60);
  const std::size_t budget = count > 4 ? std::stoul(arguments[4]) : ppu::sim::kReplayBytes;
  std::ofstream(arguments[1], std::ios::binary) << ppu::sim::replay_page(report, budget);
  std::ofstream(arguments[2], std::ios::binary) << ppu::sim::glb_of(report);
}
