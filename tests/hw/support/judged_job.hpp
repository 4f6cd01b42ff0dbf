// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs a job on the timed engine and on the clocked one, and expects that they agree: status,
// every counter of the program, the cycle of every row, of every read and of the end, and the bits.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tests/hw/support/clocked_engine.hpp"
#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {

/// The cycle and the slot of each row that issues, and the first cycle of each phase.
class IssueTrace final : public TraceSink {
 public:
  void on_event(const TraceEvent& event) override {
    if (event.kind == TraceKind::kRowIssue)
      issues.emplace_back(event.cycle, static_cast<std::uint32_t>(event.a));
    if (event.kind == TraceKind::kEnginePhase)
      phases[static_cast<spec::EnginePhase>(event.a)] = event.cycle;
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> issues;
  std::map<spec::EnginePhase, std::uint64_t> phases;
};

/// Counters that the clocked engine does not know: what load and store do.
inline bool is_outside_program(std::size_t counter) {
  for (const ppu_counter other :
       {PPU_COUNTER_LOAD_CYCLES, PPU_COUNTER_STORE_CYCLES, PPU_COUNTER_START_CYCLE,
        PPU_COUNTER_MEMORY_READ_BEATS, PPU_COUNTER_MEMORY_WRITE_BEATS})
    if (counter == other) return true;
  return false;
}

/// What both must say of a run that came to its `halt`.
inline void expect_same_report(const RunReport& report, const RunReport& want) {
  for (std::size_t n = 0; n < report.counters.size(); ++n) {
    if (is_outside_program(n)) continue;
    EXPECT_EQ(report.counters[n], want.counters[n]) << spec::kCounters[n].name;
  }
  EXPECT_EQ(report.progress, want.progress);
  EXPECT_EQ(report.last_residual, want.last_residual);
}

/// `rows` are the records of `job` in the full form. Returns the report of the timed engine. A
/// cancel comes after the first instruction.
inline RunReport judge_any(Job& job, const std::vector<ppu_row>& rows, const Config& config,
                           std::uint64_t pace, std::uint64_t cancel_cycle = kNever,
                           RowObserver* observer = nullptr) {
  const WorkingSet start = WorkingSet::load(job.memory(), job.command);
  const std::vector<std::uint32_t> before = job.state();
  IssueTrace trace;
  const TimedRun run = run_timed_fully(job, config, {observer, &trace, pace, cancel_cycle});
  const std::uint64_t origin = trace.phases.at(spec::EnginePhase::kRun);
  ClockedEngine::Outcome want =
      ClockedEngine(config, rows, job.command, start, pace)
          .run({job.words.data(), job.command.program_words}, origin, cancel_cycle);
  const bool ok = want.report.status == PPU_RUN_OK;
  EXPECT_EQ(run.report.status, want.report.status);
  EXPECT_EQ(run.report.fault_row, want.report.fault_row);
  EXPECT_EQ(trace.issues, want.issues);
  EXPECT_EQ(run.signals, want.signals);
  EXPECT_EQ(trace.phases[ok ? spec::EnginePhase::kStore : spec::EnginePhase::kAbort],
            want.last_cycle + 1);
  const auto loaded = std::lower_bound(run.reads.begin(), run.reads.end(), origin);
  EXPECT_EQ(std::vector<std::uint64_t>(loaded, run.reads.end()), want.reads);
  if (ok) expect_same_report(run.report, want.report);
  const std::vector<std::uint32_t> state = job.state();
  if (ok) want.set.store(job.memory(), job.command);
  EXPECT_EQ(state, ok ? job.state() : before);
  if (testing::Test::HasFailure())
    ADD_FAILURE() << rows.size() << " rows, " << job.command.body_count << " bodies, pace " << pace
                  << ", cancel " << cancel_cycle << "\n"
                  << to_toml(config);
  return run.report;
}

/// The same for a run that comes to its `halt`.
inline RunReport judge(Job& job, const std::vector<ppu_row>& rows, const Config& config,
                       std::uint64_t pace = 1) {
  const RunReport report = judge_any(job, rows, config, pace);
  EXPECT_EQ(report.status, PPU_RUN_OK);
  return report;
}

inline RunReport judge(const std::vector<ppu_row>& rows, std::uint32_t bodies,
                       const std::string& source, const Config& config) {
  Job job(rows, bodies, source);
  return judge(job, rows, config);
}

}  // namespace ppu::hw::test
