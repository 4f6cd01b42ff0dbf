// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Frames of the demo scenes as row problems: valid, and with the answer of the engine itself.
#include "sim/demo/scene_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/reference/comparison.hpp"
#include "model/reference/replay.hpp"
#include "sim/scenes/registry.hpp"

namespace ppu::sim {
namespace {

using model::RowKind;
using model::RowProblem;

/// Of the largest impulse: a plain float replay rounds otherwise than the engine, which stores its
/// right-hand sides scaled. The largest that was found is 3.4e-7.
constexpr double kReplayError = 4e-7;

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

std::size_t count(const RowProblem& problem, RowKind kind) {
  return static_cast<std::size_t>(std::count(problem.kind.begin(), problem.kind.end(), kind));
}

class RecordedScene : public testing::TestWithParam<std::string> {};

TEST_P(RecordedScene, GivesTheEnginesAnswerInAFloatReplay) {
  for (const std::uint32_t frame : {0U, 30U, 90U}) {
    const RowProblem problem = scene_problem(GetParam(), 1, frame);
    EXPECT_NO_THROW(model::validate(problem, problem.name));
    model::SolveOptions options;
    options.sweeps = problem.reference->sweeps;
    const model::Replay run = model::replay(problem, options, spec::Form::kRate);
    EXPECT_FALSE(run.fault_row);
    EXPECT_LE(model::relative_error(run.impulse, widened(problem.reference->impulse)), kReplayError)
        << "frame " << frame;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RecordedScene, testing::ValuesIn(scenes::scene_names()),
                         [](const auto& name) { return name.param; });

TEST(RecordedProblem, SaysWhereItIsFrom) {
  const RowProblem problem = scene_problem("wall10", 3, 2);
  EXPECT_EQ(problem.name, "wall10_f002");
  EXPECT_EQ(problem.scene, "wall");
  EXPECT_EQ(problem.params, "w=10 h=10 seed=3");
  EXPECT_EQ(problem.seed, 3);
  EXPECT_EQ(problem.frame, 2);
  EXPECT_EQ(problem.engine,
            "Bullet 3.24 btSequentialImpulseConstraintSolver (float32, scalar rows)");
  EXPECT_EQ(problem.reference->sweeps, 10);
  EXPECT_EQ(problem.bodies(), 105U) << "the ball is in the air, and has no rows";
}

TEST(RecordedProblem, IsThatOfTheFrameBeforeItsIterations) {
  // Before anything has moved: no warm start yet, and every brick on the bricks below it.
  const RowProblem first = scene_problem("wall10", 1, 0);
  EXPECT_EQ(count(first, RowKind::kContact), 760U);
  EXPECT_EQ(count(first, RowKind::kFriction), 2 * 760U);
  EXPECT_EQ(*std::max_element(first.impulse.begin(), first.impulse.end()), 0);
  EXPECT_GT(*std::max_element(first.reference->impulse.begin(), first.reference->impulse.end()), 0);
  const RowProblem second = scene_problem("wall10", 1, 1);
  EXPECT_GT(*std::max_element(second.impulse.begin(), second.impulse.end()), 0);
  // Nothing has moved yet, but gravity has pulled for a step.
  for (std::size_t body = 0; body < first.bodies(); ++body)
    EXPECT_FLOAT_EQ(first.velocity_free[6 * body + 1], -9.81F / 60);
}

}  // namespace
}  // namespace ppu::sim
