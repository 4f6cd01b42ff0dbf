// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Corners of an engine in which mistakes hid from jobs made at random: each has a job that goes
// there.
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "tests/rtl/engine/engine_flips.hpp"

namespace ppu::test {
namespace {

using spec::Opcode;
class Corners : public Engine {
 protected:
  using Bodies = std::pair<std::uint32_t, std::uint32_t>;
  using Words = std::vector<std::uint32_t>;

  static constexpr std::uint32_t kCount = spec::kFirstArgumentRegister;
  static constexpr std::uint32_t kMark =
      kCount + static_cast<std::uint32_t>(spec::Argument::kMarkThreshold);
  /// The first register that is no argument's.
  static constexpr std::uint32_t kFree = spec::kFirstArgumentRegister + spec::kArgumentCount;
  static constexpr std::uint32_t kAllRows = word(Opcode::kRows, 0, kCount);

  static std::uint32_t control_field(std::string_view name, std::uint32_t value) {
    for (const spec::ControlField& field : spec::kControlFields)
      if (field.name == name) return value << field.lsb;
    throw std::runtime_error("no such field");
  }

  [[nodiscard]] std::uint32_t capacity() const { return bench_->config().row_memory_rows; }

  /// A job whose rows have no parents, are not in the reduced form, and change little.
  [[nodiscard]] EngineJob plain(std::uint32_t rows, std::uint32_t bodies) {
    EngineJob job = make(rows, bodies);
    while (job.command.reduced) job = make(rows, bodies);
    job.command.stream = false;
    argument(job, spec::Argument::kBudgetCycles) = 0;
    job.pace = MemoryPace(1, 0, 0);
    each(job, [](std::uint32_t, ppu_row& row) {
      row.parent = PPU_NONE;
      row.lower = -kInfinity;
      row.upper = kInfinity;
    });
    return job;
  }

  /// The same with the bodies that `of` gives each slot.
  template <class Of>
  [[nodiscard]] EngineJob plain(std::uint32_t rows, std::uint32_t bodies, Of of) {
    EngineJob job = plain(rows, bodies);
    each(job, [of](std::uint32_t slot, ppu_row& row) {
      std::tie(row.body_a, row.body_b) = Bodies(of(slot));
    });
    return job;
  }

  template <class Edit>
  static void each(EngineJob& job, Edit edit) {
    for (std::uint32_t slot = 0; slot < job.command.row_count; ++slot)
      edit_record(job, slot, [&](ppu_row& row) { edit(slot, row); });
  }

  static std::uint32_t& argument(EngineJob& job, spec::Argument index) {
    return job.command.arguments[static_cast<std::size_t>(index)];
  }

  /// Loads a kernel that updates rows, and executes these words.
  static void program(EngineJob& job, Words words, std::uint32_t more_control = 0) {
    const std::uint32_t control =
        control_of({"step", "axpy", "store_velocity", "store_impulse"}) | more_control;
    words.insert(words.begin(),
                 word(Opcode::kKernel, 0, 0, static_cast<std::uint32_t>(words.size()) + 2));
    words.push_back(word(Opcode::kHalt));
    words.push_back(std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control);
    words.push_back(word(Opcode::kKernelEnd));
    bare_program(job, words);
  }
  static void bare_program(EngineJob& job, const Words& words) {
    job.words = words;
    job.command.program_words = static_cast<std::uint32_t>(words.size());
    job.command.entry = 16;
  }

  static Bodies own(std::uint32_t slot) { return {slot, PPU_NONE}; }

  /// Passes of one row, one after the other.
  static void short_passes(EngineJob& job, std::uint32_t control = 0) {
    Words words;
    for (std::uint32_t n = 0; n < 7; ++n) words.push_back(word(Opcode::kLi, kFree + n, 0, n + 1));
    words.push_back(word(Opcode::kRows, 0, kFree));
    for (std::uint32_t n = 0; n < 7; ++n) words.push_back(word(Opcode::kRows, kFree + n, kFree));
    program(job, words, control);
  }

  /// Three searches; each time the rows that are live are those of which `picked` is true.
  template <class Picked>
  [[nodiscard]] EngineJob searches(std::uint32_t rows, std::uint32_t bodies, Picked picked) {
    // Bodies as far apart as there are; every other row has it as its body b.
    EngineJob job = plain(rows, bodies, [=](std::uint32_t slot) {
      const std::uint32_t body = slot * (bodies / rows);
      return slot % 2 == 0 ? Bodies(body, PPU_NONE) : Bodies(PPU_NONE, body);
    });
    // Between what the bodies of rows that are picked change by and the rate of every row.
    const float threshold = 10;
    std::memcpy(&argument(job, spec::Argument::kMarkThreshold), &threshold, sizeof threshold);
    each(job, [picked](std::uint32_t slot, ppu_row& row) {
      std::fill(std::begin(row.jacobian), std::end(row.jacobian), 0.0F);
      std::fill(std::begin(row.inv_mass_jacobian), std::end(row.inv_mass_jacobian),
                picked(slot) ? 1000.0F : 0.0F);
      row.bias = 3;
    });
    program(job,
            {word(Opcode::kSetmark, kMark), word(Opcode::kTagall), word(Opcode::kTagnext), kAllRows,
             word(Opcode::kTagnext), kAllRows, word(Opcode::kTagnext), kAllRows},
            control_of({"filter", "mark"}));
    return job;
  }

  /// Ends in each of these cycles, and the next run must not notice.
  void expect_nothing_left(EngineJob job, const EngineJob& next, std::uint64_t step) {
    job.cancel_cycle = ~std::uint64_t{0};
    ASSERT_TRUE(agree(job));
    const std::uint64_t end =
        kStartCycle + counters_[PPU_COUNTER_CYCLES] + counters_[PPU_COUNTER_LOAD_CYCLES] + 4;
    std::size_t cancelled = 0;
    for (job.cancel_cycle = kStartCycle + 2; job.cancel_cycle < end; job.cancel_cycle += step) {
      ASSERT_TRUE(agree(job)) << job.cancel_cycle;
      cancelled += status_ == PPU_RUN_CANCELLED ? 1 : 0;
      // From the next cycle on no row issues.
      for (const Event& event : rtl_.events) {
        if (event.kind == hw::TraceKind::kRowIssue && status_ == PPU_RUN_CANCELLED) {
          ASSERT_LE(event.cycle, job.cancel_cycle);
        }
      }
      ASSERT_TRUE(agree(next)) << job.cancel_cycle;
    }
    EXPECT_GT(cancelled, 5U);
  }
};

TEST_P(Corners, HoldAsManyRowsAsFit) {
  for (const std::uint32_t rows : {capacity() - 1, capacity(), capacity() + 1}) {
    EngineJob job = plain(rows, 20);
    program(job, {kAllRows});
    ASSERT_TRUE(agree(job));
  }
}

TEST_P(Corners, TakeTheirRowsFromACopy) {
  for (std::uint32_t turn = 0; turn < 16; ++turn) {
    EngineJob job = make(30, 12);
    job.command.stream = turn >= 8;
    job.command.chained = true;
    job.command.early = turn % 2 != 0;
    job.copies = MemoryPace(turn, 20 * (turn % 4), 0);
    ASSERT_TRUE(agree(job));
  }
}

TEST_P(Corners, KeepPassesOfFewRowsApart) {
  for (const bool stream : {false, true}) {
    EngineJob job = plain(8, 8, own);
    job.command.stream = stream;
    short_passes(job);
    ASSERT_TRUE(agree(job));
  }
}

TEST_P(Corners, NameTheFirstOfTwoRowsThatFaultInShortPasses) {
  for (std::uint32_t first = 0; first < 7; ++first)
    for (std::uint32_t second = first + 1; second < 8; ++second) {
      EngineJob job = plain(8, 8, own);
      job.command.stream = true;
      for (const std::uint32_t slot : {first, second})
        edit_record(job, slot, [](ppu_row& row) { row.bias = kInfinity; });
      short_passes(job);
      ASSERT_TRUE(agree(job));
      EXPECT_EQ(status_, PPU_RUN_ROW_FAULT);
    }
}

// Row 4 gives a token to row 5, of its own pass, and one to row 0 of the next pass, at once.
TEST_P(Corners, NameTheRowOfTheEarlierPass) {
  for (std::uint32_t early = 3; early < 6; ++early)
    for (std::uint32_t late = 0; late < 3; ++late) {
      constexpr std::array<Bodies, 6> kBodies = {
          {{4, PPU_NONE}, {1, PPU_NONE}, {2, PPU_NONE}, {3, PPU_NONE}, {4, 5}, {PPU_NONE, 5}}};
      EngineJob job = plain(6, 6, [&](std::uint32_t slot) { return kBodies.at(slot); });
      job.command.stream = true;
      for (const std::uint32_t slot : {early, late})
        edit_record(job, slot, [](ppu_row& row) { row.bias = kInfinity; });
      program(job, {word(Opcode::kLi, kFree, 0, 3), word(Opcode::kRows, kFree, kFree),
                    word(Opcode::kRows, 0, kFree), word(Opcode::kWait)});
      ASSERT_TRUE(agree(job));
      EXPECT_EQ(status_, PPU_RUN_ROW_FAULT);
    }
}

// The second pass begins in every cycle in which rows of the first one may leave.
TEST_P(Corners, NameTheFirstRowThatFaultsWhenAPassBegins) {
  for (std::uint32_t wait = 0; wait < 60; wait += 1) {
    EngineJob job = plain(12, 12, own);
    job.command.stream = true;
    for (const std::uint32_t slot : {2U, 7U})
      edit_record(job, slot, [](ppu_row& row) { row.bias = kInfinity; });
    Words words(wait, word(Opcode::kAddi, kFree, kFree, 1));
    words.insert(words.begin(), kAllRows);
    words.push_back(kAllRows);
    program(job, words);
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(rtl_.report.fault_row, 2U);
  }
}

TEST_P(Corners, TellWhatIsWrongWithARow) {
  const std::vector<std::function<void(ppu_row&)>> edits = {
      [](ppu_row& row) { row.lower = 2, row.upper = 1; },
      [](ppu_row& row) { row.bias = 100, row.inv_mass_jacobian[2] = 3e38F; },
      [](ppu_row& row) { row.bias = 100, row.inv_mass_jacobian[8] = kNan; },
      [](ppu_row& row) { row.inv_diagonal = kInfinity; },
      [](ppu_row& row) { row.bias = 3e38F, row.inv_diagonal = 3; },
  };
  std::set<std::uint32_t> details;
  for (const auto& edit : edits) {
    EngineJob job =
        plain(12, 24, [](std::uint32_t slot) { return Bodies(2 * slot, 2 * slot + 1); });
    edit_record(job, 5, edit);
    program(job, {kAllRows}, control_field("clamp", 2));
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, PPU_RUN_ROW_FAULT);
    details.insert(rtl_.report.fault_detail);
  }
  EXPECT_GE(details.size(), 3U);
}

TEST_P(Corners, TellOfEachBadRowWhatIsBad) {
  for (const std::uint32_t value : {20U, 33U, 20U, 27U}) {
    EngineJob job = plain(20, 20);
    edit_record(job, 11, [value](ppu_row& row) { row.body_b = value; });
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(rtl_.report.fault_value, value);
  }
}

TEST_P(Corners, SearchAmongManyRows) {
  const std::uint32_t rows = std::min(capacity(), 48U);
  for (const std::uint32_t apart : {1U, 2U, 3U, 4U, 7U, 11U, 17U})
    for (const std::uint32_t bodies : {rows, 5 * rows})
      ASSERT_TRUE(agree(searches(
          rows, bodies, [apart](std::uint32_t slot) { return slot % apart == apart / 2; })));
}

TEST_P(Corners, SearchAmongRowsWithFlippedBits) {
  if (bench_->config().memory_protection == 0) return;
  std::size_t corrected = 0;
  for (std::uint32_t slot = 0; slot < 16; ++slot)
    for (const bool two : {false, true}) {
      EngineJob job = searches(16, 16, [](std::uint32_t row) { return row % 3 != 1; });
      job.flip = flip_of(PPU_FAULT_ROW_BODIES, slot, 0, slot, two);
      ASSERT_TRUE(agree(job)) << slot;
      corrected += counters_[PPU_COUNTER_WORDS_CORRECTED];
    }
  EXPECT_GT(corrected, 16U);
}

TEST_P(Corners, LeaveNothingOfASearch) {
  const auto some = [](std::uint32_t slot) { return slot % 3 != 1; };
  expect_nothing_left(searches(16, 16, some), searches(8, 8, some), 5);
}

TEST_P(Corners, LeaveNothingOfTwoPasses) {
  for (const bool stream : {false, true}) {
    EngineJob job = plain(12, 12, own);
    program(job, {kAllRows, kAllRows, kAllRows});
    EngineJob next = plain(3, 3, own);
    program(next, {kAllRows, kAllRows});
    job.command.stream = next.command.stream = stream;
    ASSERT_NO_FATAL_FAILURE(expect_nothing_left(job, next, 9));
  }
}

// In each four rows one waits for both others that have a body, which issue at once where there are
// two pipes, or one after the other.
TEST_P(Corners, WaitForTwoTokensThatComeAtOnce) {
  for (const std::uint32_t turned : {0U, 1U})
    for (const std::uint32_t waits : {2U, 3U}) {
      EngineJob job = plain(32, 16, [=](std::uint32_t slot) {
        const std::uint32_t body = slot / 4 * 2;
        if (slot % 4 == 0) return Bodies(body, PPU_NONE);
        if (slot % 4 == 1) return Bodies(PPU_NONE, body + 1);
        if (slot % 4 != waits) return Bodies(PPU_NONE, PPU_NONE);
        return Bodies(body + turned, body + 1 - turned);
      });
      program(job, {kAllRows, kAllRows, kAllRows});
      ASSERT_TRUE(agree(job));
    }
}

TEST_P(Corners, LetManyRowsWaitForTheirPipe) {
  const std::uint32_t rows = std::min(capacity(), 48U);
  for (const bool stream : {false, true}) {
    EngineJob job = plain(rows, rows, own);
    job.command.stream = stream;
    program(job, {kAllRows, kAllRows});
    ASSERT_TRUE(agree(job));
  }
}

// Both bodies of a row lie in one bank, and the next row has the second of them.
TEST_P(Corners, WriteTwoBodiesOfABankBeforeTheNextRow) {
  const std::uint32_t banks = bench_->config().velocity_banks;
  for (std::uint32_t turn = 0; turn < 4; ++turn) {
    EngineJob job = plain(16, 4 * banks, [=](std::uint32_t slot) {
      const std::uint32_t body = slot / 4 % 2;
      if (slot % 4 == 0) return Bodies(body, body + banks);
      if (slot % 4 != 1 + turn % 2) return Bodies(PPU_NONE, PPU_NONE);
      return turn < 2 ? Bodies(body + banks, PPU_NONE) : Bodies(PPU_NONE, body + banks);
    });
    program(job, {kAllRows, kAllRows});
    ASSERT_TRUE(agree(job));
  }
}

TEST_P(Corners, TellOfEachInstructionThatIsLost) {
  if (bench_->config().memory_protection == 0) return;
  EngineJob job = plain(4, 4, own);
  program(job, {word(Opcode::kLi, kFree, 0, 7), word(Opcode::kAddi, kFree, kFree, 1),
                word(Opcode::kSignal, kFree), kAllRows, word(Opcode::kWait)});
  for (std::uint32_t at = 0; at < job.command.program_words; ++at)
    for (const bool two : {false, true}) {
      job.flip = flip_of(PPU_FAULT_INSTRUCTION_MEMORY, job.command.entry + at, 0, at, two);
      ASSERT_TRUE(agree(job)) << at;
      EXPECT_EQ(status_, two ? PPU_RUN_MEMORY_FAULT : PPU_RUN_OK) << at;
    }
}

TEST_P(Corners, TellOfEachWordThatIsLostWithoutARow) {
  if (bench_->config().memory_protection == 0) return;
  const bool flows = bench_->config().dataflow != 0;
  for (const ppu_fault_detail memory :
       {PPU_FAULT_IMPULSE_MEMORY, PPU_FAULT_VELOCITY_MEMORY, PPU_FAULT_ROW_BODIES})
    for (std::uint32_t at = 0; at < 6; ++at) {
      EngineJob job = plain(6, 6, own);
      bare_program(job, {word(Opcode::kHalt)});
      job.flip = flip_of(memory, at, 0, at, true);
      ASSERT_TRUE(agree(job)) << memory << ", word " << at;
      if (memory != PPU_FAULT_ROW_BODIES || flows) {
        EXPECT_EQ(status_, PPU_RUN_MEMORY_FAULT) << memory << ", word " << at;
      }
    }
}

TEST_P(Corners, TellOfEachVelocityThatIsLost) {
  if (bench_->config().memory_protection == 0) return;
  for (std::uint32_t body = 0; body < 8; ++body)
    for (const bool two : {false, true}) {
      EngineJob job =
          plain(4, 8, [](std::uint32_t slot) { return Bodies(2 * slot + 1, 2 * slot); });
      program(job, {kAllRows});
      job.flip = flip_of(PPU_FAULT_VELOCITY_MEMORY, body, body % 3, body, two);
      ASSERT_TRUE(agree(job)) << body;
      EXPECT_EQ(status_, two ? PPU_RUN_MEMORY_FAULT : PPU_RUN_OK) << body;
    }
}

TEST_P(Corners, StoreVelocitiesWithoutRows) {
  for (std::uint32_t bodies = 1; bodies < 9; ++bodies) {
    EngineJob job = plain(0, bodies);
    bare_program(job, {word(Opcode::kHalt)});
    ASSERT_TRUE(agree(job));
  }
}

// The last rows of the sweep give their tokens to as many rows of one pipe, which come there one
// after the other. A search, which leaves out every row but some, begins before.
TEST_P(Corners, ForgetTokensUnderWayWhenASearchBegins) {
  const std::uint32_t pipes = bench_->config().pipes;
  const std::uint32_t waves = std::min(capacity() / pipes, pipes) / 2 * 2;
  const std::uint32_t rows = waves * pipes;
  EngineJob job = plain(rows, 2 * pipes, [=](std::uint32_t slot) {
    const std::uint32_t wave = slot / pipes, pipe = slot % pipes;
    if (wave + 1 == waves) return Bodies(pipe, PPU_NONE);
    return pipe == 0 ? Bodies(wave, PPU_NONE) : Bodies(PPU_NONE, PPU_NONE);
  });
  const std::uint32_t kernel = std::uint32_t{spec::kKernelOps[0].opcode} << 24U;
  const std::uint32_t control = control_of({"step", "axpy", "store_velocity", "store_impulse"});
  const std::uint32_t end = word(Opcode::kKernelEnd);
  bare_program(job, {word(Opcode::kTagall), word(Opcode::kTagnext), word(Opcode::kKernel, 0, 0, 7),
                     kAllRows, word(Opcode::kKernel, 0, 0, 9), kAllRows, word(Opcode::kHalt),
                     kernel | control, end, kernel | control | control_of({"filter"}), end});
  ASSERT_TRUE(agree(job));
  EXPECT_EQ(status_, PPU_RUN_OK);
}

// Until then the run can be cancelled.
TEST_P(Corners, TellOfAWordThatIsLostWhenItsRowLeaves) {
  if (bench_->config().memory_protection == 0) return;
  EngineJob job = plain(4, 4, own);
  program(job, {kAllRows});
  std::size_t cancelled = 0, lost = 0;
  for (job.cancel_cycle = kStartCycle + 20; job.cancel_cycle < kStartCycle + 110;
       ++job.cancel_cycle) {
    job.flip = flip_of(PPU_FAULT_ROW_JACOBIAN, 0, 0, 3, true);
    ASSERT_TRUE(agree(job)) << job.cancel_cycle;
    cancelled += status_ == PPU_RUN_CANCELLED ? 1 : 0;
    lost += status_ == PPU_RUN_MEMORY_FAULT ? 1 : 0;
  }
  EXPECT_GT(cancelled, 0U);
  EXPECT_GT(lost, 0U);
}

// Each branch waits for the rows of the maximum that it leaves; the run after it for none.
TEST_P(Corners, ChangeTheMaximumWhileRowsAreUnderWay) {
  for (std::uint32_t rows = 1; rows < 6; ++rows)
    for (const bool stream : {false, true}) {
      EngineJob job = plain(rows, rows, own);
      job.command.stream = stream;
      const auto change = [](std::uint32_t at) { return word(Opcode::kBmax, 0, 0, at + 1); };
      program(job, {kAllRows, change(2), kAllRows, change(4), kAllRows, change(6), change(7)},
              control_field("resid", 2));
      ASSERT_TRUE(agree(job));
      program(job, {kAllRows, word(Opcode::kWait), change(3)}, control_field("resid", 2));
      ASSERT_TRUE(agree(job));
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Corners, testing::ValuesIn(engine_shapes()),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace ppu::test
