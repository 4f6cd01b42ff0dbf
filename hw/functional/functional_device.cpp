// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/functional/functional_device.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/bits/crc32c.hpp"
#include "hw/contract/host_records.hpp"
#include "hw/contract/row_records.hpp"

namespace ppu::hw {
namespace {

namespace field = spec::command_field;
using spec::CommandOpcode;

/// Host time of one step().
constexpr std::chrono::milliseconds kSlice{1};

}  // namespace

FunctionalDevice::FunctionalDevice(const Config& config, Memory host_memory)
    : config_(config),
      host_(host_memory),
      memory_(std::size_t{config.device_memory_mib} << 20U),
      checker_(config),
      engine_(config, memory_.memory()),
      registers_(config),
      worker_([this] { work(); }) {
}

FunctionalDevice::~FunctionalDevice() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    cancel_ = true;
  }
  work_there_.notify_all();
  worker_.join();
}

void FunctionalDevice::write_register(std::uint32_t offset, std::uint32_t value) {
  const std::lock_guard lock(mutex_);
  switch (registers_.write(offset, value)) {
    case DeviceRegisters::Request::kNone:
      break;
    case DeviceRegisters::Request::kCancel:
      cancel_ = true;
      work_there_.notify_all();
      break;
    case DeviceRegisters::Request::kDoorbell:
      add(PPU_DEVICE_COUNTER_DOORBELLS, 1);
      work_there_.notify_all();
      break;
  }
}

std::uint32_t FunctionalDevice::read_register(std::uint32_t offset) {
  const std::lock_guard lock(mutex_);
  return registers_.read(offset, {busy(), head_, engine_.progress(), 0});
}

bool FunctionalDevice::interrupt() const {
  const std::lock_guard lock(mutex_);
  return registers_.interrupt();
}

bool FunctionalDevice::step() {
  std::unique_lock lock(mutex_);
  const bool interrupted = registers_.interrupt();
  news_.wait_for(lock, kSlice,
                 [&] { return error_ || !busy() || registers_.interrupt() != interrupted; });
  if (error_) std::rethrow_exception(error_);
  return busy();
}

void FunctionalDevice::work() {
  std::unique_lock lock(mutex_);
  try {
    while (true) {
      work_there_.wait(lock, [this] {
        return closing_ || head_ != registers_.ring_tail() || (cancel_ && !waiting_.empty());
      });
      if (closing_) return;
      if (cancel_ && !waiting_.empty()) {
        lock.unlock();
        cancel_waiting();
        lock.lock();
      } else {
        execute_next(lock);
      }
      if (!busy() || registers_.interrupt()) news_.notify_all();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    error_ = std::current_exception();
    news_.notify_all();
  }
}

void FunctionalDevice::execute_next(std::unique_lock<std::mutex>& lock) {
  const std::uint32_t number = head_++;
  const Beat beat = read_beat(host_, registers_.command_address(number));
  executing_ = true;
  cancel_ = closing_.load();
  add(PPU_DEVICE_COUNTER_COMMANDS, 1);
  lock.unlock();

  CommandWords command;
  std::memcpy(command.data(), beat.data(), beat.size());
  const ppu_command_error error = checker_.check(command);
  if (error == PPU_COMMAND_ERROR_NONE) {
    execute(command, number);
  } else {
    add(PPU_DEVICE_COUNTER_COMMANDS_REJECTED, 1);
    push_error({number, error, 0});
  }

  lock.lock();
  executing_ = false;
}

void FunctionalDevice::push_error(const CommandError& error) {
  const std::lock_guard lock(mutex_);
  registers_.push_error(error);
}

void FunctionalDevice::execute(const CommandWords& command, std::uint32_t number) {
  switch (opcode_of(command)) {
    case CommandOpcode::kNop:
      return;
    case CommandOpcode::kBarrier:
      return wait_for_rows();
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
      return copy(command, number);
    case CommandOpcode::kLoadProgram:
      wait_for_rows();
      return load_program(command, number);
    case CommandOpcode::kRun:
      return run(command, number);
    case CommandOpcode::kFence:
      wait_for_rows();
      return write_fence(command);
    case CommandOpcode::kQuery:
      wait_for_rows();
      return query(command);
    case CommandOpcode::kReset:
      wait_for_rows();
      return reset();
    case CommandOpcode::kFlip:
      return flip(decode_flip(command));
  }
}

void FunctionalDevice::copy(const CommandWords& command, std::uint32_t number) {
  const CommandOpcode opcode = opcode_of(command);
  copy_range(first_descriptor(command), opcode, number);
  const std::byte* const list = host_.data + get_field(command, field::kListAddress);
  const std::uint32_t count = get_field(command, field::kListCount);
  for (std::uint32_t n = 0; n < count && !closing_; ++n) {
    Descriptor descriptor;
    std::memcpy(&descriptor, list + std::size_t{n} * sizeof descriptor, sizeof descriptor);
    if (!checker_.is_valid(descriptor, opcode))
      return push_error({number, PPU_COMMAND_ERROR_DESCRIPTOR, n});
    copy_range(descriptor, opcode, number);
  }
}

void FunctionalDevice::copy_range(const Descriptor& range, CommandOpcode opcode,
                                  std::uint32_t number) {
  std::byte* const device = memory_.memory().data + range.device_address;
  if (opcode == CommandOpcode::kCopyIn) {
    std::memcpy(device, host_.data + range.host_address, range.bytes);
    add(PPU_DEVICE_COUNTER_BYTES_IN, range.bytes);
    note(flips_.write_bytes(range.device_address, range.bytes), number);
    take_written(range.device_address, range.bytes);
  } else if (opcode == CommandOpcode::kCopyOut) {
    std::memcpy(host_.data + range.host_address, device, range.bytes);
    add(PPU_DEVICE_COUNTER_BYTES_OUT, range.bytes);
    note(flips_.read(range.device_address, range.bytes), number);
  } else {
    std::memcpy(device, memory_.memory().data + range.host_address, range.bytes);
    add(PPU_DEVICE_COUNTER_BYTES_WITHIN, range.bytes);
    note(flips_.read(range.host_address, range.bytes), number);
    note(flips_.write_bytes(range.device_address, range.bytes), number);
    take_written(range.device_address, range.bytes);
  }
  add(PPU_DEVICE_COUNTER_DESCRIPTORS, 1);
}

void FunctionalDevice::load_program(const CommandWords& command, std::uint32_t number) {
  const Descriptor range = first_descriptor(command);
  std::vector<std::uint32_t> words(beats_of(range.bytes) * spec::kBeatBytes /
                                   sizeof(std::uint32_t));
  std::memcpy(words.data(), host_.data + range.host_address, words.size() * sizeof words[0]);
  engine_.load_program(range.device_address, words.data(),
                       static_cast<std::uint32_t>(words.size()));
  add(PPU_DEVICE_COUNTER_BYTES_IN, range.bytes);
  add(PPU_DEVICE_COUNTER_DESCRIPTORS, 1);
  const std::uint32_t checksum = crc32c(words.data(), words.size() * sizeof words[0]);
  if (has_flag(command, spec::kFlagChecked) && get_field(command, field::kChecksum) != checksum)
    push_error({number, PPU_COMMAND_ERROR_CHECKSUM, checksum});
}

void FunctionalDevice::run(const CommandWords& command, std::uint32_t number) {
  const RunCommand run = decode_run(command, number);
  // A run needs an engine, as on the devices that have time.
  if (waiting_.size() == config_.engines) wait_for_rows();
  add(PPU_DEVICE_COUNTER_RUNS, 1);
  if (!is_chained(config_, run) || run.row_count == 0) {
    note(flips_.read(run.rows_address, RowRecords::bytes(run.reduced, 0, run.row_count)), number);
    return carry_out(command, number);
  }
  const std::uint32_t bytes =
      beats_of(RowRecords::bytes(run.reduced, 0, run.row_count)) * spec::kBeatBytes;
  const std::lock_guard lock(mutex_);
  waiting_.push_back({command, number, run.rows_address, run.rows_address + bytes});
}

void FunctionalDevice::carry_out(const CommandWords& command, std::uint32_t number) {
  const RunCommand run = decode_run(command, number);
  const std::uint64_t impulses = std::uint64_t{run.row_count} * spec::kImpulseBytes;
  const std::uint64_t velocities = std::uint64_t{run.body_count} * spec::kVelocityBytes;
  note(flips_.read(run.impulses_address, impulses), number);
  note(flips_.read(run.velocities_address, velocities), number);
  const RunReport report = engine_.run(run, cancel_);
  if (report.status == PPU_RUN_OK) {
    note(flips_.write_bytes(run.impulses_address, impulses), number);
    note(flips_.write_bytes(run.velocities_address, velocities), number);
  }
  finish_run(command, number, report);
}

void FunctionalDevice::flip(const MemoryFlip& flip) {
  if (flip.memory == PPU_FAULT_DEVICE_MEMORY)
    flips_.flip(flip.word, flip.two);
  else
    engine_.flip(flip);
}

void FunctionalDevice::note(const MemoryFlaw& flaw, std::uint32_t number) {
  add(PPU_DEVICE_COUNTER_MEMORY_WORDS_CORRECTED, flaw.corrected);
  if (flaw.lost != PPU_NONE) push_error({number, PPU_COMMAND_ERROR_MEMORY, flaw.lost});
}

void FunctionalDevice::take_written(std::uint32_t address, std::uint32_t bytes) {
  const std::uint32_t first = address / spec::kBeatBytes * spec::kBeatBytes;
  const std::uint32_t end =
      first + beats_of(std::uint64_t{address} - first + bytes) * spec::kBeatBytes;
  for (std::size_t n = 0; n < waiting_.size();) {
    WaitingRun& run = waiting_[n];
    if (first <= run.next && run.next < end) run.next = std::min(end, run.end);
    if (run.next < run.end) {
      ++n;
      continue;
    }
    const WaitingRun ready = run;
    carry_out(ready.command, ready.number);
    const std::lock_guard lock(mutex_);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
  }
}

void FunctionalDevice::wait_for_rows() {
  if (waiting_.empty()) return;
  {
    std::unique_lock lock(mutex_);
    work_there_.wait(lock, [this] { return closing_ || cancel_; });
  }
  cancel_waiting();
}

void FunctionalDevice::cancel_waiting() {
  while (!waiting_.empty()) {
    RunReport report;
    report.status = PPU_RUN_CANCELLED;
    report.command = waiting_.front().number;
    finish_run(waiting_.front().command, waiting_.front().number, report);
    const std::lock_guard lock(mutex_);
    waiting_.pop_front();
  }
  cancel_ = closing_.load();
}

void FunctionalDevice::finish_run(const CommandWords& command, std::uint32_t number,
                                  const RunReport& report) {
  std::byte* target = host_.data + get_field(command, field::kReportAddress);
  for (std::uint32_t n = 0; n < kReportBeats; ++n) {
    const Beat beat = report_beat(report, n);
    target = std::copy(beat.begin(), beat.end(), target);
  }
  if (report.status != PPU_RUN_OK)
    push_error({number, PPU_COMMAND_ERROR_RUN_FAILED, report.status});
}

void FunctionalDevice::write_fence(const CommandWords& command) {
  const FenceRecord fence{get_field(command, field::kValueLo) |
                              std::uint64_t{get_field(command, field::kValueHi)} << 32U,
                          0};
  const std::lock_guard lock(mutex_);
  hw::write_fence(host_, get_field(command, field::kHostAddress), fence);
  add(PPU_DEVICE_COUNTER_FENCES, 1);
  if (has_flag(command, spec::kFlagInterrupt)) registers_.raise(DeviceRegisters::kFenceInterrupt);
}

void FunctionalDevice::query(const CommandWords& command) {
  const std::lock_guard lock(mutex_);
  std::byte* target = host_.data + get_field(command, field::kHostAddress);
  for (std::uint32_t n = 0; n < kCounterBeats; ++n) {
    const Beat beat = counter_beat(counters_, n);
    target = std::copy(beat.begin(), beat.end(), target);
  }
}

void FunctionalDevice::reset() {
  const std::lock_guard lock(mutex_);
  counters_ = {};
}

}  // namespace ppu::hw
