// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Threads that use the driver at once: each on a device of its own, and several on one. The thread
// sanitizer watches these: `./ppu test -L tsan`.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

constexpr int kThreads = 4;

void side_by_side(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) threads.emplace_back(work, number);
  for (std::thread& thread : threads) thread.join();
}

std::uint64_t hash_of_a_solve(const Device& device) {
  const Program program = Program::load(device, "boxed");
  const model::RowProblem problem = test::column(12);
  return test::solve(device, test::view(problem), test::def_of(program)).hash();
}

TEST(Threads, HaveDevicesOfTheirOwn) {
  const std::uint64_t expected = hash_of_a_solve(test::open("functional"));
  side_by_side([expected](int) {
    for (int again = 0; again < 3; ++again) {
      const Device device = test::open("functional");
      EXPECT_EQ(hash_of_a_solve(device), expected);
    }
  });
}

TEST(Threads, HaveErrorsOfTheirOwn) {
  const Device device = test::open("functional");
  side_by_side([](int number) {
    const std::string name = "thread-" + std::to_string(number);
    for (int again = 0; again < 20; ++again) {
      ppu_device_def def = ppu_default_device_def();
      def.backend = name.c_str();
      ppu_device opened{};
      EXPECT_EQ(ppu_device_open(&def, &opened), PPU_ERROR_NOT_FOUND);
      EXPECT_NE(std::string(ppu_last_error()).find(name), std::string::npos) << ppu_last_error();
    }
  });
}

TEST(Threads, ShareADeviceOrAreToldThatItIsBusy) {
  const Device device = test::open("functional");
  std::vector<Buffer> buffers;
  for (int number = 0; number < kThreads; ++number) buffers.emplace_back(device, 256);
  std::atomic<int> succeeded{0};
  side_by_side([&](int number) {
    for (int again = 0; again < 50; ++again) {
      const std::uint32_t written = static_cast<std::uint32_t>(100 * number + again);
      std::uint32_t read = 0;
      const ppu_buffer buffer = buffers[static_cast<std::size_t>(number)].get();
      ppu_result result = ppu_buffer_write(buffer, 0, &written, sizeof written);
      if (result == PPU_OK) {
        do result = ppu_buffer_read(buffer, 0, &read, sizeof read);
        while (result == PPU_ERROR_BUSY);
        EXPECT_EQ(read, written);
        ++succeeded;
      }
      EXPECT_TRUE(result == PPU_OK || result == PPU_ERROR_BUSY) << ppu_last_error();
    }
  });
  EXPECT_GT(succeeded, 0);
}

TEST(Threads, CancelWhatAnotherOneWaitsFor) {
  const Device device = test::open("functional");
  const Program endless = Program::assemble(device, "for-ever.s", "loop: j loop\n");
  const Buffer memory(device, 64);
  ppu_run_def def = ppu_default_run_def();
  def.program = endless.get();
  def.rows = def.impulses = def.velocities = memory.get();
  const Fence fence = Fence::submit(device, def);
  std::thread waiter([&fence] {
    ppu_result result = PPU_ERROR_TIMEOUT;
    while (result == PPU_ERROR_TIMEOUT || result == PPU_ERROR_BUSY)
      result = ppu_fence_wait(fence.get(), 1'000'000);
    EXPECT_EQ(result, PPU_ERROR_CANCELLED);
  });
  while (ppu_fence_cancel(fence.get()) == PPU_ERROR_BUSY) std::this_thread::yield();
  waiter.join();
}

TEST(Threads, CloseADeviceThatOthersUse) {
  for (int again = 0; again < 5; ++again) {
    Device device = test::open("functional");
    const Buffer buffer(device, 64);
    side_by_side([&](int number) {
      if (number == 0) {
        while (ppu_device_close(device.get()) == PPU_ERROR_BUSY) std::this_thread::yield();
        return;
      }
      std::uint32_t read = 0;
      ppu_result result = PPU_OK;
      while (result == PPU_OK || result == PPU_ERROR_BUSY)
        result = ppu_buffer_read(buffer.get(), 0, &read, sizeof read);
      EXPECT_EQ(result, PPU_ERROR_INVALID_HANDLE) << ppu_last_error();
    });
  }
}

}  // namespace
}  // namespace ppu::driver
