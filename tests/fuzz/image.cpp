// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Program images: any bytes, any words in an image that is whole, or a program that ships with some
// words changed. What the driver takes is run, over rows that are any bytes, and cancelled if it
// does not end.
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/disassembler.hpp"
#include "firmware/programs/programs.hpp"
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

std::vector<std::uint32_t> any_words(Input& input) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t count = input.below(64); count > 0; --count) words.push_back(input.word());
  return words;
}

/// A program that ships, with some words changed, left out or doubled.
std::vector<std::uint32_t> changed_program(Input& input) {
  static const std::vector<std::vector<std::uint32_t>> kPrograms = [] {
    std::vector<std::vector<std::uint32_t>> all;
    for (const ppu::firmware::Program& program : ppu::firmware::programs())
      all.push_back(ppu::firmware::assemble(program.name, program.source).image.words);
    return all;
  }();
  std::vector<std::uint32_t> words =
      kPrograms[input.below(static_cast<std::uint32_t>(kPrograms.size()))];
  for (std::uint32_t count = input.below(5); count > 0 && !words.empty(); --count) {
    const auto at = words.begin() + input.byte() % static_cast<std::ptrdiff_t>(words.size());
    switch (input.below(4)) {
      case 0:
        words.erase(at);
        break;
      case 1:
        words.insert(at, *at);
        break;
      case 2:
        *at = input.word();
        break;
      default:
        *at ^= 1U << input.below(32);
    }
  }
  return words;
}

/// An image of these words that is whole, after a look at what they would be as text.
std::string whole(const std::vector<std::uint32_t>& words) {
  const ppu::firmware::Image image{PPU_SPEC_HASH, words};
  try {
    ppu::firmware::disassemble(image);
  } catch (const ppu::firmware::ImageError&) {
  }
  const std::vector<std::byte> bytes = to_bytes(image);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint32_t kind = input.byte() % 4;
  const std::string bytes = kind == 0   ? input.rest()
                            : kind == 1 ? whole(any_words(input))
                                        : whole(changed_program(input));
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
