// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Messages between the driver and a device process (`ppu-device`). Host and device are one machine
// and one build, so messages are plain structs over a SOCK_SEQPACKET socket pair; device memory is
// a memfd that both map, with the run control behind it.
//
// The driver starts  ppu-device SOCKET_FD MEMORY_FD  and sends OpenRequest; the device answers with
// OpenReply, then with one RunReport per RunCommand. Closing the socket ends the device process,
// also in the middle of a run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ppu/hw/run.hpp"

namespace ppu::hw {

struct OpenRequest {
  std::uint32_t spec_hash = PPU_SPEC_HASH;
  char backend[32] = {};      ///< "systemc" or "cosim".
  spec::Config config;        ///< Resolved by the driver.
  char wave_path[1024] = {};  ///< cosim: FST file, or empty.
  std::uint64_t wave_first_cycle = 0;
  std::uint64_t wave_last_cycle = ~std::uint64_t{0};
};

struct OpenReply {
  std::uint32_t spec_hash = 0;
  std::uint32_t ok = 0;           ///< 1 if the device is ready.
  std::uint64_t config_hash = 0;  ///< Computed by the device from what it received.
  char message[512] = {};         ///< Why not, in one sentence.
};

/// What host and device tell each other during a run, in the last kRunControlBytes of the memory
/// file.
struct RunControl {
  /// The run under way must end soon. Cleared by the driver before each run.
  std::atomic<bool> cancel{false};
};
static_assert(std::atomic<bool>::is_always_lock_free, "the flag is shared between processes");

/// One page, so that device memory keeps its size.
inline constexpr std::size_t kRunControlBytes = 4096;

}  // namespace ppu::hw
