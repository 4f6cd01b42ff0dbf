// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device in this process, with executors that do what the test says.
#include "local_session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <new>
#include <stdexcept>
#include <thread>

#include "device.hpp"
#include "failure.hpp"

namespace ppu::driver {
namespace {

using Run = std::function<hw::RunReport(const hw::RunCommand&, const std::atomic<bool>&)>;

class FakeExecutor final : public hw::Executor {
 public:
  explicit FakeExecutor(Run run) : run_(std::move(run)) {}
  hw::RunReport run(const hw::RunCommand& command, const std::atomic<bool>& cancel) override {
    return run_(command, cancel);
  }

 private:
  Run run_;
};

hw::Config small_config() {
  hw::Config config;
  config.device_memory_mib = 1;
  return config;
}

LocalSession session_with(const Run& run) {
  return LocalSession(small_config(),
                      [run](hw::DeviceMemory) { return std::make_unique<FakeExecutor>(run); });
}

hw::RunReport until_cancelled(const hw::RunCommand&, const std::atomic<bool>& cancel) {
  while (!cancel) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  hw::RunReport report;
  report.status = PPU_RUN_CANCELLED;
  return report;
}

TEST(LocalSession, ReportsEveryRunOnce) {
  LocalSession session = session_with([](const hw::RunCommand& command, const auto&) {
    hw::RunReport report;
    report.progress = command.row_count;
    return report;
  });
  for (std::uint32_t rows = 1; rows < 100; ++rows) {
    hw::RunCommand command;
    command.row_count = rows;
    session.start(command);
    const auto report = session.wait(PPU_NO_TIMEOUT);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->progress, rows);
    EXPECT_FALSE(session.wait(0));
  }
}

TEST(LocalSession, WaitsAgainAfterATimeout) {
  std::atomic<bool> go{false};
  LocalSession session = session_with([&go](const hw::RunCommand&, const auto&) {
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return hw::RunReport{};
  });
  session.start({});
  EXPECT_FALSE(session.wait(0));
  EXPECT_FALSE(session.wait(1'000'000));
  go = true;
  EXPECT_TRUE(session.wait(PPU_NO_TIMEOUT - 1));
}

TEST(LocalSession, EndsARunThatGoesOn) {
  LocalSession session = session_with(until_cancelled);
  session.start({});
  EXPECT_FALSE(session.wait(1'000'000));
}

TEST(LocalSession, CancelEndsARunAndTheNextOneIsNotCancelled) {
  LocalSession session = session_with([](const hw::RunCommand& command, const auto& cancel) {
    if (command.row_count == 0) return until_cancelled(command, cancel);
    hw::RunReport report;
    report.status = cancel ? PPU_RUN_CANCELLED : PPU_RUN_OK;
    return report;
  });
  hw::RunCommand short_run;
  short_run.row_count = 1;
  for (int round = 0; round < 3; ++round) {
    session.start({});
    EXPECT_EQ(session.cancel().status, PPU_RUN_CANCELLED);
    session.start(short_run);
    EXPECT_EQ(session.wait(PPU_NO_TIMEOUT)->status, PPU_RUN_OK);
  }
}

TEST(LocalSession, PassesOnWhatTheExecutorThrowsAndGoesOn) {
  bool first = true;
  LocalSession session = session_with([&first](const hw::RunCommand&, const auto&) {
    if (std::exchange(first, false)) throw std::runtime_error("no such luck");
    return hw::RunReport{};
  });
  session.start({});
  EXPECT_THROW(session.wait(PPU_NO_TIMEOUT), std::runtime_error);
  session.start({});
  EXPECT_TRUE(session.wait(PPU_NO_TIMEOUT));
}

TEST(LocalSession, ExceptionOfTheExecutorKeepsItsOwnResult) {
  const auto out_of_memory = [](const hw::RunCommand&, const auto&) -> hw::RunReport {
    throw std::bad_alloc();
  };
  Device device(kBackends.front(), "small", small_config(),
                std::unique_ptr<Session>(new LocalSession(session_with(out_of_memory))));
  const std::uint64_t number = device.submit({}, {});
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(guarded([&] { device.wait(number, PPU_NO_TIMEOUT); }), PPU_ERROR_SYSTEM)
        << last_error();
}

TEST(LocalSession, MemoryIsZeroAndOfTheConfiguredSize) {
  LocalSession session = session_with(until_cancelled);
  EXPECT_EQ(session.memory().size_bytes, std::size_t{1} << 20U);
  EXPECT_EQ(session.memory().data[session.memory().size_bytes - 1], std::byte{0});
}

}  // namespace
}  // namespace ppu::driver
