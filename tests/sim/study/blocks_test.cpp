// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The loop from row to row of one body, stage by stage, against what the cycle model takes; which
// rows could go as one block; and the robot that the study of blocks stands on the ground.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/reference/comparison.hpp"
#include "model/reference/reference.hpp"
#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "sim/parity/parity_problems.hpp"
#include "sim/problem/stance.hpp"
#include "sim/study/block_bound.hpp"
#include "sim/study/contact_block.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::sim {
namespace {

using driver::test::Answer;
using driver::test::view;

constexpr int kRowsOfContact = 3;

model::RowProblem one_contact() {
  return make_islands({1, kRowsOfContact, kRowsOfContact, 1});
}

Answer solve(const Device& device, const model::RowProblem& problem, ppu_order order,
             std::uint32_t sweeps) {
  const Program program = Program::load(device, "boxed");
  ppu_solve_def def = driver::test::def_of(program);
  def.order = order;
  def.max_sweeps = sweeps;
  Answer answer = driver::test::solve(device, view(problem), def);
  EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
  return answer;
}

/// Cycles of ten steady sweeps of the cycle model.
std::uint64_t ten_sweeps(const model::RowProblem& problem, const std::string& config,
                         const std::vector<const char*>& overrides, ppu_order order) {
  const auto cycles = [&](std::uint32_t sweeps) {
    const Device device = driver::test::open("systemc", config.c_str(), overrides);
    return solve(device, problem, order, sweeps).report.run.counters[PPU_COUNTER_CYCLES];
  };
  return cycles(20) - cycles(10);
}

std::vector<std::string> named_configs() {
  std::vector<std::string> names;
  for (const spec::NamedConfig& config : spec::kNamedConfigs) names.emplace_back(config.name);
  return names;
}

/// Every number of lanes and of stages.
std::vector<hw::Config> arithmetic_shapes() {
  std::vector<hw::Config> configs;
  for (const std::uint32_t lanes : {1U, 2U, 3U, 4U, 6U, 12U})
    for (std::uint32_t mul = 1; mul <= 5; ++mul)
      for (std::uint32_t add = 1; add <= 5; ++add) {
        configs.emplace_back();
        configs.back().lanes = lanes;
        configs.back().fp_mul_stages = mul;
        configs.back().fp_add_stages = add;
      }
  return configs;
}

// ---------------------------------------------------------------------------------------- the loop

TEST(ContactBlock, TheStagesOfARowAreItsWholeLatencyAndTheWriteCostsNothing) {
  for (const hw::Config& config : arithmetic_shapes()) {
    const RowLoop loop = row_loop(config);
    for (const int cycles :
         {loop.read, loop.dot, loop.step, loop.clamp, loop.difference, loop.scaled_add})
      EXPECT_GT(cycles, 0);
    EXPECT_EQ(loop.write, 0);
    EXPECT_EQ(loop.latency(), hw::body_latency(config));
  }
}

TEST(ContactBlock, ABlockWithTheSameBitsSavesAReadAndTheLaterBeatsOfEachInnerRow) {
  for (const hw::Config& config : arithmetic_shapes()) {
    const int beats = static_cast<int>(12 / config.lanes);
    EXPECT_EQ(cycles_as_rows(config, kRowsOfContact) - cycles_as_block(config, kRowsOfContact),
              (kRowsOfContact - 1) * (1 + beats - 1));
    EXPECT_EQ(cycles_as_block(config, 1), hw::body_latency(config));
  }
}

TEST(ContactBlock, OtherBitsLeaveStepClampAndOneCorrectionBetweenRows) {
  for (const hw::Config& config : arithmetic_shapes()) {
    const auto m = static_cast<int>(config.fp_mul_stages);
    const auto a = static_cast<int>(config.fp_add_stages);
    const int beats = static_cast<int>(12 / config.lanes);
    EXPECT_EQ(other_bits_hop(config), std::max((m + a) + 1 + (m + a), beats));
    EXPECT_LE(other_bits_hop(config), same_bits_hop(config));
  }
}

TEST(ContactBlock, RowsOfOneContactTakeTheirLatenciesOnTheCycleModel) {
  const model::RowProblem contact = one_contact();
  ASSERT_EQ(contact.rows(), std::size_t{kRowsOfContact});
  for (const std::string& name : named_configs()) {
    for (const char* shape : {"fp_mul_stages=2", "fp_add_stages=1", "lanes=2"}) {
      const auto expected = 10 * static_cast<std::uint64_t>(cycles_as_rows(
                                     hw::resolve_config(name, {shape}), kRowsOfContact));
      EXPECT_EQ(ten_sweeps(contact, name, {shape}, PPU_ORDER_ENGINE), expected) << name << shape;
    }
    const auto expected =
        10 * static_cast<std::uint64_t>(cycles_as_rows(hw::resolve_config(name), kRowsOfContact));
    EXPECT_EQ(ten_sweeps(contact, name, {}, PPU_ORDER_ENGINE), expected) << name;
  }
}

// ---------------------------------------------------------------------------------- blocks of rows

TEST(BlockBound, OneContactIsBoundByItsRowsOrItsBlock) {
  for (const std::string& name : named_configs()) {
    const hw::Config config = hw::resolve_config(name);
    for (const bool in_order : {false, true}) {
      EXPECT_EQ(dependence_bound(one_contact(), config, {in_order, Blocks::kNone}),
                cycles_as_rows(config, kRowsOfContact));
      for (const Blocks blocks : {Blocks::kForwarded, Blocks::kOneOperation}) {
        EXPECT_EQ(dependence_bound(one_contact(), config, {in_order, blocks}),
                  cycles_as_block(config, kRowsOfContact));
      }
    }
  }
}

TEST(BlockBound, RowsOfAContactAreABlockOnlyIfNoRowStandsBetweenThemOnABody) {
  model::RowProblem problem = one_contact();
  EXPECT_EQ(block_predecessors(problem), (std::vector<std::int32_t>{-1, 0, 1}));
  EXPECT_EQ(block_counts(problem), (std::map<std::uint32_t, std::uint64_t>{{3, 1}}));

  // A second contact of the same body, as an engine orders it: normals, then friction.
  problem.velocity_change.resize(6);
  problem.body.assign(6, {-1, 0});
  problem.parent = {-1, -1, 0, 0, 1, 1};
  EXPECT_EQ(block_predecessors(problem), (std::vector<std::int32_t>{-1, -1, -1, 2, -1, 4}));
  EXPECT_EQ(block_counts(problem), (std::map<std::uint32_t, std::uint64_t>{{2, 2}}));

  // A friction row between other bodies than its normal is no part of its block.
  problem.velocity_change.resize(12);
  problem.parent = {-1, 0, 0, -1, 3, 3};
  problem.body[5] = {1, 0};
  EXPECT_EQ(block_predecessors(problem), (std::vector<std::int32_t>{-1, 0, 1, -1, 3, -1}));
}

TEST(BlockBound, TheCycleModelIsNeverFasterAndReachesTheBoundOfTheStance) {
  for (const std::string& name : named_configs()) {
    const hw::Config config = hw::resolve_config(name);
    const model::RowProblem stance = make_stance();
    const auto scheduled = ten_sweeps(stance, name, {}, PPU_ORDER_SCHEDULED);
    EXPECT_EQ(static_cast<double>(scheduled), 10 * dependence_bound(stance, config, {}));
    const auto in_order = ten_sweeps(stance, name, {}, PPU_ORDER_ENGINE);
    EXPECT_GE(static_cast<double>(in_order),
              10 * dependence_bound(stance, config, {true, Blocks::kNone}));
  }
}

// -------------------------------------------------------------------------------------- the stance

TEST(Stance, IsAValidProblemOfFourJointsAndFourContacts) {
  const model::RowProblem stance = make_stance();
  EXPECT_NO_THROW(model::validate(stance, "stance"));
  EXPECT_EQ(stance.rows(), 24U);
  EXPECT_EQ(stance.bodies(), 5U);
  EXPECT_EQ(block_counts(stance), (std::map<std::uint32_t, std::uint64_t>{{3, 4}}));
  for (std::size_t row = 0; row < stance.rows(); ++row) {
    double diagonal = 0;
    double bias = 0;
    for (std::size_t k = 0; k < 12; ++k) {
      const auto j = double{stance.jacobian[12 * row + k]};
      diagonal += j * double{stance.inv_mass_jacobian[12 * row + k]};
      const std::int32_t body = stance.body[row][k / 6];
      if (body >= 0)
        bias += j * double{stance.velocity_free[6 * static_cast<std::size_t>(body) + k % 6]};
    }
    EXPECT_NEAR(diagonal * double{stance.inv_diagonal[row]}, 1, 1e-6) << row;
    EXPECT_NEAR(double{stance.rate_bias[row]}, bias, 1e-6) << row;
  }
}

TEST(Stance, TurnsAsAWholeWithoutPullingAtItsJoints) {
  const model::RowProblem stance = make_stance();
  // One radian per second around z through the ground: the point at (x, y) moves by (-y, x).
  const auto rate = [&stance](std::size_t row) {
    double sum = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (stance.body[row][side] < 0) continue;
      const auto body = static_cast<std::size_t>(stance.body[row][side]);
      const float* jacobian = &stance.jacobian[12 * row + 6 * side];
      sum += double{jacobian[1]} * double{stance.position[3 * body]} -
             double{jacobian[0]} * double{stance.position[3 * body + 1]} + double{jacobian[5]};
    }
    return sum;
  };
  for (std::size_t row = 0; row < stance.rows(); ++row) {
    if (stance.kind[row] != model::RowKind::kContact) {
      EXPECT_NEAR(rate(row), 0, 1e-6) << row;
      continue;
    }
    // A foot leaves the ground on one side and goes into it on the other.
    const auto leg = static_cast<std::size_t>(stance.body[row][0]);
    EXPECT_GT(rate(row) * double{stance.position[3 * leg]}, 0.1) << row;
  }
}

TEST(Stance, CarriesItsWeightAndComesToRestAsTheReferenceDoes) {
  const model::RowProblem stance = make_stance();
  const Device device = driver::test::open("functional");
  model::SolveOptions options;
  options.friction = model::FrictionRule::kClamp;
  std::vector<double> residuals;
  for (const int sweeps : {1, 10, 100, 1000}) {
    const Answer answer =
        solve(device, stance, PPU_ORDER_SCHEDULED, static_cast<std::uint32_t>(sweeps));
    options.sweeps = sweeps;
    const model::State exact = model::solve_rows(stance, options);
    EXPECT_LE(model::relative_error(answer.impulse, exact.impulse),
              model::float_error_bound(stance, exact, sweeps));
    residuals.push_back(model::true_residual(stance, exact.impulse, exact.velocity));
    if (residuals.size() > 1) {
      EXPECT_LT(residuals.back(), residuals[residuals.size() - 2] / 2) << sweeps;
    }
  }
  EXPECT_LT(residuals.back(), 1e-4);
  // m g dt of 20 kg and four times 2.5 kg.
  double pushes = 0;
  const Answer answer = solve(device, stance, PPU_ORDER_SCHEDULED, 1000);
  for (std::size_t row = 0; row < stance.rows(); ++row)
    if (stance.kind[row] == model::RowKind::kContact) pushes += double{answer.impulse[row]};
  EXPECT_NEAR(pushes, 30 * 9.81 / 60, 0.01);
}

class StanceBits : public testing::TestWithParam<std::string> {};

TEST_P(StanceBits, AreThoseOfThePlainSolver) {
  const model::RowProblem stance = make_stance();
  model::SolveOptions options;
  options.sweeps = 25;
  options.friction = model::FrictionRule::kClamp;
  const model::Replay plain = model::replay(stance, options, spec::Form::kRate);
  const Device device = driver::test::open(GetParam());
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED}) {
    const Answer answer = solve(device, stance, order, 25);
    EXPECT_EQ(answer.hash(),
              ppu_state_hash(plain.impulse.data(), plain.impulse.size(),
                             plain.velocity_change.data(), plain.velocity_change.size() / 6));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, StanceBits, testing::ValuesIn(driver::test::backends()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace ppu::sim
