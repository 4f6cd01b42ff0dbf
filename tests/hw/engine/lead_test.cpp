// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Leads of impulses and runs that extrapolate: the timed engine against a clock-by-clock engine and
// the functional one.
#include <gtest/gtest.h>

#include "tests/hw/support/filter_programs.hpp"
#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

/// A boxed sweep that extrapolates.
std::string leading(const std::string& name, bool store_lead = true) {
  return ".kernel " + name +
         "\n ldrow r\n ldvel v, r.ia, r.ib\n soft b, r.b, r.cfm, r.x\n cone lo, hi, r.mu, r.xp\n"
         " dot u, r.J, v, b\n step t, r.x, r.d, u\n med x, lo, t, hi\n lead y, x, r.xs\n"
         " sub dx, x, r.x\n resid u, x, lo, hi\n axpy v, dx, r.JM\n stvel v, r.ia, r.ib\n" +
         (store_lead ? " stimp x, y\n.end\n" : ".end\n");
}

/// a1 sweeps that extrapolate by a4; with `mixed`, plain sweeps, some over a few rows, and a new
/// beginning in between.
std::string leading_program(bool mixed) {
  return std::string(
             "setlead a4\nsettle\nkernel lead\nli t0, 0\nli t1, 5\n"
             "more: bge t0, a1, out\nrows zero, a0\nrdmax t2\nsignal t2\nahead\n") +
         (mixed ? "kernel plain\nrows zero, t1\nkernel lead\nrows t1, t1\nrows zero, a0\nahead\n"
                  "setlead a5\nrows zero, a0\nsettle\nrows zero, a0\nahead\nkernel held\n"
                  "rows zero, a0\nkernel lead\nsetlead a4\n"
                : "") +
         "addi t0, t0, 1\nj more\nout: rows zero, a0\nrdmax t2\nsignal t2\nhalt\n" +
         leading("lead") + leading("held", false) + kernel("plain", {});
}

/// Judges the job; the functional engine must give the same bits and untimed counters.
RunReport judge_with_functional(const Job& job, const std::vector<ppu_row>& rows,
                                const Config& config, std::uint64_t pace = 1) {
  Job functional = job;
  Job timed = job;
  const RunReport want = run_functional(functional, config);
  const RunReport got = judge(timed, rows, config, pace);
  EXPECT_EQ(want.status, PPU_RUN_OK);
  EXPECT_EQ(functional.state(), timed.state());
  EXPECT_EQ(want.progress, got.progress);
  for (std::size_t n = 0; n < spec::kCounters.size(); ++n) {
    if (spec::kCounters[n].timed) continue;
    EXPECT_EQ(want.counters[n], got.counters[n]) << spec::kCounters[n].name;
  }
  EXPECT_EQ(stall_sum(got), got.counters[PPU_COUNTER_CYCLES]);
  return got;
}

class EveryLeadShape : public testing::TestWithParam<std::tuple<int, int, const char*>> {};

TEST_P(EveryLeadShape, GoesAheadAsAClockByClockEngineDoes) {
  const auto [pipes, lanes, memory] = GetParam();
  const Config config = slot_order(
      "default", {"pipes=" + std::to_string(pipes), "lanes=" + std::to_string(lanes), memory});
  unsigned seed = 0;
  for (const std::uint32_t bodies : {2U, 7U, 60U, 601U})
    for (const bool mixed : {false, true})
      for (const std::uint64_t pace : {1U, 3U}) {
        ++seed;
        const std::vector<ppu_row> rows = random_rows(60 + seed * 7 % 140, bodies, seed);
        Job job(rows, bodies, leading_program(mixed));
        job.command.arguments[1] = 3;
        job.command.arguments[4] = bits_of(0.5F);
        job.command.arguments[5] = bits_of(-0.25F);
        judge_with_functional(job, rows, config, pace);
        if (HasFailure()) return;
      }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryLeadShape,
                         testing::Combine(testing::Values(1, 2, 4), testing::Values(4, 12),
                                          testing::Values("row_memory_rows=1024",
                                                          "row_memory_rows=32")),
                         [](const auto& shape) {
                           return "P" + std::to_string(std::get<0>(shape.param)) + "L" +
                                  std::to_string(std::get<1>(shape.param)) +
                                  (std::get<2>(shape.param)[16] == '1' ? "Resident" : "Streamed");
                         });

TEST(Lead, TheShippedProgramIsJudgedAlike) {
  const std::vector<ppu_row> rows = random_rows(150, 40, 3);
  Job job(rows, 40, program("nesterov"));
  job.command.arguments[1] = 30;
  EXPECT_GT(judge_with_functional(job, rows, slot_order("default")).progress, 0U);
}

/// Two sweeps of a single row by hand: x after each of them.
TEST(Lead, ARowStartsFromXPlusTheFactorTimesItsLastChange) {
  ppu_row row{};
  row.jacobian[0] = 1;
  row.inv_mass_jacobian[0] = 1;
  row.bias = -1;
  row.inv_diagonal = 0.5F;
  row.lower = -100;
  row.upper = 100;
  row.body_a = 0;
  row.body_b = row.parent = PPU_NONE;
  Job job({row}, 1, leading_program(false));
  job.command.arguments[1] = 1;
  job.command.arguments[4] = bits_of(0.5F);
  run_functional(job, slot_order("default"));
  // v is 0.125, x 0.25: u = -0.875, so x = 0.6875 and v = 0.5625. Then y = 0.90625, and v goes
  // ahead to 0.78125: u = -0.21875, so x = 1.015625 and v = 0.890625.
  EXPECT_EQ(job.state()[0], bits_of(1.015625F));
  EXPECT_EQ(job.state()[1], bits_of(0.890625F));
}

/// Cycles of the program with `instructions` more before its end.
std::uint64_t cycles_with(const std::string& instructions, std::uint32_t bodies,
                          std::uint32_t lanes = 12) {
  const hw::Config config = slot_order("default", {"lanes=" + std::to_string(lanes)});
  const std::vector<ppu_row> rows = random_rows(20, std::max(bodies, 2U), 1);
  std::vector<ppu_row> kept = bodies == 0 ? std::vector<ppu_row>{} : rows;
  Job job(kept, bodies == 0 ? 0 : std::max(bodies, 2U), "settle\nwait\n" + instructions + "halt\n");
  return judge(job, kept, config).counters[PPU_COUNTER_CYCLES];
}

TEST(Lead, GoingAheadTakesTheBeatsOfTwoBodiesInTheLanesAndTheArithmetic) {
  for (const std::uint32_t bodies : {2U, 3U, 64U, 65U}) {
    const std::uint64_t pairs = (bodies + 1) / 2;
    const std::uint64_t none = cycles_with("", bodies);
    EXPECT_EQ(cycles_with("settle\n", bodies) - none, pairs + 2);
    for (const std::uint32_t lanes : {1U, 2U, 3U, 4U, 6U, 12U}) {
      EXPECT_EQ(cycles_with("ahead\n", bodies, lanes) - cycles_with("", bodies, lanes),
                pairs * 12 / lanes + 3 + 2 * 3 + 3)
          << lanes << " lanes";
    }
  }
  EXPECT_EQ(cycles_with("ahead\nsettle\n", 0) - cycles_with("", 0), 2U);
}

TEST(Lead, GoingAheadBeforeTheFirstSettleIsIllegal) {
  const Config config = slot_order("default");
  for (const std::uint32_t bodies : {0U, 5U}) {
    Job job(bodies == 0 ? std::vector<ppu_row>{} : random_rows(20, bodies, 1), bodies,
            "ahead\nhalt\n");
    for (const RunReport& report : {run_functional(job, config), run_timed(job, config)})
      EXPECT_EQ(report.status, PPU_RUN_ILLEGAL_INSTRUCTION) << bodies;
  }
}

}  // namespace
}  // namespace ppu::hw::test
