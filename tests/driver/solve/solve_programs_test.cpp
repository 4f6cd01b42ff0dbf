// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs that decide, reduced rows, classes and relaxation through the solver helper: the bits of
// the float replay on every back end, and the answers of the double-precision reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "driver/solve/mass_scaling.hpp"
#include "model/reference/comparison.hpp"
#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;

std::uint64_t hash_of(const model::Solution& state) {
  return ppu_state_hash(state.impulse.data(), state.impulse.size(), state.velocity_change.data(),
                        state.velocity_change.size() / 6);
}

/// Back end, file.
class SolvePrograms : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  Answer run(const char* program_name, const ppu_solve_def& changed) const {
    const Program program = Program::load(device_, program_name);
    ppu_solve_def def = changed;
    def.program = program.get();
    Answer answer = test::solve(device_, test::view(problem_), def);
    EXPECT_EQ(answer.result, PPU_OK) << program_name << ": " << ppu_last_error();
    return answer;
  }
  [[nodiscard]] model::SolveOptions options(std::uint32_t sweeps) const {
    return {static_cast<int>(sweeps),
            model::Start::kWarm,
            model::FrictionRule::kClamp,
            model::Projection::kMed,
            {}};
  }
  void expect_same(const Answer& answer, const model::DecidedReplay& replay) const {
    EXPECT_EQ(answer.report.sweeps, static_cast<std::uint32_t>(replay.sweeps));
    EXPECT_EQ(answer.report.run.last_residual, replay.last_residual);
    EXPECT_EQ(answer.hash(), hash_of(replay));
    EXPECT_EQ(answer.report.runs, 1U);
  }
  /// As the device gets it: J M^-1/2 for J and M^-1 J^T, M^1/2 v for v.
  [[nodiscard]] model::RowProblem reduced(const MassScaling& scaling) const {
    model::RowProblem scaled = problem_;
    for (std::size_t half = 0; half < 2 * problem_.rows(); ++half) {
      const std::int32_t body = problem_.body[half / 2][half % 2];
      if (body < 0) continue;
      const MassScaling::Vector j =
          scaling.scale_jacobian(static_cast<std::size_t>(body), &problem_.jacobian[6 * half]);
      std::copy(j.begin(), j.end(), &scaled.jacobian[6 * half]);
      std::copy(j.begin(), j.end(), &scaled.inv_mass_jacobian[6 * half]);
    }
    for (std::size_t body = 0; body < problem_.bodies(); ++body) {
      const auto v = scaling.to_reduced(body, &problem_.velocity_change[6 * body]);
      std::copy(v.begin(), v.end(), &scaled.velocity_change[6 * body]);
    }
    return scaled;
  }
  static void expand(const MassScaling& scaling, model::Solution* state) {
    for (std::size_t body = 0; body < state->velocity_change.size() / 6; ++body) {
      const auto v = scaling.from_reduced(body, &state->velocity_change[6 * body]);
      std::copy(v.begin(), v.end(), &state->velocity_change[6 * body]);
    }
  }

  model::RowProblem problem_ = test::read_test_data(std::get<1>(GetParam()));
  Device device_ = test::open(std::get<0>(GetParam()));
  /// RTL is slow.
  std::uint32_t sweeps_ = std::get<0>(GetParam()) == "rtl" ? 4 : 30;
};

TEST_P(SolvePrograms, FilterVisitsTheRowsOfTheReplay) {
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = sweeps_;
  def.threshold = 0.05F;
  for (const float mark : {0.0F, 0.01F}) {
    def.mark_threshold = mark;
    const Answer answer = run("filter", def);
    const float marked = mark > 0 ? mark : def.threshold;
    const model::DecidedReplay replay =
        model::replay_filter(problem_, options(sweeps_), {def.threshold, marked, true});
    expect_same(answer, replay);
    std::uint64_t visited = 0;
    for (const auto& rows : replay.visits) visited += rows.size();
    const std::uint64_t all = problem_.rows() * replay.visits.size();
    EXPECT_EQ(answer.report.run.counters[PPU_COUNTER_ROWS_FILTERED], all - visited);
  }
}

TEST_P(SolvePrograms, LiteralFilterIsThatOfTheReducedReplay) {
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = sweeps_;
  def.threshold = 0.05F;
  const Answer answer = run("filter-literal", def);
  const MassScaling scaling(test::view(problem_), PPU_START_WARM);
  model::DecidedReplay replay = model::replay_filter(reduced(scaling), options(sweeps_),
                                                     {def.threshold, def.threshold, false});
  expand(scaling, &replay);
  expect_same(answer, replay);
}

TEST_P(SolvePrograms, ThresholdStopsWhereTheReplayDoes) {
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = sweeps_;
  def.threshold = 0.5F;
  expect_same(run("threshold", def),
              model::replay_threshold(problem_, options(sweeps_), def.threshold));
}

TEST_P(SolvePrograms, NesterovStopsWhereTheReplayDoesAndSolvesAsEigenDoes) {
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = sweeps_;
  def.threshold = 0.05F;
  const Answer answer = run("nesterov", def);
  const model::DecidedReplay replay =
      model::replay_nesterov(problem_, options(sweeps_), def.threshold);
  expect_same(answer, replay);
  const model::State exact = model::solve_leading(problem_, options(sweeps_), replay.factors);
  EXPECT_LE(model::relative_error(answer.impulse, exact.impulse),
            model::float_error_bound(problem_, exact, replay.sweeps));
}

TEST_P(SolvePrograms, ImpulseThresholdStopsWhereTheReplayDoes) {
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = sweeps_;
  def.threshold = 0.5F;
  expect_same(run("impulse-threshold", def),
              model::replay_impulse_threshold(problem_, options(sweeps_), def.threshold));
}

TEST_P(SolvePrograms, RowsInTheImpulseFormKeepTheirBits) {
  const Program program = Program::load(device_, "impulse");
  const ppu_solve_def def = def_of(program);
  const Answer expected = run("impulse", def);
  model::RowProblem scaled = problem_;
  for (std::size_t row = 0; row < scaled.rows(); ++row) {
    const float d = scaled.inv_diagonal[row];
    scaled.rate_bias[row] = model::impulse_form_bias(scaled.rate_bias[row], d);
    scaled.compliance[row] = model::impulse_form_compliance(scaled.compliance[row], d);
  }
  ppu_problem problem = test::view(scaled);
  problem.impulse_form = true;
  const Answer answer = test::solve(device_, problem, def);
  EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(answer.hash(), expected.hash());
  EXPECT_NEAR(answer.report.max_residual, expected.report.max_residual,
              1e-5 * (1 + expected.report.max_residual));
}

TEST_P(SolvePrograms, ReducedRowsSolveAsEigenAndAsFullRowsDo) {
  ppu_solve_def def = ppu_default_solve_def();
  for (const ppu_start start : {PPU_START_WARM, PPU_START_COLD}) {
    def.start = start;
    def.max_sweeps = 4;
    model::SolveOptions same = options(4);
    if (start == PPU_START_COLD) same.start = model::Start::kCold;
    const Answer answer = run("reduced", def);
    const model::State full = model::solve_rows(problem_, same);
    const double bound = model::float_error_bound(problem_, full, 4);
    EXPECT_LE(model::relative_error(answer.impulse, full.impulse), bound);
    EXPECT_LE(model::relative_error(answer.impulse, model::solve_reduced(problem_, same).impulse),
              bound);
    const Answer boxed = run("boxed", def);
    const std::vector<double> other(boxed.impulse.begin(), boxed.impulse.end());
    EXPECT_LE(model::relative_error(answer.impulse, other), 2 * bound);
    EXPECT_NEAR(answer.report.max_residual, boxed.report.max_residual,
                1e-4 * boxed.report.max_residual);
  }
}

TEST_P(SolvePrograms, ClassesVisitTheirRowsAsOftenAsAsked) {
  const auto kind_count = [this](model::RowKind kind) {
    return static_cast<std::uint32_t>(std::count(problem_.kind.begin(), problem_.kind.end(), kind));
  };
  // Not of one kind each: every range of rows may be a class.
  const auto rows = static_cast<std::uint32_t>(problem_.rows());
  const std::uint32_t joints = kind_count(model::RowKind::kJoint);
  ppu_solve_def def = ppu_default_solve_def();
  def.class_rows[0] = joints > 0 ? joints : rows / 4;
  def.class_rows[1] = rows / 8;
  def.class_sweeps[0] = 5;
  def.class_sweeps[1] = 1;
  def.max_sweeps = 3;
  std::vector<std::uint32_t> sweeps(rows, 3);
  std::fill_n(sweeps.begin(), def.class_rows[0], 5U);
  std::fill_n(sweeps.begin() + def.class_rows[0], def.class_rows[1], 1U);
  const model::Visits visits = model::sweeps_by_row(problem_, options(0), sweeps);
  const model::Replay replay = model::replay_visits(problem_, options(0), visits);
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED}) {
    def.order = order;
    const Answer answer = run("classes", def);
    EXPECT_EQ(answer.hash(), hash_of(replay)) << order;
    EXPECT_EQ(answer.report.sweeps, 5U);
    EXPECT_EQ(answer.report.runs, 1U);
  }
  const model::State exact = model::solve_visits(problem_, options(0), visits);
  EXPECT_LE(model::relative_error(replay.impulse, exact.impulse),
            model::float_error_bound(problem_, exact, 5));
}

TEST_P(SolvePrograms, OneClassIsBoxed) {
  const ppu_solve_def def = ppu_default_solve_def();
  EXPECT_EQ(run("classes", def).hash(), run("boxed", def).hash());
}

TEST_P(SolvePrograms, RelaxationScalesTheStepAndNotTheResidual) {
  model::RowProblem scaled = problem_;
  for (float& d : scaled.inv_diagonal) d *= 1.25F;
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = 3;
  def.relaxation = 1.25F;
  for (const char* program : {"boxed", "impulse"}) {
    const Answer answer = run(program, def);
    const auto form = std::string(program) == "boxed" ? spec::Form::kRate : spec::Form::kImpulse;
    EXPECT_EQ(answer.hash(), hash_of(model::replay(scaled, options(3), form))) << program;
    const double residual = model::true_residual(problem_, answer.impulse, answer.velocity_change);
    EXPECT_NEAR(answer.report.max_residual, residual, 1e-12 * residual);
  }
  const Answer reduced_answer = run("reduced", def);
  const model::State exact = model::solve_reduced(scaled, options(3));
  EXPECT_LE(model::relative_error(reduced_answer.impulse, exact.impulse),
            model::float_error_bound(scaled, exact, 3));
}

INSTANTIATE_TEST_SUITE_P(
    Files, SolvePrograms,
    testing::Combine(testing::ValuesIn(test::backends()),
                     testing::Values<std::string>("ball_f110.h5", "massratio_f040.h5",
                                                  "topple_f060.h5", "ragdollcfm_f070.h5",
                                                  "wall10_f012.h5")),
    [](const auto& each) {
      const std::string file = std::get<1>(each.param);
      return test::name_of(std::get<0>(each.param)) + "_" + file.substr(0, file.find('.'));
    });

TEST(WallFilter, StopsFalselyAsPrintedAndTrulyWhenVerified) {
  for (const char* file : {"wall10_f012.h5", "wall10_f040.h5", "wall10cfm_f030.h5"}) {
    const model::RowProblem problem = test::read_test_data(file);
    const Device device;
    const auto run = [&](const char* name) {
      const Program program = Program::load(device, name);
      ppu_solve_def def = def_of(program);
      def.threshold = 0.02F;
      def.max_sweeps = 3000;
      return test::solve(device, test::view(problem), def).report;
    };
    const ppu_solve_report literal = run("filter-literal");
    EXPECT_LE(literal.run.last_residual, 0.02F) << file << ": it says that it is done";
    EXPECT_GT(literal.max_residual, 0.04) << file;
    const ppu_solve_report verified = run("filter");
    EXPECT_LE(verified.run.last_residual, 0.02F) << file;
    EXPECT_LE(verified.max_residual, 0.02002) << file;
  }
}

}  // namespace
}  // namespace ppu::driver
