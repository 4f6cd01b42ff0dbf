// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper on devices with several engines and pipes: the same bits on all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "ppu_spec.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;
using test::solve;

Device open_with(const std::string& backend, std::uint32_t engines, std::uint32_t pipes,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> texts = {"engines=" + std::to_string(engines),
                                    "pipes=" + std::to_string(pipes)};
  texts.insert(texts.end(), more.begin(), more.end());
  std::vector<const char*> overrides;
  for (const std::string& text : texts) overrides.push_back(text.c_str());
  return test::open(backend, "default", overrides);
}

Answer solve_with(const Device& device, const model::RowProblem& problem, const char* program_name,
                  ppu_order order = PPU_ORDER_SCHEDULED) {
  const Program program = Program::load(device, program_name);
  ppu_solve_def def = def_of(program);
  def.order = order;
  return solve(device, test::view(problem), def);
}

/// Those back ends that take any shape.
std::vector<std::string> shapeless_backends() {
  std::vector<std::string> names;
  for (const std::string& name : test::backends())
    if (name == "functional" || name == "systemc") names.push_back(name);
  return names;
}

class Islands : public testing::TestWithParam<std::string> {};

TEST_P(Islands, BitsDoNotDependOnEnginesAndPipes) {
  for (const char* file : {"topple_f060.h5", "massratio_f040.h5"}) {
    const model::RowProblem problem = test::read_test_data(file);
    for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED, PPU_ORDER_COLOUR}) {
      const Answer one = solve_with(open_with("functional", 1, 1), problem, "boxed", order);
      ASSERT_EQ(one.result, PPU_OK) << ppu_last_error();
      for (const std::uint32_t pipes : {1U, 2U, 4U, 8U, 16U}) {
        const Device device = open_with(GetParam(), 4, pipes);
        const Answer answer = solve_with(device, problem, "boxed", order);
        ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
        EXPECT_EQ(answer.hash(), one.hash()) << file << " order " << order << " pipes " << pipes;
      }
    }
  }
}

TEST_P(Islands, BitsDoNotDependOnMemoriesAndBanks) {
  const model::RowProblem problem = test::columns(20, 7);
  const Answer one = solve_with(open_with("functional", 1, 1), problem, "boxed");
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{"velocity_banks=2"},
        {"velocity_banks=64"},
        {"row_memory_rows=16"},
        {"impulse_memory_rows=48", "body_memory_bodies=64"}}) {
    const Answer answer = solve_with(open_with(GetParam(), 2, 4, overrides), problem, "boxed");
    ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
    EXPECT_EQ(answer.hash(), one.hash()) << overrides.front();
  }
}

TEST_P(Islands, AreSpreadOverTheEngines) {
  const model::RowProblem problem = test::columns(10, 5);
  for (const std::uint32_t engines : {1U, 2U, 4U, 16U}) {
    const Answer answer = solve_with(open_with(GetParam(), engines, 1), problem, "boxed");
    ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
    EXPECT_EQ(answer.report.runs, std::min(engines, 10U));
    EXPECT_EQ(answer.report.device_counters[PPU_DEVICE_COUNTER_RUNS], answer.report.runs);
    EXPECT_EQ(answer.report.run.counters[PPU_COUNTER_ROW_UPDATES], 10U * 50U);
    EXPECT_EQ(answer.report.sweeps, 10U);
  }
}

TEST_P(Islands, ClassesOfCyclesAddUpToThoseOfAllRuns) {
  const model::RowProblem problem = test::columns(10, 5);
  for (const std::uint32_t engines : {1U, 4U}) {
    const Device device = open_with(GetParam(), engines, 1);
    const Answer answer = solve_with(device, problem, "boxed");
    ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
    const auto& counters = answer.report.run.counters;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < spec::kCounters.size(); ++i)
      if (spec::kCounters[i].stall) sum += counters[i];
    EXPECT_EQ(sum, answer.report.engine_cycles);
    if (!device.info().timed) {
      EXPECT_EQ(sum, 0U);
    } else if (engines == 1) {
      EXPECT_EQ(sum, counters[PPU_COUNTER_CYCLES]);
    } else {
      EXPECT_GT(sum, counters[PPU_COUNTER_CYCLES]) << "the runs overlap";
    }
  }
}

TEST_P(Islands, OfAProblemTooLargeForOneRunAreSeveralRuns) {
  const model::RowProblem problem = test::columns(10, 5);
  const Device device = open_with(GetParam(), 1, 1, {"impulse_memory_rows=16"});
  const Answer answer = solve_with(device, problem, "boxed");
  ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(answer.report.runs, 4U);
  EXPECT_EQ(answer.hash(), solve_with(open_with("functional", 1, 1), problem, "boxed").hash());
}

TEST_P(Islands, StayTogetherWhereTheProgramReadsAResidual) {
  const model::RowProblem problem = test::columns(10, 5);
  const Answer one = solve_with(open_with("functional", 1, 1), problem, "threshold");
  const Answer four = solve_with(open_with(GetParam(), 4, 1), problem, "threshold");
  ASSERT_EQ(four.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(four.report.runs, 1U);
  EXPECT_EQ(four.hash(), one.hash());
  EXPECT_EQ(four.report.run.last_residual, one.report.run.last_residual);
  const Device small = open_with(GetParam(), 4, 1, {"impulse_memory_rows=48"});
  EXPECT_EQ(solve_with(small, problem, "threshold").result, PPU_ERROR_CAPACITY);
  EXPECT_STREQ(ppu_last_error(), "the problem has 50 rows, impulse_memory_rows is 48");
}

TEST_P(Islands, FaultNamesItsRowWhicheverEngineRanIt) {
  model::RowProblem problem = test::columns(6, 5);
  for (std::size_t i = 0; i < 12; ++i) problem.jacobian[23 * 12 + i] *= 3e38F;
  problem.rate_bias[23] = -3e38F;
  for (const std::uint32_t engines : {1U, 4U}) {
    const Answer answer = solve_with(open_with(GetParam(), engines, 1), problem, "boxed");
    EXPECT_EQ(answer.result, PPU_ERROR_FAULT);
    EXPECT_EQ(answer.report.fault_row, 23U);
    EXPECT_EQ(std::string(ppu_last_error()).find("row 23 (slot "), 0U) << ppu_last_error();
    EXPECT_TRUE(answer.untouched());
  }
}

TEST_P(Islands, BodiesWithoutARowKeepTheirVelocity) {
  model::RowProblem problem = test::columns(3, 4);
  problem.velocity_change.insert(problem.velocity_change.end(), {1, 2, 3, 4, 5, 6});
  const Device device = open_with(GetParam(), 2, 2);
  const Answer warm = solve_with(device, problem, "boxed");
  ASSERT_EQ(warm.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(std::vector<float>(warm.velocity_change.end() - 6, warm.velocity_change.end()),
            (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const Program program = Program::load(device, "boxed");
  ppu_solve_def def = def_of(program);
  def.start = PPU_START_COLD;
  const Answer cold = solve(device, test::view(problem), def);
  EXPECT_EQ(std::vector<float>(cold.velocity_change.end() - 6, cold.velocity_change.end()),
            std::vector<float>(6));
}

/// On the back end that takes any shape and keeps a profile.
class IslandProfiles : public Islands {};

TEST_P(IslandProfiles, CoverEveryRowOfEveryEngine) {
  const Device device = open_with(GetParam(), 4, 2);
  ASSERT_TRUE(device.info().profiles);
  const model::RowProblem problem = test::columns(8, 10);
  const Program program = Program::load(device, "boxed");
  std::vector<ppu_row_profile> profile(problem.rows());
  ppu_solve_def def = def_of(program);
  def.profile = profile.data();
  const Answer answer = solve(device, test::view(problem), def);
  ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(answer.report.runs, 4U);
  std::uint64_t cycles = 0;
  for (const ppu_row_profile& row : profile) cycles += row.cycles;
  EXPECT_GT(cycles, 0U);
}

INSTANTIATE_TEST_SUITE_P(Backends, Islands, testing::ValuesIn(shapeless_backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });
INSTANTIATE_TEST_SUITE_P(Backends, IslandProfiles, testing::ValuesIn(test::systemc_backend()),
                         [](const auto& backend) { return test::name_of(backend.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IslandProfiles);

class NamedConfigurations : public testing::TestWithParam<std::string> {};

TEST_P(NamedConfigurations, GiveTheSameBitsOnEveryBackEnd) {
  const model::RowProblem problem = test::read_test_data("topple_f060.h5");
  const Answer one = solve_with(open_with("functional", 1, 1), problem, "boxed");
  for (const char* config : {"small", "default", "wide"}) {
    const Device device = test::open(GetParam(), config);
    const Answer answer = solve_with(device, problem, "boxed");
    ASSERT_EQ(answer.result, PPU_OK) << config << ": " << ppu_last_error();
    EXPECT_EQ(answer.hash(), one.hash()) << config;
    EXPECT_LE(answer.report.runs, device.info().engines) << config;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, NamedConfigurations, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

TEST(RowOrder, IsThatOfTheSolve) {
  const model::RowProblem owner = test::read_test_data("topple_f060.h5");
  const ppu_problem problem = test::view(owner);
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED, PPU_ORDER_COLOUR}) {
    std::vector<std::uint32_t> rows(problem.row_count);
    ASSERT_EQ(ppu_row_order(&problem, order, rows.data()), PPU_OK);
    EXPECT_EQ(std::is_sorted(rows.begin(), rows.end()), order != PPU_ORDER_COLOUR);
    std::sort(rows.begin(), rows.end());
    for (std::uint32_t row = 0; row < rows.size(); ++row) ASSERT_EQ(rows[row], row);
  }
}

TEST(RowOrder, RefusesWhatIsNone) {
  const model::RowProblem owner = test::columns(2, 3);
  const ppu_problem problem = test::view(owner);
  std::vector<std::uint32_t> rows(problem.row_count);
  EXPECT_EQ(ppu_row_order(&problem, static_cast<ppu_order>(3), rows.data()),
            PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(ppu_last_error()), "order is 3, expected a ppu_order");
  EXPECT_EQ(ppu_row_order(&problem, PPU_ORDER_ENGINE, nullptr), PPU_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace ppu::driver
