// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device inside this process: anonymous memory and an executor on one worker thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "mapping.hpp"
#include "session.hpp"

namespace ppu::driver {

class LocalSession final : public Session {
 public:
  using MakeExecutor = std::function<std::unique_ptr<hw::Executor>(hw::DeviceMemory)>;

  LocalSession(const hw::Config& config, const MakeExecutor& make_executor);
  ~LocalSession() override;
  LocalSession(const LocalSession&) = delete;
  LocalSession& operator=(const LocalSession&) = delete;

  [[nodiscard]] Identity identity() const override { return identity_; }
  [[nodiscard]] hw::DeviceMemory memory() const override { return mapping_.memory(); }
  void start(const hw::RunCommand& command) override;
  std::optional<hw::RunReport> wait(std::uint64_t timeout_ns) override;
  hw::RunReport cancel() override;

 private:
  void work();
  void execute(const hw::RunCommand& command);

  Identity identity_;
  Mapping mapping_;
  std::unique_ptr<hw::Executor> executor_;
  std::atomic<bool> cancel_{false};  ///< The run under way.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<hw::RunCommand> command_;  ///< Submitted, not yet taken by the worker.
  std::optional<hw::RunReport> report_;    ///< Finished, not yet taken by the host.
  std::exception_ptr error_;               ///< The executor threw instead.
  bool closing_ = false;
  std::thread worker_;
};

}  // namespace ppu::driver
