// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What notices most mutants of an engine in the least time.
#include <gtest/gtest.h>

#include "tests/rtl/engine/engine_flips.hpp"

namespace ppu::test {
namespace {

class Mutants : public Engine {};

TEST_P(Mutants, EqualTheModelInEveryCycleOfSmallJobs) {
  for (const std::uint32_t rows : {7U, 1U, 16U})
    for (const std::uint32_t bodies : {1U, 5U, 16U, 64U}) ASSERT_TRUE(agree(make(rows, bodies)));
}

TEST_P(Mutants, EqualTheModelInEveryCycleOfAFewJobs) {
  for (const std::uint32_t rows : {40U, 100U})
    for (const std::uint32_t bodies : {1U, 5U, 16U, 64U}) ASSERT_TRUE(agree(make(rows, bodies)));
}

TEST_P(Mutants, EndARunWithABadRowForTheSameReason) {
  for (const std::uint32_t row : {0U, 21U, 34U})
    for (const bool stream : {false, true}) {
      EngineJob job = make(40, 20);
      job.command.stream = stream;
      edit_record(job, row, [](ppu_row& record) { record.body_b = 20; });
      ASSERT_TRUE(agree(job));
    }
}

TEST_P(Mutants, EndARunWithRowsThatFaultForTheSameReason) {
  for (std::uint32_t row = 5; row < 29; row += 3) {
    EngineJob job = make(40, 20);
    job.command.stream = row % 2 == 0;
    for (const std::uint32_t slot : {row, 30U})
      edit_record(job, slot, [](ppu_row& record) { record.bias = kNan; });
    ASSERT_TRUE(agree(job));
  }
}

TEST_P(Mutants, AreCutByABudgetInTheSameCycle) {
  for (std::uint32_t budget = 5; budget < 300; budget += 40) {
    EngineJob job = make(40, 20);
    job.command.arguments[static_cast<std::size_t>(spec::Argument::kBudgetCycles)] = budget;
    ASSERT_TRUE(agree(job)) << budget;
  }
}

// Rows, tokens and requests that are under way when a run is cancelled are not of the next one.
TEST_P(Mutants, LeaveNothingToTheNextRun) {
  std::size_t cancelled = 0;
  for (std::uint64_t cycle = kStartCycle + 3; cycle < 420; cycle += 17) {
    EngineJob job = make(24, 12);
    job.command.stream = cycle % 2 == 0;
    job.cancel_cycle = cycle;
    ASSERT_TRUE(agree(job)) << cycle;
    cancelled += status_ == PPU_RUN_CANCELLED ? 1 : 0;
    EngineJob next = make(9, 5);
    next.command.stream = cycle % 4 < 2;
    ASSERT_TRUE(agree(next)) << cycle;
  }
  EXPECT_GT(cancelled, 10U);
}

TEST_P(Mutants, CorrectABitAndTellOfTwo) {
  if (bench_->config().memory_protection == 0) return;
  for (const ppu_fault_detail memory : kMemories) {
    if (memory == PPU_FAULT_LINK_MEMORY && bench_->config().dataflow == 0) continue;
    for (std::uint32_t turn = 0; turn < 3; ++turn) {
      EngineJob job = make(24 + turn, 12);
      const std::uint32_t base = memory == PPU_FAULT_INSTRUCTION_MEMORY ? job.command.entry : 0U;
      const std::uint32_t word = base + turn * 7 % words_of(memory, job);
      job.flip = flip_of(memory, word, turn, turn * 5, turn % 2 == 0);
      ASSERT_TRUE(agree(job)) << memory << ", turn " << turn;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Mutants, testing::ValuesIn(engine_shapes()),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace ppu::test
