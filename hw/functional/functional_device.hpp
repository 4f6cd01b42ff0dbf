// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The functional device: registers, ring, checks, errors, fences, reports and interrupts of the
// timed device, but no time. A thread of its own carries out the commands one after another, so
// that the host can cancel a run.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
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
  [[nodiscard]] std::uint32_t interrupts() const override;
  std::uint32_t copy_profile(std::uint32_t /*engine*/, std::uint32_t /*address*/) override {
    return 0;
  }

 private:
  /// Whose command it is, and which one of its ring.
  struct Origin {
    ContextId id;
    std::uint32_t number;
    std::uint32_t session;
    Context context;  ///< As it was when the command was taken.
  };
  /// A chained run whose rows are not all there.
  struct WaitingRun {
    CommandWords command;
    Origin origin;
    std::uint32_t next, end;  ///< Of its rows: the next beat, and the first one behind them.
    bool cancelled = false;
  };

  [[nodiscard]] bool busy() const { return executing_ || next_ring() || !waiting_.empty(); }
  /// The ring from which the next command is taken, if there is one.
  [[nodiscard]] std::optional<ContextId> next_ring() const;
  /// Runs of the context are to end.
  void cancel(ContextId id);

  /// What the thread does.
  void work();
  /// Takes the next command, by turns of the rings, and carries it out; holds the lock only where
  /// the host could look.
  void execute_next(std::unique_lock<std::mutex>& lock);
  void execute(const CommandWords& command, const Origin& origin);
  void copy(const CommandWords& command, const Origin& origin);
  void copy_range(const Descriptor& range, spec::CommandOpcode opcode);
  void load_program(const CommandWords& command, const Origin& origin);
  void run(const CommandWords& command, const Origin& origin);
  /// Runs it on the engine.
  void carry_out(const CommandWords& command, const Origin& origin);
  void flip(const MemoryFlip& flip);
  /// Fills the windows of a context with zeros.
  void scrub(ContextId id);
  /// What a command has found in device memory.
  void note(const MemoryFlaw& flaw);
  /// A copy has written these bytes of device memory: chained runs whose rows are there are run.
  void take_written(std::uint32_t address, std::uint32_t bytes);
  /// Waits until no chained run waits for rows: those with a quota end, the others when the host
  /// cancels them.
  void wait_for_rows();
  /// Ends waiting runs that are cancelled, and with `spent` those with a quota.
  void end_waiting(bool spent);
  [[nodiscard]] bool any_cancelled() const;
  void finish_run(const CommandWords& command, const Origin& origin, const RunReport& report,
                  bool spent);
  void write_fence(const CommandWords& command, const Origin& origin);
  void query(const CommandWords& command);
  void reset();
  void add(ppu_device_counter counter, std::uint64_t amount) { counters_[counter] += amount; }
  void push_error(const Origin& origin, ppu_command_error reason, std::uint32_t detail);

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
  std::array<std::uint32_t, spec::kContexts> heads_{};  ///< Commands taken from each ring.
  ContextId last_ = spec::kContexts - 1;                ///< From whose ring the last one was.
  std::deque<WaitingRun> waiting_;  ///< Changes in the thread only, but for `cancelled`.
  bool executing_ = false;
  ContextId executing_id_ = 0;
  std::exception_ptr error_;  ///< What the thread has thrown.

  std::atomic<bool> closing_{false};
  std::atomic<bool> cancel_{false};  ///< The run that is executed is to end.
  std::atomic<bool> gone_{false};    ///< The context of the command was closed.
  std::array<std::atomic<std::uint32_t>, spec::kContexts> progress_{};
  std::thread worker_;
};

}  // namespace ppu::hw
