// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper on every back end: the bits of the plain float solver, faults, timeouts and
// many devices.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;
using test::solve;

// ------------------------------------------------------------------------ bits of the float solver

struct Way {
  ppu_order order;
  ppu_friction_rule friction;
  ppu_start start;
};

model::Replay expected(const model::RowProblem& problem, const Way& way, spec::Form form,
                       std::uint32_t sweeps, const std::vector<std::uint32_t>& order) {
  model::SolveOptions options;
  options.sweeps = static_cast<int>(sweeps);
  options.friction =
      way.friction == PPU_FRICTION_SKIP ? model::FrictionRule::kSkip : model::FrictionRule::kClamp;
  options.start = way.start == PPU_START_WARM ? model::Start::kWarm : model::Start::kCold;
  options.order = order;
  return model::replay(problem, options, form);
}

using BitsParam = std::tuple<std::string, std::string>;  ///< Back end, file.

class SolveBits : public testing::TestWithParam<BitsParam> {};

void expect_bits(const Device& device, const model::RowProblem& problem, const char* program_name,
                 const Way& way, std::uint32_t sweeps) {
  const Program program = Program::load(device, program_name);
  const bool impulse_form = std::string(program_name) == "impulse";
  ppu_solve_def def = def_of(program);
  def.order = way.order;
  def.friction = way.friction;
  def.start = way.start;
  def.max_sweeps = sweeps;
  const Answer answer = solve(device, test::view(problem), def);
  ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(answer.report.sweeps, sweeps);
  EXPECT_EQ(answer.report.run.counters[PPU_COUNTER_ROW_UPDATES], sweeps * problem.rows());

  std::vector<std::uint32_t> order;
  if (way.order == PPU_ORDER_COLOUR) {
    const ppu_problem colour_problem = test::view(problem);
    order.resize(problem.rows());
    check(ppu_row_order(&colour_problem, PPU_ORDER_COLOUR, order.data()));
  }
  const auto form = impulse_form ? spec::Form::kImpulse : spec::Form::kRate;
  const model::Replay replay = expected(problem, way, form, sweeps, order);
  EXPECT_EQ(answer.hash(),
            ppu_state_hash(replay.impulse.data(), replay.impulse.size(),
                           replay.velocity_change.data(), replay.velocity_change.size() / 6))
      << program_name << " order " << way.order << " friction " << way.friction << " start "
      << way.start;
  const double residual = model::true_residual(problem, answer.impulse, answer.velocity_change);
  EXPECT_NEAR(answer.report.max_residual, residual, 1e-12 * residual);
}

TEST_P(SolveBits, EqualThePlainFloatSolver) {
  const auto& [backend, file] = GetParam();
  const model::RowProblem problem = test::read_test_data(file);
  const Device device = test::open(backend);
  // The back ends with time are slower, RTL by far: two ways each there, every way on the
  // functional one.
  const bool slow = backend == "cosim" || backend == "rtl";
  const std::uint32_t sweeps = slow ? 3 : 10;
  const std::vector<Way> few = {{PPU_ORDER_SCHEDULED, PPU_FRICTION_SKIP, PPU_START_WARM},
                                {PPU_ORDER_ENGINE, PPU_FRICTION_CLAMP, PPU_START_COLD}};
  std::vector<Way> ways;
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED, PPU_ORDER_COLOUR})
    for (const ppu_friction_rule friction : {PPU_FRICTION_CLAMP, PPU_FRICTION_SKIP})
      for (const ppu_start start : {PPU_START_WARM, PPU_START_COLD})
        ways.push_back({order, friction, start});
  for (const Way& way : backend == "functional" ? ways : few)
    for (const char* program : {"boxed", "impulse"})
      expect_bits(device, problem, program, way, sweeps);
}

INSTANTIATE_TEST_SUITE_P(
    Files, SolveBits,
    testing::Combine(testing::ValuesIn(test::backends()),
                     testing::Values<std::string>("ball_f110.h5", "massratio_f040.h5",
                                                  "topple_f060.h5", "ragdollcfm_f070.h5",
                                                  "wall10_f012.h5", "wall10cfm_f030.h5")),
    [](const auto& each) {
      const std::string file = std::get<1>(each.param);
      return test::name_of(std::get<0>(each.param)) + "_" + file.substr(0, file.find('.'));
    });

// --------------------------------------------------------------------------------- on every device

class SolveOnBackend : public testing::TestWithParam<std::string> {
 protected:
  Answer run(const char* program_name, ppu_solve_def changed = ppu_default_solve_def()) {
    const Program program = Program::load(device_, program_name);
    changed.program = program.get();
    return solve(device_, test::view(problem_), changed);
  }

  Device device_ = test::open(GetParam());
  model::RowProblem problem_ = test::column(5);
};

TEST_P(SolveOnBackend, ColumnComesToRest) {
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = 500;
  def.threshold = 1e-4F;
  const Answer answer = run("threshold", def);
  ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
  EXPECT_LT(answer.report.max_residual, 2e-4);
  EXPECT_LE(answer.report.run.last_residual, 1e-4F);
  EXPECT_GT(answer.report.sweeps, 10U);
  EXPECT_LT(answer.report.sweeps, 500U);
  // Five unit masses stopped from 1 m/s: the ground takes 5 N s, each contact above one less.
  for (std::size_t row = 0; row < 5; ++row)
    EXPECT_NEAR(answer.impulse[row], 5.0F - static_cast<float>(row), 0.01F);
}

TEST_P(SolveOnBackend, RowsWithoutABoundSolveAsRowsWithAFarOne) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const char* program : {"boxed", "threshold", "impulse"}) {
    const Answer far = run(program);
    ASSERT_EQ(far.result, PPU_OK) << ppu_last_error();
    std::vector<float> bounds(5, kInfinity);
    problem_.upper.swap(bounds);
    const Answer without = run(program);
    problem_.upper.swap(bounds);
    ASSERT_EQ(without.result, PPU_OK) << program << ": " << ppu_last_error();
    EXPECT_EQ(without.hash(), far.hash()) << program;
    EXPECT_EQ(without.report.max_residual, far.report.max_residual) << program;
  }
  problem_.lower.assign(5, -kInfinity);
  problem_.upper.assign(5, kInfinity);
  const Answer joints = run("boxed");
  ASSERT_EQ(joints.result, PPU_OK) << ppu_last_error();
  EXPECT_GT(joints.impulse[0], 0.0F);
}

TEST_P(SolveOnBackend, NumberBornNotFiniteNamesTheRowAndTouchesNoOutput) {
  // Row 3 overflows as soon as body 3 moves.
  for (std::size_t i = 0; i < 12; ++i) problem_.jacobian[3 * 12 + i] *= 3e38F;
  problem_.rate_bias[3] = -3e38F;
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED}) {
    ppu_solve_def def = ppu_default_solve_def();
    def.order = order;
    const Answer answer = run("boxed", def);
    EXPECT_EQ(answer.result, PPU_ERROR_FAULT);
    EXPECT_EQ(answer.report.fault_row, 3U);
    EXPECT_EQ(answer.report.run.status, PPU_RUN_ROW_FAULT);
    const std::string slot = std::to_string(answer.report.run.fault_row);
    EXPECT_EQ(std::string(ppu_last_error()).find("row 3 (slot " + slot + "): the "), 0U)
        << ppu_last_error();
    EXPECT_TRUE(answer.untouched());
  }
  problem_ = test::column(5);
  EXPECT_EQ(run("boxed").result, PPU_OK) << "the device goes on after a fault";
}

TEST_P(SolveOnBackend, TimeoutCancelsTheRunTouchesNoOutputAndTheDeviceGoesOn) {
  const std::uint64_t hash = run("boxed").hash();
  // For ever in the sequencer, and for ever in the rows.
  const std::string sweep = ".kernel k\nldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n.end\n";
  for (const std::string& source :
       {std::string("loop: j loop\n"), "kernel k\nloop: rows zero, a0\nj loop\n" + sweep}) {
    const Program program = Program::assemble(device_, "for-ever.s", source);
    ppu_solve_def def = def_of(program);
    def.timeout_ns = 1'000'000;
    const Answer answer = solve(device_, test::view(problem_), def);
    EXPECT_EQ(answer.result, PPU_ERROR_TIMEOUT);
    EXPECT_NE(std::string(ppu_last_error()).find("within 0.001 s and was cancelled"),
              std::string::npos)
        << ppu_last_error();
    EXPECT_TRUE(answer.untouched());
    EXPECT_EQ(device_.read_register(PPU_REGISTER_STATUS) & 1U, 0U);
    EXPECT_EQ(run("boxed").hash(), hash) << "the device goes on";
  }
}

TEST_P(SolveOnBackend, ExceptionCarriesTheReportOfTheFault) {
  for (std::size_t i = 0; i < 12; ++i) problem_.jacobian[3 * 12 + i] *= 3e38F;
  problem_.rate_bias[3] = -3e38F;
  const Program program = Program::load(device_, "boxed");
  std::vector<float> impulse(5);
  std::vector<float> velocity_change(30);
  try {
    device_.solve(test::view(problem_), def_of(program), impulse.data(), velocity_change.data());
    FAIL();
  } catch (const SolveError& error) {
    EXPECT_EQ(error.result, PPU_ERROR_FAULT);
    EXPECT_EQ(error.report.fault_row, 3U);
    EXPECT_EQ(error.report.run.status, PPU_RUN_ROW_FAULT);
  }
}

TEST_P(SolveOnBackend, EmptyProblemIsSolved) {
  problem_ = test::column(0);
  const Answer answer = run("boxed");
  EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(answer.report.max_residual, 0);
}

TEST_P(SolveOnBackend, ProfileComesBackInRowOrder) {
  std::vector<ppu_row_profile> profile(5);
  ppu_solve_def def = ppu_default_solve_def();
  def.profile = profile.data();
  const Answer answer = run("boxed", def);
  if (!device_.info().profiles) {
    EXPECT_EQ(answer.result, PPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(ppu_last_error()),
              "def->profile is set, but back end '" + test::kind_of(GetParam()) +
                  "' keeps no row profile; expected null, or back end "
                  "systemc or cosim");
    return;
  }
  ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
  // Every contact of the column shares a body with the one below.
  for (std::size_t row = 1; row < 5; ++row) EXPECT_GT(profile[row].body_stall, 0U) << row;
}

TEST_P(SolveOnBackend, ManyDevicesSideBySideAndOneAfterAnother) {
  const Answer first = run("boxed");
  std::vector<Device> devices;
  for (int i = 0; i < 4; ++i) devices.push_back(test::open(GetParam()));
  for (int round = 0; round < 3; ++round) {
    for (const Device& device : devices) {
      const Program program = Program::load(device, "boxed");
      EXPECT_EQ(solve(device, test::view(problem_), def_of(program)).hash(), first.hash());
    }
    devices.front() = test::open(GetParam());
  }
}

TEST_P(SolveOnBackend, GrowsAndShrinksWithItsProblems) {
  const std::uint64_t small = run("boxed").hash();
  problem_ = test::column(200);
  EXPECT_EQ(run("boxed").result, PPU_OK);
  problem_ = test::column(5);
  EXPECT_EQ(run("boxed").hash(), small);
}

INSTANTIATE_TEST_SUITE_P(Backends, SolveOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

TEST(StateHash, IsFnv1aOfTheBitsAndSeesSignedZero) {
  EXPECT_EQ(ppu_state_hash(nullptr, 0, nullptr, 0), 0xcbf29ce484222325ULL);
  const float zero = 0.0F;
  const float minus_zero = -0.0F;
  EXPECT_NE(ppu_state_hash(&zero, 1, nullptr, 0), ppu_state_hash(&minus_zero, 1, nullptr, 0));
}

}  // namespace
}  // namespace ppu::driver
