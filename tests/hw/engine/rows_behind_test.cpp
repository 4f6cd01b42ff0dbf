// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs that do not wait for their rows, which follow far behind: the timed engine still ends
// and cuts passes as a clock-by-clock engine does.
#include <gtest/gtest.h>

#include "tests/hw/support/end_job.hpp"

namespace ppu::hw::test {
namespace {

TEST(RowsBehind, RowsGoOnUntilTheFaultThoughTheProgramHasEnded) {
  std::string source = "kernel plain\nrows zero, a0\n";
  for (int n = 0; n < 200; ++n) source += "signal a0\n";
  source += "halt\n" + kernel("plain", {});
  std::vector<ppu_row> rows = EndJob::some_rows();
  rows[2].bias = kBadBias;
  for (const bool stream : {false, true}) {
    Job job(rows, EndJob::kBodies, source);
    job.command.stream = stream;
    EXPECT_EQ(judge_any(job, rows, slot_order("default"), 1).fault_row, 2U);
  }
}

TEST(RowsBehind, AProgramThatDoesNotWaitForItsRowsIsCancelledInAnyCycle) {
  const Config config = slot_order("small", {"lanes=12", "row_memory_rows=32"});
  for (const Kind& kind : kKinds) {
    const std::string source =
        "tagall\ntagnext\nkernel k\nrows zero, a0\nrows zero, a0\n"
        "again: addi t0, t0, 1\nsignal t0\nj again\n" +
        kernel("k", {kind.filtered, false, false, kind.reduced});
    const std::vector<ppu_row> rows = EndJob::some_rows();
    Job whole(rows, EndJob::kBodies, source, kind.reduced);
    whole.command.stream = kind.streamed;
    const std::uint64_t origin = origin_of(EndJob(kind, rows).job, config, 1);
    for (std::uint64_t cycle = origin; cycle < origin + 300; cycle += 9) {
      Job job = whole;
      EXPECT_EQ(judge_any(job, rows, config, 1, cycle).status, PPU_RUN_CANCELLED);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(RowsBehind, RowsAreCutAndFaultFarBehindTheProgram) {
  // A beat takes 4,000 cycles, the loop before `budget` 300,000.
  constexpr std::uint64_t kPace = 4000;
  const std::string source =
      "kernel plain\nrows zero, a0\nli t1, 150\nouter: li t0, 1000\n"
      "inner: addi t0, t0, -1\nbne t0, zero, inner\naddi t1, t1, -1\nbne t1, zero, outer\n"
      "signal t0\nbudget a7\nrdlate t0\nsignal t0\nwait\nrdlate t0\nsignal t0\nhalt\n" +
      kernel("plain", {});
  for (const std::uint32_t fault : {0U, 10U, 35U, 70U}) {
    std::vector<ppu_row> rows = random_rows(100, EndJob::kBodies, 3);
    rows[fault].bias = kBadBias;
    Job job(rows, EndJob::kBodies, source);
    job.command.stream = true;
    job.command.arguments[7] = 310'000;
    const Config config = slot_order("default", {"memory_port_beats=1"});
    const RunReport report = judge_any(job, rows, config, kPace);
    EXPECT_EQ(report.status, fault < 38U ? PPU_RUN_ROW_FAULT : PPU_RUN_OK);
  }
}

/// With an observer an engine takes few instructions and rows at a time.
class Watcher final : public RowObserver {
 public:
  void begin_run(std::uint64_t) override {}
  void on_row(const RowEvent&) override { ++rows_; }
  void on_drained(std::uint64_t) override {}
  void on_residual(float) override {}
  [[nodiscard]] std::uint64_t rows_checked() const override { return rows_; }

 private:
  std::uint64_t rows_ = 0;
};

TEST(RowsBehind, ABudgetIsExactHoweverFarTheRowsAreBehind) {
  const Config config = slot_order("small", {"lanes=12", "row_memory_rows=128"});
  const std::vector<ppu_row> rows = filter_rows(100, 12, 1, true);
  for (const Kind& kind : kKinds)
    for (const std::uint64_t pace : {1U, 3U})
      for (int instructions = 180; instructions < 440; instructions += 3) {
        std::string source = "tagall\ntagnext\nli t0, 1\nkernel k\nrows zero, a0\n";
        for (int n = 0; n < instructions; ++n) source += n % 4 == 0 ? "signal a0\n" : "li t2, 2\n";
        source += "budget t0\nrdlate t1\nsignal t1\nhalt\n" +
                  kernel("k", {kind.filtered, false, false, kind.reduced});
        Job job(rows, 12, source, kind.reduced);
        job.command.stream = kind.streamed;
        Watcher watcher;
        const RunReport report = judge_any(job, rows, config, pace, kNever, &watcher);
        EXPECT_EQ(report.counters[PPU_COUNTER_PASSES_CUT], 1U);
        EXPECT_GT(report.counters[PPU_COUNTER_ROW_UPDATES], 5U);
        EXPECT_EQ(report.counters[PPU_COUNTER_ROW_UPDATES], watcher.rows_checked());
        ASSERT_FALSE(HasFailure()) << instructions;
      }
}

TEST(RowsBehind, ABudgetEndsASearchFarBehindTheProgram) {
  // No body is tagged: 4000 rows take 500 cycles.
  const Config config = slot_order("small", {"row_memory_rows=4096"});
  const std::vector<ppu_row> rows = random_rows(4000, 12, 1);
  for (int instructions = 180; instructions < 440; instructions += 7) {
    std::string source = "li t0, 1\nkernel k\nrows zero, a0\n";
    for (int n = 0; n < instructions; ++n) source += "signal a0\n";
    source += "budget t0\nwait\nhalt\n" + kernel("k", {true});
    Job job(rows, 12, source);
    Watcher watcher;
    const RunReport report = judge_any(job, rows, config, 1, kNever, &watcher);
    EXPECT_EQ(report.counters[PPU_COUNTER_PASSES_CUT], 1U);
    EXPECT_GT(report.counters[PPU_COUNTER_ROWS_FILTERED], 1000U);
    ASSERT_FALSE(HasFailure()) << instructions;
  }
}

}  // namespace
}  // namespace ppu::hw::test
