// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/beat_target.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

namespace ppu::hw {
namespace {

void check_inside(const BeatAccess& access, const Memory& memory, const char* which) {
  if (std::uint64_t{access.address} + spec::kBeatBytes <= memory.size_bytes) return;
  throw std::runtime_error("beat " + std::to_string(access.address / spec::kBeatBytes) +
                           " is outside " + which + " memory, in cycle " +
                           std::to_string(access.cycle));
}

}  // namespace

std::uint64_t LocalMemory::access(const BeatAccess& access, Beat& data) {
  check_inside(access, memory_, "device");
  std::byte* const bytes = memory_.data + access.address;
  if (!access.write)
    std::memcpy(data.data(), bytes, data.size());
  else if (~access.strobe == 0)
    std::memcpy(bytes, data.data(), data.size());
  else
    for (std::size_t n = 0; n < data.size(); ++n)
      if ((access.strobe >> n & 1U) != 0) bytes[n] = data[n];
  return 0;
}

std::uint64_t LocalHostMemory::access(const BeatAccess& access, Beat& data) {
  if (!access.write) {
    data = read_beat(memory_, access.address);
    return 0;
  }
  check_inside(access, memory_, "host");
  write_host_beat(memory_, access.address, data, access.strobe);
  return 0;
}

}  // namespace ppu::hw
