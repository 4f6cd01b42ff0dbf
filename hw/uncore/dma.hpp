// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The DMA: carries out one copy command with its list of descriptors, several beats at a time
// (docs/inside/device.md). It says what it requests; the uncore says what is accepted and answered.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "hw/contract/command.hpp"
#include "hw/contract/host_records.hpp"

namespace ppu::hw {

class Dma {
 public:
  enum class State : std::uint8_t { kIdle, kMove, kList };
  /// Writes a line of 16 words to the instruction memory of all engines.
  using LoadLine = std::function<void(std::uint32_t address, const std::uint32_t* words)>;

  Dma(const Config& config, LoadLine load_line, DeviceCounters& counters);

  /// Begins a checked copy or load_program.
  void begin(const CommandWords& command, std::uint32_t number);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool idle() const { return state_ == State::kIdle; }
  [[nodiscard]] bool loading() const {
    return !idle() && opcode_ == spec::CommandOpcode::kLoadProgram;
  }
  /// Number of the command since reset.
  [[nodiscard]] std::uint32_t number() const { return number_; }

  // What it requests in this cycle; the list comes alone, a write before a read that does not wait
  // yet.
  [[nodiscard]] bool wants_list() const { return state_ == State::kList && !list_requested_; }
  [[nodiscard]] bool wants_host_read() const { return reads_host_ && wants_read(); }
  [[nodiscard]] bool wants_host_write() const { return writes_host_ && wants_write(); }
  [[nodiscard]] bool wants_memory_read() const { return !reads_host_ && wants_read(); }
  [[nodiscard]] bool wants_memory_write() const {
    return writes_memory_ && wants_write() && !memory_read_waits_;
  }
  [[nodiscard]] std::uint32_t list_beat() const {
    return list_address_ + next_ / kPerBeat * spec::kBeatBytes;
  }
  [[nodiscard]] std::uint32_t read_beat() const { return first_read_ + read_ * spec::kBeatBytes; }
  [[nodiscard]] std::uint32_t write_beat() const {
    return first_write_ + written_ * spec::kBeatBytes;
  }

  void accept_list() { list_requested_ = true; }
  /// What it requests of device memory is not accepted in this cycle.
  void wait_for_memory() { memory_read_waits_ = wants_memory_read() && !wants_memory_write(); }
  /// The read is accepted.
  void accept_read();
  /// The write is accepted: its data, and in the strobe the bytes of the range.
  StrobedBeat accept_write();

  /// What it does without a port: writes a line of a program, or looks at a descriptor.
  enum class Work : std::uint8_t { kNone, kDone, kBadDescriptor };
  Work work();
  /// The bad descriptor's index in the list.
  [[nodiscard]] std::uint32_t list_index() const { return next_; }

  void receive_list(const Beat& beat);
  void receive_read(const Beat& beat) { buffer_[arrived_++ % buffer_.size()] = beat; }
  void acknowledge();

 private:
  static constexpr std::uint32_t kPerBeat = spec::kBeatBytes / spec::kDescriptorBytes;

  [[nodiscard]] bool wants_read() const {
    return read_ < beats_ && read_ - written_ < buffer_.size();
  }
  [[nodiscard]] bool wants_write() const { return written_ < arrived_; }
  /// Starts moving the range of `descriptor`.
  void move(const Descriptor& descriptor);
  /// The last beat of a descriptor is acknowledged.
  void finish_descriptor();
  void stop();

  CommandChecker checker_;
  LoadLine load_line_;
  DeviceCounters& counters_;

  State state_ = State::kIdle;
  spec::CommandOpcode opcode_ = spec::CommandOpcode::kNop;
  std::uint32_t number_ = 0;
  bool reads_host_ = false, writes_host_ = false, writes_memory_ = false;
  bool memory_read_waits_ = false;

  // The list, its next descriptor, and the beat of it that is held.
  std::uint32_t list_address_ = 0, list_count_ = 0, next_ = 0;
  bool list_requested_ = false, list_held_ = false;
  std::array<Descriptor, kPerBeat> held_{};

  // The range under way, and beats of it: all, requested, arrived, written, acknowledged.
  Descriptor range_{};
  std::vector<Beat>
      buffer_;  ///< Beat n is at n modulo its size, from its arrival until it is written.
  std::uint32_t first_read_ = 0, first_write_ = 0;
  std::uint32_t beats_ = 0, read_ = 0, arrived_ = 0, written_ = 0, acknowledged_ = 0;
};

}  // namespace ppu::hw
