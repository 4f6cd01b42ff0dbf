// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The functional and the timed engine give the same bits, the same functional counters and the same
// faults, for every configuration.
#include <gtest/gtest.h>

#include <limits>

#include "test_job.hpp"

namespace ppu::hw::test {
namespace {

void expect_same_untimed_counters(const RunReport& functional, const RunReport& timed) {
  for (std::size_t n = 0; n < spec::kCounters.size(); ++n) {
    const auto id = static_cast<ppu_counter>(n);
    if (spec::kCounters[n].timed || id == PPU_COUNTER_ROW_BYTES_STREAMED) continue;
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
      const Config config = resolve_config("default");
      const RunReport want = run_functional(functional, config);
      const RunReport got = run_timed(timed, config);
      ASSERT_EQ(want.status, PPU_RUN_OK) << want.message.data();
      ASSERT_EQ(got.status, PPU_RUN_OK) << got.message.data();
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
  run_functional(reference, resolve_config("default"));
  for (const char* lanes : {"1", "2", "3", "4", "6", "12"})
    for (const char* memory : {"row_memory_rows=16", "row_memory_rows=1024"}) {
      Job job(rows, 30, program("boxed"));
      const Config config = resolve_config(
          "default", {std::string("lanes=") + lanes, memory, "stream_buffer_rows=8"});
      const RunReport report = run_timed(job, config);
      EXPECT_EQ(job.state(), reference.state()) << lanes << " " << memory;
      EXPECT_EQ(stall_sum(report), report.counters[PPU_COUNTER_CYCLES]) << lanes << " " << memory;
    }
}

TEST(Engine, StreamedRowsAreFetchedInEveryPass) {
  Job job(random_rows(200, 30, 7), 30, program("boxed"));
  const RunReport report = run_timed(job, resolve_config("default", {"row_memory_rows=100"}));
  EXPECT_EQ(report.counters[PPU_COUNTER_ROW_BYTES_STREAMED], 3U * 200U * PPU_ROW_BYTES);
  // 128 bytes at 64 bytes a cycle bound the rate.
  EXPECT_GE(report.counters[PPU_COUNTER_CYCLES], 3U * 200U * 2U);
}

TEST(Engine, ARowFaultNamesTheFirstRowAndLeavesDeviceMemoryAlone) {
  auto rows = random_rows(50, 10, 3);
  rows[20].bias = std::numeric_limits<float>::quiet_NaN();
  rows[30].bias = std::numeric_limits<float>::infinity();
  Job functional(rows, 10, program("boxed"));
  Job timed = functional;
  const auto before = functional.state();
  for (const RunReport& report : {run_functional(functional, resolve_config("default")),
                                  run_timed(timed, resolve_config("default"))}) {
    EXPECT_EQ(report.status, PPU_RUN_ROW_FAULT);
    EXPECT_EQ(report.fault_row, 20U);
    EXPECT_STREQ(report.message.data(), "the rate u is nan");
    EXPECT_EQ(report.counters[PPU_COUNTER_ROW_UPDATES], 20U);
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
  const RunReport report = run_functional(job, resolve_config("default"));
  EXPECT_EQ(report.status, PPU_RUN_ROW_FAULT);
  EXPECT_EQ(report.fault_row, 4U);
}

struct BadJob {
  const char* name;
  void (*spoil)(Job&, std::vector<ppu_row>&);
  ppu_run_status status;
};

TEST(Engine, RefusesCommandsAndRowsThatDoNotFit) {
  const auto good = random_rows(50, 10, 3);
  const BadJob cases[] = {
      {"rows past the memory", [](Job& j, auto&) { j.command.rows_address = (1U << 20) - 64; },
       PPU_RUN_BAD_COMMAND},
      {"unaligned", [](Job& j, auto&) { j.command.velocities_address += 2; }, PPU_RUN_BAD_COMMAND},
      {"wrapping address", [](Job& j, auto&) { j.command.impulses_address = ~std::uint64_t{3}; },
       PPU_RUN_BAD_COMMAND},
      {"too many rows", [](Job& j, auto&) { j.command.row_count = 70000; }, PPU_RUN_BAD_COMMAND},
      {"too many bodies", [](Job& j, auto&) { j.command.body_count = 5000; }, PPU_RUN_BAD_COMMAND},
      {"body out of range", [](Job&, auto& r) { r[7].body_a = 10; }, PPU_RUN_BAD_ROW},
      {"one body twice", [](Job&, auto& r) { r[7].body_b = r[7].body_a; }, PPU_RUN_BAD_ROW},
      {"parent out of range", [](Job&, auto& r) { r[7].parent = 50; }, PPU_RUN_BAD_ROW},
      {"parent of itself", [](Job&, auto& r) { r[7].parent = 7; }, PPU_RUN_BAD_ROW},
  };
  for (const BadJob& bad : cases) {
    auto rows = good;
    Job probe(rows, 10, program("boxed"));
    bad.spoil(probe, rows);
    Job job(rows, 10, program("boxed"));
    job.command = probe.command;
    for (const RunReport& report : {run_functional(job, resolve_config("default")),
                                    run_timed(job, resolve_config("default"))}) {
      EXPECT_EQ(report.status, bad.status) << bad.name;
      EXPECT_NE(report.message[0], '\0') << bad.name;
    }
  }
}

TEST(Engine, ARunOfNoRowsEnds) {
  Job job({}, 1, program("boxed"));
  EXPECT_EQ(run_timed(job, resolve_config("default")).status, PPU_RUN_OK);
  EXPECT_EQ(run_functional(job, resolve_config("default")).status, PPU_RUN_OK);
}

}  // namespace
}  // namespace ppu::hw::test
