// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Many devices at the same time, of one host thread and of several, on all back ends.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::def_of;
using test::solve;

/// Two devices on every back end.
std::vector<Device> open_all() {
  std::vector<Device> devices;
  for (int round = 0; round < 2; ++round)
    for (const std::string& backend : test::backends()) devices.push_back(test::open(backend));
  return devices;
}

TEST(SideBySide, ListsOfAllDevicesAreUnderWayAtTheSameTime) {
  const std::vector<Device> devices = open_all();
  std::vector<Buffer> buffers;
  std::vector<Commands> lists;
  std::vector<Fence> fences;
  std::vector<std::uint32_t> answers(devices.size());
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    buffers.emplace_back(devices[i], 128);
    lists.emplace_back(devices[i]);
    lists[i].copy_in(buffers[i], &i, sizeof i);
    lists[i].copy_within(buffers[i], 0, buffers[i], 64, sizeof i);
    lists[i].copy_out(buffers[i], &answers[i], sizeof i, 64);
    fences.push_back(lists[i].submit());
  }
  for (std::uint32_t i = static_cast<std::uint32_t>(devices.size()); i-- > 0;) {
    fences[i].wait();
    EXPECT_EQ(answers[i], i);
  }
}

TEST(SideBySide, AnEndlessRunOnOneDeviceDisturbsNoOther) {
  const std::vector<Device> devices = open_all();
  const Device& busy = devices.back();
  const Program endless = Program::assemble(busy, "for-ever.s", "loop: j loop\n");
  const Buffer memory(busy, 64);
  ppu_run_def run = ppu_default_run_def();
  run.program = endless.get();
  run.rows = run.impulses = run.velocities = memory.get();
  const Fence fence = Fence::submit(busy, run);
  const model::RowProblem problem = test::column(4);
  for (std::size_t i = 0; i + 1 < devices.size(); ++i) {
    const Program program = Program::load(devices[i], "boxed");
    EXPECT_EQ(solve(devices[i], test::view(problem), def_of(program)).result, PPU_OK)
        << ppu_last_error();
  }
  fence.cancel();
}

TEST(SideBySide, EachDeviceMayHaveAThreadOfItsOwn) {
  const model::RowProblem problem = test::columns(3, 6);
  // 0 where something fails: an exception must not leave its thread.
  const auto hash_on = [&problem](const std::string& backend) -> std::uint64_t {
    try {
      const Device device = test::open(backend);
      const Program program = Program::load(device, "boxed");
      return solve(device, test::view(problem), def_of(program)).hash();
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
      return 0;
    }
  };
  const std::uint64_t expected = hash_on("functional");
  std::vector<std::thread> threads;
  for (const std::string& backend : test::backends())
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&hash_on, expected, backend] {
        for (int round = 0; round < 3; ++round) EXPECT_EQ(hash_on(backend), expected) << backend;
      });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ppu::driver
