// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The C API on every back end: handles, sentences, runs, timeouts, programs, buffers.
#include <gtest/gtest.h>

#include <climits>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "backends.hpp"
#include "ppu/firmware/assembler.hpp"
#include "ppu/firmware/image.hpp"

namespace ppu::driver {
namespace {

constexpr const char* kForEver = "loop: j loop\n";
constexpr std::uint64_t kMillisecond = 1'000'000;

void expect_error(ppu_result result, ppu_result expected, const std::string& part) {
  EXPECT_EQ(result, expected) << ppu_last_error();
  EXPECT_NE(std::string(ppu_last_error()).find(part), std::string::npos) << ppu_last_error();
}

ppu_device_def functional() {
  return ppu_default_device_def();
}

TEST(Api, EveryResultHasASentence) {
  for (int code = PPU_OK; code <= PPU_ERROR_SYSTEM; ++code)
    EXPECT_STRNE(ppu_result_string(static_cast<ppu_result>(code)), "not a ppu_result");
  EXPECT_STREQ(ppu_result_string(static_cast<ppu_result>(15)), "not a ppu_result");
}

TEST(Api, LastErrorIsEmptyAtFirstAndOfThisThread) {
  EXPECT_STREQ(ppu_last_error(), "");
  ppu_device device;
  expect_error(ppu_device_open(nullptr, &device), PPU_ERROR_INVALID_ARGUMENT, "'def' is null");
  std::thread([] { EXPECT_STREQ(ppu_last_error(), ""); }).join();
}

TEST(Api, RefusesDefsThatDoNotComeFromTheirDefault) {
  ppu_device device;
  ppu_device_def def{};
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_INVALID_ARGUMENT,
               "ppu_default_device_def");
  const Device open;
  ppu_run_def run{};
  ppu_fence fence;
  expect_error(ppu_submit(open.get(), &run, &fence), PPU_ERROR_INVALID_ARGUMENT,
               "ppu_default_run_def");
  ppu_problem problem{};
  ppu_solve_def solve{};
  expect_error(ppu_solve(open.get(), &problem, &solve, nullptr, nullptr, nullptr),
               PPU_ERROR_INVALID_ARGUMENT, "ppu_default_solve_def");
}

TEST(Api, UnknownNamesAreListedWithTheKnownOnes) {
  ppu_device device;
  ppu_device_def def = functional();
  def.backend = "quantum";
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_NOT_FOUND,
               "'quantum'; known: functional, systemc, cosim");
  def = functional();
  def.config = "huge";
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_NOT_FOUND, "huge");
  def = functional();
  const char* const overrides[] = {"lanes=5"};
  def.overrides = overrides;
  def.override_count = 1;
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_CONFIG, "lanes");
}

TEST(Api, WavesNeedTheBackEndThatHasThem) {
  ppu_device device;
  ppu_device_def def = functional();
  def.wave_path = "waves.fst";
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_INVALID_ARGUMENT, "wave_path");
}

TEST(Api, ClosingNullIsAllowedAndClosingTwiceIsNot) {
  EXPECT_EQ(ppu_device_close(ppu_device{}), PPU_OK);
  ppu_device device;
  const ppu_device_def def = functional();
  ASSERT_EQ(ppu_device_open(&def, &device), PPU_OK);
  EXPECT_EQ(ppu_device_close(device), PPU_OK);
  expect_error(ppu_device_close(device), PPU_ERROR_INVALID_HANDLE, "stale");
}

TEST(Api, WhatWasMadeOnAClosedDeviceIsStale) {
  Device device;
  const Buffer buffer(device, 64);
  const Program program = Program::load(device, "boxed");
  ppu_device_close(device.get());
  char byte = 0;
  expect_error(ppu_buffer_read(buffer.get(), 0, &byte, 1), PPU_ERROR_INVALID_HANDLE, "buffer");
  expect_error(ppu_program_destroy(program.get()), PPU_ERROR_INVALID_HANDLE, "program");
}

TEST(Api, ConfigurationIsCutToFitAndTerminated) {
  const Device device = test::open("functional", "small", {"clock_mhz=77"});
  char all[4096];
  ASSERT_EQ(ppu_device_get_config(device.get(), all, sizeof all), PPU_OK);
  EXPECT_NE(std::string(all).find("clock_mhz = 77"), std::string::npos) << all;
  char cut[8];
  ASSERT_EQ(ppu_device_get_config(device.get(), cut, sizeof cut), PPU_OK);
  EXPECT_EQ(std::string(cut), std::string(all).substr(0, 7));
}

TEST(Api, BuffersRefuseWhatLiesOutside) {
  const Device device;
  const Buffer buffer(device, 100);
  std::vector<char> data(200, 'x');
  EXPECT_EQ(ppu_buffer_write(buffer.get(), 0, data.data(), 100), PPU_OK);
  EXPECT_EQ(ppu_buffer_write(buffer.get(), 100, nullptr, 0), PPU_OK);
  for (const auto& [offset, size] : {std::pair<std::size_t, std::size_t>{0, 101},
                                     {100, 1},
                                     {101, 0},
                                     {SIZE_MAX, 2},
                                     {2, SIZE_MAX},
                                     {SIZE_MAX, SIZE_MAX}})
    expect_error(ppu_buffer_read(buffer.get(), offset, data.data(), size),
                 PPU_ERROR_INVALID_ARGUMENT, "do not lie inside the buffer of 100 bytes");
}

TEST(Api, BufferLargerThanDeviceMemoryIsRefused) {
  const Device device = test::open("functional", "default", {"device_memory_mib=1"});
  ppu_buffer buffer;
  for (const std::size_t size : {std::size_t{1} << 21U, SIZE_MAX})
    expect_error(ppu_buffer_create(device.get(), size, &buffer), PPU_ERROR_CAPACITY,
                 "of 1048576 bytes");
}

TEST(Api, UnknownProgramsAreListedWithTheKnownOnes) {
  const Device device;
  ppu_program program;
  expect_error(ppu_program_load(device.get(), "boxd", &program), PPU_ERROR_NOT_FOUND,
               "'boxd'; known: ");
  expect_error(ppu_program_load(device.get(), "/nowhere/a.s", &program), PPU_ERROR_NOT_FOUND,
               "'/nowhere/a.s'");
}

TEST(Api, ProgramThatDoesNotAssembleNamesItsLine) {
  const Device device;
  ppu_program program;
  expect_error(ppu_program_assemble(device.get(), "mine.s", "halt\njump 3\n", &program),
               PPU_ERROR_PROGRAM, "mine.s:2");
}

TEST(Api, ProgramLongerThanInstructionMemoryIsRefused) {
  const Device device = test::open("functional", "default", {"instruction_memory_words=32"});
  std::string source;
  for (int line = 0; line < 33; ++line) source += "halt\n";
  ppu_program program;
  expect_error(ppu_program_assemble(device.get(), "long.s", source.c_str(), &program),
               PPU_ERROR_CAPACITY, "has 33 words, instruction_memory_words is 32");
}

TEST(Api, ImagesLoadAndForeignOnesAreRefused) {
  const Device device;
  const std::string source = "halt\n";
  firmware::Image image = firmware::assemble("a.s", source).image;
  auto bytes = firmware::to_bytes(image);
  EXPECT_NO_THROW(Program::from_image(device, bytes.data(), bytes.size()));
  ppu_program program;
  expect_error(ppu_program_load_image(device.get(), bytes.data(), bytes.size() - 1, &program),
               PPU_ERROR_PROGRAM, "");
  image.spec_hash ^= 1U;
  bytes = firmware::to_bytes(image);
  expect_error(ppu_program_load_image(device.get(), bytes.data(), bytes.size(), &program),
               PPU_ERROR_VERSION, "");
}

class ApiOnBackend : public testing::TestWithParam<std::string> {
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

TEST_P(ApiOnBackend, InfoAndRegistersTellTheSame) {
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

TEST_P(ApiOnBackend, RunsAProgramAndReportsWhatItSignals) {
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

TEST_P(ApiOnBackend, FenceLastsUntilTheNextSubmit) {
  const Program program = Program::assemble(device_, "halt.s", "halt\n");
  const Fence first = Fence::submit(device_, run_of(program));
  first.wait();
  const Fence second = Fence::submit(device_, run_of(program));
  expect_error(ppu_fence_wait(first.get(), 0, nullptr), PPU_ERROR_INVALID_HANDLE, "stale");
  second.wait();
}

TEST_P(ApiOnBackend, EndlessProgramTimesOutAndCloseCancelsIt) {
  const Program program = Program::assemble(device_, "for-ever.s", kForEver);
  const Fence fence = Fence::submit(device_, run_of(program));
  expect_error(ppu_fence_wait(fence.get(), 10 * kMillisecond, nullptr), PPU_ERROR_TIMEOUT,
               "did not end within 0.01 s");
  expect_error(ppu_fence_wait(fence.get(), 0, nullptr), PPU_ERROR_TIMEOUT, "goes on");
  EXPECT_EQ(device_.read_register(PPU_REGISTER_STATUS), PPU_RUN_RUNNING);
  EXPECT_EQ(ppu_device_close(device_.get()), PPU_OK);
}

TEST_P(ApiOnBackend, WhatARunUsesIsBusy) {
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

TEST_P(ApiOnBackend, BuffersTooSmallForTheRunAreRefused) {
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

TEST_P(ApiOnBackend, ObjectsOfAnotherDeviceAreRefused) {
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

TEST_P(ApiOnBackend, IllegalInstructionIsAFaultAndTheDeviceGoesOn) {
  const auto unknown_word = firmware::to_bytes(firmware::Image{PPU_SPEC_HASH, {0x7f000000U}});
  const Program bad = Program::from_image(device_, unknown_word.data(), unknown_word.size());
  const Fence fence = Fence::submit(device_, run_of(bad));
  ppu_run_report report{};
  EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT, &report), PPU_ERROR_FAULT);
  EXPECT_EQ(report.status, PPU_RUN_ILLEGAL_INSTRUCTION);
  EXPECT_STRNE(ppu_last_error(), "");
  const Program good = Program::assemble(device_, "halt.s", "halt\n");
  EXPECT_EQ(Fence::submit(device_, run_of(good)).wait().status, PPU_RUN_OK);
}

TEST_P(ApiOnBackend, RowThatNamesNoBodyIsAFault) {
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
}

INSTANTIATE_TEST_SUITE_P(Backends, ApiOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return backend.param; });

}  // namespace
}  // namespace ppu::driver
