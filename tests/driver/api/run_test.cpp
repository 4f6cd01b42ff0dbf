// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Single runs through the C API on every back end: registers, fences, timeouts, faults.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"

namespace ppu::driver {
namespace {

using test::expect_error;

constexpr const char* kForEver = "loop: j loop\n";
constexpr std::uint64_t kMillisecond = 1'000'000;

class RunOnBackend : public testing::TestWithParam<std::string> {
 protected:
  ppu_run_def run_of(const Program& program) const {
    ppu_run_def def = ppu_default_run_def();
    def.program = program.get();
    def.rows = rows_.get();
    def.impulses = impulses_.get();
    def.velocities = velocities_.get();
    return def;
  }

  /// Report of a run that ends with PPU_OK.
  ppu_run_report run(const Program& program) const {
    const Fence fence = Fence::submit(device_, run_of(program));
    fence.wait();
    return fence.report();
  }

  Device device_ = test::open(GetParam());
  Buffer rows_{device_, PPU_ROW_BYTES};
  Buffer impulses_{device_, sizeof(float)};
  Buffer velocities_{device_, sizeof(ppu_velocity)};
};

TEST_P(RunOnBackend, InfoAndRegistersTellTheSame) {
  const ppu_device_info info = device_.info();
  EXPECT_EQ(info.backend, test::kind_of(GetParam()));
  EXPECT_STREQ(info.config, "default");
  EXPECT_EQ(info.timed, GetParam() != "functional");
  EXPECT_EQ(info.profiles, GetParam() == "systemc" || GetParam() == "cosim");
  EXPECT_EQ(info.initiation_interval_cycles, 12 / info.lanes);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_MAGIC), PPU_MAGIC);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_SPEC_HASH), info.spec_hash);
  const std::uint64_t high = device_.read_register(PPU_REGISTER_CONFIG_HASH_HI);
  EXPECT_EQ(high << 32U | device_.read_register(PPU_REGISTER_CONFIG_HASH_LO), info.config_hash);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_RING_ENTRIES), info.ring_entries);
  std::uint32_t value = 1;
  EXPECT_EQ(ppu_device_read_register(device_.get(), 0x400, &value), PPU_OK);
  EXPECT_EQ(value, 0U);
}

TEST_P(RunOnBackend, RunsAProgramAndReportsWhatItSignals) {
  const Program program = Program::assemble(device_, "sum.s", "add t0, a4, a5\nsignal t0\nhalt\n");
  ppu_run_def def = run_of(program);
  def.arguments[4] = 40;
  def.arguments[5] = 2;
  const Fence fence = Fence::submit(device_, def);
  fence.wait();
  EXPECT_EQ(fence.report().status, PPU_RUN_OK);
  EXPECT_EQ(fence.report().progress, 42U);
  EXPECT_NO_THROW(fence.wait()) << "a fence may be waited for again";
  EXPECT_EQ(device_.read_register(PPU_REGISTER_PROGRESS), 42U);
}

TEST_P(RunOnBackend, FenceLastsUntilTheNextSubmitAfterItsEnd) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  const Fence first = Fence::submit(device_, run_of(program));
  const Fence second = Fence::submit(device_, run_of(program));
  second.wait();
  first.wait();
  const Fence third = Fence::submit(device_, run_of(program));
  for (const Fence& fence : {first, second})
    expect_error(ppu_fence_wait(fence.get(), 0), PPU_ERROR_INVALID_HANDLE, "stale");
  third.wait();
}

TEST_P(RunOnBackend, ReportNeedsTheEndAndARunOfThatNumber) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Fence fence = Fence::submit(device_, run_of(program));
  ppu_run_report report;
  expect_error(ppu_fence_report(fence.get(), 0, &report), PPU_ERROR_BUSY, "wait for its fence");
  fence.cancel();
  EXPECT_EQ(fence.report().status, PPU_RUN_CANCELLED);
  expect_error(ppu_fence_report(fence.get(), 1, &report), PPU_ERROR_INVALID_ARGUMENT,
               "run is 1, the submission has 1 runs");
}

TEST_P(RunOnBackend, EndlessProgramTimesOutAndCloseEndsIt) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Fence fence = Fence::submit(device_, run_of(program));
  expect_error(ppu_fence_wait(fence.get(), 10 * kMillisecond), PPU_ERROR_TIMEOUT,
               "did not end within 0.01 s");
  expect_error(ppu_fence_wait(fence.get(), 0), PPU_ERROR_TIMEOUT, "goes on");
  EXPECT_EQ(device_.read_register(PPU_REGISTER_STATUS) & 1U, 1U);
  EXPECT_EQ(ppu_device_close(device_.get()), PPU_OK);
}

TEST_P(RunOnBackend, CancelledRunHasEndedAndTheDeviceGoesOn) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Program good = Program::assemble(device_, "halt.s", "halt\n");
  for (int round = 0; round < 3; ++round) {
    const Fence fence = Fence::submit(device_, run_of(program));
    fence.cancel();
    expect_error(ppu_fence_wait(fence.get(), 0), PPU_ERROR_CANCELLED, "the run was cancelled");
    EXPECT_EQ(fence.report().status, PPU_RUN_CANCELLED);
    EXPECT_EQ(ppu_fence_cancel(fence.get()), PPU_OK) << "again";
    const Fence next = Fence::submit(device_, run_of(good));
    next.wait();
    EXPECT_EQ(ppu_fence_cancel(next.get()), PPU_OK) << "after the end";
    EXPECT_EQ(next.report().status, PPU_RUN_OK);
  }
}

/// A row without bodies, whose impulse becomes 1.
ppu_row row_to_one() {
  ppu_row row{};
  row.body_a = row.body_b = row.parent = PPU_NONE;
  row.bias = -1;
  row.inv_diagonal = row.upper = 1;
  return row;
}

TEST_P(RunOnBackend, ChainedRunTakesItsRowsFromTheCopiesBehindIt) {
  const Program program = Program::load(device_, "boxed");
  const ppu_row row = row_to_one();
  const std::array<float, 1> start{};
  std::array<float, 1> impulse{};
  ppu_run_def def = run_of(program);
  def.row_count = def.arguments[0] = def.arguments[1] = 1;
  def.chained = true;
  for (const bool early : {false, true}) {
    def.early = early;
    impulse = {};
    const Commands commands(device_);
    commands.copy_in(impulses_, start.data(), sizeof start);
    commands.barrier();
    commands.run(def);
    // What does not go on where the rows so far end passes by.
    commands.copy_in(rows_, reinterpret_cast<const std::byte*>(&row) + 64, 64, 64);
    commands.copy_in(rows_, &row, sizeof row);
    commands.barrier();
    commands.copy_out(impulses_, impulse.data(), sizeof impulse);
    const Fence fence = commands.submit();
    fence.wait();
    EXPECT_EQ(fence.report().status, PPU_RUN_OK);
    EXPECT_EQ(impulse[0], 1);
  }
}

TEST_P(RunOnBackend, EarlyRunEndsWithABadRowThatComesLast) {
  constexpr std::uint32_t kCount = 8;
  const Program program = Program::load(device_, "boxed");
  std::array<ppu_row, kCount> rows;
  rows.fill(row_to_one());
  rows[kCount - 1].body_b = 77;
  const std::array<float, kCount> start{};
  std::array<float, kCount> impulses{};
  const Buffer records(device_, sizeof rows);
  const Buffer answers(device_, sizeof start);
  ppu_run_def def = run_of(program);
  def.rows = records.get();
  def.impulses = answers.get();
  def.row_count = def.arguments[0] = kCount;
  def.arguments[1] = 3;
  def.chained = def.early = true;
  const Commands commands(device_);
  commands.copy_in(answers, start.data(), sizeof start);
  commands.barrier();
  commands.run(def);
  for (std::size_t n = 0; n < kCount; ++n)
    commands.copy_in(records, &rows[n], sizeof rows[n], n * sizeof rows[n]);
  const Fence fence = commands.submit();
  expect_error(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT, "");
  EXPECT_EQ(fence.report().status, PPU_RUN_BAD_ROW);
  EXPECT_EQ(fence.report().fault_row, kCount - 1);
  EXPECT_EQ(fence.report().fault_detail, PPU_FAULT_BODY_B);
  answers.read(impulses.data(), sizeof impulses);
  EXPECT_EQ(impulses, start);
}

TEST_P(RunOnBackend, ChainedRunWaitsForRowsThatNeverComeUntilItIsCancelled) {
  const Program program = Program::load(device_, "boxed");
  ppu_run_def def = run_of(program);
  def.row_count = def.arguments[0] = def.arguments[1] = 1;
  def.chained = true;
  for (int round = 0; round < 4; ++round) {
    def.early = round % 2 != 0;
    const Fence fence = Fence::submit(device_, def);
    expect_error(ppu_fence_wait(fence.get(), 10 * kMillisecond), PPU_ERROR_TIMEOUT,
                 "did not end within 0.01 s");
    fence.cancel();
    expect_error(ppu_fence_wait(fence.get(), 0), PPU_ERROR_CANCELLED, "the run was cancelled");
  }
  def.chained = false;
  const ppu_row row = row_to_one();
  rows_.write(&row, sizeof row);
  const Fence fence = Fence::submit(device_, def);
  fence.wait();
  EXPECT_EQ(fence.report().status, PPU_RUN_OK);
}

TEST_P(RunOnBackend, ProfileNeedsABackEndThatKeepsOne) {
  const Program program = Program::load(device_, "boxed");
  ppu_row row{};
  row.body_a = row.body_b = row.parent = PPU_NONE;
  rows_.write(&row, sizeof row);
  ppu_row_profile profile{};
  ppu_run_def def = run_of(program);
  def.row_count = 1;
  def.arguments[0] = 1;
  def.arguments[1] = 3;
  def.profile = &profile;
  ppu_fence fence;
  const ppu_result result = ppu_submit(device_.get(), &def, &fence);
  if (!device_.info().profiles) {
    expect_error(result, PPU_ERROR_INVALID_ARGUMENT,
                 "def->profile is set, but back end '" + test::kind_of(GetParam()) +
                     "' keeps no row profile; expected null, or back end "
                     "systemc or cosim");
    return;
  }
  ASSERT_EQ(result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(ppu_fence_wait(fence, PPU_NO_TIMEOUT), PPU_OK) << ppu_last_error();
  EXPECT_GE(profile.cycles, 3U);
}

TEST_P(RunOnBackend, CallsThatWaitByThemselvesAreBusyDuringARun) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Fence fence = Fence::submit(device_, run_of(program));
  float value = 0;
  expect_error(ppu_buffer_read(impulses_.get(), 0, &value, 4), PPU_ERROR_BUSY,
               "wait for its fence");
  expect_error(ppu_buffer_write(impulses_.get(), 0, &value, 4), PPU_ERROR_BUSY,
               "wait for its fence");
  ppu_program other;
  expect_error(ppu_program_load(device_.get(), "boxed", &other), PPU_ERROR_BUSY,
               "wait for its fence");
  std::uint64_t counters[PPU_DEVICE_COUNTER_COUNT];
  expect_error(ppu_device_read_counters(device_.get(), counters), PPU_ERROR_BUSY,
               "wait for its fence");
  fence.cancel();
  EXPECT_EQ(ppu_buffer_read(impulses_.get(), 0, &value, 4), PPU_OK);
}

TEST_P(RunOnBackend, WhatARunUsesMayBeDestroyedMeanwhile) {
  const Fence fence = [this] {
    const Program program = Program::assemble(device_, "signal.s", "signal a4\nhalt\n");
    const Buffer memory(device_, 64);
    ppu_run_def def = run_of(program);
    def.rows = def.impulses = def.velocities = memory.get();
    def.arguments[4] = 7;
    return Fence::submit(device_, def);
  }();
  fence.wait();
  EXPECT_EQ(fence.report().progress, 7U);
}

TEST_P(RunOnBackend, ProgramsDoNotDisturbEachOtherInInstructionMemory) {
  std::vector<Program> programs;
  for (int i = 0; i < 8; ++i)
    programs.push_back(Program::assemble(
        device_, "li.s", "li t0, " + std::to_string(i) + "\nsignal t0\nj next\nnext: halt\n"));
  for (std::uint32_t i = 0; i < programs.size(); ++i) EXPECT_EQ(run(programs[i]).progress, i);
}

TEST_P(RunOnBackend, BuffersTooSmallForTheRunAreRefused) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  ppu_run_def def = run_of(program);
  def.row_count = 2;
  ppu_fence fence;
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_ARGUMENT,
               "buffer 'rows' has 128 bytes, the run needs 256");
  def.row_count = 1;
  def.body_count = 2;
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_ARGUMENT,
               "buffer 'velocities' has 32 bytes, the run needs 64");
}

TEST_P(RunOnBackend, RunsLargerThanTheEnginesMemoriesAreRefused) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  const ppu_device_info info = device_.info();
  ppu_run_def def = run_of(program);
  ppu_fence fence;
  def.row_count = info.impulse_memory_rows + 1;
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_CAPACITY,
               "the run has 24577 rows, impulse_memory_rows is 24576");
  def.row_count = 1;
  def.body_count = UINT32_MAX;
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_CAPACITY,
               "the run has 4294967295 bodies, body_memory_bodies is 2048");
}

TEST_P(RunOnBackend, ObjectsOfAnotherDeviceAreRefused) {
  const Device other = test::open("functional");
  const Program foreign = Program::assemble(other, "halt.s", "halt\n");
  const Buffer foreign_rows(other, PPU_ROW_BYTES);
  ppu_fence fence;
  ppu_run_def def = run_of(foreign);
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_HANDLE, "another device");
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  def = run_of(program);
  def.rows = foreign_rows.get();
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_HANDLE,
               "'rows' was made on another device");
}

TEST_P(RunOnBackend, IllegalInstructionIsAFaultAndTheDeviceGoesOn) {
  // Words are counted from the begin of the program, wherever it is.
  const Program good = Program::assemble(device_, "good.s", "halt\n");
  const Program bad = Program::assemble(device_, "bad.s", "li t0, 1\nrows zero, t0\nhalt\n");
  const Fence fence = Fence::submit(device_, run_of(bad));
  EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT);
  EXPECT_STREQ(ppu_last_error(), "instruction at word 1: `rows` before any `kernel`");
  EXPECT_EQ(fence.report().status, PPU_RUN_ILLEGAL_INSTRUCTION);
  EXPECT_EQ(fence.report().fault_detail, 1U);
  EXPECT_EQ(run(good).status, PPU_RUN_OK);
}

TEST_P(RunOnBackend, BadRowIsAFaultThatNamesTheFieldAndTheNumber) {
  struct Case {
    std::uint32_t body_a, body_b, parent;
    const char* sentence;
  };
  const std::array<Case, 4> cases = {{
      {7, PPU_NONE, PPU_NONE,
       "slot 0: body_a is 7, expected none (4294967295) or a body less than 1, the bodies of the "
       "run"},
      {0, 2000000000, PPU_NONE,
       "slot 0: body_b is 2000000000, expected none (4294967295) or a body less than 1, the bodies "
       "of the run"},
      {0, 0, PPU_NONE, "slot 0: body_a and body_b are both 0, expected two different bodies"},
      {0, PPU_NONE, 0,
       "slot 0: parent is 0, expected none (4294967295) or another slot less than 1, the rows of "
       "the run"},
  }};
  const Program program = Program::load(device_, "boxed");
  ppu_run_def def = run_of(program);
  def.row_count = def.body_count = def.arguments[0] = def.arguments[1] = 1;
  for (const Case& bad : cases) {
    ppu_row row{};
    row.body_a = bad.body_a;
    row.body_b = bad.body_b;
    row.parent = bad.parent;
    rows_.write(&row, sizeof row);
    for (const bool stream : {false, true}) {
      def.stream = stream;
      const Fence fence = Fence::submit(device_, def);
      EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT);
      EXPECT_STREQ(ppu_last_error(), bad.sentence);
      EXPECT_EQ(fence.report().status, PPU_RUN_BAD_ROW);
      EXPECT_EQ(fence.report().fault_row, 0U);
    }
  }
}

TEST_P(RunOnBackend, StreamedRunsGiveTheSameBits) {
  ppu_row row{};
  row.jacobian[1] = row.inv_mass_jacobian[1] = row.inv_diagonal = 1.0F;
  row.bias = -3.0F;
  row.upper = 1e10F;
  row.body_b = row.parent = PPU_NONE;
  rows_.write(&row, sizeof row);
  const Program program = Program::load(device_, "boxed");
  for (const bool stream : {false, true}) {
    const ppu_velocity start{{0.5F, 0.25F, 0.0F}, {0.0F, 0.0F, 1.0F}, {7, 8}};
    const float none = 0;
    velocities_.write(&start, sizeof start);
    impulses_.write(&none, sizeof none);
    ppu_run_def def = run_of(program);
    def.row_count = def.body_count = def.arguments[0] = def.arguments[1] = 1;
    def.stream = stream;
    Fence::submit(device_, def).wait();
    float impulse = 0;
    ppu_velocity velocity;
    impulses_.read(&impulse, sizeof impulse);
    velocities_.read(&velocity, sizeof velocity);
    EXPECT_EQ(impulse, 2.75F);
    EXPECT_EQ(velocity.linear[0], 0.5F);
    EXPECT_EQ(velocity.linear[1], 3.0F);
    EXPECT_EQ(velocity.angular[2], 1.0F);
    EXPECT_EQ(velocity.ignored[0], 0U);
    EXPECT_EQ(velocity.ignored[1], 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, RunOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
