// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An open device.
#include "device.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "failure.hpp"

namespace ppu::driver {
namespace {

bool overlap(Range a, Range b) {
  return a.address < b.address + b.size_bytes && b.address < a.address + a.size_bytes;
}

}  // namespace

// A profile in device memory is read as the C API's.
static_assert(sizeof(ppu_row_profile) == sizeof(hw::RowProfile));
static_assert(offsetof(ppu_row_profile, cycles) == offsetof(hw::RowProfile, cycles));
static_assert(offsetof(ppu_row_profile, body_stall) == offsetof(hw::RowProfile, body_stall));
static_assert(offsetof(ppu_row_profile, parent_stall) == offsetof(hw::RowProfile, parent_stall));
static_assert(offsetof(ppu_row_profile, fetch_stall) == offsetof(hw::RowProfile, fetch_stall));

Device::Device(const Backend& backend, std::string config_name, const hw::Config& config,
               std::unique_ptr<Session> session)
    : backend_(backend),
      config_name_(std::move(config_name)),
      config_(config),
      config_hash_(hw::config_hash(config)),
      session_(std::move(session)),
      allocator_(session_->memory().size_bytes) {
  const Identity found = session_->identity();
  if (found.spec_hash != PPU_SPEC_HASH)
    fail(PPU_ERROR_VERSION, std::hex, "back end '", backend_.name,
         "' was made from specification 0x", found.spec_hash, ", this driver from 0x",
         PPU_SPEC_HASH);
  if (found.config_hash != config_hash_)
    fail(PPU_ERROR_VERSION, std::hex, "back end '", backend_.name, "' reports configuration 0x",
         found.config_hash, ", expected 0x", config_hash_);
}

ppu_device_info Device::info() const {
  ppu_device_info info{};
  std::snprintf(info.backend, sizeof info.backend, "%s", backend_.name);
  std::snprintf(info.config, sizeof info.config, "%s", config_name_.c_str());
  info.config_hash = config_hash_;
  info.spec_hash = PPU_SPEC_HASH;
  info.timed = backend_.timed;
  info.lanes = config_.lanes;
  info.fp_mul_stages = config_.fp_mul_stages;
  info.fp_add_stages = config_.fp_add_stages;
  info.row_memory_rows = config_.row_memory_rows;
  info.impulse_memory_rows = config_.impulse_memory_rows;
  info.body_memory_bodies = config_.body_memory_bodies;
  info.clock_mhz = config_.clock_mhz;
  info.body_latency_cycles = static_cast<std::uint32_t>(hw::body_latency(config_));
  info.initiation_interval_cycles = static_cast<std::uint32_t>(hw::initiation_interval(config_));
  info.device_memory_bytes = session_->memory().size_bytes;
  return info;
}

std::uint32_t Device::read_register(std::uint32_t offset) {
  poll(0);
  switch (offset) {
    case PPU_REGISTER_MAGIC:
      return PPU_MAGIC;
    case PPU_REGISTER_SPEC_HASH:
      return session_->identity().spec_hash;
    case PPU_REGISTER_CONFIG_HASH_LO:
      return static_cast<std::uint32_t>(session_->identity().config_hash);
    case PPU_REGISTER_CONFIG_HASH_HI:
      return static_cast<std::uint32_t>(session_->identity().config_hash >> 32U);
    case PPU_REGISTER_STATUS:
      return report_.status;
    case PPU_REGISTER_FAULT_ROW:
      return report_.fault_row;
    case PPU_REGISTER_PROGRESS:
      return report_.progress;
    default:
      fail(PPU_ERROR_INVALID_ARGUMENT, "there is no device register at offset ", offset,
           "; see ppu_register");
  }
}

void Device::require_timed(const char* asked) const {
  if (!backend_.timed)
    fail(PPU_ERROR_INVALID_ARGUMENT, asked, " is set, but back end '", backend_.name,
         "' has no cycles to profile; expected null");
}

void Device::require_unused(Range range) {
  poll(0);
  if (!running_) return;
  const bool used = std::any_of(used_.begin(), used_.end(),
                                [range](Range other) { return overlap(range, other); });
  if (used)
    fail(PPU_ERROR_BUSY, "the run under way uses device memory [", range.address, ", ",
         range.address + range.size_bytes, "); wait for its fence first");
}

void Device::release(Range range) {
  require_unused(range);
  allocator_.release(range);
}

void Device::grow(Range& range, std::uint64_t size_bytes) {
  if (range.size_bytes >= size_bytes) return;
  if (!range.empty()) release(std::exchange(range, Range{}));
  range = allocate(size_bytes);
}

std::byte* Device::host(Range range) {
  require_unused(range);
  return session_->memory().data + range.address;
}

std::uint64_t Device::submit(const hw::RunCommand& command, std::vector<Range> used) {
  poll(0);
  if (running_)
    fail(PPU_ERROR_BUSY, "run ", run_number_, " of this device is under way; wait for its fence");
  session_->start(command);
  running_ = true;
  report_ = {};
  report_.status = PPU_RUN_RUNNING;
  error_ = nullptr;
  used_ = std::move(used);
  return ++run_number_;
}

template <class Wait>
void Device::take_report(Wait wait) {
  if (!running_) return;
  try {
    const std::optional<hw::RunReport> report = wait();
    if (!report) return;
    report_ = *report;
  } catch (...) {
    error_ = std::current_exception();
    report_.status = PPU_RUN_CANCELLED;
  }
  running_ = false;
}

void Device::poll(std::uint64_t timeout_ns) {
  take_report([&] { return session_->wait(timeout_ns); });
}

void Device::require_last(std::uint64_t number) const {
  if (number != run_number_)
    fail(PPU_ERROR_INVALID_HANDLE, "the fence is of run ", number, ", but run ", run_number_,
         " was submitted since; a fence lasts until the next submit");
}

std::optional<hw::RunReport> Device::wait(std::uint64_t number, std::uint64_t timeout_ns) {
  require_last(number);
  poll(timeout_ns);
  if (running_) return std::nullopt;
  if (error_) std::rethrow_exception(error_);
  return report_;
}

void Device::cancel(std::uint64_t number) {
  require_last(number);
  take_report([&] { return std::optional(session_->cancel()); });
  if (error_) std::rethrow_exception(error_);
}

ppu_result result_of(ppu_run_status status) {
  switch (status) {
    case PPU_RUN_OK:
      return PPU_OK;
    case PPU_RUN_MISMATCH:
      return PPU_ERROR_MISMATCH;
    case PPU_RUN_CANCELLED:
      return PPU_ERROR_CANCELLED;
    case PPU_RUN_RUNNING:
    case PPU_RUN_ROW_FAULT:
    case PPU_RUN_ILLEGAL_INSTRUCTION:
    case PPU_RUN_BAD_COMMAND:
    case PPU_RUN_BAD_ROW:
      break;
  }
  return PPU_ERROR_FAULT;
}

ppu_run_report public_report(const hw::RunReport& report) {
  ppu_run_report result{};
  result.status = report.status;
  result.fault_row = report.fault_row;
  result.progress = report.progress;
  result.last_residual = report.last_residual;
  std::copy(report.counters.begin(), report.counters.end(), result.counters);
  return result;
}

std::string sentence_of(const hw::RunReport& report) {
  return report.message.data();
}

}  // namespace ppu::driver
