// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// fork() with an open device: the child has none of the parent's, and may open its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::expect_error;

class Fork : public testing::TestWithParam<std::string> {
 protected:
  /// Runs `body` in a forked process; what it expects in vain is told there.
  template <class Body>
  static void in_child(Body body) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      body();
      _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }

  [[nodiscard]] std::uint64_t hash(const Device& device) const {
    const Program program = Program::load(device, "boxed");
    return test::solve(device, test::view(problem_), test::def_of(program)).hash();
  }

  model::RowProblem problem_ = test::column(4);
  Device device_ = test::open(GetParam());
  Buffer buffer_{device_, 64};
  Commands list_{device_};
};

TEST_P(Fork, TheChildsCallsOnTheParentsHandlesFail) {
  const std::uint64_t expected = hash(device_);
  const Fence fence = list_.submit();
  in_child([&] {
    const std::string sentence = "is of the process that has forked this one; open a device here";
    const ppu_problem problem = test::view(problem_);
    const ppu_solve_def def = ppu_default_solve_def();
    std::uint32_t value = 0;
    ppu_device_info info;
    const ppu_result results[] = {
        ppu_device_read_register(device_.get(), PPU_REGISTER_MAGIC, &value),
        ppu_device_get_info(device_.get(), &info),
        ppu_solve(device_.get(), &problem, &def, nullptr, nullptr, nullptr),
        ppu_buffer_write(buffer_.get(), 0, &value, sizeof value),
        ppu_buffer_destroy(buffer_.get()),
        ppu_commands_barrier(list_.get()),
        ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT),
        ppu_fence_cancel(fence.get()),
        ppu_device_close(device_.get())};
    for (const ppu_result result : results)
      if (result != PPU_ERROR_INVALID_ARGUMENT)
        expect_error(result, PPU_ERROR_INVALID_HANDLE, sentence);
  });
  fence.wait();
  EXPECT_EQ(hash(device_), expected);
  EXPECT_NO_THROW(device_.close()) << "the parent is unharmed";
}

TEST_P(Fork, TheChildMayOpenADeviceOfItsOwn) {
  const std::uint64_t expected = hash(device_);
  in_child([&] {
    std::optional<Device> own(test::open(GetParam()));
    EXPECT_EQ(hash(*own), expected);
    EXPECT_NO_THROW(own->close());
    Device(std::move(device_));
  });
  EXPECT_EQ(hash(device_), expected) << "what is destroyed in the child stays in the parent";
}

INSTANTIATE_TEST_SUITE_P(Backends, Fork, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
