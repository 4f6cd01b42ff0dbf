// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The driver's side of the protocol, against a fake device that misbehaves on purpose.
#include "process_session.hpp"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "backends.hpp"
#include "failure.hpp"

namespace ppu::driver {
namespace {

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

ProcessSession open_fake(const char* mode) {
  setenv("PPU_FAKE_DEVICE", mode, 1);
  hw::OpenRequest request;
  request.config.device_memory_mib = 1;
  return ProcessSession(PPU_TEST_FAKE_DEVICE, request);
}

/// Result and sentence of opening a fake device through the C API.
std::string open_error(const char* mode, ppu_result expected) {
  setenv("PPU_FAKE_DEVICE", mode, 1);
  setenv("PPU_DEVICE", PPU_TEST_FAKE_DEVICE, 1);
  try {
    test::open("systemc");
  } catch (const Error& error) {
    EXPECT_EQ(error.result, expected) << error.what();
    return error.what();
  }
  return "opened";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ProcessSession, SharesMemoryAndReportsRuns) {
  ProcessSession session = open_fake("ok");
  hw::RunCommand command;
  for (command.row_count = 1; command.row_count < 50; ++command.row_count) {
    session.start(command);
    const auto report = session.wait(PPU_NO_TIMEOUT);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->progress, command.row_count);
    EXPECT_EQ(session.memory().data[0], std::byte(command.row_count));
  }
}

TEST(ProcessSession, WaitEndsAtItsTimeout) {
  ProcessSession session = open_fake("ok");
  EXPECT_FALSE(session.wait(1'000'000));
}

TEST(ProcessSession, RefusesADeviceOfAnotherSpecification) {
  expect_contains(open_error("wrong-spec", PPU_ERROR_VERSION), "specification 0x1, this driver");
}

TEST(ProcessSession, RefusesADeviceWithAnotherConfiguration) {
  expect_contains(open_error("wrong-config", PPU_ERROR_VERSION), "expected 0x");
}

TEST(ProcessSession, PassesOnWhyADeviceDoesNotOpen) {
  EXPECT_EQ(open_error("refuse", PPU_ERROR_CONFIG), "not built for 5 lanes");
}

TEST(ProcessSession, TellsTheExitStatusOfADeviceThatDiesAtOpen) {
  expect_contains(open_error("exit-3", PPU_ERROR_DEVICE_LOST), "exited with status 3");
}

TEST(ProcessSession, LosesADeviceThatSpeaksAnotherProtocol) {
  open_error("chatter", PPU_ERROR_DEVICE_LOST);
}

TEST(ProcessSession, TellsTheSignalOfADeviceThatDiesInARunAndStaysLost) {
  ProcessSession session = open_fake("abort-at-run");
  session.start({});
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      session.wait(PPU_NO_TIMEOUT);
      FAIL();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.result, PPU_ERROR_DEVICE_LOST);
      expect_contains(failure.what(), "was ended by signal 6");
    }
  }
  EXPECT_THROW(session.start({}), Failure);
}

TEST(ProcessSession, KillsADeviceThatDoesNotEndByItself) {
  const ProcessSession session = open_fake("stubborn");
}

TEST(ProcessSession, NamesAnExecutableThatDoesNotExist) {
  setenv("PPU_DEVICE", "/nowhere/ppu-device", 1);
  try {
    test::open("systemc");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.result, PPU_ERROR_SYSTEM);
    EXPECT_STREQ(error.what(),
                 "cannot start the device process '/nowhere/ppu-device': No such file or "
                 "directory (the path comes from PPU_DEVICE)");
  }
}

TEST(ProcessSession, LeaksNoDescriptorAndNoZombie) {
  open_fake("ok");
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 20; ++i) open_fake("ok");
  EXPECT_THROW(open_fake("exit-3"), Failure);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(ProcessSession, DevicesOfSeveralThreadsDoNotDisturbEachOther) {
  setenv("PPU_FAKE_DEVICE", "ok", 1);
  hw::OpenRequest request;
  request.config.device_memory_mib = 1;
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 1; thread <= 4; ++thread)
    threads.emplace_back([thread, &request] {
      for (int round = 0; round < 5; ++round) {
        ProcessSession session(PPU_TEST_FAKE_DEVICE, request);
        hw::RunCommand command;
        command.row_count = thread;
        session.start(command);
        EXPECT_EQ(session.wait(PPU_NO_TIMEOUT)->progress, thread);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(ProcessSession, WorksWhereTheHostIgnoresEndingChildren) {
  signal(SIGCHLD, SIG_IGN);
  ProcessSession session = open_fake("abort-at-run");
  session.start({});
  EXPECT_THROW(session.wait(PPU_NO_TIMEOUT), Failure);
}

}  // namespace
}  // namespace ppu::driver
