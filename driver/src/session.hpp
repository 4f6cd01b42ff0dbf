// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The other side of the driver: something that owns device memory and executes one run at a time,
// in this process (LocalSession) or in one of its own (ProcessSession).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "backend.hpp"
#include "ppu/hw/device.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// What a device says it is; must equal what the driver asked for.
struct Identity {
  std::uint32_t spec_hash = 0;
  std::uint64_t config_hash = 0;
};

class Session {
 public:
  /// Cancels a run under way and takes the device down.
  virtual ~Session() = default;
  [[nodiscard]] virtual Identity identity() const = 0;
  [[nodiscard]] virtual hw::DeviceMemory memory() const = 0;
  /// Starts a run; none may be under way. Throws Failure (PPU_ERROR_DEVICE_LOST).
  virtual void start(const hw::RunCommand& command) = 0;
  /// The report of the run under way, once; nothing if it goes on after `timeout_ns`. Throws
  /// Failure (PPU_ERROR_DEVICE_LOST) if no report can come any more.
  virtual std::optional<hw::RunReport> wait(std::uint64_t timeout_ns) = 0;
  /// Makes the run under way end soon and waits for its report. Throws as wait().
  virtual hw::RunReport cancel() = 0;
};

/// Opens a device on `backend` as `def` asks. Throws Failure.
std::unique_ptr<Session> open_session(const ppu_device_def& def, const Backend& backend,
                                      const hw::Config& config);

}  // namespace ppu::driver
