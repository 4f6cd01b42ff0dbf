// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An open device: its registers, the command ring and what is in it, and the memories that the
// driver manages.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/device/allocator.hpp"
#include "driver/device/batch.hpp"
#include "driver/device/host_memory.hpp"
#include "driver/session/backend.hpp"
#include "driver/session/session.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

class Device {
 public:
  /// Commands that the ring holds.
  static constexpr std::uint32_t kRingEntries = 1024;

  /// Checks that the session is the device that `config` describes (PPU_ERROR_VERSION). Calls that
  /// have no time limit of their own wait at most `answer_timeout_ns` for the device. Throws
  /// Failure.
  Device(const Backend& backend, std::string config_name, const hw::Config& config,
         std::uint64_t answer_timeout_ns, std::unique_ptr<Session> session);

  [[nodiscard]] ppu_device_info info() const;
  [[nodiscard]] const hw::Config& config() const { return config_; }
  [[nodiscard]] bool is_timed() const { return backend_.timed; }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) {
    return session_->read_register(offset);
  }
  /// Refuses `asked` on a back end without time.
  void require_time(const char* asked) const;
  /// Refuses `asked` on a back end that keeps no row profile.
  void require_profiles(const char* asked) const;

  [[nodiscard]] std::shared_ptr<Allocation> allocate(std::uint64_t size_bytes) const;
  /// Device memory that goes back with what is returned.
  [[nodiscard]] Allocation take(std::uint64_t size_bytes) const {
    return {device_memory_, size_bytes};
  }
  /// In words; addresses are bytes.
  [[nodiscard]] std::shared_ptr<Allocation> allocate_instructions(std::size_t words) const;
  [[nodiscard]] const HostMemory& host_memory() const { return host_memory_; }

  /// Rings the doorbell for a batch that is not under way. Throws Failure: PPU_ERROR_CAPACITY if
  /// the ring cannot hold it, PPU_ERROR_BUSY if it has no room for it now.
  void submit(const std::shared_ptr<Batch>& batch);
  /// Waits until the batch has ended; false at the timeout.
  bool wait(const Batch& batch, std::uint64_t timeout_ns);
  /// Cancels runs until the batch has ended. A device that does not answer for `limit_ns`, two
  /// seconds at least, is lost, or for its answer timeout where that is less.
  void cancel(const Batch& batch, std::uint64_t limit_ns = PPU_NO_TIMEOUT);
  /// Takes notice of batches that have ended. True if none is under way.
  bool poll();
  /// Throws Failure (PPU_ERROR_BUSY) if a batch is under way.
  void require_idle();
  /// Submits a batch to the idle device, waits for its end and throws the Failure of what went
  /// wrong.
  void execute(const std::shared_ptr<Batch>& batch);

  /// The last call: the files that the device writes are complete, or Failure is thrown.
  void close();

  using Turn = std::unique_lock<std::recursive_mutex>;
  /// The device for this thread, until the end of what is returned. Throws Failure: PPU_ERROR_BUSY
  /// while another thread has it, PPU_ERROR_INVALID_HANDLE once it is closed.
  [[nodiscard]] Turn use();

 private:
  struct Submission {
    std::uint32_t first_command;  ///< Number since reset.
    std::uint32_t command_count;
    std::shared_ptr<Batch> batch;
  };
  void check_identity();
  void write_ring(const std::vector<Command>& commands);
  /// After an interrupt: clears it, takes the errors and the ends of batches.
  void serve();
  void take_error();
  /// A word of device memory is lost.
  void lose_word(const CommandError& error);
  void take_lost_errors();

  std::recursive_mutex mutex_;  ///< Held by the thread whose call is under way.
  bool closed_ = false;
  const Backend& backend_;
  std::string config_name_;
  hw::Config config_;
  std::uint64_t config_hash_;
  std::uint64_t answer_timeout_ns_;
  std::unique_ptr<Session> session_;
  HostMemory host_memory_;
  std::shared_ptr<Allocator> device_memory_, instruction_memory_;
  HostBlock ring_;
  std::uint32_t tail_ = 0;  ///< Commands written since reset.
  std::uint32_t errors_lost_ = 0;
  std::uint64_t submissions_ = 0;
  std::vector<Submission> under_way_;  ///< Oldest first; the device takes them in this order.
};

}  // namespace ppu::driver
