// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The functional device: registers, ring, checks, errors, fences, reports and interrupts of the
// timed device, but no time. A thread of its own carries out the commands one after another, so
// that the host can cancel a run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "hw/contract/command.hpp"
#include "hw/contract/device_memory_flips.hpp"
#include "hw/contract/device_registers.hpp"
#include "hw/contract/mapped_memory.hpp"
#include "hw/functional/functional_engine.hpp"

namespace ppu::hw {

class FunctionalDevice final : public Device {
 public:
  FunctionalDevice(const Config& config, Memory host_memory);
  ~FunctionalDevice() override;
  FunctionalDevice(const FunctionalDevice&) = delete;
  FunctionalDevice& operator=(const FunctionalDevice&) = delete;

  void write_register(std::uint32_t offset, std::uint32_t value) override;
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override;
  bool step() override;
  [[nodiscard]] bool interrupt() const override;
  std::uint32_t copy_profile(std::uint32_t /*engine*/, std::uint32_t /*address*/) override {
    return 0;
  }

 private:
  /// A chained run whose rows are not all there.
  struct WaitingRun {
    CommandWords command;
    std::uint32_t number;
    std::uint32_t next, end;  ///< Of its rows: the next beat, and the first one behind them.
  };

  [[nodiscard]] bool busy() const {
    return executing_ || head_ != registers_.ring_tail() || !waiting_.empty();
  }

  /// What the thread does.
  void work();
  /// Takes the next command from the ring and carries it out; holds the lock only where the host
  /// could look.
  void execute_next(std::unique_lock<std::mutex>& lock);
  void execute(const CommandWords& command, std::uint32_t number);
  void copy(const CommandWords& command, std::uint32_t number);
  void copy_range(const Descriptor& range, spec::CommandOpcode opcode, std::uint32_t number);
  void load_program(const CommandWords& command, std::uint32_t number);
  void run(const CommandWords& command, std::uint32_t number);
  /// Runs it on the engine.
  void carry_out(const CommandWords& command, std::uint32_t number);
  void flip(const MemoryFlip& flip);
  /// What a command has found in device memory.
  void note(const MemoryFlaw& flaw, std::uint32_t number);
  /// A copy has written these bytes of device memory: chained runs whose rows are there are run.
  void take_written(std::uint32_t address, std::uint32_t bytes);
  /// Waits until no chained run waits for rows: until the host cancels them.
  void wait_for_rows();
  void cancel_waiting();
  void finish_run(const CommandWords& command, std::uint32_t number, const RunReport& report);
  void write_fence(const CommandWords& command);
  void query(const CommandWords& command);
  void reset();
  void add(ppu_device_counter counter, std::uint64_t amount) { counters_[counter] += amount; }
  void push_error(const CommandError& error);

  Config config_;

  // Used by the thread only.
  Memory host_;
  MappedMemory memory_;
  CommandChecker checker_;
  FunctionalEngine engine_;
  DeviceMemoryFlips flips_;

  mutable std::mutex mutex_;
  std::condition_variable work_there_;
  std::condition_variable news_;  ///< For step().

  // Under the mutex; the counters but doorbells change in the thread only.
  DeviceRegisters registers_;
  DeviceCounters counters_{};
  std::uint32_t head_ = 0;
  std::deque<WaitingRun> waiting_;  ///< Changes in the thread only.
  bool executing_ = false;
  std::exception_ptr error_;  ///< What the thread has thrown.

  std::atomic<bool> closing_{false};
  std::atomic<bool> cancel_{false};
  std::thread worker_;
};

}  // namespace ppu::hw
