// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The RTL engine against the model of the engine: every event in the same cycle, every counter and
// every bit of the results the same, and runs that end before `halt` end for the same reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "tests/rtl/engine/engine_fixture.hpp"

namespace ppu::test {
namespace {

TEST_P(Engine, EqualsTheModelInEveryCycle) {
  const std::uint32_t most = options().rounds > 1 ? 300 : 150;
  for (const std::uint32_t rows : {1U, 2U, 7U, 40U, 64U, most})
    for (const std::uint32_t bodies : {0U, 1U, 2U, 5U, 16U, 64U, 500U})
      ASSERT_TRUE(agree(make(rows, bodies)));
}

TEST_P(Engine, MeetsEveryCaseThatIsCounted) {
  hw::Counters sums{};
  for (std::uint64_t round = 0; round < 12 * options().rounds; ++round) {
    const EngineJob job = make(300, round % 2 == 0 ? 40 : 500);
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, PPU_RUN_OK);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counters_[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const hw::Config& config = bench_->config();
    const bool never = i == PPU_COUNTER_WORDS_CORRECTED ||
                       (i == PPU_COUNTER_LANE_CYCLES && config.lanes == 12) ||
                       (i == PPU_COUNTER_PARENT_STALL_CYCLES && config.dataflow != 0);
    EXPECT_EQ(sums[i] == 0, never) << spec::kCounters[i].name;
  }
}

TEST_P(Engine, EndsWhereverTheBudgetCuts) {
  std::size_t cut = 0;
  for (std::uint64_t round = 0; round < options().rounds; ++round) {
    EngineJob job = make(80, 30);
    std::uint32_t& budget =
        job.command.arguments[static_cast<std::size_t>(spec::Argument::kBudgetCycles)];
    // Every cycle of the first passes, then some.
    for (budget = 1; budget < 1500; budget += budget < 150 ? 1 : 61) {
      ASSERT_TRUE(agree(job)) << budget;
      if (counters_[PPU_COUNTER_PASSES_CUT] > 0) ++cut;
    }
  }
  EXPECT_GT(cut, 50U);
}

TEST_P(Engine, RequestsNothingAnewFromTheDeadlineOn) {
  using spec::Opcode;
  constexpr std::uint32_t kLimit =
      spec::kFirstArgumentRegister + static_cast<std::uint32_t>(spec::Argument::kBudgetCycles);
  std::size_t late = 0, runs = 0;
  for (std::uint32_t budget = 1; budget < 500; budget += 1 + budget / 60, ++runs) {
    EngineJob job = make(60, 30);
    job.command.stream = true;
    job.command.arguments[static_cast<std::size_t>(spec::Argument::kBudgetCycles)] = budget;
    job.words = {word(Opcode::kBudget, kLimit),
                 word(Opcode::kKernel, 0, 0, 5),
                 word(Opcode::kRows, 0, spec::kFirstArgumentRegister),
                 word(Opcode::kRows, 0, spec::kFirstArgumentRegister),
                 word(Opcode::kHalt),
                 std::uint32_t{spec::kKernelOps[0].opcode} << 24U,
                 word(Opcode::kKernelEnd)};
    job.command.program_words = static_cast<std::uint32_t>(job.words.size());
    job.pace = MemoryPace(seed_, 90, seed_ % 3 * 10);
    ASSERT_TRUE(agree(job)) << budget;
    ASSERT_EQ(status_, PPU_RUN_OK);
    const std::uint64_t deadline = counters_[PPU_COUNTER_START_CYCLE] + budget;
    // Only the beat, or pair, that waits is accepted, as soon as device memory is ready.
    std::uint64_t ready = deadline - 1;
    while (!job.pace.ready(ready)) ++ready;
    for (const Event& event : run_model(bench_->config(), job).events) {
      if (event.kind != hw::TraceKind::kMemoryAccept || event.b != 0 || event.cycle < deadline)
        continue;
      EXPECT_EQ(event.cycle, ready) << budget;
      ++late;
    }
  }
  EXPECT_GT(late, runs / 4);
  EXPECT_LT(late, runs * bench_->config().memory_port_beats);
}

TEST_P(Engine, RunsWithoutRowsOrBodies) {
  EngineJob job = make(0, 0);
  job.words = {word(spec::Opcode::kSignal, 1), word(spec::Opcode::kHalt)};
  job.command.program_words = 2;
  job.command.arguments[0] = 77;
  ASSERT_TRUE(agree(job));
  EXPECT_EQ(status_, PPU_RUN_OK);
}

/// Random arithmetic, small and large, with branches over the next few words; every register
/// counts.
std::vector<std::uint32_t> random_arithmetic(std::uint32_t seed) {
  using spec::Opcode;
  std::mt19937 random(seed);
  const auto any_register = [&random] { return static_cast<std::uint32_t>(random() % 16); };
  const Opcode kinds[] = {Opcode::kLi,  Opcode::kAddi, Opcode::kAdd, Opcode::kSub,
                          Opcode::kJ,   Opcode::kBeq,  Opcode::kBne, Opcode::kBlt,
                          Opcode::kBge, Opcode::kBltu, Opcode::kBgeu};
  std::vector<std::uint32_t> words;
  while (words.size() < 200) {
    const Opcode kind = kinds[random() % std::size(kinds)];
    const auto next = static_cast<std::uint32_t>(words.size()) + 1;
    const bool is_branch = kind >= Opcode::kJ;
    const std::uint32_t imm = is_branch ? next + random() % 4 : random() % 0x10000U;
    const std::uint32_t operand = kind == Opcode::kAdd || kind == Opcode::kSub ? imm % 16 : imm;
    words.push_back(word(kind, any_register(), any_register(), operand));
  }
  for (int i = 0; i < 4; ++i) words.push_back(word(Opcode::kAddi, 1, 1, 0));
  for (std::uint32_t i = 2; i < 16; ++i) {
    words.push_back(word(Opcode::kAdd, 1, 1, 1));
    words.push_back(word(Opcode::kAdd, 1, 1, i));
  }
  words.push_back(word(Opcode::kSignal, 1));
  words.push_back(word(Opcode::kHalt));
  return words;
}

TEST_P(Engine, ExecutesArithmeticAndBranches) {
  for (int round = 0; round < 100; ++round) {
    EngineJob job = make(1, 1);
    job.words = random_arithmetic(seed_);
    job.command.program_words = static_cast<std::uint32_t>(job.words.size());
    job.command.entry = 16 * (seed_ % 48);
    for (std::uint32_t i = 0; i < spec::kArgumentCount; ++i)
      job.command.arguments[i] = (seed_ + i) * (i % 2 == 0 ? 0x9e3779b9U : 1U);
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, PPU_RUN_OK);
  }
}

TEST_P(Engine, NamesTheFirstRowWithABodyItDoesNotHave) {
  expect_row_end(PPU_RUN_BAD_ROW, [](ppu_row& row) { row.body_a = 30; });
  expect_row_end(PPU_RUN_BAD_ROW, [](ppu_row& row) { row.body_b = PPU_NONE - 1; });
  expect_row_end(PPU_RUN_BAD_ROW, [](ppu_row& row) { row.body_a = row.body_b = 3; });
}

TEST_P(Engine, NamesTheFirstRowWithAParentItDoesNotHave) {
  expect_row_end(PPU_RUN_BAD_ROW, [](ppu_row& row) { row.parent = 60; });
  EngineJob job = make_thorough(60, 30);
  edit_record(job, 21, [](ppu_row& row) { row.parent = 21; });
  expect_end(PPU_RUN_BAD_ROW, job);
}

TEST_P(Engine, EndsTheSameWhateverIsWrongWithItsRows) {
  std::map<ppu_run_status, int> ends;
  for (std::uint64_t round = 0; round < 50 * options().rounds; ++round) {
    EngineJob job = make(60 + 50 * (seed_ % 3), 30);
    for (std::uint32_t n = 1 + seed_ % 3; n > 0; --n)
      edit_record(job, (seed_ * n * 7) % job.command.row_count, [&](ppu_row& row) {
        if ((seed_ + n) % 4 == 0)
          row.bias = kNan;
        else
          row.body_b = 30;
      });
    ASSERT_TRUE(agree(job));
    ++ends[status_];
  }
  EXPECT_GT(ends[PPU_RUN_OK], 0);
  EXPECT_GT(ends[PPU_RUN_BAD_ROW], 0);
  EXPECT_GT(ends[PPU_RUN_ROW_FAULT], 0);
}

TEST_P(Engine, NamesTheFirstRowThatFaultsAndWhy) {
  const std::vector<std::function<void(ppu_row&)>> edits = {
      [](ppu_row& row) { row.bias = kNan; },
      [](ppu_row& row) { row.inv_diagonal = kInfinity; },
      [](ppu_row& row) { row.jacobian[3] = kInfinity; },
      [](ppu_row& row) { row.inv_mass_jacobian[11] = kNan; },
      [](ppu_row& row) { std::swap(row.lower, row.upper); },
      [](ppu_row& row) { row.upper = kNan; },
  };
  std::size_t faults = 0;
  for (int round = 0; round < 4; ++round) {
    for (const auto& edit : edits) {
      // The kernel of a random job need not notice: both must agree on that, too.
      EngineJob job = make(60, 30);
      edit_record(job, 17 + 5 * (seed_ % 8), edit);
      ASSERT_TRUE(agree(job));
      if (status_ == PPU_RUN_ROW_FAULT) ++faults;
      ASSERT_TRUE(agree(make(20, 10)));
    }
  }
  EXPECT_GE(faults, edits.size());
}

// Every row has a body of its own but the last, which waits for the row before it. So row 0 issues
// in the third sweep before the last row has left in the first one. The last row faults in every
// sweep, row 0 from a sweep on, as its impulse grows.
TEST_P(Engine, NamesTheFirstRowOfThreeSweepsThatFaults) {
  using spec::Opcode;
  constexpr std::uint32_t kCount = spec::kFirstArgumentRegister;
  constexpr std::uint32_t kLast = 17;
  for (int round = 0; round < 60; ++round) {
    EngineJob job = make(kLast + 1, kLast);
    std::uint32_t control = control_of({"step", "axpy", "store_velocity", "store_impulse"});
    if (job.command.reduced) control |= control_of({"matrix"});
    job.words = {word(Opcode::kKernel, 0, 0, 5),
                 word(Opcode::kRows, 0, kCount),
                 word(Opcode::kRows, 0, kCount),
                 word(Opcode::kRows, 0, kCount),
                 word(Opcode::kHalt),
                 std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control,
                 word(Opcode::kKernelEnd)};
    job.command.program_words = static_cast<std::uint32_t>(job.words.size());
    job.command.entry = 16;
    const float growth = std::pow(10.0F, static_cast<float>(5 + round % 30));
    for (std::uint32_t slot = 0; slot <= kLast; ++slot)
      edit_record(job, slot, [&](ppu_row& row) {
        row.body_a = std::min(slot, kLast - 1);
        row.body_b = row.parent = PPU_NONE;
        row.lower = -kInfinity;
        row.upper = kInfinity;
        if (slot == 0) row.inv_diagonal = growth;
        if (slot == kLast) row.bias = kInfinity;
      });
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, PPU_RUN_ROW_FAULT);
  }
}

TEST_P(Engine, EndsAtTheFirstIllegalInstruction) {
  using spec::Opcode;
  constexpr std::uint32_t kReserved = 0x60;  // clamp = 3
  const std::uint32_t ldrow = std::uint32_t{spec::kKernelOps[0].opcode} << 24U;
  const std::uint32_t end = word(Opcode::kKernelEnd);
  expect_illegal({0x7f000000});
  expect_illegal({word(Opcode::kLi, 9, 0, 3)});
  expect_illegal({word(Opcode::kJ, 0, 0, 500), word(Opcode::kHalt)});
  expect_illegal({word(Opcode::kRows, 0, 1), word(Opcode::kHalt), ldrow, end});
  expect_illegal({word(Opcode::kKernel, 0, 0, 2), word(Opcode::kHalt), ldrow});
  expect_illegal({word(Opcode::kKernel, 0, 0, 1), word(Opcode::kHalt), ldrow, end});
  expect_illegal({word(Opcode::kKernel, 0, 0, 2), word(Opcode::kHalt), ldrow | kReserved, end});
  // Rows before it end first.
  expect_illegal(
      {word(Opcode::kKernel, 0, 0, 3), word(Opcode::kRows, 0, 1), 0x7f000000, ldrow, end});
  expect_illegal({word(Opcode::kKernel, 0, 0, 4), word(Opcode::kRows, 0, 1),
                  word(Opcode::kRows, 1, 1), word(Opcode::kHalt), ldrow, end});
}

TEST_P(Engine, RunsRowsOnlyInTheFormThatTheirKernelTakes) {
  using spec::Opcode;
  const auto program = [](std::uint32_t control) {
    return std::vector<std::uint32_t>{
        word(Opcode::kKernel, 0, 0, 3), word(Opcode::kRows, 0, 1), word(Opcode::kHalt),
        std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control, word(Opcode::kKernelEnd)};
  };
  const std::uint32_t full = control_of({"axpy"});
  const std::uint32_t reduced = control_of({"axpy", "matrix"});
  expect_program_end(PPU_RUN_OK, program(full), false);
  expect_program_end(PPU_RUN_OK, program(reduced), true);
  expect_illegal(program(full), true);
  expect_illegal(program(reduced), false);
  // Without a scaled add the form does not matter.
  expect_program_end(PPU_RUN_OK, program(control_of({"matrix"})), false);
  expect_program_end(PPU_RUN_OK, program(0), true);
}

TEST_P(Engine, FiltersRowsOnlyFromSlot0On) {
  using spec::Opcode;
  for (const std::uint32_t first : {0U, 1U}) {
    expect_program_end(first == 0 ? PPU_RUN_OK : PPU_RUN_ILLEGAL_INSTRUCTION,
                       {word(Opcode::kLi, 9, 0, first), word(Opcode::kKernel, 0, 0, 4),
                        word(Opcode::kRows, 9, 0), word(Opcode::kHalt),
                        std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control_of({"filter"}),
                        word(Opcode::kKernelEnd)},
                       false);
  }
}

// Of eight groups the third one waits in the linker, as its parent has no body in common with it.
// Meanwhile four more are taken, and the last one, of rows without bodies, is left out.
TEST_P(Engine, CountsRowsThatAreFilteredUntilTheBudgetCuts) {
  using spec::Opcode;
  constexpr std::uint32_t kCount = spec::kFirstArgumentRegister;
  constexpr std::uint32_t kLimit = 9;
  const std::uint32_t pipes = bench_->config().pipes;
  std::set<std::uint64_t> filtered;
  for (std::uint32_t limit = 20; limit < 200; limit += 3) {
    EngineJob job = make(8 * pipes, 7 * pipes);
    job.command.stream = false;
    for (std::uint32_t slot = 0; slot < 8 * pipes; ++slot)
      edit_record(job, slot, [&](ppu_row& row) {
        row.body_a = slot / pipes == 7 ? PPU_NONE : slot;
        row.body_b = PPU_NONE;
        row.parent = slot / pipes == 2 ? 0 : PPU_NONE;
      });
    job.words = {
        word(Opcode::kLi, kLimit, 0, limit),
        word(Opcode::kBudget, kLimit),
        word(Opcode::kTagall),
        word(Opcode::kTagnext),
        word(Opcode::kKernel, 0, 0, 7),
        word(Opcode::kRows, 0, kCount),
        word(Opcode::kHalt),
        std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control_of({"filter", "bounds"}),
        word(Opcode::kKernelEnd)};
    job.command.program_words = static_cast<std::uint32_t>(job.words.size());
    job.command.entry = 16;
    ASSERT_TRUE(agree(job)) << limit;
    filtered.insert(counters_[PPU_COUNTER_ROWS_FILTERED]);
  }
  EXPECT_EQ(filtered.count(pipes), 1U);
}

TEST_P(Engine, EndsACancelledRunAndWritesNothing) {
  std::size_t cancelled = 0;
  for (std::uint64_t round = 0, cycle = kStartCycle + 1; round < options().rounds;
       cycle += 1 + 15 * (cycle % 9)) {
    if (cycle >= 1500) {
      cycle = kStartCycle + 1 + ++round;
      continue;
    }
    EngineJob job = make(60, 30);
    job.cancel_cycle = cycle;
    ASSERT_TRUE(agree(job)) << cycle;
    const EngineOutcome outcome = bench_->run(job);
    if (outcome.report.status != PPU_RUN_OK) {
      ++cancelled;
      EXPECT_EQ(outcome.report.status, PPU_RUN_CANCELLED);
      EXPECT_EQ(outcome.memory, job.memory);
      EXPECT_EQ(outcome.report.fault_row, PPU_NONE);
      EXPECT_EQ(outcome.report.counters, hw::Counters{});
    }
    ASSERT_TRUE(agree(make(20, 10)));
  }
  EXPECT_GT(cancelled, 10U);
}

// Whether its rows are resident, streamed or copied while it runs.
TEST_P(Engine, ARunThatIsCancelledInTheCycleOfItsStartDoesNothing) {
  for (int round = 0; round < 6; ++round) {
    EngineJob job = make(60, 30);
    job.command.stream = round % 2 != 0;
    job.command.chained = job.command.early = round % 3 == 0;
    job.cancel_cycle = kStartCycle;
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, PPU_RUN_CANCELLED);
    EXPECT_EQ(rtl_.memory, job.memory);
    EXPECT_EQ(rtl_.report.fault_row, PPU_NONE);
    EXPECT_EQ(rtl_.report.counters, hw::Counters{});
    const auto phase = [](std::uint64_t cycle, spec::EnginePhase which) {
      return Event{cycle, hw::TraceKind::kEnginePhase, static_cast<std::uint64_t>(which), 0};
    };
    // No load begins, and so no beat is requested.
    EXPECT_EQ(rtl_.events, (std::vector{phase(kStartCycle + 1, spec::EnginePhase::kAbort),
                                        phase(kStartCycle + 2, spec::EnginePhase::kDone)}));
    EXPECT_EQ(run_model(bench_->config(), job).events, rtl_.events);
    ASSERT_TRUE(agree(make(20, 10)));
    EXPECT_EQ(status_, PPU_RUN_OK);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Engine, testing::ValuesIn(engine_shapes()),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace ppu::test
