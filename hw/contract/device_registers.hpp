// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The registers of a device, a page for each context: ring, interrupts and the error queue behind
// them. What is written or raised here is visible at once; who steps time decides in which cycle
// that is.
#pragma once

#include <array>
#include <cstdint>

#include "hw/contract/config.hpp"
#include "hw/contract/contexts.hpp"

namespace ppu::hw {

struct CommandError {
  std::uint32_t command;  ///< Its number in the ring.
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
  std::array<std::uint32_t, spec::kContexts> heads;     ///< Commands taken from each ring,
  std::array<std::uint32_t, spec::kContexts> progress;  ///< and what runs have signalled.
  std::uint32_t lockstep_rows;
};

class DeviceRegisters {
 public:
  static constexpr std::uint32_t kFenceInterrupt = 1;
  static constexpr std::uint32_t kErrorInterrupt = 2;

  explicit DeviceRegisters(const Config& config);

  [[nodiscard]] std::uint32_t read(std::uint32_t offset, const DeviceView& view) const;
  /// What a write asks of the rest of the device, for a context.
  enum class Action { kNone, kCancel, kDoorbell, kOpen, kClose };
  struct Request {
    Action action = Action::kNone;
    ContextId context = 0;
  };
  Request write(std::uint32_t offset, std::uint32_t value);

  /// These two do nothing for a context that is closed.
  void raise(ContextId id, std::uint32_t interrupts);
  void push_error(ContextId id, const CommandError& error);

  /// The interrupt lines that are up, context c's as bit c.
  [[nodiscard]] std::uint32_t interrupts() const;
  /// Commands written to the ring.
  [[nodiscard]] std::uint32_t tail(ContextId id) const { return pages_[id].tail; }
  [[nodiscard]] const ContextTable& contexts() const { return contexts_; }
  [[nodiscard]] ContextTable& contexts() { return contexts_; }

 private:
  /// What a context has for itself.
  struct Page {
    std::uint32_t tail = 0;
    std::uint32_t irq_status = 0;
    std::uint32_t irq_mask = 0;
    ErrorQueue errors;
    [[nodiscard]] bool interrupt() const { return (irq_status & irq_mask) != 0; }
  };
  [[nodiscard]] std::uint32_t read_page(ContextId id, std::uint32_t offset,
                                        const DeviceView& view) const;
  Request write_page(ContextId id, std::uint32_t offset, std::uint32_t value);

  std::uint64_t config_hash_;
  ContextTable contexts_;
  std::array<Page, spec::kContexts> pages_{};
};

}  // namespace ppu::hw
