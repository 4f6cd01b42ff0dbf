// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The stepping engine ends where the device ends, follows its log row by row, sees every difference
// from it, and goes to and fro in a run.
#include <gtest/gtest.h>

#include <limits>

#include "tests/hw/support/filter_programs.hpp"
#include "tests/hw/support/stepped_job.hpp"

namespace ppu::hw::test {
namespace {

using At = SteppingEngine::At;

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const firmware::Program& shipped : firmware::programs()) names.emplace_back(shipped.name);
  return names;
}

bool takes_reduced_rows(const std::string& name) {
  return program(name).find(", r.J\n") != std::string::npos ||
         program(name).find(", r.J ") != std::string::npos;
}

/// Three sweeps of a shipped program over random rows.
Job job_of(const std::string& name, unsigned seed) {
  const bool reduced = takes_reduced_rows(name);
  Job job(filter_rows(150, 40, seed, reduced), 40, program(name), reduced);
  job.command.arguments[2] = name == "classes" ? 2 : bits_of(0.01F);
  job.command.arguments[3] = seed % 2;
  job.command.arguments[4] = name == "classes" ? 50 : bits_of(0.02F);
  job.command.arguments[5] = 4;
  job.command.arguments[6] = name == "classes" ? 60 : 0;
  return job;
}

class EveryShippedProgram : public testing::TestWithParam<std::string> {};

TEST_P(EveryShippedProgram, EndsWithTheBitsOfTheDevice) {
  for (unsigned seed = 1; seed <= 4; ++seed)
    for (const bool timed : {false, true}) {
      SteppedJob job(job_of(GetParam(), seed), resolve_config("default"), timed);
      ASSERT_EQ(job.report.status, PPU_RUN_OK);
      expect_same_end(job);
    }
}

TEST_P(EveryShippedProgram, FollowsManyPipesAndStreamedRows) {
  for (const char* pipes : {"pipes=2", "pipes=8"})
    for (const char* memory : {"row_memory_rows=16", "row_memory_rows=1024"}) {
      const Config config = resolve_config("default", {pipes, "lanes=4", memory});
      SteppedJob job(job_of(GetParam(), 2), config, true);
      expect_same_end(job);
    }
}

TEST_P(EveryShippedProgram, IsCutWhereTheBudgetHasCutTheDevice) {
  if (GetParam() == "pgs" || GetParam() == "nesterov") return;  // They take no budget.
  int cut = 0;
  for (std::uint32_t budget = 1; budget < 6000; budget += 97) {
    Job limited = job_of(GetParam(), 1);
    limited.command.arguments[7] = budget;
    SteppedJob job(limited, resolve_config("default", {"pipes=2"}), true);
    expect_same_end(job);
    ASSERT_FALSE(HasFailure()) << "budget " << budget;
    cut += job.observed.passes_cut > 0 ? 1 : 0;
  }
  EXPECT_GT(cut, 20);
}

INSTANTIATE_TEST_SUITE_P(Firmware, EveryShippedProgram, testing::ValuesIn(shipped_names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(SteppingEngine, IsCutBehindTheLastRowOfAPassThatIssues) {
  for (const char* memory : {"row_memory_rows=16", "row_memory_rows=1024"})
    for (const bool again : {false, true}) {
      int over_budget = 0;
      for (unsigned seed = 1; seed <= 3; ++seed)
        for (std::uint32_t budget = 100; budget < 9000; budget += 17) {
          FilterJob filter(60, 100, seed, 0.3F, false, again);
          filter.job.command.arguments[7] = budget;
          SteppedJob job(filter.job, resolve_config("default", {memory}), true);
          expect_same_end(job);
          ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << " budget " << budget;
          over_budget += job.observed.passes_cut > 0 ? 1 : 0;
        }
      EXPECT_GT(over_budget, 500);
    }
}

TEST(SteppingEngine, IsCutInPassesThatWereInTheQueueBeforeTheBudgetWasSet) {
  const std::string source =
      "kernel plain\nrows zero, a0\nrows zero, a0\nli t0, 1\nbudget t0\n"
      "spin: rdlate t1\nbeq t1, zero, spin\nsignal t1\nhalt\n" +
      kernel("plain", {});
  SteppedJob job(Job(random_rows(24, 12, 3), 12, source), resolve_config("default"), true);
  EXPECT_EQ(job.observed.passes_cut, 2U);
  EXPECT_EQ(job.observed.rdlate_values.front(), 0U);
  EXPECT_EQ(job.observed.rdlate_values.back(), 2U);
  expect_same_end(job);
}

/// What a device makes of a job that fails is what the walk makes of it.
void expect_same_failure(const std::vector<ppu_row>& rows, const std::string& source,
                         const std::vector<std::string>& overrides, ppu_run_status status) {
  for (const bool timed : {false, true}) {
    SteppedJob job(Job(rows, 40, source), resolve_config("default", overrides), timed);
    ASSERT_EQ(job.report.status, status);
    expect_same_end(job);
  }
}

TEST(SteppingEngine, EndsWithTheFailureOfTheDevice) {
  std::vector<ppu_row> faulty = random_rows(100, 40, 1);
  faulty[60].bias = std::numeric_limits<float>::infinity();
  std::vector<ppu_row> bad = random_rows(100, 40, 1);
  bad[60].body_b = 40;
  const std::string boxed = program("boxed");
  for (const char* memory : {"row_memory_rows=16", "row_memory_rows=1024"}) {
    expect_same_failure(faulty, boxed, {memory}, PPU_RUN_ROW_FAULT);
    expect_same_failure(bad, boxed, {memory}, PPU_RUN_BAD_ROW);
    expect_same_failure(random_rows(100, 40, 1), "rows zero, a0\nhalt\n", {memory},
                        PPU_RUN_ILLEGAL_INSTRUCTION);
  }
}

TEST(SteppingEngine, ShowsWhatTheRowAtHandWillDo) {
  SteppedJob job(job_of("filter", 1), resolve_config("default"), true);
  SteppingEngine& engine = *job.engine;
  int rows = 0;
  for (; engine.at() != At::kEnd; engine.step()) {
    if (engine.at() != At::kRow) continue;
    ++rows;
    const std::uint32_t slot = engine.state().pass.next;
    const model::RowResult shown = engine.result(slot);
    const bool stored = engine.state().pass.kernel.stores_impulse();
    const float before = engine.state().set.impulses[slot];
    ASSERT_EQ(engine.times()->slot, slot);
    engine.step();
    ASSERT_EQ(engine.state().set.impulses[slot], stored ? shown.impulse : before);
  }
  EXPECT_GT(rows, 150);
}

TEST(SteppingEngine, KnowsThatARowWaitedForABodyOfTheRowBeforeIt) {
  std::vector<ppu_row> rows = random_rows(2, 4, 1);
  rows[0].body_a = rows[1].body_a = 2;
  rows[0].body_b = rows[1].body_b = rows[0].parent = rows[1].parent = PPU_NONE;
  const Config config = resolve_config("default");
  SteppedJob job(Job(rows, 4, program("boxed")), config, true);
  while (job.engine->state().pass.next != 1) job.engine->step();
  const SteppingEngine::Waits waits = job.engine->waits();
  EXPECT_EQ(waits.issue, waits.bodies);
  EXPECT_EQ(waits.issue, waits.turn + static_cast<std::uint64_t>(body_latency(config)));
  EXPECT_LT(waits.impulses, waits.issue);
}

/// What the walk says after `change` to the log of the device.
template <class Change>
std::string mismatch_after(Change change) {
  SteppedJob job(job_of("boxed", 1), resolve_config("default", {"pipes=2"}), true);
  change(job.observed);
  const StepHistory history(*job.engine, kManySteps);
  return history.end().mismatch;
}

TEST(SteppingEngine, SeesEveryDifferenceFromTheLog) {
  const auto mismatch_after_rows = [](auto change) {
    return mismatch_after([&change](ObservedRun& observed) { change(observed.rows); });
  };
  using Rows = std::vector<RowTimes>;
  EXPECT_EQ(mismatch_after([](ObservedRun&) {}), "");
  EXPECT_NE(mismatch_after([](ObservedRun& o) {
              ++o.rdlate_values.front();
            }).find("`rdlate` has read 1 passes, expected 0"),
            std::string::npos);
  EXPECT_NE(mismatch_after([](ObservedRun& o) {
              o.rdlate_values.clear();
            }).find("has executed no more of them"),
            std::string::npos);
  EXPECT_NE(mismatch_after_rows([](Rows& r) {
              std::swap(r[20].slot, r[22].slot);
            }).find("the walk comes to slot 20 on pipe 0, but the device issued slot 22"),
            std::string::npos);
  EXPECT_NE(mismatch_after_rows([](Rows& r) { r[30].pipe ^= 1U; }).find("slot 30 on pipe 1"),
            std::string::npos);
  EXPECT_NE(mismatch_after_rows([](Rows& r) { ++r[30].write; }).find("was written in cycle"),
            std::string::npos);
  EXPECT_NE(mismatch_after_rows([](Rows& r) {
              --r[149].issue;
              --r[149].write;
            }).find("what it waits for"),
            std::string::npos);
  EXPECT_NE(mismatch_after_rows([](Rows& r) { r.pop_back(); }).find("has issued no more row"),
            std::string::npos);
  EXPECT_NE(
      mismatch_after_rows([](Rows& r) { r.push_back(r.back()); }).find("1 more rows, slot 149"),
      std::string::npos);
}

TEST(SteppingEngine, GivesUpWhereTheDeviceHasEnded) {
  SteppedJob job(job_of("boxed", 1), resolve_config("default"), true);
  const StepHistory history(*job.engine, 100);
  EXPECT_EQ(history.steps(), 100U);
  EXPECT_NE(history.end().mismatch.find("goes on where the device has ended"), std::string::npos);
}

}  // namespace
}  // namespace ppu::hw::test
