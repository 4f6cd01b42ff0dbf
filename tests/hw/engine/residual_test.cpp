// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs that go on while a residual is above a threshold, `bmax`: against a clock-by-clock
// engine where rows issue in slot order, and against the functional one where sweeps overlap.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/bits/float_bits.hpp"
#include "tests/hw/support/filter_programs.hpp"
#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

/// Sweeps while the residual is above a2, a1 of them at most; then the last maximum is read.
/// `behind` comes behind each `rows`.
std::string tested_sweeps(const std::string& behind, const std::string& kernels) {
  return "setmark a4\ntagall\ntagnext\nkernel plain\nli t0, 0\nmore: rows zero, a0\n" + behind +
         "addi t0, t0, 1\nbgeu t0, a1, out\nbmax a2, more\n"
         "out: rdmax t1\nsignal t0\nhalt\n" +
         kernels;
}

/// The largest |dx|/d, which leaves the pipe later than other residuals.
std::string dividing_kernel(const std::string& name) {
  return ".kernel " + name +
         "\n ldrow r\n ldvel dv, r.ia, r.ib\n relax c, r.b, r.cfm, r.x\n dotp q, r.J, dv\n"
         " corr delta, c, r.d, q\n acc sum, r.x, delta\n cone lo, hi, r.mu, r.xp\n"
         " limit x, dx, lo, sum, hi, delta\n resid dx, r.d\n axpy dv, dx, r.JM\n"
         " stvel dv, r.ia, r.ib\n stimp x\n.end\n";
}

/// Judges the program with thresholds at which it ends after no, some and all sweeps; returns the
/// sum of sweeps.
std::uint32_t judge_thresholds(const std::vector<ppu_row>& rows, std::uint32_t bodies,
                               const std::string& source, const Config& config, bool stream) {
  std::uint32_t sweeps = 0;
  for (const float threshold : {0.0F, 0.5F, 1.0F, 2.0F, 4.0F, 8.0F, 1e9F}) {
    Job job(rows, bodies, source);
    job.command.stream = stream;
    job.command.arguments[1] = 6;
    job.command.arguments[2] = bits_of(threshold);
    sweeps += judge(job, rows, config).progress;
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "threshold " << threshold << "\n" << source;
      return 0;
    }
  }
  return sweeps;
}

TEST(Residual, IsTestedInTheCyclesOfAClockByClockEngine) {
  const std::string other = "kernel other\nrows zero, a0\nkernel plain\n";
  const std::vector<std::string> programs{
      tested_sweeps("", kernel("plain", {})),
      tested_sweeps("", dividing_kernel("plain")),
      tested_sweeps(other, kernel("plain", {}) + dividing_kernel("other")),
      tested_sweeps(other, dividing_kernel("plain") + kernel("other", {})),
      tested_sweeps(other + "tagnext\n", kernel("plain", {}) + kernel("other", {true})),
      tested_sweeps("wait\n", dividing_kernel("plain"))};
  std::uint32_t sweeps = 0;
  for (const char* pipes : {"pipes=1", "pipes=4"})
    for (const char* stages : {"fp_div_stages=2", "fp_div_stages=29"})
      for (const std::string& source : programs)
        for (const bool stream : {false, true})
          for (const std::uint32_t bodies : {3U, 60U}) {
            sweeps += judge_thresholds(random_rows(40, bodies, bodies), bodies, source,
                                       slot_order("small", {pipes, stages}), stream);
            if (HasFailure()) return;
          }
  EXPECT_GT(sweeps, 0U);
}

TEST(Residual, OfOnePassCountsInOneMaximumAlone) {
  // The second maximum is of a pass over row 1, the first one of row 0.
  auto rows = random_rows(2, 4, 1);
  for (ppu_row& row : rows) row.parent = PPU_NONE;
  rows[0].bias = -100;
  rows[1].bias = -5;
  const std::string source =
      "kernel plain\nli t0, 1\nrows zero, t0\nbmax zero, on\nhalt\non: rows t0, t0\nrdmax t1\n"
      "halt\n" +
      kernel("plain", {});
  for (const char* key : {"dataflow=0", "dataflow=1"}) {
    Job job(rows, 4, source);
    const float residual = float_of(run_timed(job, slot_order("default", {key})).last_residual);
    EXPECT_GT(residual, 0);
    EXPECT_LT(residual, 20);
  }
}

RunReport run_program(const char* name, const std::vector<ppu_row>& rows, std::uint32_t bodies,
                      float threshold, std::uint32_t sweeps, const Config* config) {
  Job job(rows, bodies, program(name));
  job.command.arguments[1] = sweeps;
  job.command.arguments[2] = bits_of(threshold);
  const Config plain = slot_order("default", {});
  return config == nullptr ? run_functional(job, plain) : run_timed(job, *config);
}

TEST(Residual, TestsThatGoOnDoNotKeepSweepsApart) {
  const auto rows = random_rows(3000, 2000, 3);
  for (const char* pipes : {"pipes=1", "pipes=4"}) {
    const Config config = resolve_config("default", {"dataflow=1", "velocity_banks=32", pipes});
    const auto cycles = [&](const char* name) {
      return run_program(name, rows, 2000, 0, 10, &config).counters[PPU_COUNTER_CYCLES];
    };
    EXPECT_LE(100 * cycles("impulse-threshold"), 101 * cycles("impulse")) << pipes;
  }
}

TEST(Residual, EndsARunAfterTheSameSweepWhereverTheThresholdLies) {
  constexpr std::uint32_t kBodies = 40;
  auto rows = random_rows(60, kBodies, 5);
  for (ppu_row& row : rows) {
    // A sweep brings such rows nearer to rest.
    float diagonal = 0;
    for (int i = 0; i < spec::kRowElements; ++i) {
      row.inv_mass_jacobian[i] = row.jacobian[i];
      diagonal += row.jacobian[i] * row.jacobian[i];
    }
    row.inv_diagonal = 1 / diagonal;
    row.lower = -1e10F;
    row.upper = 1e10F;
    row.compliance = 0;
    row.parent = PPU_NONE;
  }
  const Config config = resolve_config("default", {"dataflow=1", "pipes=2"});
  std::set<std::uint32_t> ends;
  for (std::uint32_t sweep = 1; sweep < 12; ++sweep) {
    const float reached =
        float_of(run_program("impulse-threshold", rows, kBodies, 0, sweep, nullptr).last_residual);
    for (const float threshold : {std::nextafter(reached, 0.0F), reached}) {
      const RunReport want =
          run_program("impulse-threshold", rows, kBodies, threshold, 12, nullptr);
      const RunReport run = run_program("impulse-threshold", rows, kBodies, threshold, 12, &config);
      EXPECT_EQ(run.progress, want.progress) << threshold;
      EXPECT_EQ(run.last_residual, want.last_residual) << threshold;
      EXPECT_EQ(run.counters[PPU_COUNTER_ROW_UPDATES], want.counters[PPU_COUNTER_ROW_UPDATES]);
      ends.insert(run.progress);
    }
  }
  EXPECT_GT(ends.size(), 4U);
}

}  // namespace
}  // namespace ppu::hw::test
