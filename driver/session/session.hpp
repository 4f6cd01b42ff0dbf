// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The way to a device: registers, host memory that it reaches and its interrupts, whether it runs
// in this process (LocalSession) or in one of its own (ProcessSession).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "driver/base/deadline.hpp"
#include "driver/session/backend.hpp"
#include "hw/contract/device.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// Every call throws Failure (PPU_ERROR_DEVICE_LOST) once the device is gone.
class Session {
 public:
  /// Takes the device down, whatever it is doing.
  virtual ~Session() = default;
  [[nodiscard]] virtual hw::Memory host_memory() const = 0;
  virtual void write_register(std::uint32_t offset, std::uint32_t value) = 0;
  /// Comes after all writes before it: what the device did until then is in host memory.
  virtual std::uint32_t read_register(std::uint32_t offset) = 0;
  /// From now on the device is lost when it does not answer for so long.
  virtual void set_answer_timeout(std::uint64_t /*timeout_ns*/) {}
  /// A moment of the time in which the device answers.
  [[nodiscard]] virtual Deadline deadline(std::uint64_t timeout_ns) const {
    return Deadline(timeout_ns);
  }
  /// Waits until the interrupt line of a context is up or has risen since the last call; false at
  /// the deadline.
  virtual bool wait_interrupt(const Deadline& deadline, std::uint32_t context = 0) = 0;
  /// Copies the row profile of the last run of `engine` to host memory; returns its records.
  virtual std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) = 0;
  /// What the device says about the last mismatch.
  [[nodiscard]] virtual std::string device_text() = 0;
  /// Ends the device in order: afterwards its event log and waves are complete. The last call.
  virtual void close() = 0;
};

/// Opens a device on `backend` as `def` asks. Throws Failure.
std::unique_ptr<Session> open_session(const ppu_device_def& def, const Backend& backend,
                                      const hw::Config& config);

}  // namespace ppu::driver
