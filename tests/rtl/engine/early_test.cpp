// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs whose rows issue while others come, the RTL engine against the model of the engine: whatever
// the pace of the copies, the program and the end, whether rows stay on chip or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/rtl/engine/engine_fixture.hpp"

namespace ppu::test {
namespace {

using spec::Opcode;

constexpr std::uint32_t kCount = spec::kFirstArgumentRegister;
constexpr std::uint32_t kLimit = kCount + static_cast<std::uint32_t>(spec::Argument::kBudgetCycles);
enum Register : std::uint32_t { kTurn = 9, kTurns, kWait, kWaits };

class EarlyRun : public Engine {
 protected:
  [[nodiscard]] EngineJob make_early(std::uint32_t rows, std::uint32_t bodies) {
    constexpr std::uint32_t kPauses[] = {0, 40, 55, 80, 97};
    EngineJob job = make(rows, bodies);
    job.command.stream = seed_ % 3 == 0;
    job.command.chained = job.command.early = true;
    job.copies = MemoryPace(seed_, kPauses[seed_ % std::size(kPauses)], 0);
    return job;
  }

  /// The job with sweeps over all rows, which are updated. In some of them rows have come before
  /// the first sweep begins.
  [[nodiscard]] EngineJob make_sweeps(std::uint32_t rows, std::uint32_t bodies,
                                      std::uint32_t sweeps) {
    constexpr std::uint32_t kDelays[] = {0, 0, 20, 200};
    EngineJob job = make_early(rows, bodies);
    std::uint32_t control = control_of({"step", "axpy", "store_velocity", "store_impulse"});
    if (job.command.reduced) control |= control_of({"matrix"});
    if (seed_ % 3 != 0) control |= control_of({"bounds", "clamp"});
    if (seed_ % 4 == 0) control |= control_of({"skip"});
    job.words = {word(Opcode::kBudget, kLimit),
                 word(Opcode::kKernel, 0, 0, 12),
                 word(Opcode::kLi, kTurns, 0, sweeps),
                 word(Opcode::kLi, kWaits, 0, kDelays[seed_ % std::size(kDelays)]),
                 word(Opcode::kAddi, kWait, kWait, 1),
                 word(Opcode::kBltu, kWait, kWaits, 4),
                 word(Opcode::kRows, 0, kCount),
                 word(Opcode::kAddi, kTurn, kTurn, 1),
                 word(Opcode::kSignal, kTurn),
                 word(Opcode::kBltu, kTurn, kTurns, 6),
                 word(Opcode::kRdmax, kTurns),
                 word(Opcode::kHalt),
                 std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control,
                 word(Opcode::kKernelEnd)};
    job.command.program_words = static_cast<std::uint32_t>(job.words.size());
    job.command.entry = 16;
    budget(job) = 0;
    return job;
  }

  static std::uint32_t& budget(EngineJob& job) {
    return job.command.arguments[static_cast<std::size_t>(spec::Argument::kBudgetCycles)];
  }
};

TEST_P(EarlyRun, EqualsTheModelInEveryCycle) {
  for (const std::uint32_t rows : {1U, 2U, 7U, 40U, 100U})
    for (const std::uint32_t bodies : {0U, 1U, 2U, 5U, 40U, 300U})
      for (std::uint64_t round = 0; round < options().rounds; ++round)
        ASSERT_TRUE(agree(make_early(rows, bodies)));
}

TEST_P(EarlyRun, SweepsEqualTheModelInEveryCycle) {
  for (const std::uint32_t rows : {1U, 3U, 33U, 64U, 150U})
    for (const std::uint32_t bodies : {0U, 1U, 2U, 20U, 100U})
      for (const std::uint32_t sweeps : {1U, 3U})
        ASSERT_TRUE(agree(make_sweeps(rows, bodies, sweeps)));
}

TEST_P(EarlyRun, RowsIssueBeforeTheLastOneHasCome) {
  EngineJob job = make_sweeps(400, 150, 2);
  if (job.command.row_count > bench_->config().row_memory_rows) return;
  job.copies = MemoryPace(3, 80, 0);
  job.command.stream = false;
  ASSERT_TRUE(agree(job));
  // Two sweeps take no longer than one, once all rows have come; the other one was under way.
  const std::uint64_t copied = 5 * copied_beats(job);
  EXPECT_LT(counters_[PPU_COUNTER_LOAD_CYCLES], copied / 2);
  const auto issued =
      std::count_if(rtl_.events.begin(), rtl_.events.end(), [copied](const Event& event) {
        return event.kind == hw::TraceKind::kRowIssue && event.cycle < copied;
      });
  EXPECT_GT(issued, 100);
}

TEST_P(EarlyRun, EndsWhereverTheBudgetCuts) {
  std::size_t cut = 0;
  for (std::uint64_t round = 0; round < options().rounds; ++round) {
    EngineJob job = make_sweeps(60, 30, 3);
    for (budget(job) = 1; budget(job) < 1500; budget(job) += budget(job) < 100 ? 3 : 41) {
      ASSERT_TRUE(agree(job)) << budget(job);
      if (counters_[PPU_COUNTER_PASSES_CUT] > 0) ++cut;
    }
  }
  EXPECT_GT(cut, 12U);
}

TEST_P(EarlyRun, CanBeCancelledInAnyCycle) {
  for (int round = 0; round < 2; ++round) {
    EngineJob job = make_sweeps(40, 20, 2);
    for (job.cancel_cycle = kStartCycle; job.cancel_cycle < kStartCycle + 600;
         job.cancel_cycle += 7)
      ASSERT_TRUE(agree(job)) << job.cancel_cycle;
  }
}

TEST_P(EarlyRun, ABadRowEndsItWithNothingStored) {
  // A streamed row that faults comes before a bad one behind it.
  if (bench_->config().row_memory_rows < 40) return;
  for (std::uint32_t slot = 0; slot < 40; slot += 3) {
    EngineJob job = make_sweeps(40, 20, 3);
    job.command.stream = false;
    const auto spoil = [&job](std::uint32_t where) {
      edit_record(job, where, [&job](ppu_row& row) { row.body_b = job.command.body_count; });
    };
    spoil(slot);
    spoil(39);
    // A row before it that faults does not come first.
    edit_record(job, 0, [](ppu_row& row) { row.bias = std::numeric_limits<float>::infinity(); });
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, PPU_RUN_BAD_ROW);
    EXPECT_EQ(rtl_.report.fault_row, slot);
    EXPECT_EQ(rtl_.memory, job.memory);
  }
}

TEST_P(EarlyRun, ARowThatFaultsEndsItWithNothingStored) {
  for (std::uint32_t slot = 0; slot < 40; slot += 3) {
    EngineJob job = make_sweeps(40, 20, 3);
    for (const std::uint32_t where : {slot, 39U})
      edit_record(job, where,
                  [](ppu_row& row) { row.bias = std::numeric_limits<float>::infinity(); });
    ASSERT_TRUE(agree(job));
    if (status_ == PPU_RUN_OK) continue;  // It is skipped.
    EXPECT_EQ(status_, PPU_RUN_ROW_FAULT);
    EXPECT_EQ(rtl_.memory, job.memory);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EarlyRun, testing::ValuesIn(engine_shapes()),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace ppu::test
