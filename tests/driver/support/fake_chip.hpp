// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device for tests of the driver's side: it carries out the commands of its ring one per step,
// copies to and from a small device memory, and runs nothing; it misbehaves as it is told.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "driver/device/command.hpp"
#include "hw/contract/device.hpp"

namespace ppu::driver::test {

class FakeChip final : public hw::Device {
 public:
  /// A run of this many rows goes on until it is cancelled.
  static constexpr std::uint32_t kEndlessRows = 999;
  /// A run of this many rows reports a mismatch.
  static constexpr std::uint32_t kMismatchRows = 998;
  static constexpr std::uint32_t kMemoryBytes = 1U << 20U;

  FakeChip(const hw::Config& config, hw::Memory host);

  void write_register(std::uint32_t offset, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t offset) override;
  bool step() override;
  [[nodiscard]] std::uint32_t interrupts() const override {
    return !holds_interrupts && (irq_status() & irq_mask()) != 0 ? 1 : 0;
  }
  /// A record per row of the last run, its number in `cycles`.
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override;
  [[nodiscard]] std::string message() const override { return "the adder differs"; }

  /// Value of a register that is none of the driver's business to write.
  void set_register(ppu_register offset, std::uint32_t value) { registers_[offset / 4] = value; }
  /// Fences are not written any more.
  bool silent = false;
  /// No interrupt comes.
  std::atomic<bool> holds_interrupts{false};
  /// The host cleared one that had not come yet.
  std::atomic<bool> cleared_early{false};
  /// No command begins.
  std::atomic<bool> holds{false};
  /// Runs are rejected for their size.
  bool rejects_runs = false;
  /// Every `nop` comes behind the read of a lost word of device memory.
  bool loses_words = false;
  /// The next command throws std::bad_alloc.
  std::atomic<bool> out_of_memory{false};
  /// Kept for as long as the device lives.
  std::shared_ptr<const void> life;
  /// Begun, in their order.
  std::vector<Command> commands;
  /// How many of them have ended.
  std::atomic<std::uint32_t> ended{0};

 private:
  [[nodiscard]] std::uint32_t irq_status() const;
  [[nodiscard]] std::uint32_t irq_mask() const;
  void execute(const Command& command);
  void copy(const Command& command);
  void move(const Command& command, const Descriptor& range);
  void begin_run(const Command& command);
  void end_run(ppu_run_status status);
  void write_fence(const Command& command);
  void push_error(std::uint32_t command, ppu_command_error reason, std::uint32_t detail);
  /// Of the command being executed.
  [[nodiscard]] std::uint32_t number() const;

  hw::Memory host_;
  std::vector<std::byte> memory_;
  std::array<std::uint32_t, 64> registers_{};
  std::deque<std::array<std::uint32_t, 3>> errors_;
  const Command* running_ = nullptr;  ///< Endless run.
  bool cancelled_ = false;
  std::uint32_t rows_ = 0, run_number_ = 0;  ///< Of the last run.
};

}  // namespace ppu::driver::test
