// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Program images: any bytes, or any words in an image that is whole. What the driver takes is run,
// over rows that are any bytes, and cancelled if it does not end.
#include <optional>

#include "base/bits/crc32c.hpp"
#include "firmware/assembler/disassembler.hpp"
#include "ppu/ppu.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using ppu::fuzz::Input;

constexpr std::uint32_t kRows = 4, kBodies = 3;

void run(const ppu::Device& device, ppu_program program, Input& input) {
  std::uint8_t bytes[kRows * sizeof(ppu_row)] = {};
  const ppu::Buffer rows(device, sizeof bytes), impulses(device, 64), velocities(device, 128);
  input.take(bytes, sizeof bytes);
  rows.write(bytes, sizeof bytes);
  ppu_run_def def = ppu_default_run_def();
  def.program = program;
  def.rows = rows.get();
  def.impulses = impulses.get();
  def.velocities = velocities.get();
  def.row_count = kRows;
  def.body_count = kBodies;
  def.arguments[0] = kRows;
  def.arguments[1] = 2;
  const ppu::Fence fence = ppu::Fence::submit(device, def);
  if (ppu_fence_wait(fence.get(), 2'000'000) == PPU_ERROR_TIMEOUT) fence.cancel();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  std::string bytes;
  if (input.byte() % 2 == 0) {
    bytes = input.rest();
  } else {
    ppu::firmware::Image image{PPU_SPEC_HASH, {}};
    for (std::uint32_t count = input.below(64); count > 0; --count)
      image.words.push_back(input.word());
    const std::vector<std::byte> whole = to_bytes(image);
    bytes.assign(reinterpret_cast<const char*>(whole.data()), whole.size());
    try {
      ppu::firmware::disassemble(image);
    } catch (const ppu::firmware::ImageError&) {
    }
  }
  static const ppu::Device device = [] {
    ppu_device_def def = ppu_default_device_def();
    static const char* const kOverrides[] = {"host_memory_mib=16", "device_memory_mib=16"};
    def.backend = "functional";
    def.config = "small";
    def.overrides = kOverrides;
    def.override_count = 2;
    return ppu::Device(def);
  }();
  ppu_program program{};
  if (ppu_program_load_image(device.get(), bytes.data(), bytes.size(), &program) != PPU_OK)
    return 0;
  run(device, program, input);
  ppu::fuzz::require(ppu_program_destroy(program) == PPU_OK, "a program that has ended can go");
  return 0;
}
