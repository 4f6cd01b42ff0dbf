// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device as the driver sees it, whatever runs it: an engine in this process (functional) or a
// device process (systemc, cosim).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ppu/hw/config.hpp"
#include "ppu/hw/run.hpp"

namespace ppu::hw {

/// Device memory: `size_bytes` bytes at `data`, shared by host and device.
struct DeviceMemory {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
};

/// Executes runs one after another on the caller's thread. Checks the command and every row record
/// before it touches anything (PPU_RUN_BAD_COMMAND, PPU_RUN_BAD_ROW) and returns soon after
/// `cancel` becomes true. Impulses and velocities in device memory are written back only when the
/// run ends with PPU_RUN_OK.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual RunReport run(const RunCommand& command, const std::atomic<bool>& cancel) = 0;
};

}  // namespace ppu::hw
