// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Everything of the device but its engines: registers, command processor, DMA, writer and the ports
// of device memory and host link, stepped cycle by cycle as docs/inside/device.md says. Cycles in
// which nothing can change are counted, not stepped.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "hw/contract/device_registers.hpp"
#include "hw/contract/engine_port.hpp"
#include "hw/contract/trace.hpp"
#include "hw/uncore/command_fetch.hpp"
#include "hw/uncore/dma.hpp"
#include "hw/uncore/dram_timing.hpp"
#include "hw/uncore/host_writer.hpp"
#include "hw/uncore/link_timing.hpp"
#include "hw/uncore/memory_arbiter.hpp"

namespace ppu::hw {

/// What the uncore asks of an engine.
class EngineUnit {
 public:
  virtual ~EngineUnit() = default;
  virtual void load_program(std::uint32_t address, const std::uint32_t* words,
                            std::uint32_t count) = 0;
  virtual void start(std::uint64_t cycle, const RunCommand& command) = 0;
  virtual void cancel(std::uint64_t cycle) = 0;
  /// The next beat of a store is accepted: its bytes move.
  virtual void accept_write() = 0;
  [[nodiscard]] virtual const RunReport& report() const = 0;
  virtual void release() = 0;
};

/// An engine and its port; both outlive the uncore.
struct EngineConnection {
  EngineUnit& unit;
  EnginePort& port;
};

class Uncore {
 public:
  /// `trace` may be null.
  Uncore(const Config& config, Memory host_memory, Memory device_memory,
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
  /// and where an engine has to go on.
  void run(std::uint64_t end);
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
  /// A response that will come.
  template <class Kind>
  struct Response {
    Response(std::uint64_t response_cycle, Kind response_kind)
        : cycle(response_cycle), kind(response_kind) {}
    std::uint64_t cycle;
    Kind kind;
  };
  enum class MemoryKind : std::uint8_t { kRead, kWrite };
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

  Memory host_;
  TraceSink* trace_;
  DeviceCounters counters_{};
  CommandChecker checker_;
  DeviceRegisters registers_;
  CommandFetch fetch_;
  HostWriter writer_;
  Dma dma_;
  MemoryArbiter arbiter_;
  DramTiming dram_;
  LinkTiming link_;

  std::vector<Engine> engines_;
  std::uint32_t busy_engines_ = 0;
  std::size_t reported_ = 0;  ///< Engine whose report is being written.
  Signal signal_;             ///< The last one visible.

  // Who waits for the host link keeps it.
  std::optional<ReadTarget> waiting_read_;
  std::optional<WriteSource> waiting_write_;

  std::deque<Response<ReadTarget>> host_reads_;
  std::deque<Response<WriteSource>> host_writes_;
  std::deque<Response<MemoryKind>> dma_memory_;

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
