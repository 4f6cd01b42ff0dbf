// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs a job on the timed engine and on the clocked one, and expects that they agree: status,
// every counter of the program, the cycle of every row, and the bits.
#pragma once

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "clocked_engine.hpp"
#include "test_job.hpp"

namespace ppu::hw::test {

/// The cycle and the slot of each row that issues.
class IssueTrace final : public TraceSink {
 public:
  void on_event(const TraceEvent& event) override {
    if (event.kind == TraceKind::kRowIssue)
      issues.emplace_back(event.cycle, static_cast<std::uint32_t>(event.a));
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> issues;
};

/// Counters that the clocked engine does not know: what load and store do.
inline bool is_outside_program(std::size_t counter) {
  for (const ppu_counter other :
       {PPU_COUNTER_LOAD_CYCLES, PPU_COUNTER_STORE_CYCLES, PPU_COUNTER_START_CYCLE,
        PPU_COUNTER_MEMORY_READ_BEATS, PPU_COUNTER_MEMORY_WRITE_BEATS})
    if (counter == other) return true;
  return false;
}

/// `rows` are the records of `job` in the full form. Returns the report of the timed engine.
inline RunReport judge(Job& job, const std::vector<ppu_row>& rows, const Config& config,
                       std::uint64_t pace = 1) {
  const WorkingSet start = WorkingSet::load(job.memory(), job.command);
  IssueTrace trace;
  const RunReport report = run_timed_fully(job, config, nullptr, &trace, pace).report;
  EXPECT_EQ(report.status, PPU_RUN_OK);
  ClockedEngine::Outcome want = ClockedEngine(config, rows, job.command, start, pace)
                                    .run({job.words.data(), job.command.program_words},
                                         report.counters[PPU_COUNTER_START_CYCLE]);
  for (std::size_t n = 0; n < report.counters.size(); ++n) {
    if (is_outside_program(n)) continue;
    EXPECT_EQ(report.counters[n], want.report.counters[n]) << spec::kCounters[n].name;
  }
  EXPECT_EQ(report.progress, want.report.progress);
  EXPECT_EQ(report.last_residual, want.report.last_residual);
  EXPECT_EQ(trace.issues, want.issues);
  const std::vector<std::uint32_t> state = job.state();
  want.set.store(job.memory(), job.command);
  EXPECT_EQ(state, job.state());
  if (testing::Test::HasFailure())
    ADD_FAILURE() << rows.size() << " rows, " << job.command.body_count << " bodies, pace " << pace
                  << "\n"
                  << to_toml(config);
  return report;
}

inline RunReport judge(const std::vector<ppu_row>& rows, std::uint32_t bodies,
                       const std::string& source, const Config& config) {
  Job job(rows, bodies, source);
  return judge(job, rows, config);
}

}  // namespace ppu::hw::test
