// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of the solver helper on every back end: what it cost, where, and one doorbell.
#include <gtest/gtest.h>

#include <string>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;
using test::solve;

class SolveReport : public testing::TestWithParam<std::string> {
 protected:
  Answer solve_column(bool stream = false) const {
    const Program program = Program::load(device_, "boxed");
    ppu_solve_def def = def_of(program);
    def.stream = stream;
    Answer answer = solve(device_, test::view(problem_), def);
    EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
    return answer;
  }

  Device device_ = test::open(GetParam());
  model::RowProblem problem_ = test::column(200);
};

TEST_P(SolveReport, OneSolveRingsOneDoorbell) {
  const Program program = Program::load(device_, "boxed");
  const std::uint64_t before = device_.counters()[PPU_DEVICE_COUNTER_DOORBELLS];
  EXPECT_EQ(solve(device_, test::view(problem_), def_of(program)).result, PPU_OK);
  EXPECT_EQ(device_.counters()[PPU_DEVICE_COUNTER_DOORBELLS], before + 2)
      << "one of the solve, one of reading the counters";
}

TEST_P(SolveReport, CountsTheBytesOfTheProblem) {
  const Answer answer = solve_column();
  const auto& counters = answer.report.device_counters;
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_RUNS], 1U);
  // Impulses are whole beats of 16 floats.
  const std::uint64_t state = 208 * sizeof(float);
  EXPECT_GE(counters[PPU_DEVICE_COUNTER_BYTES_IN], 200 * (PPU_ROW_BYTES + sizeof(ppu_velocity)));
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_BYTES_IN],
            200 * PPU_ROW_BYTES + counters[PPU_DEVICE_COUNTER_BYTES_OUT]);
  EXPECT_GE(counters[PPU_DEVICE_COUNTER_BYTES_OUT], state + 200 * sizeof(ppu_velocity));
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], 0U);
}

TEST_P(SolveReport, PartsOfTheDeviceTimeAddUp) {
  const ppu_solve_report report = solve_column().report;
  if (!device_.info().timed) {
    EXPECT_EQ(report.device_cycles, 0U);
    EXPECT_EQ(report.run.counters[PPU_COUNTER_CYCLES], 0U);
    return;
  }
  EXPECT_EQ(report.upload_cycles + report.run_cycles + report.download_cycles,
            report.device_cycles);
  EXPECT_EQ(report.device_counters[PPU_DEVICE_COUNTER_DEVICE_CYCLES], report.device_cycles);
  // The engine's own cycles and its store lie inside the run, its load under the upload.
  const auto& counters = report.run.counters;
  EXPECT_GT(report.run_cycles, counters[PPU_COUNTER_CYCLES] + counters[PPU_COUNTER_STORE_CYCLES]);
  EXPECT_EQ(report.load_cycles, 0U);
  EXPECT_GT(report.upload_cycles, counters[PPU_COUNTER_LOAD_CYCLES]);
  // 25,600 bytes of rows in, 7,232 bytes of impulses and velocities out.
  EXPECT_GT(report.upload_cycles, report.download_cycles);
}

TEST_P(SolveReport, StreamedRowsAreCountedAndGiveTheSameBits) {
  const Answer resident = solve_column();
  const Answer streamed = solve_column(true);
  EXPECT_EQ(streamed.hash(), resident.hash());
  EXPECT_EQ(resident.report.run.counters[PPU_COUNTER_ROW_BYTES_STREAMED], 0U);
  EXPECT_EQ(streamed.report.run.counters[PPU_COUNTER_ROW_BYTES_STREAMED],
            10 * 200 * std::uint64_t{PPU_ROW_BYTES});
}

TEST_P(SolveReport, TheSameProblemCostsTheSameAgain) {
  solve_column();
  const ppu_solve_report first = solve_column().report;
  const ppu_solve_report second = solve_column().report;
  EXPECT_EQ(second.run.counters[PPU_COUNTER_CYCLES], first.run.counters[PPU_COUNTER_CYCLES]);
  EXPECT_EQ(second.run.counters[PPU_COUNTER_BODY_STALL_CYCLES],
            first.run.counters[PPU_COUNTER_BODY_STALL_CYCLES]);
}

INSTANTIATE_TEST_SUITE_P(Backends, SolveReport, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
