// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lists: any words as commands, between two copies of a list. Whatever comes of them, the
// device takes the next list, and memory that no command has named is as it was.
#include <array>

#include "hw/contract/command.hpp"
#include "ppu/ppu.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using Words = std::array<std::uint32_t, 16>;
using ppu::fuzz::Input;

/// Any words, or those of a command whose fields are small numbers and ends of memory.
Words draw(Input& input) {
  Words words{};
  const std::uint32_t kind = input.byte();
  if (kind % 8 == 0) {
    for (std::uint32_t& word : words) word = input.word();
    return words;
  }
  words[0] = input.below(16) | input.byte() << 8U | input.byte() << 16U;
  for (std::uint32_t count = input.below(9), n = 1; n <= count; ++n) {
    const std::uint32_t form = input.byte();
    const std::uint32_t bits = input.word();
    words[n] = form % 4 == 0   ? bits
               : form % 4 == 1 ? 64 * (bits % 4096)
               : form % 4 == 2 ? (1U << 24U) - bits % 256
                               : bits % 256;
  }
  return words;
}

/// What a raw command does to the driver's own memory (its fences, its ring) is the caller's doing:
/// nothing is written to host memory but the last mebibyte.
bool spares_the_driver(const Words& words) {
  constexpr std::uint32_t kOwn = 15U << 20U;
  using ppu::spec::CommandOpcode;
  switch (static_cast<CommandOpcode>(words[0] % 256)) {
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kFence:
    case CommandOpcode::kQuery:
      return words[1] >= kOwn && words[5] == 0;
    case CommandOpcode::kRun:
      return words[7] >= kOwn;
    default:
      return true;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ppu::Device device = [] {
    ppu_device_def def = ppu_default_device_def();
    static const char* const kOverrides[] = {"host_memory_mib=16", "device_memory_mib=16"};
    def.backend = "functional";
    def.config = "protected";
    def.overrides = kOverrides;
    def.override_count = 2;
    return ppu::Device(def);
  }();
  static const ppu::Program program = ppu::Program::load(device, "boxed");
  Input input(data, size);
  {
    const ppu::Commands list(device);
    for (std::uint32_t count = 1 + input.below(12); count > 0 && input.left() > 0; --count) {
      const Words words = draw(input);
      if (spares_the_driver(words)) list.raw(words);
    }
    const ppu::Fence fence = list.submit();
    if (ppu_fence_wait(fence.get(), 5'000'000) == PPU_ERROR_TIMEOUT) fence.cancel();
    const ppu_result result = ppu_fence_wait(fence.get(), 0);
    ppu::fuzz::require(result == PPU_OK || result == PPU_ERROR_COMMAND ||
                           result == PPU_ERROR_FAULT || result == PPU_ERROR_CANCELLED,
                       "a list ends in a result of its own");
  }
  const ppu::Commands after(device);
  after.barrier();
  ppu::fuzz::require(ppu_fence_wait(after.submit().get(), 60'000'000'000) == PPU_OK,
                     "the device takes the next list");
  return 0;
}
