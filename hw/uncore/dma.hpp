// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The DMA: carries out one copy command with its list of descriptors, several beats at a time
// (docs/inside/device.md). It is a master of three ports: reads and writes of host memory, and
// device memory.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "base/bits/crc32c.hpp"
#include "hw/contract/command.hpp"
#include "hw/contract/trace.hpp"
#include "hw/uncore/register_block.hpp"

namespace ppu::hw {

class Dma {
 public:
  enum class State : std::uint8_t { kIdle, kMove, kList };
  /// Whom it tells what it does. Programs go to all engines.
  struct Ports {
    RegisterBlock* registers = nullptr;
    CounterBlock* counters = nullptr;
    std::vector<EngineLink*> engines;
  };

  /// `trace` may be null.
  Dma(const Config& config, TraceSink* trace);
  Dma(const Dma&) = delete;
  Dma& operator=(const Dma&) = delete;
  void connect(Ports ports) { ports_ = std::move(ports); }
  [[nodiscard]] BeatMaster& host_reads() { return host_reads_; }
  [[nodiscard]] BeatMaster& host_writes() { return host_writes_; }
  [[nodiscard]] BeatMaster& memory() { return memory_; }

  /// Begins a checked copy or load_program of context `id`, or its scrub, in `cycle`.
  void begin(const CommandWords& command, ContextId id, std::uint32_t number, std::uint64_t cycle);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool idle() const { return state_ == State::kIdle; }
  /// It writes instruction memory, or will.
  [[nodiscard]] bool loading() const { return !idle() && (loading_program() || scrubbing()); }

  // A cycle: the zeros that it asks for; what it does without a port (writes a line of a program,
  // or looks at a descriptor), and what arrives. True if anything changes.
  void ask() { takes_zeros_ = scrubbing() && state_ == State::kMove && wants_read(); }
  bool work(std::uint64_t cycle);
  bool receive(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t next_event() const;

  /// As after power-on.
  void reset();

 private:
  static constexpr std::uint32_t kPerBeat = spec::kBeatBytes / spec::kDescriptorBytes;

  /// Its place at a port. Answers are kept until their cycles.
  class Master : public BeatMaster {
   public:
    explicit Master(Dma& dma) : dma_(dma) {}
    void answer(const BeatAnswer& answer) override { answers_.push_back(answer); }
    [[nodiscard]] std::uint64_t next_event() const {
      return answers_.empty() ? kNever : answers_.front().cycle;
    }
    /// The answer of `cycle` is taken by `take`; false if there is none.
    template <class Take>
    bool receive(std::uint64_t cycle, Take take) {
      if (next_event() != cycle) return false;
      take(answers_.front());
      answers_.pop_front();
      return true;
    }
    void reset() { answers_.clear(); }

   protected:
    Dma& dma_;

   private:
    std::deque<BeatAnswer> answers_;
  };
  /// The list comes alone.
  class HostReads final : public Master {
   public:
    using Master::Master;
    [[nodiscard]] bool requests(std::uint64_t) const override {
      return dma_.wants_list() || dma_.wants_host_read();
    }
    BeatRequest accept(std::uint64_t) override {
      return {dma_.wants_list() ? dma_.accept_list() : dma_.accept_read()};
    }
  };
  class HostWrites final : public Master {
   public:
    using Master::Master;
    [[nodiscard]] bool requests(std::uint64_t) const override { return dma_.wants_host_write(); }
    BeatRequest accept(std::uint64_t) override { return dma_.accept_write(); }
  };
  /// A write comes before a read that does not wait yet.
  class DeviceBeats final : public Master {
   public:
    using Master::Master;
    [[nodiscard]] bool requests(std::uint64_t) const override {
      return dma_.wants_memory_write() || dma_.wants_memory_read();
    }
    BeatRequest accept(std::uint64_t cycle) override {
      return dma_.wants_memory_write() ? dma_.accept_memory_write(cycle)
                                       : BeatRequest{dma_.accept_read()};
    }
    void hold() override {
      dma_.memory_read_waits_ = dma_.wants_memory_read() && !dma_.wants_memory_write();
    }
  };

  [[nodiscard]] bool loading_program() const {
    return opcode_ == spec::CommandOpcode::kLoadProgram;
  }
  [[nodiscard]] bool scrubbing() const { return opcode_ == spec::CommandOpcode::kScrub; }
  /// What is written goes to instruction memory: a program, or zeros behind those of device memory.
  [[nodiscard]] bool writes_lines() const {
    return loading_program() || (scrubbing() && next_ > 0);
  }
  // What it requests in this cycle.
  [[nodiscard]] bool wants_list() const {
    return state_ == State::kList && !scrubbing() && !list_requested_;
  }
  [[nodiscard]] bool wants_host_read() const { return reads_host_ && wants_read(); }
  [[nodiscard]] bool wants_host_write() const { return writes_host_ && wants_write(); }
  [[nodiscard]] bool wants_memory_read() const {
    return !reads_host_ && !scrubbing() && wants_read();
  }
  [[nodiscard]] bool wants_memory_write() const {
    return writes_memory_ && !writes_lines() && wants_write() && !memory_read_waits_;
  }
  /// The request is accepted: the address of the beat, or what is written, with the bytes of the
  /// range in the strobe.
  std::uint32_t accept_list();
  std::uint32_t accept_read();
  BeatRequest accept_write();
  BeatRequest accept_memory_write(std::uint64_t cycle);

  void receive_read(const BeatAnswer& answer);
  void acknowledge();
  [[nodiscard]] bool wants_read() const {
    return read_ < beats_ && read_ - written_ < buffer_.size();
  }
  [[nodiscard]] bool wants_write() const { return written_ < arrived_; }
  /// Starts moving the range of `descriptor`.
  void move(const Descriptor& descriptor);
  /// The last beat of a descriptor is acknowledged.
  void finish_descriptor();
  bool take_descriptor(std::uint64_t cycle);
  bool scrub_lines();
  void write_line();
  void stop();

  TraceSink* trace_;
  Ports ports_;
  HostReads host_reads_{*this};
  HostWrites host_writes_{*this};
  DeviceBeats memory_{*this};

  State state_ = State::kIdle;
  State shown_ = State::kIdle;  ///< What the trace was told of.
  spec::CommandOpcode opcode_ = spec::CommandOpcode::kNop;
  ContextId id_ = 0;  ///< Of the command, or that it scrubs.
  std::uint32_t number_ = 0;
  std::uint64_t begin_cycle_ = 0;
  bool takes_zeros_ = false;
  bool reads_host_ = false, writes_host_ = false, writes_memory_ = false;
  bool memory_read_waits_ = false;

  // The list, its next descriptor, and the beat of it that is held.
  std::uint32_t list_address_ = 0, list_count_ = 0, next_ = 0;
  bool list_requested_ = false, list_held_ = false;
  std::array<Descriptor, kPerBeat> held_{};

  std::optional<std::uint32_t> checksum_;  ///< That a load must have.
  Crc32c written_checksum_;                ///< Of what it has written.

  // The range under way, and beats of it: all, requested, arrived, written, acknowledged.
  Descriptor range_{};
  std::vector<Beat>
      buffer_;  ///< Beat n is at n modulo its size, from its arrival until it is written.
  std::uint32_t first_read_ = 0, first_write_ = 0;
  std::uint32_t beats_ = 0, read_ = 0, arrived_ = 0, written_ = 0, acknowledged_ = 0;
};

}  // namespace ppu::hw
