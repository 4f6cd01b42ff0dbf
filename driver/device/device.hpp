// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An open device: its registers, the command ring and what is in it, and the memories that the
// driver manages.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "driver/device/allocator.hpp"
#include "driver/device/batch.hpp"
#include "driver/device/host_memory.hpp"
#include "driver/session/backend.hpp"
#include "driver/session/session.hpp"
#include "ppu/client.h"
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

  /// A client of `owner`, whose turn it is, with a part of its memories. Throws Failure:
  /// PPU_ERROR_CAPACITY if there is not so much, or no context left.
  Device(const std::shared_ptr<Device>& owner, const ppu_client_def& def);

  [[nodiscard]] ppu_device_info info() const;
  /// Whose client it is, if it is one.
  [[nodiscard]] const std::shared_ptr<Device>& owner() const { return owner_; }
  [[nodiscard]] const hw::Config& config() const { return config_; }
  [[nodiscard]] bool is_timed() const { return backend_.timed; }
  std::uint32_t read_register(std::uint32_t offset) {
    return session_->read_register(page_ + offset);
  }
  /// There are clients: a chained run could wait for copies behind a run of another one, which
  /// waits for its engine.
  [[nodiscard]] bool is_shared() const { return owner_ != nullptr || clients_ != 1; }
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

  /// The last call: the files that the device writes are complete, or Failure is thrown. A client
  /// leaves nothing in its memories.
  void close();

  using Turn = std::unique_lock<std::recursive_mutex>;
  /// The device for this thread, until the end of what is returned. Throws Failure: PPU_ERROR_BUSY
  /// while another thread has it, PPU_ERROR_INVALID_HANDLE once it is closed.
  [[nodiscard]] Turn use();
  /// The same, once the other thread has returned.
  [[nodiscard]] Turn wait_for_turn() { return Turn(mutex_); }

 private:
  struct Submission {
    std::uint32_t first_command;  ///< Number since reset.
    std::uint32_t command_count;
    std::shared_ptr<Batch> batch;
  };
  /// A client's part of the memories of its owner.
  struct Windows {
    Allocation device, program;
    HostBlock host;
  };
  /// A context that nobody has.
  std::uint32_t take_context();
  /// Registers that describe a context, of which this is the owner.
  void describe(std::uint32_t context,
                const std::vector<std::pair<ppu_register, std::uint32_t>>& values);
  /// Fills the windows of a closed context with zeros, behind what is under way.
  void scrub(std::uint32_t context);
  void open_client(const ppu_client_def& def);
  void close_client();
  void write_register(std::uint32_t offset, std::uint32_t value) {
    session_->write_register(page_ + offset, value);
  }
  void check_identity();
  void write_ring(const std::vector<Command>& commands);
  /// Waits for an interrupt, `look_ns` at most. True, too, if that of the batch is lost: its fence
  /// is written.
  bool has_news(const Batch& batch, std::uint64_t look_ns);
  /// After an interrupt: clears it, takes the errors and the ends of batches.
  void serve();
  void take_error();
  /// A word of device memory is lost.
  void lose_word(const CommandError& error);
  void take_lost_errors();
  /// The result of `call`; a device that is lost in it is lost with what was under way.
  template <class Call>
  auto with_pending(Call call);
  [[nodiscard]] std::string pending() const;
  bool wait_for_end(const Batch& batch, std::uint64_t timeout_ns);
  bool take_ended();
  void cancel_until_end(const Batch& batch, std::uint64_t limit_ns);

  std::recursive_mutex mutex_;  ///< Held by the thread whose call is under way.
  bool closed_ = false;
  const Backend& backend_;
  std::string config_name_;
  hw::Config config_;
  std::uint64_t config_hash_;
  std::uint64_t answer_timeout_ns_;
  std::shared_ptr<Session> session_;
  std::shared_ptr<Device> owner_;
  std::uint32_t context_ = 0;
  std::uint32_t page_ = 0;       ///< Of its registers.
  std::uint32_t clients_ = 1;    ///< Contexts that are taken, as bits; the owner's own is.
  Windows windows_;              ///< Of a client.
  std::uint64_t device_bytes_;   ///< Of device memory, as far as it reaches,
  std::uint32_t program_words_;  ///< and of instruction memory.
  HostMemory host_memory_;
  std::shared_ptr<Allocator> device_memory_, instruction_memory_;
  HostBlock ring_;
  std::uint32_t tail_ = 0;  ///< Commands written since reset.
  std::uint32_t errors_lost_ = 0;
  std::uint64_t submissions_ = 0;
  std::vector<Submission> under_way_;  ///< Oldest first; the device takes them in this order.
};

}  // namespace ppu::driver
