// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Everything of the device but its engines: registers, command processor, DMA, writer and the ports
// of device memory and host link, stepped cycle by cycle as docs/inside/device.md says. Cycles in
// which nothing can change are counted, not stepped.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "hw/contract/device_registers.hpp"
#include "hw/contract/engine_port.hpp"
#include "hw/contract/trace.hpp"
#include "hw/uncore/beat_channel.hpp"
#include "hw/uncore/command_fetch.hpp"
#include "hw/uncore/dma.hpp"
#include "hw/uncore/host_writer.hpp"
#include "hw/uncore/memory_arbiter.hpp"

namespace ppu::hw {

/// An engine and its port; both outlive the uncore.
struct EngineConnection {
  EngineUnit& unit;
  EnginePort& port;
};

class Uncore {
 public:
  /// `trace` may be null.
  Uncore(const Config& config, const Surroundings& surroundings,
         const std::vector<EngineConnection>& engines, TraceSink* trace);
  Uncore(const Uncore&) = delete;
  Uncore& operator=(const Uncore&) = delete;

  /// The cycle that comes next.
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  [[nodiscard]] bool busy() const {
    return !fetch_.idle(registers_.ring_tail()) || !dma_.idle() || !writer_.idle() ||
           busy_engines_ > 0;
  }
  [[nodiscard]] bool interrupt() const { return registers_.interrupt(); }
  [[nodiscard]] const DeviceCounters& counters() const { return counters_; }

  /// True if the engine has to go on before this cycle can be stepped.
  [[nodiscard]] bool must_advance(std::size_t engine) const {
    return limit_of(engines_[engine]) <= cycle_;
  }
  /// Steps up to cycle `end`, but stops when there is nothing to do, when the interrupt line rises,
  /// where an engine has to go on, and after the cycle in which stop() was called.
  void run(std::uint64_t end);
  /// For a memory that is accessed in run().
  void stop() { end_ = 0; }
  /// Nothing changes before this cycle, unless a memory answers or a register is written.
  [[nodiscard]] std::uint64_t next_change() const;
  /// Writes a register in the next cycle, and steps it; no engine has to go on before.
  void write_register(std::uint32_t offset, std::uint32_t value);
  /// `lockstep_rows` is what that register shows.
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset,
                                            std::uint32_t lockstep_rows) const;

 private:
  struct Engine {
    EngineUnit* unit;
    EnginePort* port;
    bool busy = false;
    std::uint32_t report_address = 0;
  };
  /// What one cycle counts; a cycle in which nothing changes counts the same again.
  struct Activity {
    bool changed, dma_busy, command_waits;
    bool read_accepted, read_waits, write_accepted, write_waits, memory_accepted, memory_waits;
    std::uint32_t busy_engines;
  };
  enum class ReadTarget : std::uint8_t { kFetch, kList, kDma };
  enum class WriteSource : std::uint8_t { kWriter, kDma };
  using HostReads = BeatChannel<LinkPort, ReadTarget>;
  using HostWrites = BeatChannel<LinkPort, WriteSource>;
  /// The tag is the number of the requester.
  using DeviceMemory = BeatChannel<DramTiming, std::uint32_t>;
  struct RegisterWrite {
    std::uint32_t offset, value;
  };
  struct Signal {
    std::uint64_t cycle = 0;
    std::size_t engine = 0;
    std::uint32_t value = 0;
  };

  void step();
  void skip();
  [[nodiscard]] std::uint64_t next_event() const;
  void count(std::uint64_t cycles);

  [[nodiscard]] std::optional<ReadTarget> next_host_read() const;
  [[nodiscard]] std::optional<WriteSource> next_host_write() const;
  void accept_host_read();
  void accept_host_write();
  void accept_memory();
  void accept_engine_beat(Engine& engine, std::uint32_t index);
  void accept_dma_beat();
  /// Takes notice of answers whose cycles are known now, `least` or later.
  void learn_answers(std::uint64_t least);
  void learn_memory_answers(std::uint64_t least);

  void execute();
  [[nodiscard]] bool can_begin(spec::CommandOpcode opcode) const;
  void begin(const CommandWords& command);
  void begin_run(const CommandWords& command);
  void take_report();
  void work_dma();
  void receive();
  void finish_write();
  void finish_report();
  void end_cycle();

  /// The first cycle that must not be stepped before the engine goes on.
  [[nodiscard]] static std::uint64_t limit_of(const Engine& engine) {
    return engine.busy ? engine.port->limit() : kNever;
  }
  [[nodiscard]] bool has_request(std::uint32_t requester) const;
  /// Takes the signals of the engines that are visible.
  void take_signals();
  void trace(TraceKind kind, std::uint64_t cycle, std::size_t unit, std::uint64_t a,
             std::uint64_t b) const {
    if (trace_ != nullptr) trace_->on_event({cycle, kind, static_cast<std::uint8_t>(unit), a, b});
  }

  TraceSink* trace_;
  Memory device_memory_;
  BeatTarget& memory_target_;
  DeviceCounters counters_{};
  CommandChecker checker_;
  DeviceRegisters registers_;
  CommandFetch fetch_;
  HostWriter writer_;
  Dma dma_;
  MemoryArbiter arbiter_;
  LinkTiming link_;
  HostReads reads_;
  HostWrites writes_;
  DeviceMemory memory_;

  std::vector<Engine> engines_;
  std::uint32_t busy_engines_ = 0;
  std::size_t reported_ = 0;  ///< Engine whose report is being written.
  Signal signal_;             ///< The last one visible.

  // Who waits for the host link keeps it.
  std::optional<ReadTarget> waiting_read_;
  std::optional<WriteSource> waiting_write_;

  // Answers that will come, those of the memory to the DMA.
  std::deque<HostReads::Answer> read_answers_;
  std::deque<HostWrites::Answer> write_answers_;
  std::deque<DeviceMemory::Answer> dma_answers_;

  std::uint64_t cycle_ = 0;
  std::uint64_t engine_limit_ = kNever;  ///< The least limit of an engine.
  std::uint64_t end_ = 0;                ///< Of run().
  Activity activity_{};

  // What takes effect at the end of the cycle.
  std::optional<RegisterWrite> write_;
  std::optional<CommandError> run_failed_, bad_descriptor_, rejection_;
  bool raise_fence_ = false;
  bool reset_ = false;
};

}  // namespace ppu::hw
