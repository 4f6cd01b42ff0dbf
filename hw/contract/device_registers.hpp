// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The registers of a device: ring, interrupts and the error queue behind them. What is written or
// raised here is visible at once; who steps time decides in which cycle that is.
#pragma once

#include <array>
#include <cstdint>

#include "hw/contract/config.hpp"

namespace ppu::hw {

struct CommandError {
  std::uint32_t command;  ///< Number since reset.
  ppu_command_error reason;
  std::uint32_t detail;
};

/// Keeps the oldest errors and counts those for which there was no room.
class ErrorQueue {
 public:
  /// False if the queue was full.
  bool push(const CommandError& error);
  void pop();
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t lost() const { return lost_; }
  /// The oldest one, all zero if there is none.
  [[nodiscard]] CommandError front() const;

 private:
  std::array<CommandError, spec::kErrorQueueEntries> entries_{};
  std::uint32_t first_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t lost_ = 0;
};

/// What the registers show of the rest of the device.
struct DeviceView {
  bool busy;
  std::uint32_t ring_head;
  std::uint32_t progress;
  std::uint32_t lockstep_rows;
};

class DeviceRegisters {
 public:
  static constexpr std::uint32_t kFenceInterrupt = 1;
  static constexpr std::uint32_t kErrorInterrupt = 2;

  explicit DeviceRegisters(const Config& config);

  [[nodiscard]] std::uint32_t read(std::uint32_t offset, const DeviceView& view) const;
  /// What a write asks of the rest of the device.
  enum class Request { kNone, kCancel, kDoorbell };
  Request write(std::uint32_t offset, std::uint32_t value);

  void raise(std::uint32_t interrupts) { irq_status_ |= interrupts; }
  void push_error(const CommandError& error);

  [[nodiscard]] bool interrupt() const { return (irq_status_ & irq_mask_) != 0; }
  [[nodiscard]] std::uint32_t ring_tail() const { return ring_tail_; }
  /// Where command `number` is in host memory.
  [[nodiscard]] std::uint32_t command_address(std::uint32_t number) const;

 private:
  std::uint64_t config_hash_;
  std::uint32_t ring_base_ = 0;
  std::uint32_t ring_entries_ = 0;
  std::uint32_t ring_tail_ = 0;
  std::uint32_t irq_status_ = 0;
  std::uint32_t irq_mask_ = 0;
  ErrorQueue errors_;
};

}  // namespace ppu::hw
