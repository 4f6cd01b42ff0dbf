// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The worker thread of a device inside this process.
#include "local_session.hpp"

#include <utility>

#include "deadline.hpp"
#include "failure.hpp"

namespace ppu::driver {

LocalSession::LocalSession(const hw::Config& config, const MakeExecutor& make_executor)
    : identity_{PPU_SPEC_HASH, hw::config_hash(config)},
      mapping_(std::size_t{config.device_memory_mib} << 20U, -1),
      executor_(make_executor(mapping_.memory())),
      worker_([this] { work(); }) {
}

LocalSession::~LocalSession() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    cancel_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void LocalSession::start(const hw::RunCommand& command) {
  {
    const std::lock_guard lock(mutex_);
    cancel_ = false;
    command_ = command;
  }
  changed_.notify_all();
}

std::optional<hw::RunReport> LocalSession::wait(std::uint64_t timeout_ns) {
  const Deadline deadline(timeout_ns);
  std::unique_lock lock(mutex_);
  const auto finished = [this] { return report_ || error_; };
  if (deadline.never()) {
    changed_.wait(lock, finished);
  } else {
    changed_.wait_until(lock, deadline.moment(), finished);
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return std::exchange(report_, std::nullopt);
}

hw::RunReport LocalSession::cancel() {
  cancel_ = true;
  return wait(PPU_NO_TIMEOUT).value();
}

void LocalSession::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return command_ || closing_; });
    if (closing_) return;
    const hw::RunCommand command = *std::exchange(command_, std::nullopt);
    lock.unlock();
    execute(command);
    lock.lock();
  }
}

void LocalSession::execute(const hw::RunCommand& command) {
  std::optional<hw::RunReport> report;
  std::exception_ptr error;
  try {
    report = executor_->run(command, cancel_);
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    report_ = report;
    error_ = error;
  }
  changed_.notify_all();
}

}  // namespace ppu::driver
