// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that a device writes beside its work: waves and the log of events.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

class Trace : public testing::TestWithParam<std::string> {
 protected:
  Trace() : path_(testing::TempDir() + "ppu_trace_test_" + std::to_string(getpid())) {
    std::filesystem::remove(path_);
  }
  ~Trace() override { std::filesystem::remove(path_); }

  /// Size of the file after a small solve on a device with `option` set to it.
  std::uintmax_t size_after_solve(const char* ppu_device_def::*option) const {
    ppu_device_def def = ppu_default_device_def();
    def.backend = GetParam().c_str();
    def.*option = path_.c_str();
    {
      const Device device(def);
      const Program program = Program::load(device, "boxed");
      const model::RowProblem problem = test::column(3);
      const test::Answer answer = test::solve(device, test::view(problem), test::def_of(program));
      EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
    }
    return std::filesystem::exists(path_) ? std::filesystem::file_size(path_) : 0;
  }

  std::string path_;
};

TEST_P(Trace, LogOfEventsIsCompleteWhenTheDeviceIsClosed) {
  EXPECT_GT(size_after_solve(&ppu_device_def::trace_path), 1000U);
}

/// On the back ends with RTL.
class Waves : public Trace {};

TEST_P(Waves, AreCompleteWhenTheDeviceIsClosed) {
  EXPECT_GT(size_after_solve(&ppu_device_def::wave_path), 1000U);
}

/// A device whose log of events goes where nothing can be written.
Device device_with_full_disk(const std::string& backend) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = backend.c_str();
  def.trace_path = "/dev/full";
  return Device(def);
}

TEST_P(Trace, LogThatCannotBeCompletedIsAnErrorOfTheClose) {
  const Device device = device_with_full_disk(GetParam());
  Commands(device).submit().wait();
  for (const ppu_result expected : {PPU_ERROR_DEVICE_LOST, PPU_ERROR_INVALID_HANDLE})
    EXPECT_EQ(ppu_device_close(device.get()), expected);
  Device other = device_with_full_disk(GetParam());
  try {
    other.close();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("has failed: event log /dev/full: cannot be written: No space left"),
              std::string::npos)
        << error.what();
  }
}

TEST_P(Trace, LogThatCannotGoOnEndsTheDevice) {
  const Device device = device_with_full_disk(GetParam());
  const Commands list(device);
  for (int i = 0; i < 1000; ++i) list.barrier();
  ppu_result result = PPU_OK;
  // More events than are kept in memory.
  for (int i = 0; i < 1000 && result == PPU_OK; ++i)
    result = ppu_fence_wait(list.submit().get(), PPU_NO_TIMEOUT);
  test::expect_error(result, PPU_ERROR_DEVICE_LOST, "cannot be written: No space left on device");
}

INSTANTIATE_TEST_SUITE_P(Backends, Trace, testing::ValuesIn(test::own_backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Trace);
INSTANTIATE_TEST_SUITE_P(Backends, Waves, testing::ValuesIn(test::rtl_backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Waves);

}  // namespace
}  // namespace ppu::driver
