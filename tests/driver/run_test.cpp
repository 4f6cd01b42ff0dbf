// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs through the C API on every back end: registers, fences, timeouts, faults.
#include <gtest/gtest.h>

#include <string>

#include "backends.hpp"
#include "expect_error.hpp"

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

  Device device_ = test::open(GetParam());
  Buffer rows_{device_, PPU_ROW_BYTES};
  Buffer impulses_{device_, sizeof(float)};
  Buffer velocities_{device_, 6 * sizeof(float)};
};

TEST_P(RunOnBackend, InfoAndRegistersTellTheSame) {
  const ppu_device_info info = device_.info();
  EXPECT_EQ(info.backend, GetParam());
  EXPECT_STREQ(info.config, "default");
  EXPECT_EQ(info.timed, GetParam() != "functional");
  EXPECT_EQ(info.initiation_interval_cycles, 12 / info.lanes);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_MAGIC), PPU_MAGIC);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_SPEC_HASH), info.spec_hash);
  const std::uint64_t high = device_.read_register(PPU_REGISTER_CONFIG_HASH_HI);
  EXPECT_EQ(high << 32U | device_.read_register(PPU_REGISTER_CONFIG_HASH_LO), info.config_hash);
  std::uint32_t value = 0;
  expect_error(ppu_device_read_register(device_.get(), 0x400, &value), PPU_ERROR_INVALID_ARGUMENT,
               "1024");
}

TEST_P(RunOnBackend, RunsAProgramAndReportsWhatItSignals) {
  const Program program = Program::assemble(device_, "sum.s", "add t0, a4, a5\nsignal t0\nhalt\n");
  ppu_run_def def = run_of(program);
  def.arguments[4] = 40;
  def.arguments[5] = 2;
  const Fence fence = Fence::submit(device_, def);
  EXPECT_EQ(fence.wait().progress, 42U);
  EXPECT_EQ(fence.wait().progress, 42U) << "a fence may be waited for again";
  EXPECT_EQ(device_.read_register(PPU_REGISTER_PROGRESS), 42U);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_STATUS), PPU_RUN_OK);
}

TEST_P(RunOnBackend, FenceLastsUntilTheNextSubmit) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  const Fence first = Fence::submit(device_, run_of(program));
  first.wait();
  const Fence second = Fence::submit(device_, run_of(program));
  expect_error(ppu_fence_wait(first.get(), 0, nullptr), PPU_ERROR_INVALID_HANDLE, "stale");
  second.wait();
}

TEST_P(RunOnBackend, EndlessProgramTimesOutAndCloseCancelsIt) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Fence fence = Fence::submit(device_, run_of(program));
  expect_error(ppu_fence_wait(fence.get(), 10 * kMillisecond, nullptr), PPU_ERROR_TIMEOUT,
               "did not end within 0.01 s");
  expect_error(ppu_fence_wait(fence.get(), 0, nullptr), PPU_ERROR_TIMEOUT, "goes on");
  EXPECT_EQ(device_.read_register(PPU_REGISTER_STATUS), PPU_RUN_RUNNING);
  EXPECT_EQ(ppu_device_close(device_.get()), PPU_OK);
}

TEST_P(RunOnBackend, CancelledRunHasEndedAndTheDeviceGoesOn) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  for (int round = 0; round < 3; ++round) {
    const Fence fence = Fence::submit(device_, run_of(program));
    fence.cancel();
    ppu_run_report report{};
    EXPECT_EQ(ppu_fence_wait(fence.get(), 0, &report), PPU_ERROR_CANCELLED);
    EXPECT_STREQ(ppu_last_error(), "the run was cancelled");
    EXPECT_EQ(report.status, PPU_RUN_CANCELLED);
    EXPECT_EQ(ppu_fence_cancel(fence.get()), PPU_OK) << "again";
    const Program good = Program::assemble(device_, "halt.s", "halt\n");
    const Fence next = Fence::submit(device_, run_of(good));
    EXPECT_EQ(next.wait().status, PPU_RUN_OK);
    EXPECT_EQ(ppu_fence_cancel(next.get()), PPU_OK) << "after the end";
    EXPECT_EQ(next.wait().status, PPU_RUN_OK);
  }
}

TEST_P(RunOnBackend, RegistersForgetThePreviousRun) {
  const Program first = Program::assemble(device_, "signal.s", "signal a4\nhalt\n");
  ppu_run_def def = run_of(first);
  def.arguments[4] = 42;
  Fence::submit(device_, def).wait();
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Fence fence = Fence::submit(device_, run_of(program));
  EXPECT_EQ(device_.read_register(PPU_REGISTER_STATUS), PPU_RUN_RUNNING);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_PROGRESS), 0U);
  EXPECT_EQ(device_.read_register(PPU_REGISTER_FAULT_ROW), PPU_NONE);
  fence.cancel();
}

TEST_P(RunOnBackend, ProfileNeedsABackEndWithTime) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  const Buffer profile(device_, 64);
  ppu_run_def def = run_of(program);
  def.profile = profile.get();
  ppu_fence fence;
  if (device_.info().timed) {
    EXPECT_EQ(ppu_submit(device_.get(), &def, &fence), PPU_OK);
  } else {
    expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_ARGUMENT,
                 "def->profile is set, but back end 'functional'");
  }
}

TEST_P(RunOnBackend, WhatARunUsesIsBusy) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Buffer other(device_, 64);
  const ppu_run_def def = run_of(program);
  const Fence fence = Fence::submit(device_, def);
  expect_error(ppu_fence_wait(fence.get(), 0, nullptr), PPU_ERROR_TIMEOUT, "goes on");
  ppu_fence second;
  expect_error(ppu_submit(device_.get(), &def, &second), PPU_ERROR_BUSY, "wait for its fence");
  float value = 0;
  expect_error(ppu_buffer_read(impulses_.get(), 0, &value, 4), PPU_ERROR_BUSY, "device memory");
  expect_error(ppu_program_destroy(program.get()), PPU_ERROR_BUSY, "device memory");
  EXPECT_EQ(ppu_buffer_write(other.get(), 0, &value, 4), PPU_OK);
}

TEST_P(RunOnBackend, BuffersTooSmallForTheRunAreRefused) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  ppu_run_def def = run_of(program);
  def.row_count = 2;
  ppu_fence fence;
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_ARGUMENT,
               "buffer 'rows' has 128 bytes, the run needs 256");
  def.row_count = UINT32_MAX;
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_ARGUMENT,
               "buffer 'rows'");
  def.row_count = 1;
  def.body_count = UINT32_MAX;
  expect_error(ppu_submit(device_.get(), &def, &fence), PPU_ERROR_INVALID_ARGUMENT,
               "buffer 'velocities'");
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
  const Program bad = Program::assemble(device_, "bad.s", "rows zero, zero\nhalt\n");
  const Fence fence = Fence::submit(device_, run_of(bad));
  try {
    fence.wait();
    FAIL();
  } catch (const RunError& error) {
    EXPECT_EQ(error.result, PPU_ERROR_FAULT);
    EXPECT_EQ(error.report.status, PPU_RUN_ILLEGAL_INSTRUCTION);
    EXPECT_STREQ(error.what(), "instruction at word 0: `rows` before any `kernel`");
  }
  const Program good = Program::assemble(device_, "halt.s", "halt\n");
  EXPECT_EQ(Fence::submit(device_, run_of(good)).wait().status, PPU_RUN_OK);
}

TEST_P(RunOnBackend, RowThatNamesNoBodyIsAFault) {
  ppu_row row{};
  row.body_a = 7;
  row.body_b = PPU_NONE;
  row.parent = PPU_NONE;
  rows_.write(&row, sizeof row);
  const Program program = Program::load(device_, "boxed");
  ppu_run_def def = run_of(program);
  def.row_count = 1;
  def.body_count = 1;
  const Fence fence = Fence::submit(device_, def);
  ppu_run_report report{};
  EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT, &report), PPU_ERROR_FAULT);
  EXPECT_EQ(report.status, PPU_RUN_BAD_ROW);
  EXPECT_EQ(report.fault_row, 0U);
  EXPECT_STREQ(ppu_last_error(), "slot 0: body 7, expected less than 1 or none");
}

INSTANTIATE_TEST_SUITE_P(Backends, RunOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return backend.param; });

}  // namespace
}  // namespace ppu::driver
