// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timestamps of the timed engine are exact: a clock-by-clock engine takes the same number of
// cycles.
#include <gtest/gtest.h>

#include "clocked_engine.hpp"
#include "test_job.hpp"

namespace ppu::hw::test {
namespace {

std::uint64_t clocked_cycles(Job& job, const Config& config, const std::vector<ppu_row>& rows) {
  RunReport report;
  std::vector<std::uint32_t> words(job.command.program_words);
  std::memcpy(words.data(), job.memory().data + job.command.program_address, 4 * words.size());
  ActionRecorder recorder;
  const std::atomic<bool> cancel{false};
  Sequencer(words, job.command, &report).run(recorder, cancel);
  return ClockedEngine(config, rows, job.command.body_count).run(recorder.actions);
}

void expect_same_cycles(const std::vector<ppu_row>& rows, std::uint32_t bodies,
                        const std::string& source, const Config& config) {
  Job job(rows, bodies, source);
  const std::uint64_t clocked = clocked_cycles(job, config, rows);
  const RunReport report = run_timed(job, config);
  ASSERT_EQ(report.status, PPU_RUN_OK) << report.message.data();
  EXPECT_EQ(report.counters[PPU_COUNTER_CYCLES], clocked)
      << rows.size() << " rows, " << bodies << " bodies\n"
      << to_toml(config);
}

TEST(Timing, EqualsAClockByClockEngineForEveryLaneCountAndDepth) {
  for (const char* lanes : {"lanes=1", "lanes=4", "lanes=12"})
    for (const char* stages : {"fp_add_stages=1", "fp_add_stages=5"})
      for (const std::uint32_t bodies : {2U, 10U, 200U}) {
        const Config config = resolve_config("default", {lanes, stages});
        expect_same_cycles(random_rows(150, bodies, bodies), bodies, program("boxed"), config);
      }
}

TEST(Timing, EqualsAClockByClockEngineForShortPassesWherePassesQueue) {
  const Config config = resolve_config("default");
  for (const std::uint32_t rows : {0U, 1U, 2U, 5U})
    expect_same_cycles(random_rows(rows, 8, 3), 8, program("boxed"), config);
}

TEST(Timing, EqualsAClockByClockEngineWithDrainsBetweenPasses) {
  const std::string source =
      "kernel k\nli t0, 0\nagain: bge t0, a1, out\nrows zero, a0\nwait\nrdmax t1\nrows zero, a0\n"
      "addi t0, t0, 1\nj again\nout: halt\n"
      ".kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n dot u, r.J, v, r.b\n step t, r.x, r.d, u\n"
      " max x, 0, t\n sub dx, x, r.x\n axpy v, dx, r.JM\n stvel v, r.ia, r.ib\n stimp x\n.end\n";
  for (unsigned seed = 1; seed < 6; ++seed)
    expect_same_cycles(random_rows(40, 12, seed), 12, source, resolve_config("small"));
}

TEST(Timing, ADependentRowIssuesOneBodyLatencyLater) {
  auto rows = random_rows(2, 2, 1);
  for (ppu_row& row : rows) {
    row.body_a = 0;
    row.body_b = PPU_NONE;
    row.parent = PPU_NONE;
  }
  const Config config = resolve_config("default");
  const std::string once =
      "kernel k\nrows zero, a0\nhalt\n.kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n dot u, r.J, v, "
      "r.b\n"
      " step t, r.x, r.d, u\n max x, 0, t\n sub dx, x, r.x\n axpy v, dx, r.JM\n"
      " stvel v, r.ia, r.ib\n stimp x\n.end\n";
  Job job(rows, 2, once);
  const RunReport report = run_timed(job, config);
  const auto latency = static_cast<std::uint64_t>(body_latency(config));
  EXPECT_EQ(report.counters[PPU_COUNTER_BODY_STALL_CYCLES], latency - 1);
  EXPECT_EQ(report.counters[PPU_COUNTER_DRAIN_CYCLES], latency - 1);
  EXPECT_EQ(report.counters[PPU_COUNTER_ISSUE_CYCLES], 2U);
}

TEST(Timing, TheProfileOfAllRowsAddsUpToTheRowsShareOfTheCycles) {
  const auto rows = random_rows(100, 20, 9);
  Job job(rows, 20, program("boxed"));
  job.command.profile_address = 512 * 1024;
  const RunReport report = run_timed(job, resolve_config("small", {"row_memory_rows=50"}));
  std::vector<RowProfile> profile(rows.size());
  std::memcpy(profile.data(), job.memory().data + job.command.profile_address,
              profile.size() * sizeof(RowProfile));
  std::uint64_t cycles = 0;
  for (const RowProfile& row : profile) cycles += row.cycles;
  const Counters& c = report.counters;
  EXPECT_EQ(cycles,
            c[PPU_COUNTER_CYCLES] - c[PPU_COUNTER_CONTROL_CYCLES] - c[PPU_COUNTER_DRAIN_CYCLES]);
}

}  // namespace
}  // namespace ppu::hw::test
