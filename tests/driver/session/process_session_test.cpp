// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The driver's side of the protocol, against a fake device that misbehaves on purpose.
#include "driver/session/process_session.hpp"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "driver/base/failure.hpp"
#include "driver/device/command.hpp"
#include "tests/driver/support/backends.hpp"

namespace ppu::driver {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint32_t kFenceAddress = 4096;

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

ProcessSession open_fake(const char* mode, std::uint64_t timeout_ns = 60'000 * kMillisecond) {
  setenv("PPU_FAKE_DEVICE", mode, 1);
  hw::OpenRequest request;
  request.config.host_memory_mib = 1;
  return ProcessSession(PPU_TEST_FAKE_DEVICE, request, timeout_ns);
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

/// Command 0 of a ring at the start of host memory: a fence with an interrupt.
void submit_fence(ProcessSession& session, std::uint64_t value) {
  const Command command = fence_command(kFenceAddress, value, true);
  std::memcpy(session.host_memory().data, command.data(), sizeof command);
  session.write_register(PPU_REGISTER_IRQ_MASK, 3);
  session.write_register(PPU_REGISTER_RING_ENTRIES, 1);
  const std::uint32_t tail = session.read_register(PPU_REGISTER_RING_TAIL);
  session.write_register(PPU_REGISTER_RING_TAIL, tail + 1);
}

std::uint64_t fence_value(const ProcessSession& session) {
  std::uint64_t value = 0;
  std::memcpy(&value, session.host_memory().data + kFenceAddress, sizeof value);
  return value;
}

TEST(ProcessSession, SharesMemoryRegistersAndInterrupts) {
  ProcessSession session = open_fake("ok");
  for (std::uint64_t value = 1; value < 50; ++value) {
    submit_fence(session, value);
    ASSERT_TRUE(session.wait_interrupt(Deadline(PPU_NO_TIMEOUT)));
    EXPECT_EQ(fence_value(session), value);
    session.write_register(PPU_REGISTER_IRQ_STATUS, 3);
  }
}

TEST(ProcessSession, InterruptThatComesBeforeAnAnswerIsKept) {
  ProcessSession session = open_fake("ok");
  submit_fence(session, 1);
  EXPECT_EQ(session.read_register(PPU_REGISTER_MAGIC), PPU_MAGIC);
  EXPECT_EQ(fence_value(session), 1U);
  EXPECT_TRUE(session.wait_interrupt(Deadline(0)));
  EXPECT_FALSE(session.wait_interrupt(Deadline(0)));
}

TEST(ProcessSession, WaitEndsAtItsTimeout) {
  ProcessSession session = open_fake("ok");
  EXPECT_FALSE(session.wait_interrupt(Deadline(kMillisecond)));
}

TEST(ProcessSession, ReadsTheDevicesText) {
  ProcessSession session = open_fake("ok");
  session.read_register(PPU_REGISTER_MAGIC);
  EXPECT_EQ(session.device_text(), "the adder differs");
}

TEST(ProcessSession, RefusesADeviceOfAnotherSpecification) {
  expect_contains(open_error("wrong-spec", PPU_ERROR_VERSION), "specification 0x1, this driver");
}

TEST(ProcessSession, PassesOnWhyADeviceDoesNotOpen) {
  EXPECT_EQ(open_error("refuse", PPU_ERROR_CONFIG), "not built for 5 lanes");
}

TEST(ProcessSession, TellsTheExitStatusOfADeviceThatDiesAtOpen) {
  expect_contains(open_error("exit-3", PPU_ERROR_DEVICE_LOST), "exited with status 3");
}

TEST(ProcessSession, LosesADeviceThatSpeaksAnotherProtocol) {
  open_error("chatter", PPU_ERROR_DEVICE_LOST);
  ProcessSession session = open_fake("babble");
  session.write_register(PPU_REGISTER_IRQ_MASK, 3);
  EXPECT_THROW(session.wait_interrupt(Deadline(PPU_NO_TIMEOUT)), Failure);
}

TEST(ProcessSession, LosesADeviceThatDoesNotAnswerInTimeAndStaysLost) {
  ProcessSession session = open_fake("mute", 3000 * kMillisecond);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      session.read_register(PPU_REGISTER_MAGIC);
      FAIL();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.result, PPU_ERROR_DEVICE_LOST);
      expect_contains(failure.what(), "did not answer within 3 s; close the device");
    }
  }
}

TEST(ProcessSession, LosesADeviceThatTakesNoMessagesInTime) {
  ProcessSession session = open_fake("deaf", 3000 * kMillisecond);
  try {
    // More than any socket holds.
    for (int n = 0; n < 10'000'000; ++n) session.write_register(PPU_REGISTER_IRQ_MASK, 3);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, PPU_ERROR_DEVICE_LOST);
    expect_contains(failure.what(), "did not answer within 3 s; close the device");
  }
  EXPECT_THROW(session.write_register(PPU_REGISTER_IRQ_MASK, 3), Failure);
}

TEST(ProcessSession, TellsWhyADeviceFailedAtItsEnd) {
  ProcessSession session = open_fake("fail-at-close");
  try {
    session.close();
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, PPU_ERROR_DEVICE_LOST);
    EXPECT_STREQ(failure.what(),
                 "the device process '" PPU_TEST_FAKE_DEVICE "' has failed: the adder differs");
  }
  EXPECT_NO_THROW(session.close()) << "it has been told";
}

TEST(ProcessSession, TellsTheSignalOfADeviceThatDiesInARunAndStaysLost) {
  ProcessSession session = open_fake("abort-at-run");
  submit_fence(session, 1);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      session.wait_interrupt(Deadline(PPU_NO_TIMEOUT));
      FAIL();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.result, PPU_ERROR_DEVICE_LOST);
      expect_contains(failure.what(), "was ended by signal 6");
    }
  }
  EXPECT_THROW(session.write_register(PPU_REGISTER_IRQ_MASK, 0), Failure);
}

TEST(ProcessSession, KillsADeviceThatDoesNotEndByItself) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point closing;
  {
    const ProcessSession session = open_fake("stubborn");
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0) << "it runs";
    closing = Clock::now();
  }
  EXPECT_GT(Clock::now() - closing, std::chrono::seconds(1)) << "it got time to end";
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "nothing is left of it";
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

TEST(ProcessSession, ALimitOfFilesBelowTheHostMemoryIsAnError) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  try {
    open_fake("ok");
    ADD_FAILURE();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, PPU_ERROR_SYSTEM);
    expect_contains(failure.what(), "files may have 1000 bytes here (ulimit -f)");
  }
  setrlimit(RLIMIT_FSIZE, &before);
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
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 1; thread <= 4; ++thread)
    threads.emplace_back([thread] {
      hw::OpenRequest request;
      request.config.host_memory_mib = 1;
      for (int round = 0; round < 5; ++round) {
        ProcessSession session(PPU_TEST_FAKE_DEVICE, request, 60'000 * kMillisecond);
        submit_fence(session, thread);
        ASSERT_TRUE(session.wait_interrupt(Deadline(PPU_NO_TIMEOUT)));
        EXPECT_EQ(fence_value(session), thread);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(ProcessSession, WorksWhereTheHostIgnoresEndingChildren) {
  signal(SIGCHLD, SIG_IGN);
  ProcessSession session = open_fake("abort-at-run");
  submit_fence(session, 1);
  EXPECT_THROW(session.wait_interrupt(Deadline(PPU_NO_TIMEOUT)), Failure);
}

}  // namespace
}  // namespace ppu::driver
