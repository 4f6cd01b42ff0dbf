// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in the memories of an engine with check bits, functional and timed: one bit is
// corrected and counted, two end the run with the name of the memory and the word.
#include <gtest/gtest.h>

#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {
namespace {

struct FlipCase {
  ppu_fault_detail memory;
  const char* program;
  std::uint32_t word;
  std::uint32_t row;  ///< The first row that uses the word, or PPU_NONE.
};

// Rows 0 and 1 are on body 0 and 1, row 2 is on body 1 and 2, and has row 1 as its parent.
std::vector<ppu_row> rows_of_three_bodies() {
  std::vector<ppu_row> rows = random_rows(3, 3, 1);
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    rows[slot].body_a = slot / 2;
    rows[slot].body_b = slot / 2 + 1;
    rows[slot].parent = slot == 2 ? 1 : PPU_NONE;
    rows[slot].lower = -1;
    rows[slot].upper = 1;
  }
  return rows;
}

RunReport run_flipped(bool timed, const FlipCase& test, bool two, const Config& config,
                      bool stream) {
  Job job(rows_of_three_bodies(), 3, program(test.program));
  job.command.stream = stream;
  job.command.arguments[3] = test.memory == PPU_FAULT_PARENT_MEMORY ? 2 : 0;
  job.flip = {test.memory, test.word, two};
  return timed ? run_timed(job, config) : run_functional(job, config);
}

constexpr FlipCase kFlipCases[] = {
    {PPU_FAULT_INSTRUCTION_MEMORY, "pgs", 1, PPU_NONE},
    {PPU_FAULT_ROW_BODIES, "pgs", 1, 1},
    {PPU_FAULT_ROW_JACOBIAN, "pgs", 2, 2},
    {PPU_FAULT_ROW_SCALARS, "pgs", 0, 0},
    {PPU_FAULT_ROW_MASS, "pgs", 1, 1},
    {PPU_FAULT_VELOCITY_MEMORY, "pgs", 2, 2},
    {PPU_FAULT_IMPULSE_MEMORY, "pgs", 2, 2},
    {PPU_FAULT_PARENT_MEMORY, "boxed", 1, 2},
    {PPU_FAULT_BASE_MEMORY, "nesterov", 2, PPU_NONE},
};

TEST(Flips, OfOneBitAreCorrectedAndCounted) {
  for (const char* key : {"dataflow=0", "dataflow=1"}) {
    const Config config = resolve_config("default", {"memory_protection=1", key});
    for (const FlipCase& test : kFlipCases) {
      for (const bool stream : {false, true}) {
        const RunReport functional = run_flipped(false, test, false, config, stream);
        const RunReport timed = run_flipped(true, test, false, config, stream);
        EXPECT_EQ(functional.status, PPU_RUN_OK) << test.memory;
        EXPECT_EQ(timed.status, PPU_RUN_OK) << test.memory;
        EXPECT_GT(timed.counters[PPU_COUNTER_WORDS_CORRECTED], 0U) << test.memory;
        EXPECT_EQ(timed.counters[PPU_COUNTER_WORDS_CORRECTED],
                  functional.counters[PPU_COUNTER_WORDS_CORRECTED])
            << test.memory;
      }
    }
  }
}

TEST(Flips, OfTwoBitsEndTheRunWithTheNameOfTheWord) {
  for (const char* key : {"dataflow=0", "dataflow=1"}) {
    const Config config = resolve_config("default", {"memory_protection=1", key});
    for (const FlipCase& test : kFlipCases) {
      for (const bool stream : {false, true}) {
        const RunReport functional = run_flipped(false, test, true, config, stream);
        EXPECT_EQ(functional.fault_value, test.word) << test.memory;
        EXPECT_EQ(functional.fault_row, test.row) << test.memory;
        const RunReport report = run_flipped(true, test, true, config, stream);
        EXPECT_EQ(report.status, PPU_RUN_MEMORY_FAULT) << test.memory;
        EXPECT_EQ(report.fault_detail, static_cast<std::uint32_t>(test.memory));
        EXPECT_EQ(report.fault_value, test.word) << test.memory;
        EXPECT_EQ(report.fault_row, test.row) << test.memory;
      }
    }
  }
}

TEST(Flips, OfALinkAreThoseOfDataflowIssueAlone) {
  const FlipCase links{PPU_FAULT_LINK_MEMORY, "pgs", 1, 1};
  const Config flow = resolve_config("default", {"memory_protection=1", "dataflow=1"});
  EXPECT_GT(run_flipped(true, links, false, flow, false).counters[PPU_COUNTER_WORDS_CORRECTED], 0U);
  const RunReport report = run_flipped(true, links, true, flow, false);
  EXPECT_EQ(report.status, PPU_RUN_MEMORY_FAULT);
  EXPECT_EQ(report.fault_detail, static_cast<std::uint32_t>(PPU_FAULT_LINK_MEMORY));
  EXPECT_EQ(report.fault_value, 1U);
  EXPECT_EQ(report.fault_row, 1U);
  // Those of a streamed row are named by its place, which says nothing of the row.
  EXPECT_GT(run_flipped(true, links, false, flow, true).counters[PPU_COUNTER_WORDS_CORRECTED], 0U);
  const RunReport streamed = run_flipped(true, links, true, flow, true);
  EXPECT_EQ(streamed.status, PPU_RUN_MEMORY_FAULT);
  EXPECT_EQ(streamed.fault_value, 1U);
  EXPECT_EQ(streamed.fault_row, PPU_NONE);
  const Config slot_order = resolve_config("default", {"memory_protection=1", "dataflow=0"});
  EXPECT_EQ(run_flipped(true, links, true, slot_order, false).status, PPU_RUN_OK);
}

TEST(Flips, OfAWordThatNoRowUsesAreFoundWhenItIsStored) {
  const Config config = resolve_config("default", {"memory_protection=1"});
  for (const bool timed : {false, true}) {
    Job job(rows_of_three_bodies(), 5, program("pgs"));
    job.flip = {PPU_FAULT_VELOCITY_MEMORY, 4, true};
    const RunReport report = timed ? run_timed(job, config) : run_functional(job, config);
    EXPECT_EQ(report.status, PPU_RUN_MEMORY_FAULT);
    EXPECT_EQ(report.fault_value, 4U);
    EXPECT_EQ(report.fault_row, PPU_NONE);
    EXPECT_EQ(job.state().back(), 0U);
  }
}

}  // namespace
}  // namespace ppu::hw::test
