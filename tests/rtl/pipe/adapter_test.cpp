// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The adapter around the Verilated row pipes: what it refuses, waves, live assertions.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/rtl/pipe/row_stimulus.hpp"

namespace ppu::test {
namespace {

namespace fs = std::filesystem;

TEST(RtlRowPipe, RefusesAShapeThatWasNotBuiltAndNamesThoseThatWere) {
  hw::Config config;
  config.fp_add_stages = 5;
  try {
    hw::RtlRowPipe::create(config);
    FAIL() << "expected ConfigError";
  } catch (const hw::ConfigError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("fp_add_stages 5"), std::string::npos) << what;
    for (const char* name : {"default (12 lanes", "small (4 lanes", "wide (12 lanes"})
      EXPECT_NE(what.find(name), std::string::npos) << what;
  }
}

TEST(RtlRowPipe, RefusesADividerThatWasNotBuilt) {
  hw::Config config;
  config.fp_div_stages = 5;
  EXPECT_THROW(hw::RtlRowPipe::create(config), hw::ConfigError);
}

TEST(RtlRowPipe, CountsAFailedAssertionOfTheRunningPipe) {
  const auto pipe = hw::RtlRowPipe::create({});
  const auto other = hw::RtlRowPipe::create({});
  const Stimuli rows = RowMaker(1).make(1, Nature::kPlain);
  rows[0]->row.control.bits |= 3U << 5U;
  testing::internal::CaptureStdout();
  pipe->step(&rows[0]->row);
  const std::string output = testing::internal::GetCapturedStdout();
  EXPECT_EQ(pipe->assertion_failures(), 1);
  EXPECT_EQ(other->assertion_failures(), 0);
  EXPECT_NE(output.find("ControlWordIsLegal"), std::string::npos) << output;
}

TEST(RtlRowPipe, WritesWavesOfTheCyclesAskedForOnly) {
  const fs::path folder = fs::temp_directory_path() / ("ppu_waves_" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const Stimuli rows = RowMaker(1).make(400, Nature::kPlain);
  const auto size_of_waves = [&](std::uint64_t first, std::uint64_t last) {
    const std::string path = folder / "row_pipe.fst";
    {
      const auto pipe = hw::RtlRowPipe::create({});
      pipe->open_wave(path, first, last);
      pipe->show_from(0);
      for (const auto& row : rows) pipe->step(&row->row);
      pipe->close_wave();
    }
    return fs::file_size(path);
  };
  const auto none = size_of_waves(1000, 2000);
  const auto few = size_of_waves(100, 103);
  const auto many = size_of_waves(100, 300);
  fs::remove_all(folder);
  EXPECT_LT(none, few);
  EXPECT_LT(2 * few, many);
}

TEST(RtlRowPipe, RefusesAWaveFileThatCannotBeWritten) {
  const auto pipe = hw::RtlRowPipe::create({});
  EXPECT_THROW(pipe->open_wave("/nonexistent/row_pipe.fst", 0, 1), hw::ConfigError);
}

TEST(RtlRowPipe, RunsBesideAnotherOneInTheSameProcess) {
  const auto first = hw::RtlRowPipe::create({});
  const auto second = hw::RtlRowPipe::create({}, 2);
  const Stimuli rows = RowMaker(1).make(2, Nature::kPlain);
  for (int i = 0; i < 100; ++i) {
    const auto a = first->step(i == 0 ? &rows[0]->row : nullptr);
    const auto b = second->step(i == 10 ? &rows[1]->row : nullptr);
    ASSERT_FALSE(a.result != nullptr && b.result != nullptr);
    if (a.result != nullptr) {
      EXPECT_EQ(a.result->tag, 0U);
    }
    if (b.result != nullptr) {
      EXPECT_EQ(b.result->tag, 1U);
    }
  }
  EXPECT_EQ(second->assertion_failures(), 0);
}

}  // namespace
}  // namespace ppu::test
