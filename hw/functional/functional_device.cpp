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
  const DeviceRegisters::Request request = registers_.write(offset, value);
  switch (request.action) {
    case DeviceRegisters::Action::kNone:
      return;
    case DeviceRegisters::Action::kOpen:
      progress_[request.context] = 0;
      return;
    case DeviceRegisters::Action::kClose:
      heads_[request.context] = 0;
      progress_[request.context] = 0;
      if (executing_ && executing_id_ == request.context) gone_ = true;
      cancel(request.context);
      break;
    case DeviceRegisters::Action::kCancel:
      cancel(request.context);
      break;
    case DeviceRegisters::Action::kDoorbell:
      add(PPU_DEVICE_COUNTER_DOORBELLS, 1);
      break;
  }
  work_there_.notify_all();
}

void FunctionalDevice::cancel(ContextId id) {
  if (executing_ && executing_id_ == id) cancel_ = true;
  for (WaitingRun& run : waiting_) run.cancelled = run.cancelled || run.origin.id == id;
}

std::optional<ContextId> FunctionalDevice::next_ring() const {
  for (ContextId n = 1; n <= spec::kContexts; ++n) {
    const ContextId id = (last_ + n) % spec::kContexts;
    if (registers_.contexts()[id].open && heads_[id] != registers_.tail(id)) return id;
  }
  return std::nullopt;
}

bool FunctionalDevice::any_cancelled() const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const WaitingRun& run) { return run.cancelled; });
}

std::uint32_t FunctionalDevice::read_register(std::uint32_t offset) {
  const std::lock_guard lock(mutex_);
  DeviceView view{busy(), heads_, {}, 0};
  std::copy(progress_.begin(), progress_.end(), view.progress.begin());
  return registers_.read(offset, view);
}

std::uint32_t FunctionalDevice::interrupts() const {
  const std::lock_guard lock(mutex_);
  return registers_.interrupts();
}

bool FunctionalDevice::step() {
  std::unique_lock lock(mutex_);
  const std::uint32_t interrupted = registers_.interrupts();
  news_.wait_for(lock, kSlice,
                 [&] { return error_ || !busy() || registers_.interrupts() != interrupted; });
  if (error_) std::rethrow_exception(error_);
  return busy();
}

void FunctionalDevice::work() {
  std::unique_lock lock(mutex_);
  try {
    while (true) {
      work_there_.wait(lock, [this] { return closing_ || next_ring() || any_cancelled(); });
      if (closing_) return;
      if (any_cancelled()) {
        lock.unlock();
        end_waiting(false);
        lock.lock();
      } else {
        execute_next(lock);
      }
      if (!busy() || registers_.interrupts() != 0) news_.notify_all();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    error_ = std::current_exception();
    news_.notify_all();
  }
}

void FunctionalDevice::execute_next(std::unique_lock<std::mutex>& lock) {
  const ContextId id = *next_ring();
  const Context& context = registers_.contexts()[id];
  const Origin origin{id, heads_[id]++, context.session, context};
  const Beat beat = read_beat(host_, context.command_address(origin.number));
  last_ = executing_id_ = id;
  executing_ = true;
  cancel_ = closing_.load();
  gone_ = false;
  add(PPU_DEVICE_COUNTER_COMMANDS, 1);
  CommandWords command;
  std::memcpy(command.data(), beat.data(), beat.size());
  const ppu_command_error error = checker_.check(command, registers_.contexts(), id);
  if (error == PPU_COMMAND_ERROR_NONE && opcode_of(command) == CommandOpcode::kScrub)
    registers_.contexts().begin_scrub(scrubbed_context(command));
  lock.unlock();

  if (error == PPU_COMMAND_ERROR_NONE) {
    execute(command, origin);
  } else {
    add(PPU_DEVICE_COUNTER_COMMANDS_REJECTED, 1);
    push_error(origin, error, 0);
  }

  lock.lock();
  executing_ = false;
}

void FunctionalDevice::push_error(const Origin& origin, ppu_command_error reason,
                                  std::uint32_t detail) {
  const std::lock_guard lock(mutex_);
  if (registers_.contexts()[origin.id].session == origin.session)
    registers_.push_error(origin.id, {origin.number, reason, detail});
}

void FunctionalDevice::execute(const CommandWords& command, const Origin& origin) {
  switch (opcode_of(command)) {
    case CommandOpcode::kNop:
      return;
    case CommandOpcode::kBarrier:
      return wait_for_rows();
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
      return copy(command, origin);
    case CommandOpcode::kLoadProgram:
      wait_for_rows();
      return load_program(command, origin);
    case CommandOpcode::kRun:
      return run(command, origin);
    case CommandOpcode::kFence:
      wait_for_rows();
      return write_fence(command, origin);
    case CommandOpcode::kQuery:
      wait_for_rows();
      return query(command);
    case CommandOpcode::kReset:
      wait_for_rows();
      return reset();
    case CommandOpcode::kFlip:
      return flip(decode_flip(command));
    case CommandOpcode::kScrub:
      wait_for_rows();
      return scrub(scrubbed_context(command));
  }
}

void FunctionalDevice::scrub(ContextId id) {
  std::unique_lock lock(mutex_);
  const Context context = registers_.contexts()[id];
  lock.unlock();
  const auto bytes = static_cast<std::uint32_t>(context.device.end - context.device.first);
  const auto first = static_cast<std::uint32_t>(context.device.first);
  std::memset(memory_.memory().data + first, 0, bytes);
  note(flips_.write_bytes(first, bytes));
  const std::vector<std::uint32_t> zeros(context.program.end - context.program.first);
  engine_.load_program(static_cast<std::uint32_t>(context.program.first), zeros.data(),
                       static_cast<std::uint32_t>(zeros.size()));
  lock.lock();
  registers_.contexts().end_scrub(id);
}

void FunctionalDevice::copy(const CommandWords& command, const Origin& origin) {
  const CommandOpcode opcode = opcode_of(command);
  Descriptor descriptor = first_descriptor(command);
  copy_range(descriptor, opcode);
  const std::byte* const list = host_.data + get_field(command, field::kListAddress);
  const std::uint32_t count = get_field(command, field::kListCount);
  const std::uint32_t quota = origin.context.quota;
  // There is no time, but a beat takes a cycle or more.
  std::uint64_t beats = 0;
  for (std::uint32_t n = 0; n < count && !closing_ && !gone_; ++n) {
    beats +=
        beats_of(descriptor.device_address % spec::kBeatBytes + std::uint64_t{descriptor.bytes});
    std::memcpy(&descriptor, list + std::size_t{n} * sizeof descriptor, sizeof descriptor);
    if (!CommandChecker::is_valid(descriptor, opcode, origin.context))
      return push_error(origin, PPU_COMMAND_ERROR_DESCRIPTOR, n);
    if (quota != 0 && beats >= quota) return push_error(origin, PPU_COMMAND_ERROR_QUOTA, n);
    copy_range(descriptor, opcode);
  }
}

void FunctionalDevice::copy_range(const Descriptor& range, CommandOpcode opcode) {
  std::byte* const device = memory_.memory().data + range.device_address;
  if (opcode == CommandOpcode::kCopyIn) {
    std::memcpy(device, host_.data + range.host_address, range.bytes);
    add(PPU_DEVICE_COUNTER_BYTES_IN, range.bytes);
    note(flips_.write_bytes(range.device_address, range.bytes));
    take_written(range.device_address, range.bytes);
  } else if (opcode == CommandOpcode::kCopyOut) {
    std::memcpy(host_.data + range.host_address, device, range.bytes);
    add(PPU_DEVICE_COUNTER_BYTES_OUT, range.bytes);
    note(flips_.read(range.device_address, range.bytes));
  } else {
    std::memcpy(device, memory_.memory().data + range.host_address, range.bytes);
    add(PPU_DEVICE_COUNTER_BYTES_WITHIN, range.bytes);
    note(flips_.read(range.host_address, range.bytes));
    note(flips_.write_bytes(range.device_address, range.bytes));
    take_written(range.device_address, range.bytes);
  }
  add(PPU_DEVICE_COUNTER_DESCRIPTORS, 1);
}

void FunctionalDevice::load_program(const CommandWords& command, const Origin& origin) {
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
    push_error(origin, PPU_COMMAND_ERROR_CHECKSUM, checksum);
}

void FunctionalDevice::run(const CommandWords& command, const Origin& origin) {
  const RunCommand run = decode_run(command, origin.number);
  // A run needs an engine, as on the devices that have time.
  if (waiting_.size() == config_.engines) wait_for_rows();
  add(PPU_DEVICE_COUNTER_RUNS, 1);
  if (!run.chained || run.row_count == 0) return carry_out(command, origin);
  const std::uint32_t bytes =
      beats_of(RowRecords::bytes(run.reduced, 0, run.row_count)) * spec::kBeatBytes;
  const std::lock_guard lock(mutex_);
  waiting_.push_back({command, origin, run.rows_address, run.rows_address + bytes});
}

void FunctionalDevice::carry_out(const CommandWords& command, const Origin& origin) {
  RunCommand run = decode_run(command, origin.number);
  run.quota = origin.context.quota;
  // Resident rows of a chained run are not read from device memory.
  if (!run.chained || is_streamed(config_, run))
    note(flips_.read(run.rows_address, RowRecords::bytes(run.reduced, 0, run.row_count)));
  const std::uint64_t impulses = std::uint64_t{run.row_count} * spec::kImpulseBytes;
  const std::uint64_t velocities = std::uint64_t{run.body_count} * spec::kVelocityBytes;
  note(flips_.read(run.impulses_address, impulses));
  note(flips_.read(run.velocities_address, velocities));
  const RunReport report = engine_.run(run, cancel_, &progress_[origin.id]);
  if (report.status == PPU_RUN_OK) {
    note(flips_.write_bytes(run.impulses_address, impulses));
    note(flips_.write_bytes(run.velocities_address, velocities));
  }
  const bool spent = report.status == PPU_RUN_CANCELLED && run.quota != 0 && !cancel_;
  finish_run(command, origin, report, spent);
}

void FunctionalDevice::flip(const MemoryFlip& flip) {
  if (flip.memory == PPU_FAULT_DEVICE_MEMORY)
    flips_.flip(flip.word, flip.two);
  else
    engine_.flip(flip);
}

void FunctionalDevice::note(const MemoryFlaw& flaw) {
  add(PPU_DEVICE_COUNTER_MEMORY_WORDS_CORRECTED, flaw.corrected);
  if (flaw.lost == PPU_NONE) return;
  const std::lock_guard lock(mutex_);
  for (ContextId id = 0; id < spec::kContexts; ++id)
    registers_.push_error(id, {heads_[id] - 1, PPU_COMMAND_ERROR_MEMORY, flaw.lost});
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
    carry_out(ready.command, ready.origin);
    const std::lock_guard lock(mutex_);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
  }
}

void FunctionalDevice::wait_for_rows() {
  end_waiting(true);
  while (!waiting_.empty() && !closing_) {
    {
      std::unique_lock lock(mutex_);
      work_there_.wait(lock, [this] { return closing_ || any_cancelled(); });
    }
    end_waiting(true);
  }
}

void FunctionalDevice::end_waiting(bool spent) {
  RunReport report;
  report.status = PPU_RUN_CANCELLED;
  for (std::size_t n = 0; n < waiting_.size();) {
    const WaitingRun run = [this, n] {
      const std::lock_guard lock(mutex_);
      return waiting_[n];
    }();
    const bool takes_all = spent && run.origin.context.quota != 0;
    if (!run.cancelled && !takes_all) {
      ++n;
      continue;
    }
    report.command = run.origin.number;
    finish_run(run.command, run.origin, report, !run.cancelled);
    const std::lock_guard lock(mutex_);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
  }
}

void FunctionalDevice::finish_run(const CommandWords& command, const Origin& origin,
                                  const RunReport& report, bool spent) {
  std::byte* target = host_.data + get_field(command, field::kReportAddress);
  for (std::uint32_t n = 0; n < kReportBeats; ++n) {
    const Beat beat = report_beat(report, n);
    target = std::copy(beat.begin(), beat.end(), target);
  }
  if (report.status != PPU_RUN_OK)
    push_error(origin, spent ? PPU_COMMAND_ERROR_QUOTA : PPU_COMMAND_ERROR_RUN_FAILED,
               report.status);
}

void FunctionalDevice::write_fence(const CommandWords& command, const Origin& origin) {
  const FenceRecord fence{get_field(command, field::kValueLo) |
                              std::uint64_t{get_field(command, field::kValueHi)} << 32U,
                          0};
  const std::lock_guard lock(mutex_);
  hw::write_fence(host_, get_field(command, field::kHostAddress), fence);
  add(PPU_DEVICE_COUNTER_FENCES, 1);
  if (has_flag(command, spec::kFlagInterrupt) &&
      registers_.contexts()[origin.id].session == origin.session)
    registers_.raise(origin.id, DeviceRegisters::kFenceInterrupt);
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
