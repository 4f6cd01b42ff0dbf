// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The C API without a run: sentences, defs, handles, buffers, programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <locale>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/image.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"

namespace ppu::driver {
namespace {

using test::expect_error;

ppu_device_def functional() {
  return ppu_default_device_def();
}

TEST(Api, EveryResultHasASentence) {
  for (int code = PPU_OK; code <= PPU_ERROR_NUMERIC; ++code)
    EXPECT_STRNE(ppu_result_string(static_cast<ppu_result>(code)), "not a ppu_result");
  int unknown = 18;
  EXPECT_STREQ(ppu_result_string(static_cast<ppu_result>(unknown)), "not a ppu_result");
}

TEST(Api, NamesAreThoseOfTheSpecification) {
  EXPECT_STREQ(ppu_run_status_string(PPU_RUN_ROW_FAULT), "row_fault");
  int unknown = 99;
  EXPECT_STREQ(ppu_run_status_string(static_cast<ppu_run_status>(unknown)), "not a ppu_run_status");
  EXPECT_STREQ(ppu_counter_name(PPU_COUNTER_ROW_UPDATES), "row_updates");
  EXPECT_STREQ(ppu_counter_name(PPU_COUNTER_COUNT), "not a ppu_counter");
  EXPECT_STREQ(ppu_device_counter_name(PPU_DEVICE_COUNTER_DOORBELLS), "doorbells");
  EXPECT_STREQ(ppu_device_counter_name(PPU_DEVICE_COUNTER_COUNT), "not a ppu_device_counter");
}

TEST(Api, EveryBackEndAndProgramIsNamedAndPastTheLastThereIsNull) {
  const auto names = [](const char* (*name_of)(std::size_t)) {
    std::vector<std::string> list;
    for (std::size_t i = 0; name_of(i) != nullptr; ++i) list.emplace_back(name_of(i));
    return list;
  };
  EXPECT_EQ(names(ppu_backend_name),
            (std::vector<std::string>{"functional", "systemc", "cosim", "rtl"}));
  const Device device;
  const std::vector<std::string> programs = names(ppu_program_name);
  EXPECT_EQ(programs.size(), 10U);
  for (const std::string& program : programs) EXPECT_NO_THROW(Program::load(device, program));
}

TEST(Api, BackEndComesFromTheEnvironmentOnlyWhereTheDefNamesNone) {
  setenv("PPU_BACKEND", "quantum", 1);
  ppu_device device;
  ppu_device_def def = ppu_default_device_def();
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_NOT_FOUND,
               "'quantum' (the name comes from PPU_BACKEND); known: functional");
  EXPECT_EQ(std::string(test::open("functional").info().backend), "functional");
  unsetenv("PPU_BACKEND");
  EXPECT_EQ(std::string(Device().info().backend), "functional");
}

static_assert(!std::is_constructible_v<Program, ppu_program>, "a handle has one owner");

TEST(Api, LastErrorIsEmptyAtFirstAndOfThisThread) {
  std::thread([] {
    EXPECT_STREQ(ppu_last_error(), "");
    ppu_device device;
    expect_error(ppu_device_open(nullptr, &device), PPU_ERROR_INVALID_ARGUMENT, "'def' is null");
    std::thread([] { EXPECT_STREQ(ppu_last_error(), ""); }).join();
  }).join();
}

/// Numbers as many countries write them.
class Points : public std::numpunct<char> {
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
  [[nodiscard]] char do_decimal_point() const override { return ','; }
};

TEST(Api, SentencesDoNotDependOnTheLocaleOfTheProgram) {
  const Device device;
  const std::locale before = std::locale::global(std::locale(std::locale(), new Points));
  ppu_buffer buffer;
  expect_error(ppu_buffer_create(device.get(), std::size_t{1} << 40U, &buffer), PPU_ERROR_CAPACITY,
               "1099511627776 bytes asked for");
  std::locale::global(before);
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
               "'quantum'; known: functional, systemc, cosim, rtl");
  def = functional();
  def.config = "huge";
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_NOT_FOUND, "huge");
  def = functional();
  const char* const overrides[] = {"lanes=5"};
  def.overrides = overrides;
  def.override_count = 1;
  expect_error(ppu_device_open(&def, &device), PPU_ERROR_CONFIG, "lanes");
}

TEST(Api, OptionsNeedABackEndThatCanFollowThem) {
  const auto refused = [](const char* backend, const char* ppu_device_def::*option) {
    ppu_device_def def = ppu_default_device_def();
    def.backend = backend;
    def.*option = "file";
    ppu_device device;
    const ppu_result result = ppu_device_open(&def, &device);
    return result == PPU_ERROR_INVALID_ARGUMENT ? std::string(ppu_last_error()) : "";
  };
  EXPECT_EQ(refused("functional", &ppu_device_def::wave_path),
            "wave_path is set, but back end 'functional' has no RTL whose waves could be written");
  EXPECT_EQ(refused("systemc", &ppu_device_def::wave_path),
            "wave_path is set, but back end 'systemc' has no RTL whose waves could be written");
  EXPECT_EQ(refused("cosim", &ppu_device_def::wave_scope),
            "wave_scope is set, but back end 'cosim' has no parts whose waves could be written "
            "alone");
  EXPECT_EQ(refused("functional", &ppu_device_def::trace_path),
            "trace_path is set, but back end 'functional' has no cycles in which something could "
            "happen");
}

TEST(Api, ClosingNullIsAllowedAndClosingTwiceIsNot) {
  EXPECT_EQ(ppu_device_close(ppu_device{}), PPU_OK);
  ppu_device device;
  const ppu_device_def def = functional();
  ASSERT_EQ(ppu_device_open(&def, &device), PPU_OK);
  EXPECT_EQ(ppu_device_close(device), PPU_OK);
  expect_error(ppu_device_close(device), PPU_ERROR_INVALID_HANDLE, "is stale: that device is gone");
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
  const std::string all = device.config();
  EXPECT_NE(all.find("clock_mhz = 77"), std::string::npos) << all;
  char cut[8];
  std::size_t needed = 0;
  ASSERT_EQ(ppu_device_get_config(device.get(), cut, sizeof cut, &needed), PPU_OK);
  EXPECT_EQ(std::string(cut), all.substr(0, 7));
  EXPECT_EQ(needed, all.size() + 1);
  EXPECT_EQ(ppu_device_get_config(device.get(), nullptr, 0, nullptr), PPU_OK);
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
               "/nowhere/a.s: no such file");
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

TEST(Api, InstructionMemoryIsSharedByProgramsInUnitsOf16Words) {
  const Device device = test::open("functional", "default", {"instruction_memory_words=48"});
  std::string seventeen;
  for (int line = 0; line < 17; ++line) seventeen += "halt\n";
  const Program first = Program::assemble(device, "a.s", "halt\n");
  {
    const Program second = Program::assemble(device, "b.s", seventeen);
    ppu_program program;
    expect_error(ppu_program_assemble(device.get(), "c.s", "halt\n", &program), PPU_ERROR_CAPACITY,
                 "instruction memory: 4 bytes asked for, the largest free range has 0 of 192");
  }
  EXPECT_NO_THROW(Program::assemble(device, "d.s", seventeen)) << "given back";
}

TEST(Api, BuffersLargerThanStagingAreCopiedInPiecesByteForByte) {
  const Device device = test::open("functional", "default", {"host_memory_mib=1"});
  const std::size_t size = (3U << 20U) + 5;
  const Buffer buffer(device, size);
  std::vector<std::uint8_t> data(size);
  for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(i % 251);
  buffer.write(data.data(), size);
  // In the middle, at odd ends.
  const std::vector<std::uint8_t> other(1'000'001, 0xee);
  buffer.write(other.data(), other.size(), 777);
  std::copy(other.begin(), other.end(), data.begin() + 777);
  std::vector<std::uint8_t> back(size);
  buffer.read(back.data(), size);
  EXPECT_EQ(back, data);
  std::vector<std::uint8_t> part(1'500'000);
  buffer.read(part.data(), part.size(), 63);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), data.begin() + 63));
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
  image.words.push_back(0x7f000000U);
  bytes = firmware::to_bytes(image);
  expect_error(ppu_program_load_image(device.get(), bytes.data(), bytes.size(), &program),
               PPU_ERROR_PROGRAM, "word 1");
  image.spec_hash ^= 1U;
  bytes = firmware::to_bytes(image);
  expect_error(ppu_program_load_image(device.get(), bytes.data(), bytes.size(), &program),
               PPU_ERROR_VERSION, "");
}

}  // namespace
}  // namespace ppu::driver
