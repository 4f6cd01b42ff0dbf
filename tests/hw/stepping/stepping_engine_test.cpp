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
    for (const Config& config : {resolve_config("default"), slot_order("default")})
      for (const bool timed : {false, true}) {
        SteppedJob job(job_of(GetParam(), seed), config, timed);
        ASSERT_EQ(job.report.status, PPU_RUN_OK);
        expect_same_end(job);
      }
}

TEST_P(EveryShippedProgram, FollowsManyPipesAndStreamedRows) {
  for (const char* pipes : {"pipes=2", "pipes=8"})
    for (const char* memory : {"row_memory_rows=16", "row_memory_rows=1024"})
      for (const char* issue : {"dataflow=0", "dataflow=1"}) {
        const Config config = resolve_config("default", {pipes, "lanes=4", memory, issue});
        SteppedJob job(job_of(GetParam(), 2), config, true);
        expect_same_end(job);
      }
}

TEST_P(EveryShippedProgram, IsCutWhereTheBudgetHasCutTheDevice) {
  if (GetParam() == "pgs" || GetParam() == "nesterov") return;  // They take no budget.
  int cut = 0;
  for (std::uint32_t budget = 1; budget < 6000; budget += 97)
    for (const char* issue : {"dataflow=0", "dataflow=1"}) {
      Job limited = job_of(GetParam(), 1);
      limited.command.arguments[7] = budget;
      SteppedJob job(limited, resolve_config("default", {"pipes=2", issue}), true);
      expect_same_end(job);
      ASSERT_FALSE(HasFailure()) << "budget " << budget << ", " << issue;
      cut += job.observed.cuts.empty() ? 0 : 1;
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
          over_budget += job.observed.cuts.empty() ? 0 : 1;
        }
      EXPECT_GT(over_budget, 400);
    }
}

TEST(SteppingEngine, IsCutInPassesThatWereInTheQueueBeforeTheBudgetWasSet) {
  const std::string source =
      "kernel plain\nrows zero, a0\nrows zero, a0\nli t0, 1\nbudget t0\n"
      "spin: rdlate t1\nbeq t1, zero, spin\nsignal t1\nhalt\n" +
      kernel("plain", {});
  SteppedJob job(Job(random_rows(24, 12, 3), 12, source), resolve_config("default"), true);
  EXPECT_EQ(job.observed.cuts.size(), 2U);
  EXPECT_EQ(job.observed.rdlates.front().value, 0U);
  EXPECT_EQ(job.observed.rdlates.back().value, 2U);
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
  const Config config = slot_order("default");
  SteppedJob job(Job(rows, 4, program("boxed")), config, true);
  while (job.engine->state().pass.next != 1) job.engine->step();
  const SteppingEngine::Waits waits = job.engine->waits();
  EXPECT_EQ(waits.issue, waits.bodies);
  EXPECT_EQ(waits.issue, waits.turn + static_cast<std::uint64_t>(body_latency(config)));
  EXPECT_LT(waits.impulses, waits.issue);
}

TEST(SteppingEngine, KnowsWhenTheTokensOfARowCame) {
  std::vector<ppu_row> rows = random_rows(2, 4, 1);
  rows[0].body_a = rows[1].body_a = 2;
  rows[0].body_b = rows[1].body_b = rows[0].parent = rows[1].parent = PPU_NONE;
  const Config config = resolve_config("default");
  SteppedJob job(Job(rows, 4, program("boxed")), config, true);
  const auto latency = static_cast<std::uint64_t>(body_latency(config));
  std::uint64_t before = 0;
  // Three sweeps, in each of which the token goes from row to row.
  for (; job.engine->at() != At::kEnd; job.engine->step()) {
    if (job.engine->at() != At::kRow) continue;
    const SteppingEngine::Waits waits = job.engine->waits();
    if (before > 0) {
      EXPECT_EQ(waits.bodies, before + latency);
      EXPECT_EQ(waits.issue, waits.bodies);
    }
    before = waits.issue;
  }
}

/// What the walk says after `change` to the log of the device; a budget of 0 is none.
template <class Change>
std::string mismatch_after(Change change, std::uint32_t budget = 0, bool flows = false) {
  Job source = job_of("boxed", 1);
  source.command.arguments[7] = budget;
  SteppedJob job(
      source, flows ? resolve_config("default", {"pipes=2"}) : slot_order("default", {"pipes=2"}),
      true);
  EXPECT_EQ(job.observed.cuts.empty(), budget == 0);
  change(job.observed);
  job.start();
  const StepHistory history(*job.engine, kManySteps);
  return history.end().mismatch;
}

TEST(SteppingEngine, SeesEveryDifferenceInTheRowsOfTheLog) {
  const auto mismatch_after_rows = [](auto change) {
    return mismatch_after([&change](ObservedRun& observed) { change(observed.rows); });
  };
  using Rows = std::vector<RowTimes>;
  EXPECT_EQ(mismatch_after([](ObservedRun&) {}), "");
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

TEST(SteppingEngine, SeesEveryDifferenceInALogOfRowsThatFlow) {
  const auto expect = [](const std::string& text, auto change) {
    const std::string found = mismatch_after(change, 0, true);
    EXPECT_NE(found.find(text), std::string::npos) << found << "\nexpected: " << text;
  };
  EXPECT_EQ(mismatch_after([](ObservedRun&) {}, 0, true), "");
  expect("the device has issued it no more", [](ObservedRun& o) { o.rows.back().slot = 0; });
  expect("has issued no more row", [](ObservedRun& o) { o.rows.clear(); });
  expect("on pipe 1, but", [](ObservedRun& o) {
    for (RowTimes& row : o.rows)
      if (row.slot == 31) row.pipe = 0;
  });
  expect("was written in cycle", [](ObservedRun& o) { ++o.rows[30].write; });
  expect("what it waits for", [](ObservedRun& o) {
    for (RowTimes& row : o.rows)
      if (row.slot == 149) row.issue -= 40, row.write -= 40;
  });
  expect("1 more rows, slot", [](ObservedRun& o) { o.rows.push_back(o.rows.back()); });
  expect("outside of its pass", [](ObservedRun& o) { o.passes[0].begin = o.rows[0].issue; });
}

/// What the walk says contains `text` after `change`.
template <class Change>
void expect_mismatch(const std::string& text, Change change, std::uint32_t budget = 0) {
  EXPECT_NE(mismatch_after(change, budget).find(text), std::string::npos)
      << mismatch_after(change, budget) << "\nexpected: " << text;
}

TEST(SteppingEngine, SeesEveryDifferenceInThePassesOfTheLog) {
  expect_mismatch("device has begun one over 150 from slot 1 on",
                  [](ObservedRun& o) { ++o.passes[1].first; });
  expect_mismatch("device has begun one over 149 from slot 0 on",
                  [](ObservedRun& o) { --o.passes[1].count; });
  expect_mismatch("has begun no more of them", [](ObservedRun& o) { o.passes.pop_back(); });
  expect_mismatch("has begun 1 more passes",
                  [](ObservedRun& o) { o.passes.push_back(o.passes.back()); });
  expect_mismatch("`rows` has executed in cycle",
                  [](ObservedRun& o) { o.passes[1].begin = o.passes[0].begin; });
  expect_mismatch("outside of its pass",
                  [](ObservedRun& o) { o.passes[0].begin = o.rows[0].issue; });
}

TEST(SteppingEngine, SeesEveryDifferenceInTheRdlatesOfTheLog) {
  expect_mismatch("`rdlate` has read 1 passes", [](ObservedRun& o) { ++o.rdlates.front().value; });
  expect_mismatch("has executed no more of them", [](ObservedRun& o) { o.rdlates.clear(); });
  expect_mismatch("has executed 1 more `rdlate`",
                  [](ObservedRun& o) { o.rdlates.push_back(o.rdlates.back()); });
  expect_mismatch("`rdlate` has executed in cycle",
                  [](ObservedRun& o) { o.rdlates.back().cycle = o.passes[0].begin; });
}

TEST(SteppingEngine, SeesEveryDifferenceInTheCutsOfTheLog) {
  constexpr std::uint32_t kBudget = 600;
  EXPECT_EQ(mismatch_after([](ObservedRun&) {}, kBudget), "");
  const auto expect_cut = [](const std::string& text, auto change) {
    expect_mismatch(text, change, kBudget);
  };
  expect_cut("`rdlate` has read 0 passes", [](ObservedRun& o) { o.rdlates.back().value = 0; });
  expect_cut("was cut in cycle", [](ObservedRun& o) { o.passes.back().begin = o.cuts.back() + 1; });
  expect_cut("outside of its pass", [](ObservedRun& o) { o.cuts.front() = o.rows.back().issue; });
  expect_cut("has issued no more row", [](ObservedRun& o) { o.cuts.clear(); });
  expect_cut("was cut in cycle", [](ObservedRun& o) { o.cuts.push_back(o.cuts.back()); });
  expect_mismatch("of which all rows have issued", [](ObservedRun& o) { o.cuts = {kNever}; });
}

TEST(SteppingEngine, GivesUpWhereTheDeviceHasEnded) {
  SteppedJob job(job_of("boxed", 1), resolve_config("default"), true);
  const StepHistory history(*job.engine, 100);
  EXPECT_EQ(history.steps(), 100U);
  EXPECT_NE(history.end().mismatch.find("goes on where the device has ended"), std::string::npos);
}

}  // namespace
}  // namespace ppu::hw::test
