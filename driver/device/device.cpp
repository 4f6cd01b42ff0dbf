// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An open device.
#include "driver/device/device.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "driver/base/failure.hpp"
#include "driver/device/outcome.hpp"

namespace ppu::driver {
namespace {

/// Both bits of irq_status and irq_mask.
constexpr std::uint32_t kInterrupts = 3;
constexpr std::uint32_t kCancel = 1;
/// A cancelled run may not have started yet: cancel again after this time.
constexpr std::uint64_t kCancelAgainNs = 10'000'000;
/// An interrupt may be lost, and no other comes while the line is up: after so long a wait looks.
constexpr std::uint64_t kLookNs = 500'000'000;
/// The interrupt of a fence that is written is lost if it has not come in this time.
constexpr std::uint64_t kInterruptNs = 1'000'000'000;
/// A busy machine may take so long for the answer of a device that is well.
constexpr std::uint64_t kLeastCancelNs = 2'000'000'000;

}  // namespace

Device::Device(const Backend& backend, std::string config_name, const hw::Config& config,
               std::uint64_t answer_timeout_ns, std::unique_ptr<Session> session)
    : backend_(backend),
      config_name_(std::move(config_name)),
      config_(config),
      config_hash_(hw::config_hash(config)),
      answer_timeout_ns_(answer_timeout_ns),
      session_(std::move(session)),
      device_bytes_(std::uint64_t{config.device_memory_mib} << 20U),
      program_words_(config.instruction_memory_words),
      host_memory_(session_->host_memory()),
      device_memory_(std::make_shared<Allocator>("device memory", device_bytes_)),
      instruction_memory_(std::make_shared<Allocator>(
          "instruction memory", config.instruction_memory_words * sizeof(std::uint32_t))),
      ring_(host_memory_.allocate(kRingEntries * spec::kCommandBytes)) {
  check_identity();
  write_register(PPU_REGISTER_RING_BASE, ring_.address());
  write_register(PPU_REGISTER_RING_ENTRIES, kRingEntries);
  write_register(PPU_REGISTER_IRQ_MASK, kInterrupts);
}

void Device::check_identity() {
  const std::uint32_t magic = read_register(PPU_REGISTER_MAGIC);
  if (magic != PPU_MAGIC)
    fail(PPU_ERROR_VERSION, std::hex, "back end '", backend_.name, "' says 0x", magic,
         " where a PPU of this kind says 0x", PPU_MAGIC);
  const std::uint32_t spec_hash = read_register(PPU_REGISTER_SPEC_HASH);
  if (spec_hash != PPU_SPEC_HASH)
    fail(PPU_ERROR_VERSION, std::hex, "back end '", backend_.name,
         "' was made from specification 0x", spec_hash, ", this driver from 0x", PPU_SPEC_HASH);
  const std::uint64_t high = read_register(PPU_REGISTER_CONFIG_HASH_HI);
  const std::uint64_t found = high << 32U | read_register(PPU_REGISTER_CONFIG_HASH_LO);
  if (found != config_hash_)
    fail(PPU_ERROR_VERSION, std::hex, "back end '", backend_.name, "' reports configuration 0x",
         found, ", expected 0x", config_hash_);
}

Device::Turn Device::use() {
  Turn turn(mutex_, std::try_to_lock);
  if (!turn.owns_lock())
    fail(PPU_ERROR_BUSY, "another thread is in a call on this device; call when it has returned");
  if (closed_) fail(PPU_ERROR_INVALID_HANDLE, "the device is closed");
  return turn;
}

void Device::close() {
  closed_ = true;
  if (owner_) return close_client();
  session_->close();
}

ppu_device_info Device::info() const {
  ppu_device_info info{};
  std::snprintf(info.backend, sizeof info.backend, "%s", backend_.name);
  std::snprintf(info.config, sizeof info.config, "%s", config_name_.c_str());
  info.config_hash = config_hash_;
  info.spec_hash = PPU_SPEC_HASH;
  info.timed = backend_.timed;
  info.profiles = backend_.profiles && !owner_;
  info.engines = config_.engines;
  info.pipes = config_.pipes;
  info.velocity_banks = config_.velocity_banks;
  info.lanes = config_.lanes;
  info.fp_mul_stages = config_.fp_mul_stages;
  info.fp_add_stages = config_.fp_add_stages;
  info.row_memory_rows = config_.row_memory_rows;
  info.impulse_memory_rows = config_.impulse_memory_rows;
  info.body_memory_bodies = config_.body_memory_bodies;
  info.instruction_memory_words = program_words_;
  info.clock_mhz = config_.clock_mhz;
  info.body_latency_cycles = static_cast<std::uint32_t>(hw::body_latency(config_));
  info.initiation_interval_cycles = static_cast<std::uint32_t>(hw::initiation_interval(config_));
  info.device_memory_bytes = device_bytes_;
  info.host_memory_bytes = host_memory_.size_bytes();
  info.ring_entries = kRingEntries;
  return info;
}

void Device::require_time(const char* asked) const {
  if (!backend_.timed)
    fail(PPU_ERROR_INVALID_ARGUMENT, asked, " is set, but back end '", backend_.name,
         "' has no time; expected 0");
}

void Device::require_profiles(const char* asked) const {
  if (owner_)
    fail(PPU_ERROR_INVALID_ARGUMENT, asked, " is set, but the device is a client: the profile of ",
         "an engine is that of whoever ran on it last");
  if (backend_.profiles) return;
  std::string able;
  for (const Backend& backend : kBackends)
    if (backend.profiles) able.append(able.empty() ? "" : " or ").append(backend.name);
  fail(PPU_ERROR_INVALID_ARGUMENT, asked, " is set, but back end '", backend_.name,
       "' keeps no row profile; expected null, or back end ", able);
}

std::shared_ptr<Allocation> Device::allocate(std::uint64_t size_bytes) const {
  return std::make_shared<Allocation>(device_memory_, size_bytes);
}

std::shared_ptr<Allocation> Device::allocate_instructions(std::size_t words) const {
  return std::make_shared<Allocation>(instruction_memory_, words * sizeof(std::uint32_t));
}

void Device::submit(const std::shared_ptr<Batch>& batch) {
  poll();
  const std::uint32_t count = batch->command_count();
  if (count > kRingEntries)
    fail(PPU_ERROR_CAPACITY, "the list has ", count, " commands with its fence, the ring holds ",
         kRingEntries);
  const std::uint32_t oldest = under_way_.empty() ? tail_ : under_way_.front().first_command;
  const std::uint32_t room = kRingEntries - (tail_ - oldest);
  if (count > room)
    fail(PPU_ERROR_BUSY, "the list has ", count, " commands with its fence, the ring has room for ",
         room, "; wait for an earlier fence first");
  if (is_shared() && batch->has_chained_run())
    fail(
        PPU_ERROR_INVALID_ARGUMENT, "a run of the list is chained, but the device is shared: the ",
        "copies of its rows could wait behind a run of another client, which waits for the engine");
  if (!under_way_.empty() && under_way_.back().batch->wants_profile())
    fail(PPU_ERROR_BUSY, "a run under way is profiled; wait for its fence first");
  under_way_.push_back({tail_, count, batch});
  write_ring(batch->start(++submissions_));
  write_register(PPU_REGISTER_RING_TAIL, tail_);
}

void Device::write_ring(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    const std::size_t entry = tail_++ % kRingEntries;
    std::memcpy(ring_.data() + entry * spec::kCommandBytes, command.data(), spec::kCommandBytes);
  }
}

bool Device::has_news(const Batch& batch, std::uint64_t look_ns) {
  if (session_->wait_interrupt(session_->deadline(look_ns), context_)) return true;
  if (!batch.fence_written()) return false;
  // Its interrupt comes some device cycles later. What the host does next must not come before
  // that, or these cycles would depend on when it has looked.
  session_->wait_interrupt(session_->deadline(kInterruptNs), context_);
  return true;
}

std::string Device::pending() const {
  std::string text;
  for (const Submission& submission : under_way_)
    text +=
        text::sentence_of(text.empty() ? "; under way: submission " : ", submission ",
                          submission.batch->number(), " (", submission.batch->commands_text(), ")");
  return text;
}

template <class Call>
auto Device::with_pending(Call call) {
  try {
    return call();
  } catch (const Failure& failure) {
    if (failure.result != PPU_ERROR_DEVICE_LOST) throw;
    throw Failure(failure.result, failure.what() + pending());
  }
}

bool Device::wait(const Batch& batch, std::uint64_t timeout_ns) {
  return with_pending([&] { return wait_for_end(batch, timeout_ns); });
}

bool Device::wait_for_end(const Batch& batch, std::uint64_t timeout_ns) {
  const Deadline deadline = session_->deadline(timeout_ns);
  while (batch.under_way()) {
    const auto left = static_cast<std::uint64_t>(deadline.left().count());
    if (has_news(batch, deadline.never() ? kLookNs : std::min(left, kLookNs)))
      serve();
    else if (deadline.passed())
      return false;
  }
  return true;
}

bool Device::poll() {
  return with_pending([&] { return take_ended(); });
}

bool Device::take_ended() {
  while (!under_way_.empty()) {
    if (!has_news(*under_way_.front().batch, 0)) return false;
    serve();
  }
  return true;
}

void Device::cancel(const Batch& batch, std::uint64_t limit_ns) {
  with_pending([&] { cancel_until_end(batch, limit_ns); });
}

void Device::cancel_until_end(const Batch& batch, std::uint64_t limit_ns) {
  const std::uint64_t limit = std::min(answer_timeout_ns_, std::max(limit_ns, kLeastCancelNs));
  session_->set_answer_timeout(limit);
  Deadline patience = session_->deadline(limit);
  std::uint32_t head = read_register(PPU_REGISTER_RING_HEAD);
  while (batch.under_way()) {
    write_register(PPU_REGISTER_CONTROL, kCancel);
    if (has_news(batch, kCancelAgainNs)) serve();
    const std::uint32_t head_now = read_register(PPU_REGISTER_RING_HEAD);
    if (std::exchange(head, head_now) != head_now) patience = session_->deadline(limit);
    if (patience.passed() && batch.under_way())
      fail(PPU_ERROR_DEVICE_LOST, "the device does not end what was cancelled; close the device");
  }
  session_->set_answer_timeout(answer_timeout_ns_);
}

void Device::require_idle() {
  if (!poll()) fail(PPU_ERROR_BUSY, "something submitted is under way; wait for its fence first");
}

void Device::execute(const std::shared_ptr<Batch>& batch) {
  require_idle();
  submit(batch);
  if (!wait(*batch, answer_timeout_ns_))
    fail(PPU_ERROR_DEVICE_LOST, "the device did not answer within ",
         static_cast<double>(answer_timeout_ns_) * 1e-9, " s; close the device", pending());
  check_outcome(*batch);
}

void Device::serve() {
  // Clear first: what happens later raises the line again. The read comes after the clearing, so
  // what happened before it is in host memory.
  write_register(PPU_REGISTER_IRQ_STATUS, kInterrupts);
  read_register(PPU_REGISTER_STATUS);
  std::size_t ended = 0;
  while (ended < under_way_.size() && under_way_[ended].batch->fence_written()) ++ended;
  // The errors of a batch come before its fence.
  for (std::uint32_t n = 0; n <= spec::kErrorQueueEntries; ++n) {
    if (read_register(PPU_REGISTER_ERROR_COUNT) == 0) break;
    take_error();
  }
  take_lost_errors();
  for (; ended > 0; --ended) {
    const std::shared_ptr<Batch> oldest = under_way_.front().batch;
    under_way_.erase(under_way_.begin());
    oldest->end(*session_);
  }
}

void Device::take_error() {
  const std::uint32_t number = read_register(PPU_REGISTER_ERROR_COMMAND);
  const CommandError error{number,
                           static_cast<ppu_command_error>(read_register(PPU_REGISTER_ERROR_REASON)),
                           read_register(PPU_REGISTER_ERROR_DETAIL)};
  write_register(PPU_REGISTER_ERROR_POP, 1);
  if (error.reason == PPU_COMMAND_ERROR_MEMORY) return lose_word(error);
  for (Submission& submission : under_way_) {
    const std::uint32_t place = number - submission.first_command;
    if (place < submission.command_count)
      submission.batch->add_error({place, error.reason, error.detail});
  }
}

void Device::lose_word(const CommandError& error) {
  // Any command that had begun by then may have read the word.
  for (Submission& submission : under_way_)
    if (error.command - submission.first_command < kRingEntries)
      submission.batch->add_error({0, error.reason, error.detail});
}

void Device::take_lost_errors() {
  const std::uint32_t lost = read_register(PPU_REGISTER_ERROR_LOST);
  const std::uint32_t more = lost - std::exchange(errors_lost_, lost);
  if (more == 0) return;
  // Nobody knows whose they were: of all that had begun by then.
  const std::uint32_t head = read_register(PPU_REGISTER_RING_HEAD);
  for (Submission& submission : under_way_)
    if (head - submission.first_command - 1 < kRingEntries) submission.batch->add_lost_errors(more);
}

}  // namespace ppu::driver
