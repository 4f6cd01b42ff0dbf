// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device process that is killed: the host goes on with PPU_ERROR_DEVICE_LOST.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

/// Processes whose parent is this one.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string line;
    std::getline(std::ifstream(entry.path() / "stat"), line);
    // "pid (name) state ppid ..."; the name may hold anything.
    const std::size_t after_name = line.rfind(") ");
    if (after_name == std::string::npos) continue;
    if (std::atoi(line.c_str() + after_name + 4) == getpid()) found.push_back(std::stoi(name));
  }
  return found;
}

class DeviceLost : public testing::TestWithParam<std::string> {
 protected:
  ppu_run_def for_ever() {
    ppu_run_def def = ppu_default_run_def();
    def.program = program_.get();
    def.rows = def.impulses = def.velocities = memory_.get();
    return def;
  }

  void kill_device() {
    const std::vector<pid_t> processes = children();
    ASSERT_EQ(processes.size(), 1U);
    ASSERT_EQ(kill(processes.front(), SIGKILL), 0);
  }

  Device device_ = test::open(GetParam());
  Program program_ = Program::assemble(device_, "for-ever.s", "loop: j loop\n");
  Buffer memory_{device_, 64};
};

TEST_P(DeviceLost, InARunIsToldByTheFence) {
  const Fence fence = Fence::submit(device_, for_ever());
  kill_device();
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_DEVICE_LOST);
    EXPECT_NE(std::string(ppu_last_error()).find("was ended by signal 9 (Killed)"),
              std::string::npos)
        << ppu_last_error();
    EXPECT_NE(std::string(ppu_last_error()).find("; under way: submission 2 (run)"),
              std::string::npos)
        << ppu_last_error();
  }
  EXPECT_EQ(ppu_device_close(device_.get()), PPU_OK);
  EXPECT_TRUE(children().empty());
}

TEST_P(DeviceLost, BetweenRunsIsToldByTheNextCalls) {
  kill_device();
  const ppu_run_def def = for_ever();
  ppu_fence fence{};
  // The process may take a moment to die; at the latest the wait sees it.
  ppu_result result = ppu_submit(device_.get(), &def, &fence);
  if (result == PPU_OK) result = ppu_fence_wait(fence, PPU_NO_TIMEOUT);
  EXPECT_EQ(result, PPU_ERROR_DEVICE_LOST);
  EXPECT_EQ(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_DEVICE_LOST);
  char byte = 0;
  EXPECT_EQ(ppu_buffer_read(memory_.get(), 0, &byte, 1), PPU_ERROR_DEVICE_LOST);
  std::uint32_t value = 0;
  EXPECT_EQ(ppu_device_read_register(device_.get(), PPU_REGISTER_MAGIC, &value),
            PPU_ERROR_DEVICE_LOST);
}

TEST_P(DeviceLost, InACancelIsToldByTheCancel) {
  const Fence fence = Fence::submit(device_, for_ever());
  kill_device();
  EXPECT_EQ(ppu_fence_cancel(fence.get()), PPU_ERROR_DEVICE_LOST);
}

TEST_P(DeviceLost, OtherDevicesGoOn) {
  const Fence fence = Fence::submit(device_, for_ever());
  kill_device();
  const Device other = test::open(GetParam());
  const Program program = Program::assemble(other, "halt.s", "halt\n");
  const Buffer memory(other, 64);
  ppu_run_def def = for_ever();
  def.program = program.get();
  def.rows = def.impulses = def.velocities = memory.get();
  EXPECT_NO_THROW(Fence::submit(other, def).wait());
  EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_DEVICE_LOST);
}

TEST_P(DeviceLost, AStoppedDeviceEndsWithItsHost) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t host = fork();
  if (host == 0) {
    const Device device = test::open(GetParam());
    const std::vector<pid_t> processes = children();
    kill(processes.front(), SIGSTOP);
    _exit(write(ends[1], &processes.front(), sizeof(pid_t)) == sizeof(pid_t) ? 0 : 1);
  }
  pid_t device = 0;
  ASSERT_EQ(read(ends[0], &device, sizeof device), static_cast<ssize_t>(sizeof device));
  pollfd end{static_cast<int>(syscall(SYS_pidfd_open, device, 0U)), POLLIN, 0};
  if (end.fd >= 0) {
    EXPECT_EQ(poll(&end, 1, -1), 1);
    close(end.fd);
  }
  EXPECT_EQ(waitpid(host, nullptr, 0), host);
  for (const int fd : ends) close(fd);
}

/// A second until the solve is cancelled, two at least for the answer to that.
TEST_P(DeviceLost, AStoppedDeviceDoesNotHoldASolveBeyondItsLimit) {
  const Program boxed = Program::load(device_, "boxed");
  const model::RowProblem problem = test::column(3);
  const std::vector<pid_t> processes = children();
  ASSERT_EQ(processes.size(), 1U);
  ASSERT_EQ(kill(processes.front(), SIGSTOP), 0);
  ppu_solve_def def = test::def_of(boxed);
  def.timeout_ns = 1'000'000'000;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(test::solve(device_, test::view(problem), def).result, PPU_ERROR_DEVICE_LOST);
  EXPECT_NE(std::string(ppu_last_error()).find("did not answer within 2 s"), std::string::npos)
      << ppu_last_error();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(9));
}

INSTANTIATE_TEST_SUITE_P(Processes, DeviceLost, testing::ValuesIn(test::process_backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
