// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The functional and the timed engine give the same bits, the same functional counters and the same
// faults, for every configuration.
#include <gtest/gtest.h>

#include <limits>

#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {
namespace {

void expect_same_untimed_counters(const RunReport& functional, const RunReport& timed) {
  for (std::size_t n = 0; n < spec::kCounters.size(); ++n) {
    if (spec::kCounters[n].timed) continue;
    EXPECT_EQ(functional.counters[n], timed.counters[n]) << spec::kCounters[n].name;
  }
}

class EveryProgram : public testing::TestWithParam<std::string> {};

TEST_P(EveryProgram, GivesTheSameBitsOnBothEngines) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const std::uint32_t friction_rule : {0U, 1U}) {
      const auto rows = random_rows(300, 40, seed);
      Job functional(rows, 40, program(GetParam()));
      functional.command.arguments[3] = friction_rule;
      Job timed = functional;
      const Config config = slot_order("default");
      const RunReport want = run_functional(functional, config);
      const RunReport got = run_timed(timed, config);
      ASSERT_EQ(want.status, PPU_RUN_OK);
      ASSERT_EQ(got.status, PPU_RUN_OK);
      EXPECT_EQ(functional.state(), timed.state());
      EXPECT_EQ(want.last_residual, got.last_residual);
      EXPECT_EQ(want.progress, got.progress);
      expect_same_untimed_counters(want, got);
      EXPECT_EQ(stall_sum(got), got.counters[PPU_COUNTER_CYCLES]);
    }
}

INSTANTIATE_TEST_SUITE_P(Firmware, EveryProgram,
                         testing::Values("pgs", "boxed", "threshold", "impulse"),
                         [](const auto& test) { return test.param; });

TEST(Engine, BitsDoNotDependOnTheConfiguration) {
  const auto rows = random_rows(200, 30, 7);
  Job reference(rows, 30, program("boxed"));
  run_functional(reference, slot_order("default"));
  for (const char* lanes : {"lanes=1", "lanes=2", "lanes=3", "lanes=4", "lanes=6", "lanes=12"})
    for (const char* pipes : {"pipes=1", "pipes=2", "pipes=4", "pipes=8", "pipes=16"})
      for (const char* memory : {"row_memory_rows=16", "row_memory_rows=1024"}) {
        Job job(rows, 30, program("boxed"));
        const Config config = slot_order("default", {lanes, pipes, memory});
        const RunReport report = run_timed(job, config);
        EXPECT_EQ(job.state(), reference.state()) << to_toml(config);
        EXPECT_EQ(stall_sum(report), report.counters[PPU_COUNTER_CYCLES]) << to_toml(config);
      }
}

TEST(Engine, StreamedRowsAreFetchedInEveryPass) {
  Job job(random_rows(200, 30, 7), 30, program("boxed"));
  const RunReport report = run_timed(job, slot_order("default", {"row_memory_rows=96"}));
  EXPECT_EQ(report.counters[PPU_COUNTER_ROW_BYTES_STREAMED], 3U * 200U * PPU_ROW_BYTES);
  // 128 bytes at 64 bytes a cycle bound the rate.
  EXPECT_GE(report.counters[PPU_COUNTER_CYCLES], 3U * 200U * 2U);
}

TEST(Engine, StreamsRowsThatWouldFitIfItIsToldTo) {
  Job resident(random_rows(200, 30, 7), 30, program("boxed"));
  Job streamed = resident;
  streamed.command.stream = true;
  const Config config = slot_order("default");
  EXPECT_EQ(run_timed(resident, config).counters[PPU_COUNTER_ROW_BYTES_STREAMED], 0U);
  EXPECT_EQ(run_timed(streamed, config).counters[PPU_COUNTER_ROW_BYTES_STREAMED],
            3U * 200U * PPU_ROW_BYTES);
  EXPECT_EQ(resident.state(), streamed.state());
}

TEST(Engine, CountsTheBeatsItMoves) {
  // 50 rows are 100 beats, their impulses 4, the velocities of 10 bodies 5.
  Job job(random_rows(50, 10, 3), 10, program("boxed"));
  const RunReport report = run_timed(job, slot_order("default"));
  EXPECT_EQ(report.counters[PPU_COUNTER_MEMORY_READ_BEATS], 109U);
  EXPECT_EQ(report.counters[PPU_COUNTER_MEMORY_WRITE_BEATS], 9U);
}

TEST(Engine, ARowFaultNamesTheFirstRowAndLeavesDeviceMemoryAlone) {
  auto rows = random_rows(50, 10, 3);
  rows[20].bias = std::numeric_limits<float>::quiet_NaN();
  rows[30].bias = std::numeric_limits<float>::infinity();
  Job functional(rows, 10, program("boxed"));
  Job timed = functional;
  const auto before = functional.state();
  for (const RunReport& report : {run_functional(functional, slot_order("default")),
                                  run_timed(timed, slot_order("default"))}) {
    EXPECT_EQ(report.status, PPU_RUN_ROW_FAULT);
    EXPECT_EQ(report.fault_row, 20U);
    EXPECT_EQ(report.fault_detail, PPU_FAULT_RATE);
    EXPECT_EQ(report.counters, Counters{});
  }
  EXPECT_EQ(functional.state(), before);
  EXPECT_EQ(timed.state(), before);
}

TEST(Engine, BoundsTheWrongWayRoundAreAFault) {
  auto rows = random_rows(5, 4, 3);
  rows[4].parent = PPU_NONE;
  rows[4].lower = 1.0F;
  rows[4].upper = 0.0F;
  Job job(rows, 4, program("boxed"));
  const RunReport report = run_functional(job, slot_order("default"));
  EXPECT_EQ(report.status, PPU_RUN_ROW_FAULT);
  EXPECT_EQ(report.fault_row, 4U);
  EXPECT_EQ(report.fault_detail, PPU_FAULT_BOUNDS);
}

struct BadRow {
  void (*spoil)(ppu_row&);
  ppu_fault_detail detail;
  std::uint32_t value;
};

TEST(Engine, RefusesRowsThatNameWhatTheRunDoesNotHave) {
  const BadRow cases[] = {
      {[](ppu_row& row) { row.body_a = 10; }, PPU_FAULT_BODY_A, 10},
      {[](ppu_row& row) { row.body_b = 11; }, PPU_FAULT_BODY_B, 11},
      {[](ppu_row& row) { row.body_b = row.body_a; }, PPU_FAULT_SAME_BODY, 3},
      {[](ppu_row& row) { row.parent = 50; }, PPU_FAULT_PARENT, 50},
      {[](ppu_row& row) { row.parent = 7; }, PPU_FAULT_PARENT, 7},
  };
  for (const BadRow& bad : cases)
    for (const bool stream : {false, true}) {
      auto rows = random_rows(50, 10, 3);
      rows[7].body_a = 3;
      bad.spoil(rows[7]);
      Job job(rows, 10, program("boxed"));
      job.command.stream = stream;
      for (const RunReport& report :
           {run_functional(job, slot_order("default")), run_timed(job, slot_order("default"))}) {
        EXPECT_EQ(report.status, PPU_RUN_BAD_ROW);
        EXPECT_EQ(report.fault_row, 7U);
        EXPECT_EQ(report.fault_detail, static_cast<std::uint32_t>(bad.detail));
        EXPECT_EQ(report.fault_value, bad.value);
      }
    }
}

TEST(Engine, CancelEndsARunThatWouldNotEnd) {
  Job job(random_rows(5, 4, 3), 4, "again: j again\n");
  EnginePort port;
  PlainMemory memory(port);
  TimedEngine engine(slot_order("default"), 0, job.memory(), port, nullptr, nullptr);
  engine.load_program(0, job.words.data(), job.command.program_words);
  engine.start(0, job.command);
  for (int i = 0; i < 3; ++i) {
    memory.serve(engine);
    engine.advance();
    EXPECT_EQ(port.done_cycle, kNever);
  }
  engine.cancel(1'000'000);
  engine.advance();
  EXPECT_NE(port.done_cycle, kNever);
  EXPECT_EQ(engine.report().status, PPU_RUN_CANCELLED);
}

TEST(Engine, ARunOfNoRowsEnds) {
  Job job({}, 1, program("boxed"));
  EXPECT_EQ(run_timed(job, slot_order("default")).status, PPU_RUN_OK);
  EXPECT_EQ(run_functional(job, slot_order("default")).status, PPU_RUN_OK);
}

}  // namespace
}  // namespace ppu::hw::test
