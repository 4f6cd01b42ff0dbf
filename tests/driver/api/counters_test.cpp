// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Device counters through the driver on every back end: what the host did is what the device saw.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/driver/support/backends.hpp"

namespace ppu::driver {
namespace {

using Counters = std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT>;

class CountersOnBackend : public testing::TestWithParam<std::string> {
 protected:
  /// What `work` adds to every counter, beside the query that reads them.
  template <class Work>
  Counters difference(Work work) const {
    const Counters before = device_.counters();
    work();
    Counters after = device_.counters();
    for (std::size_t i = 0; i < after.size(); ++i) after[i] -= before[i];
    // The batch of the second query: its doorbell and itself, and the fence of the first one.
    after[PPU_DEVICE_COUNTER_DOORBELLS] -= 1;
    after[PPU_DEVICE_COUNTER_COMMANDS] -= 2;
    after[PPU_DEVICE_COUNTER_FENCES] -= 1;
    return after;
  }

  Device device_ = test::open(GetParam());
};

TEST_P(CountersOnBackend, CopiesAreCountedByteByByte) {
  const Buffer buffer(device_, 1000);
  std::vector<char> data(1000);
  const Counters written = difference([&] { buffer.write(data.data(), 777, 5); });
  EXPECT_EQ(written[PPU_DEVICE_COUNTER_DOORBELLS], 1U);
  EXPECT_EQ(written[PPU_DEVICE_COUNTER_COMMANDS], 2U);
  EXPECT_EQ(written[PPU_DEVICE_COUNTER_FENCES], 1U);
  EXPECT_EQ(written[PPU_DEVICE_COUNTER_DESCRIPTORS], 1U);
  EXPECT_EQ(written[PPU_DEVICE_COUNTER_BYTES_IN], 777U);
  const Counters read = difference([&] { buffer.read(data.data(), 123, 64); });
  EXPECT_EQ(read[PPU_DEVICE_COUNTER_BYTES_OUT], 123U);
  EXPECT_EQ(read[PPU_DEVICE_COUNTER_BYTES_IN], 0U);
}

TEST_P(CountersOnBackend, AListOfManyCommandsRingsOneDoorbell) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  const Buffer memory(device_, 256);
  const Commands list(device_);
  ppu_run_def def = ppu_default_run_def();
  def.program = program.get();
  def.rows = def.impulses = def.velocities = memory.get();
  char data[64] = {};
  for (int i = 0; i < 20; ++i) {
    list.copy_in(memory, data, sizeof data);
    list.barrier();
    list.run(def);
    list.barrier();
    list.copy_within(memory, 0, memory, 128, 64);
    list.copy_out(memory, data, sizeof data, 128);
  }
  const Counters counted = difference([&] { list.submit().wait(); });
  EXPECT_EQ(counted[PPU_DEVICE_COUNTER_DOORBELLS], 1U);
  EXPECT_EQ(counted[PPU_DEVICE_COUNTER_COMMANDS], 121U);
  EXPECT_EQ(counted[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], 0U);
  EXPECT_EQ(counted[PPU_DEVICE_COUNTER_RUNS], 20U);
  EXPECT_EQ(counted[PPU_DEVICE_COUNTER_BYTES_IN], 1280U);
  EXPECT_EQ(counted[PPU_DEVICE_COUNTER_BYTES_WITHIN], 1280U);
  EXPECT_EQ(counted[PPU_DEVICE_COUNTER_BYTES_OUT], 1280U);
}

TEST_P(CountersOnBackend, CyclesPassOnlyWhereThereIsTime) {
  const Buffer buffer(device_, 4096);
  std::vector<char> data(4096);
  const Counters counted = difference([&] { buffer.write(data.data(), data.size()); });
  if (device_.info().timed) {
    EXPECT_GT(counted[PPU_DEVICE_COUNTER_DEVICE_CYCLES], 64U);
    EXPECT_GE(counted[PPU_DEVICE_COUNTER_HOST_READ_BEATS], 64U);
    EXPECT_GE(counted[PPU_DEVICE_COUNTER_MEMORY_BEATS], 64U);
  } else {
    EXPECT_EQ(counted[PPU_DEVICE_COUNTER_DEVICE_CYCLES], 0U);
    EXPECT_EQ(counted[PPU_DEVICE_COUNTER_HOST_READ_BEATS], 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, CountersOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
