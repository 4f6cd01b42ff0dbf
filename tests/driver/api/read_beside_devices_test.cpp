// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problem files are read while other threads open devices and solve on them, and so hold the locks
// of allocators now and then. PPU_READ_LOOP_SECONDS makes the loop longer than its short form.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

std::chrono::seconds loop_time() {
  const char* text = std::getenv("PPU_READ_LOOP_SECONDS");
  return std::chrono::seconds(text == nullptr ? 3 : std::atoi(text));
}

/// Does `work`, in whatever thread; an exception fails the test.
template <class Work>
void reported(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

/// Devices that are opened, solve and are closed again in threads of their own, without a pause.
class BusyDevices {
 public:
  explicit BusyDevices(const std::vector<std::string>& backends) {
    for (const std::string& backend : backends) {
      threads_.emplace_back([this, backend] {
        reported([&] {
          while (!stop_) solve_on(backend);
        });
      });
    }
  }
  ~BusyDevices() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  BusyDevices(const BusyDevices&) = delete;
  BusyDevices& operator=(const BusyDevices&) = delete;

  [[nodiscard]] unsigned solves() const { return solves_; }

 private:
  void solve_on(const std::string& backend) {
    const Device device = test::open(backend);
    const Program program = Program::load(device, "boxed");
    const model::RowProblem problem = test::column(40);
    for (int i = 0; i < 10 && !stop_; ++i) {
      const auto answer = test::solve(device, test::view(problem), test::def_of(program));
      EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
      ++solves_;
    }
  }

  std::atomic<bool> stop_{false};
  std::atomic<unsigned> solves_{0};
  std::vector<std::thread> threads_;
};

/// How often the file could be read until the time was over.
unsigned read_until(std::chrono::steady_clock::time_point end) {
  unsigned reads = 0;
  for (; std::chrono::steady_clock::now() < end; ++reads) {
    const model::RowProblem problem = test::read_test_data("ball_f110.h5");
    EXPECT_EQ(problem.rows(), 105U);
  }
  return reads;
}

TEST(Reading, GoesOnWhileDevicesAreOpenInOtherThreads) {
  std::vector<std::string> backends = test::systemc_backend();
  backends.insert(backends.end(), 3, "functional");
  const BusyDevices devices(backends);
  const auto end = std::chrono::steady_clock::now() + loop_time();
  unsigned beside = 0;
  std::thread reader([&] { reported([&] { beside = read_until(end); }); });
  unsigned reads = 0;
  reported([&] { reads = read_until(end); });
  reader.join();
  EXPECT_GT(reads, 0U);
  EXPECT_GT(beside, 0U);
  EXPECT_GT(devices.solves(), 0U);
  RecordProperty("reads", std::to_string(reads + beside));
  RecordProperty("solves", std::to_string(devices.solves()));
}

}  // namespace
}  // namespace ppu::driver
