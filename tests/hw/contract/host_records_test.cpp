// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes to host memory while the host looks.
#include "hw/contract/host_records.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace ppu::hw {
namespace {

constexpr std::uint64_t kAllBytes = ~std::uint64_t{0};

TEST(WriteHostBeat, WritesTheNamedBytesAndNoOther) {
  Beat beat;
  for (std::size_t n = 0; n < beat.size(); ++n) beat[n] = static_cast<std::byte>(n + 1);
  for (const std::uint64_t strobe :
       {std::uint64_t{0}, std::uint64_t{1}, kAllBytes, kAllBytes << 3U, kAllBytes >> 13U,
        std::uint64_t{0xffff} << 16U, std::uint64_t{0x8001020408fff010}}) {
    std::vector<std::byte> bytes(3 * beat.size(), std::byte{0xee});
    std::vector<std::byte> expected = bytes;
    for (std::size_t n = 0; n < beat.size(); ++n)
      if ((strobe >> n & 1U) != 0) expected[beat.size() + n] = beat[n];
    write_host_beat({bytes.data(), bytes.size()}, spec::kBeatBytes, beat, strobe);
    EXPECT_EQ(bytes, expected) << std::hex << strobe;
  }
}

/// Writes fences whose value and cycle are equal while a host looks at them as the driver does.
template <class Write>
void expect_whole_fences(Write write) {
  constexpr std::uint32_t kPlace = 16;
  /// Values grow, and most of their bytes change.
  constexpr std::uint64_t kStep = 0x0a3c5e7193b7;
  alignas(spec::kBeatBytes) Beat beat{};
  auto* const value = reinterpret_cast<std::uint64_t*>(&beat[kPlace]);
  auto* const cycle = value + 1;
  std::atomic<bool> looking{false}, done{false};
  std::uint64_t torn = 0, early = 0;
  std::thread host([&] {
    looking = true;
    while (!done) {
      const std::uint64_t seen = __atomic_load_n(value, __ATOMIC_ACQUIRE);
      torn += seen % kStep != 0;
      // Its own cycle, or that of a later one.
      early += __atomic_load_n(cycle, __ATOMIC_RELAXED) < seen;
    }
  });
  while (!looking) std::this_thread::yield();
  for (std::uint64_t n = 0; n < 1'000'000; ++n)
    write({beat.data(), beat.size()}, kPlace, FenceRecord{n * kStep, n * kStep});
  done = true;
  host.join();
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(early, 0U);
}

TEST(WriteFence, IsSeenWholeAndLast) {
  expect_whole_fences(write_fence);
}

TEST(WriteHostBeat, LetsFencesBeSeenWholeAndLast) {
  expect_whole_fences([](const Memory& host, std::uint32_t place, const FenceRecord& fence) {
    Beat beat{};
    std::memcpy(&beat[place], &fence, sizeof fence);
    write_host_beat(host, 0, beat, std::uint64_t{0xffff} << place);
  });
}

}  // namespace
}  // namespace ppu::hw
