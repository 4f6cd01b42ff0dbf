// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Opens every back end named on the command line through the C++ layer and runs a program on it.
#include <cstdio>

#include "ppu/ppu.hpp"

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      ppu_device_def def = ppu_default_device_def();
      def.backend = argv[i];
      const ppu::Device device(def);
      const ppu::Program program = ppu::Program::assemble(device, "one.s", "signal a4\nhalt\n");
      const ppu::Buffer memory(device, 64);
      ppu_run_def run = ppu_default_run_def();
      run.program = program.get();
      run.rows = run.impulses = run.velocities = memory.get();
      run.arguments[4] = 42;
      const ppu::Fence fence = ppu::Fence::submit(device, run);
      fence.wait();
      const ppu_run_report report = fence.report();
      std::printf("%s: %u\n", device.info().backend, static_cast<unsigned>(report.progress));
      if (report.progress != 42) return 1;
    }
  } catch (const ppu::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
