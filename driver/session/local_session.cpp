// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The worker thread of a device inside this process.
#include "driver/session/local_session.hpp"

#include "driver/base/failure.hpp"

namespace ppu::driver {

LocalSession::LocalSession(const hw::Config& config, const MakeDevice& make_device)
    : mapping_(std::size_t{config.host_memory_mib} << 20U, -1),
      device_(make_device(mapping_.memory())),
      worker_([this] { work(); }) {
}

LocalSession::~LocalSession() {
  {
    host_waits_ = true;
    const std::lock_guard lock(turn_mutex_);
    closing_ = true;
  }
  device_turn_.notify_all();
  worker_.join();
}

std::unique_lock<std::mutex> LocalSession::stop_time() {
  // The worker begins no step while the host waits.
  host_waits_ = true;
  std::unique_lock lock(turn_mutex_);
  host_waits_ = false;
  device_turn_.notify_all();
  const std::lock_guard event_lock(event_mutex_);
  if (error_) std::rethrow_exception(error_);
  return lock;
}

void LocalSession::write_register(std::uint32_t offset, std::uint32_t value) {
  const auto lock = stop_time();
  device_->write_register(offset, value);
  written_ = true;
  publish(nullptr);
}

std::uint32_t LocalSession::read_register(std::uint32_t offset) {
  const auto lock = stop_time();
  return device_->read_register(offset);
}

bool LocalSession::wait_interrupt(const Deadline& deadline, std::uint32_t context) {
  std::unique_lock lock(event_mutex_);
  const auto happened = [this, context] { return (interrupts_ >> context & 1U) != 0 || error_; };
  if (deadline.never()) {
    event_.wait(lock, happened);
  } else if (!event_.wait_until(lock, deadline.moment(), happened)) {
    return false;
  }
  if (error_) std::rethrow_exception(error_);
  return true;
}

std::uint32_t LocalSession::copy_profile(std::uint32_t engine, std::uint32_t address) {
  const auto lock = stop_time();
  return device_->copy_profile(engine, address);
}

std::string LocalSession::device_text() {
  const auto lock = stop_time();
  return device_->message();
}

void LocalSession::publish(const std::exception_ptr& error) {
  {
    const std::lock_guard lock(event_mutex_);
    interrupts_ = device_->interrupts();
    error_ = error;
  }
  event_.notify_all();
}

void LocalSession::work() {
  std::unique_lock lock(turn_mutex_);
  bool busy = false;
  std::exception_ptr error;
  while (true) {
    device_turn_.wait(lock,
                      [&] { return closing_ || (!host_waits_ && (busy || written_) && !error); });
    if (closing_) return;
    written_ = false;
    try {
      busy = device_->step();
    } catch (...) {
      error = std::current_exception();
    }
    publish(error);
  }
}

}  // namespace ppu::driver
