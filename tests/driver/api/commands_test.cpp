// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lists on every back end: copies, runs, many fences, commands that the device rejects.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "driver/device/command.hpp"
#include "ppu_spec.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"

namespace ppu::driver {
namespace {

using test::expect_error;

using Words = std::array<std::uint32_t, 16>;

/// A command of `opcode` with some words set.
Words words_of(spec::CommandOpcode opcode, const std::vector<std::uint32_t>& from_word_1 = {}) {
  Words words{static_cast<std::uint32_t>(opcode)};
  std::copy(from_word_1.begin(), from_word_1.end(), words.begin() + 1);
  return words;
}

class CommandsOnBackend : public testing::TestWithParam<std::string> {
 protected:
  ppu_run_def run_of(const Program& program) const {
    ppu_run_def def = ppu_default_run_def();
    def.program = program.get();
    def.rows = def.impulses = def.velocities = memory_.get();
    return def;
  }

  /// Bytes that count from `first` on.
  static std::vector<std::uint8_t> bytes(std::size_t size, int first) {
    std::vector<std::uint8_t> data(size);
    std::iota(data.begin(), data.end(), static_cast<std::uint8_t>(first));
    return data;
  }

  Device device_ = test::open(GetParam());
  Buffer memory_{device_, 4096};
  Commands list_{device_};
};

TEST_P(CommandsOnBackend, CopyByteForByteInOutAndWithin) {
  const std::vector<std::uint8_t> in = bytes(1000, 1);
  std::vector<std::uint8_t> out(300, 0xaa);
  list_.copy_in(memory_, in.data(), in.size(), 37);
  list_.copy_within(memory_, 37, memory_, 2048 + 37, 500);
  list_.copy_out(memory_, out.data(), 299, 2048 + 100);
  const Fence fence = list_.submit();
  EXPECT_EQ(out[0], 0xaa) << "filled by the wait only";
  fence.wait();
  EXPECT_TRUE(std::equal(out.begin(), out.end() - 1, in.begin() + 63));
  EXPECT_EQ(out.back(), 0xaa);
}

TEST_P(CommandsOnBackend, DataIsStagedWhenRecorded) {
  std::vector<std::uint8_t> data = bytes(100, 5);
  const std::vector<std::uint8_t> before = data;
  list_.copy_in(memory_, data.data(), data.size());
  std::fill(data.begin(), data.end(), std::uint8_t{0});
  list_.copy_out(memory_, data.data(), data.size());
  list_.submit().wait();
  EXPECT_EQ(data, before);
}

TEST_P(CommandsOnBackend, AListCanBeSubmittedAgainAndReset) {
  std::vector<std::uint8_t> in = bytes(64, 3);
  std::vector<std::uint8_t> out(64);
  list_.copy_in(memory_, in.data(), in.size());
  list_.copy_out(memory_, out.data(), out.size());
  const Fence first = list_.submit();
  first.wait();
  for (int round = 0; round < 3; ++round) {
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    list_.submit().wait();
    EXPECT_EQ(out, in);
  }
  expect_error(ppu_fence_wait(first.get(), 0), PPU_ERROR_INVALID_HANDLE, "stale");
  list_.reset();
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  list_.submit().wait();
  EXPECT_EQ(out, std::vector<std::uint8_t>(64)) << "an empty list does nothing";
}

TEST_P(CommandsOnBackend, ManyFencesAreOutstandingAndMayBeWaitedForInAnyOrder) {
  const Program program = Program::assemble(device_, "signal.s", "signal a4\nhalt\n");
  std::vector<Commands> lists;
  std::vector<Fence> fences;
  ppu_run_def def = run_of(program);
  for (std::uint32_t i = 0; i < 50; ++i) {
    lists.emplace_back(device_);
    for (const std::uint32_t part : {0U, 1000U}) {
      def.arguments[4] = i + part;
      EXPECT_EQ(lists.back().run(def), part / 1000);
    }
    fences.push_back(lists.back().submit());
  }
  for (std::uint32_t i = 50; i-- > 0;) {
    fences[i].wait();
    EXPECT_EQ(fences[i].report(0).progress, i);
    EXPECT_EQ(fences[i].report(1).progress, i + 1000);
  }
}

TEST_P(CommandsOnBackend, AListUnderWayCannotBeChanged) {
  const Program program = Program::assemble(device_, "for-ever.s", "loop: j loop\n");
  list_.run(run_of(program));
  const Fence fence = list_.submit();
  ppu_fence again;
  char byte = 0;
  expect_error(ppu_commands_submit(list_.get(), &again), PPU_ERROR_BUSY, "under way");
  expect_error(ppu_commands_reset(list_.get()), PPU_ERROR_BUSY, "under way");
  expect_error(ppu_commands_copy_in(list_.get(), memory_.get(), 0, &byte, 1), PPU_ERROR_BUSY,
               "under way");
  fence.cancel();
  EXPECT_EQ(ppu_commands_reset(list_.get()), PPU_OK);
}

TEST_P(CommandsOnBackend, AListMayBeDestroyedUnderWay) {
  const Program program = Program::assemble(device_, "signal.s", "signal a4\nhalt\n");
  std::vector<std::uint8_t> out(64, 0xaa);
  ppu_fence fence;
  {
    const Commands list(device_);
    list.run(run_of(program));
    list.copy_out(memory_, out.data(), out.size());
    fence = list.submit().get();
  }
  expect_error(ppu_fence_wait(fence, 0), PPU_ERROR_INVALID_HANDLE, "stale");
  list_.submit().wait();
  EXPECT_EQ(out, std::vector<std::uint8_t>(64, 0xaa));
}

TEST_P(CommandsOnBackend, BarriersOrderRunsAndCopies) {
  // Every run turns the impulse x into x - (b + cfm x) = 2 x + 1 and needs what the last one wrote.
  ppu_row row{};
  row.inv_diagonal = 1.0F;
  row.bias = -1.0F;
  row.upper = 100.0F;
  row.compliance = -1.0F;
  row.body_a = row.body_b = row.parent = PPU_NONE;
  const Program program = Program::load(device_, "boxed");
  const Buffer rows(device_, sizeof row);
  ppu_run_def def = run_of(program);
  def.rows = rows.get();
  def.row_count = def.arguments[0] = def.arguments[1] = 1;
  std::array<float, 4> seen{};
  const float none = 0;
  list_.copy_in(rows, &row, sizeof row);
  list_.copy_in(memory_, &none, sizeof none);
  for (float& value : seen) {
    list_.barrier();
    list_.run(def);
    list_.barrier();
    list_.copy_out(memory_, &value, sizeof value);
  }
  list_.submit().wait();
  EXPECT_EQ(seen, (std::array<float, 4>{1.0F, 3.0F, 7.0F, 15.0F}));
}

TEST_P(CommandsOnBackend, AFailedRunIsNamedAndNoDestinationIsFilled) {
  const Program good = Program::assemble(device_, "good.s", "signal a4\nhalt\n");
  const Program bad = Program::assemble(device_, "bad.s", "rows zero, zero\nhalt\n");
  std::uint8_t out = 0xaa;
  list_.run(run_of(good));
  list_.run(run_of(bad));
  list_.run(run_of(good));
  list_.copy_out(memory_, &out, 1);
  const Fence fence = list_.submit();
  expect_error(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT,
               "run 1 of the list: instruction at word 0: `rows` before any `kernel`");
  EXPECT_EQ(fence.report(0).status, PPU_RUN_OK);
  EXPECT_EQ(fence.report(1).status, PPU_RUN_ILLEGAL_INSTRUCTION);
  EXPECT_EQ(fence.report(2).status, PPU_RUN_OK);
  EXPECT_EQ(out, 0xaa);
}

/// The words are whatever lies at the begin of host memory: no 2^-32 chance has their checksum.
TEST_P(CommandsOnBackend, AProgramThatDoesNotHaveItsChecksumIsRefused) {
  list_.raw(load_command({0, 0, 64, 0}, 0x12345678));
  const Fence fence = list_.submit();
  expect_error(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_COMMAND,
               "command 0 of the list, load_program, was rejected: checksum: ");
}

TEST_P(CommandsOnBackend, MalformedCommandsAreRejectedAndTheOthersAreCarriedOut) {
  using Opcode = spec::CommandOpcode;
  const std::uint32_t beyond = static_cast<std::uint32_t>(device_.info().device_memory_bytes) - 32;
  const std::vector<std::pair<Words, const char*>> malformed = {
      {words_of(static_cast<Opcode>(0x77)), "an unknown command, was rejected: opcode: "},
      {words_of(Opcode::kBarrier, {1}), "barrier, was rejected: reserved: "},
      {words_of(Opcode::kCopyIn, {0, 4, 64}), "copy_in, was rejected: alignment: "},
      {words_of(Opcode::kCopyOut, {0, 0, 0}), "copy_out, was rejected: size: "},
      {words_of(Opcode::kCopyIn, {0, beyond, 64}), "copy_in, was rejected: alignment: "},
      {words_of(Opcode::kCopyIn, {32, beyond, 64}), "copy_in, was rejected: device_range: "},
      {words_of(Opcode::kCopyWithin, {0, 64, 65}), "copy_within, was rejected: overlap: "},
      {words_of(Opcode::kFence, {0xfffffff0}), "fence, was rejected: host_range: "},
      {words_of(Opcode::kLoadProgram, {0, 1024, 64}), "load_program, was rejected: capacity: "},
  };
  for (const auto& [words, sentence] : malformed) {
    std::vector<std::uint8_t> in = bytes(64, 9);
    std::vector<std::uint8_t> out(64);
    list_.reset();
    list_.copy_in(memory_, in.data(), in.size());
    list_.raw(words);
    const Fence fence = list_.submit();
    expect_error(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_COMMAND,
                 std::string("command 1 of the list, ") + sentence);
    memory_.read(out.data(), out.size());
    EXPECT_EQ(out, in);
    EXPECT_EQ(device_.read_register(PPU_REGISTER_ERROR_COUNT), 0U);
  }
  EXPECT_EQ(device_.counters()[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], malformed.size());
}

TEST_P(CommandsOnBackend, MoreErrorsThanTheDeviceKeepsAreStillAnError) {
  for (int i = 0; i < 200; ++i) list_.raw(words_of(static_cast<spec::CommandOpcode>(0x77)));
  for (int round = 0; round < 2; ++round)
    expect_error(ppu_fence_wait(list_.submit().get(), PPU_NO_TIMEOUT), PPU_ERROR_COMMAND,
                 "command 0 of the list");
  list_.reset();
  EXPECT_NO_THROW(list_.submit().wait());
  list_.raw(words_of(spec::CommandOpcode::kReset));
  for (int round = 0; round < 2; ++round) EXPECT_NO_THROW(list_.submit().wait());
}

TEST_P(CommandsOnBackend, AResetCommandForgetsNoError) {
  for (int i = 0; i < 20; ++i) list_.raw(words_of(static_cast<spec::CommandOpcode>(0x77)));
  list_.raw(words_of(spec::CommandOpcode::kReset));
  for (int round = 0; round < 2; ++round)
    expect_error(ppu_fence_wait(list_.submit().get(), PPU_NO_TIMEOUT), PPU_ERROR_COMMAND,
                 "command 0 of the list");
}

TEST_P(CommandsOnBackend, ARawRunThatFailsIsAnError) {
  const Program bad = Program::assemble(device_, "bad.s", "rows zero, zero\nhalt\n");
  hw::RunCommand run;
  run.program_words = 2;
  const std::uint32_t report = 1U << 20U;
  list_.barrier();
  list_.raw(run_command(run, report));
  for (int round = 0; round < 2; ++round)
    expect_error(ppu_fence_wait(list_.submit().get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT,
                 "command 1 of the list, run, has failed: illegal_instruction: ");
}

TEST_P(CommandsOnBackend, CancelEndsEveryRunOfTheListAndTheOnesBefore) {
  const Program endless = Program::assemble(device_, "for-ever.s", "loop: j loop\n");
  const Program good = Program::assemble(device_, "good.s", "signal a4\nhalt\n");
  for (int i = 0; i < 3; ++i) list_.run(run_of(endless));
  const Fence first = list_.submit();
  const Commands later(device_);
  for (int i = 0; i < 3; ++i) later.run(run_of(endless));
  const Fence second = later.submit();
  second.cancel();
  for (const Fence& fence : {first, second})
    for (std::uint32_t run = 0; run < 3; ++run)
      EXPECT_EQ(fence.report(run).status, PPU_RUN_CANCELLED);
  expect_error(ppu_fence_wait(first.get(), 0), PPU_ERROR_CANCELLED,
               "run 0 of the list: the run was cancelled");
  list_.reset();
  list_.run(run_of(good));
  EXPECT_NO_THROW(list_.submit().wait());
}

TEST_P(CommandsOnBackend, CopiesMustFitAndLieInTheirBeats) {
  char byte = 0;
  expect_error(ppu_commands_copy_in(list_.get(), memory_.get(), 4090, &byte, 7),
               PPU_ERROR_INVALID_ARGUMENT, "7 bytes at offset 4090 do not lie inside");
  expect_error(ppu_commands_copy_out(list_.get(), memory_.get(), 0, nullptr, 7),
               PPU_ERROR_INVALID_ARGUMENT, "'data' is null");
  expect_error(ppu_commands_copy_within(list_.get(), memory_.get(), 1, memory_.get(), 1026, 8),
               PPU_ERROR_INVALID_ARGUMENT, "the offsets 1 and 2 modulo 64 differ");
  expect_error(ppu_commands_copy_within(list_.get(), memory_.get(), 0, memory_.get(), 64, 65),
               PPU_ERROR_INVALID_ARGUMENT, "the 65 bytes to copy overlap: they are 64 bytes apart");
  const Device other = test::open("functional");
  const Buffer foreign(other, 64);
  expect_error(ppu_commands_copy_in(list_.get(), foreign.get(), 0, &byte, 1),
               PPU_ERROR_INVALID_HANDLE, "made on another device");
}

TEST_P(CommandsOnBackend, StagingThatIsFullIsRefusedAndComesBack) {
  const Device device = test::open(GetParam(), "default", {"host_memory_mib=1"});
  const Buffer buffer(device, 2U << 20U);
  const std::vector<char> large(1U << 20U);
  const Commands list(device);
  expect_error(ppu_commands_copy_in(list.get(), buffer.get(), 0, large.data(), large.size()),
               PPU_ERROR_CAPACITY, "host memory: 1048576 bytes asked for");
  for (int round = 0; round < 5; ++round) {
    list.copy_in(buffer, large.data(), large.size() / 2);
    list.submit().wait();
    list.reset();
  }
}

TEST_P(CommandsOnBackend, WhatWasMadeOnAClosedDeviceIsStale) {
  const Fence fence = list_.submit();
  ppu_device_close(device_.get());
  expect_error(ppu_fence_wait(fence.get(), 0), PPU_ERROR_INVALID_HANDLE, "fence");
  expect_error(ppu_commands_reset(list_.get()), PPU_ERROR_INVALID_HANDLE, "command list");
}

INSTANTIATE_TEST_SUITE_P(Backends, CommandsOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
