// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows in the reduced form, and quotients: the same bits as rows in the full form with J for JM, in
// the cycles of a clock-by-clock engine.
#include <gtest/gtest.h>

#include <cmath>

#include "base/bits/float_bits.hpp"
#include "tests/hw/support/filter_programs.hpp"
#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

std::string sweeps_of_form(bool reduced, bool skip = true, bool resid = true) {
  return "kernel plain\nli t0, 0\nmore: bge t0, a1, out\nrows zero, a0\naddi t0, t0, 1\nj more\n"
         "out: rdmax t1\nhalt\n" +
         kernel("plain", {false, false, skip, reduced, resid});
}

std::vector<ppu_row> some_rows(std::uint32_t count) {
  return filter_rows(count, 20, 8, true);
}

TEST(ReducedRows, GiveTheBitsOfRowsInTheFullForm) {
  for (const std::uint32_t count : {0U, 1U, 2U, 3U, 4U, 5U, 8U, 50U, 51U})
    for (const bool stream : {false, true})
      for (const char* pipes : {"pipes=1", "pipes=4"}) {
        const std::vector<ppu_row> rows = some_rows(count);
        Job full(rows, 20, sweeps_of_form(false));
        Job functional(rows, 20, sweeps_of_form(true), true);
        full.command.stream = functional.command.stream = stream;
        Job timed = functional;
        const char* const port = count % 4 < 2 ? "memory_port_beats=1" : "memory_port_beats=2";
        const Config config = slot_order("default", {pipes, port, "row_memory_rows=64"});
        const RunReport want = run_functional(full, config);
        const RunReport got = run_functional(functional, config);
        const RunReport judged = judge(timed, rows, config, count % 2 + 1);
        EXPECT_EQ(full.state(), functional.state());
        EXPECT_EQ(full.state(), timed.state());
        EXPECT_EQ(want.counters[PPU_COUNTER_FLOPS], got.counters[PPU_COUNTER_FLOPS]);
        EXPECT_EQ(got.counters[PPU_COUNTER_ROW_BYTES_STREAMED],
                  judged.counters[PPU_COUNTER_ROW_BYTES_STREAMED]);
      }
}

TEST(ReducedRows, GiveTheBitsOfTheBoxedProgram) {
  const std::vector<ppu_row> rows = some_rows(150);
  for (const bool skip : {false, true}) {
    Job full(rows, 20, program("boxed"));
    full.command.arguments[3] = skip ? 1 : 0;
    Job functional(rows, 20, sweeps_of_form(true, skip, false), true);
    Job timed = functional;
    EXPECT_EQ(run_functional(full, slot_order("default")).status, PPU_RUN_OK);
    EXPECT_EQ(run_functional(functional, slot_order("default")).status, PPU_RUN_OK);
    judge(timed, rows, slot_order("default"));
    EXPECT_EQ(full.state(), functional.state());
    EXPECT_EQ(full.state(), timed.state());
  }
}

TEST(ReducedRows, TakeFiveBeatsForFour) {
  // The impulses of 50 rows are 4 beats, the velocities of 20 bodies 10.
  const std::vector<ppu_row> rows = some_rows(50);
  Job resident(rows, 20, sweeps_of_form(true), true);
  const RunReport loaded = run_timed(resident, slot_order("default"));
  EXPECT_EQ(loaded.counters[PPU_COUNTER_MEMORY_READ_BEATS], 50U + 13U + 14U);
  Job streamed(rows, 20, sweeps_of_form(true), true);
  streamed.command.stream = true;
  const RunReport fetched = run_timed(streamed, slot_order("default"));
  EXPECT_EQ(fetched.counters[PPU_COUNTER_MEMORY_READ_BEATS], 3U * (50U + 13U) + 14U);
  EXPECT_EQ(fetched.counters[PPU_COUNTER_ROW_BYTES_STREAMED], 3U * (50U + 13U) * 64U);
}

TEST(ReducedRows, PassesThatBeginInABlockFetchItsTails) {
  const std::string source =
      "kernel plain\nli t0, 6\nli t1, 9\nrows t0, t1\nli t0, 7\nli t1, 1\nrows t0, t1\n"
      "li t0, 20\nli t1, 4\nrows t0, t1\nhalt\n" +
      kernel("plain", {false, false, false, true});
  for (const char* port : {"memory_port_beats=1", "memory_port_beats=2"}) {
    const std::vector<ppu_row> rows = some_rows(30);
    Job timed(rows, 20, source, true);
    timed.command.stream = true;
    Job functional = timed;
    const Config config = slot_order("default", {port, "row_memory_rows=16"});
    const RunReport report = judge(timed, rows, config);
    // Rows 6 to 14 lie in blocks 1 to 3, row 7 in block 1, rows 20 to 23 in block 5.
    EXPECT_EQ(report.counters[PPU_COUNTER_ROW_BYTES_STREAMED], (9U + 3U + 1U + 1U + 4U + 1U) * 64U);
    EXPECT_EQ(run_functional(functional, config).counters[PPU_COUNTER_ROW_BYTES_STREAMED],
              report.counters[PPU_COUNTER_ROW_BYTES_STREAMED]);
    EXPECT_EQ(functional.state(), timed.state());
  }
}

TEST(ReducedRows, AreCheckedAsOthers) {
  std::vector<ppu_row> rows = some_rows(30);
  rows[13].body_b = 20;
  for (const bool stream : {false, true}) {
    Job job(rows, 20, sweeps_of_form(true), true);
    job.command.stream = stream;
    for (const RunReport& report :
         {run_functional(job, slot_order("default")), run_timed(job, slot_order("default"))}) {
      EXPECT_EQ(report.status, PPU_RUN_BAD_ROW);
      EXPECT_EQ(report.fault_row, 13U);
      EXPECT_EQ(report.fault_detail, PPU_FAULT_BODY_B);
    }
  }
}

const std::string kImpulseKernel =
    ".kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n relax c, r.b, r.cfm, r.x\n"
    " cone lo, hi, r.mu, r.xp\n dotp q, r.J, v\n corr e, c, r.d, q\n acc t, r.x, e\n"
    " limit x, dx, lo, t, hi, e\n resid dx, r.d\n axpy v, dx, r.JM\n stvel v, r.ia, r.ib\n"
    " stimp x\n.end\n";

TEST(Quotients, AreDrainedWithTheRowsBeforeThem) {
  for (const char* stages : {"fp_div_stages=2", "fp_div_stages=29"})
    for (const char* pipes : {"pipes=1", "pipes=2"}) {
      const std::vector<ppu_row> rows = random_rows(60, 30, 4);
      Job timed(rows, 30,
                "kernel k\nli t0, 0\nmore: bge t0, a1, out\nrows zero, a0\nrdmax t1\nsignal t1\n"
                "wait\naddi t0, t0, 1\nj more\nout: halt\n" +
                    kImpulseKernel);
      Job functional = timed;
      const Config config = slot_order("default", {stages, pipes});
      const RunReport got = judge(timed, rows, config);
      const RunReport want = run_functional(functional, config);
      EXPECT_EQ(want.last_residual, got.last_residual);
      EXPECT_EQ(functional.state(), timed.state());
    }
}

TEST(Quotients, LetTheMaximumBeReadOneDivisionLater) {
  const std::string source = "kernel k\nrows zero, a0\nrdmax t1\nhalt\n";
  std::string plain = kImpulseKernel;
  plain.replace(plain.find("resid dx, r.d"), 13, "resid dx");
  const std::vector<ppu_row> rows = random_rows(1, 4, 4);
  const Config config = slot_order("default");
  Job delta(rows, 4, source + plain);
  Job quotient(rows, 4, source + kImpulseKernel);
  const RunReport without = run_timed(delta, config);
  const RunReport with = run_timed(quotient, config);
  EXPECT_EQ(with.counters[PPU_COUNTER_CYCLES],
            without.counters[PPU_COUNTER_CYCLES] + config.fp_div_stages);
  EXPECT_EQ(float_of(with.last_residual), float_of(without.last_residual) / rows[0].inv_diagonal);
}

}  // namespace
}  // namespace ppu::hw::test
