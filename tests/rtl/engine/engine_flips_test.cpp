// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in every memory of the RTL engine with check bits, beside the model: one bit changes
// nothing but a counter, two end the run with the name of the memory and the word.
#include "tests/rtl/engine/engine_flips.hpp"

namespace ppu::test {
namespace {

class EngineFlips : public Engine {};

TEST_P(EngineFlips, AreCorrectedOrEndTheRunInEveryMemory) {
  const auto turns = static_cast<std::uint32_t>(5 * options().rounds);
  for (const ppu_fault_detail memory : kMemories) {
    if (memory == PPU_FAULT_LINK_MEMORY && bench_->config().dataflow == 0) continue;
    std::uint32_t corrected = 0, lost = 0;
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      EngineJob job = make(24 + turn, 12 + turn / 3);
      const std::uint32_t base = memory == PPU_FAULT_INSTRUCTION_MEMORY ? job.command.entry : 0U;
      const std::uint32_t word = base + turn * 7 % words_of(memory, job);
      const EngineOutcome whole = bench_->run(job);
      job.name += ", memory " + std::to_string(memory) + ", word " + std::to_string(word);
      job.flip = flip_of(memory, word, turn % 7, turn * 5 % 75, false);
      ASSERT_TRUE(agree(job));
      const std::uint64_t used = counters_[PPU_COUNTER_WORDS_CORRECTED];
      rtl_.report.counters[PPU_COUNTER_WORDS_CORRECTED] = 0;
      ASSERT_NO_FATAL_FAILURE(expect_same(rtl_, whole));
      corrected += used > 0 ? 1 : 0;
      job.flip = flip_of(memory, word, turn % 7, turn * 5 % 75, true);
      job.name += ", two bits";
      ASSERT_TRUE(agree(job));
      if (status_ != PPU_RUN_MEMORY_FAULT) {
        EXPECT_EQ(used, 0U) << job.name << ": a lost word was used";
        continue;
      }
      ++lost;
      EXPECT_EQ(rtl_.report.fault_detail, static_cast<std::uint32_t>(memory)) << job.name;
      EXPECT_EQ(rtl_.report.fault_value, word) << job.name;
    }
    EXPECT_GE(corrected, 1U) << memory;
    EXPECT_GE(lost, corrected) << memory;
    // What was armed is forgotten.
    ASSERT_TRUE(agree(make(40, 20)));
    EXPECT_EQ(counters_[PPU_COUNTER_WORDS_CORRECTED], 0U);
  }
}

// A cancellation and a lost word: the one that comes first ends the run.
TEST_P(EngineFlips, ThatEndTheRunDoSoUnlessItWasCancelledBefore) {
  std::uint32_t memories_lost = 0;
  for (const ppu_fault_detail memory : kMemories) {
    std::uint32_t cancelled = 0, lost = 0;
    for (std::uint64_t cycle = kStartCycle + 5; cycle < 800; cycle += 11 + cycle % 7) {
      EngineJob job = make(24, 12);
      job.command.stream = job.command.stream || cycle % 2 == 0;
      const std::uint32_t base = memory == PPU_FAULT_INSTRUCTION_MEMORY ? job.command.entry : 0U;
      const auto word = base + static_cast<std::uint32_t>(cycle) % words_of(memory, job);
      job.flip = flip_of(memory, word, 0, 3, true);
      job.cancel_cycle = cycle;
      job.name += ", memory " + std::to_string(memory) + ", cycle " + std::to_string(cycle);
      ASSERT_TRUE(agree(job));
      cancelled += status_ == PPU_RUN_CANCELLED ? 1 : 0;
      lost += status_ == PPU_RUN_MEMORY_FAULT ? 1 : 0;
    }
    EXPECT_GE(cancelled, 5U) << memory;
    memories_lost += lost > 0 ? 1 : 0;
  }
  EXPECT_GE(memories_lost, 5U);
}

INSTANTIATE_TEST_SUITE_P(Shape, EngineFlips, testing::ValuesIn(engine_shapes()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace ppu::test
