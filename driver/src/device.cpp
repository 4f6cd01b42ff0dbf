// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An open device.
#include "device.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "failure.hpp"

namespace ppu::driver {
namespace {

bool overlap(Range a, Range b) {
  return a.address < b.address + b.size_bytes && b.address < a.address + a.size_bytes;
}

}  // namespace

Device::Device(std::string backend, std::string config_name, const hw::Config& config,
               std::unique_ptr<Session> session)
    : backend_(std::move(backend)),
      config_name_(std::move(config_name)),
      config_(config),
      config_hash_(hw::config_hash(config)),
      session_(std::move(session)),
      allocator_(session_->memory().size_bytes) {
  const Identity found = session_->identity();
  if (found.spec_hash != PPU_SPEC_HASH)
    fail(PPU_ERROR_VERSION, std::hex, "back end '", backend_, "' was made from specification 0x",
         found.spec_hash, ", this driver from 0x", PPU_SPEC_HASH);
  if (found.config_hash != config_hash_)
    fail(PPU_ERROR_VERSION, std::hex, "back end '", backend_, "' reports configuration 0x",
         found.config_hash, ", expected 0x", config_hash_);
}

ppu_device_info Device::info() const {
  ppu_device_info info{};
  std::snprintf(info.backend, sizeof info.backend, "%s", backend_.c_str());
  std::snprintf(info.config, sizeof info.config, "%s", config_name_.c_str());
  info.config_hash = config_hash_;
  info.spec_hash = PPU_SPEC_HASH;
  info.timed = backend_ != "functional";
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
      return running_ ? PPU_RUN_RUNNING : report_.status;
    case PPU_REGISTER_FAULT_ROW:
      return report_.fault_row;
    case PPU_REGISTER_PROGRESS:
      return report_.progress;
    default:
      fail(PPU_ERROR_INVALID_ARGUMENT, "there is no device register at offset ", offset,
           "; see ppu_register");
  }
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
  used_ = std::move(used);
  return ++run_number_;
}

void Device::poll(std::uint64_t timeout_ns) {
  if (!running_) return;
  std::optional<hw::RunReport> report;
  try {
    report = session_->wait(timeout_ns);
  } catch (const std::exception& error) {
    // No report will come any more: the run ends here, with the reason as its message.
    report.emplace();
    report->status = PPU_RUN_CANCELLED;
    std::snprintf(report->message.data(), report->message.size(), "%s", error.what());
  }
  if (!report) return;
  report_ = *report;
  running_ = false;
}

std::optional<hw::RunReport> Device::wait(std::uint64_t number, std::uint64_t timeout_ns) {
  if (number != run_number_)
    fail(PPU_ERROR_INVALID_HANDLE, "the fence is of run ", number, ", but run ", run_number_,
         " was submitted since; a fence lasts until the next submit");
  poll(timeout_ns);
  if (running_) return std::nullopt;
  return report_;
}

ppu_result result_of(ppu_run_status status) {
  switch (status) {
    case PPU_RUN_OK:
      return PPU_OK;
    case PPU_RUN_MISMATCH:
      return PPU_ERROR_MISMATCH;
    case PPU_RUN_RUNNING:
    case PPU_RUN_CANCELLED:
      return PPU_ERROR_DEVICE_LOST;
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
  if (report.message[0] != '\0') return report.message.data();
  return "the run ended with status " + std::to_string(report.status);
}

}  // namespace ppu::driver
