// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Other methods by the C API: their answers, what they refuse, and distances of polyhedra.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "ppu/methods.h"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"

namespace ppu::driver {
namespace {

constexpr double kUntouchedNumber = -7777;

struct MethodAnswer {
  ppu_result result = PPU_OK;
  std::vector<double> impulse, velocity;
  ppu_method_report report{};

  [[nodiscard]] bool untouched() const {
    for (const auto* numbers : {&impulse, &velocity})
      for (const double number : *numbers)
        if (number != kUntouchedNumber) return false;
    return report.iterations == 0 && report.sweeps == 0;
  }
};

MethodAnswer solve_method(ppu_device device, const ppu_problem& problem,
                          const ppu_method_def& def) {
  MethodAnswer answer;
  answer.impulse.assign(problem.row_count, kUntouchedNumber);
  answer.velocity.assign(std::size_t{6} * problem.body_count, kUntouchedNumber);
  answer.result = ppu_method_solve(device, &problem, &def, answer.impulse.data(),
                                   answer.velocity.data(), &answer.report);
  return answer;
}

/// Without parents, friction at +-0.1 N s.
model::RowProblem boxed_ball() {
  model::RowProblem problem = test::read_test_data("ball_f110.h5");
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    if (problem.parent[i] < 0) continue;
    problem.parent[i] = -1;
    problem.lower[i] = -0.1F;
    problem.upper[i] = 0.1F;
  }
  return problem;
}

TEST(MethodNames, AreInTheOrderOfTheEnumeration) {
  EXPECT_STREQ(ppu_method_name(PPU_METHOD_PGS_SM), "pgs-sm");
  EXPECT_STREQ(ppu_method_name(PPU_METHOD_INTERIOR_POINT), "interior-point");
  EXPECT_STREQ(ppu_method_name(PPU_METHOD_EXPLICIT_3), "explicit-3");
  EXPECT_STREQ(ppu_method_name(PPU_METHOD_MENDED), "mended");
  EXPECT_STREQ(ppu_method_name(PPU_METHOD_CROSSOVER), "crossover");
  EXPECT_EQ(ppu_method_name(PPU_METHOD_CROSSOVER + 1), nullptr);
}

TEST(MethodSolve, PgsSmComesToItsEndWithTheSameBitsOnEveryBackEnd) {
  const model::RowProblem problem = boxed_ball();
  std::vector<double> first;
  for (const std::string& backend : test::backends()) {
    const Device device = test::open(backend);
    const Program program = Program::load(device, "boxed");
    ppu_method_def def = ppu_default_method_def(PPU_METHOD_PGS_SM);
    def.solve.program = program.get();
    const MethodAnswer answer = solve_method(device.get(), test::view(problem), def);
    ASSERT_EQ(answer.result, PPU_OK) << backend << ": " << ppu_last_error();
    EXPECT_TRUE(answer.report.reached) << backend;
    EXPECT_LE(answer.report.paper_residual, 1e-8);
    EXPECT_EQ(answer.report.sweeps, 5 * answer.report.device_calls);
    EXPECT_EQ(answer.report.device_cycles > 0, device.info().timed) << backend;
    if (first.empty()) first = answer.impulse;
    EXPECT_EQ(answer.impulse, first) << backend;
  }
}

TEST(MethodSolve, AllMethodsMoveTheBodiesTheSameWay) {
  const model::RowProblem problem = boxed_ball();
  const Device device;
  const Program boxed = Program::load(device, "boxed"),
                nesterov = Program::load(device, "nesterov");
  std::vector<double> expected;
  for (int method = PPU_METHOD_PGS_SM; method <= PPU_METHOD_CROSSOVER; ++method) {
    ppu_method_def def = ppu_default_method_def(static_cast<ppu_method>(method));
    def.solve.program = method == PPU_METHOD_MENDED ? nesterov.get() : boxed.get();
    if (method >= PPU_METHOD_EXPLICIT && method <= PPU_METHOD_EXPLICIT_3) {
      def.solve.threshold = 1e-4F;
      def.solve.max_sweeps = 50000;
    }
    const ppu_device where = method == PPU_METHOD_INTERIOR_POINT ? ppu_device{} : device.get();
    const MethodAnswer answer = solve_method(where, test::view(problem), def);
    ASSERT_EQ(answer.result, PPU_OK)
        << ppu_method_name(static_cast<std::size_t>(method)) << ": " << ppu_last_error();
    EXPECT_TRUE(answer.report.reached) << method;
    EXPECT_LE(answer.report.max_residual, 0.01) << method;
    if (expected.empty()) expected = answer.velocity;
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(answer.velocity[i], expected[i], 0.05) << method << " at " << i;
  }
}

TEST(MethodSolve, CrossoverIsNearerThanTheInteriorPointAndTakesFewerFactorsThanSubspaces) {
  const model::RowProblem problem = boxed_ball();
  const Device device;
  const Program boxed = Program::load(device, "boxed");
  std::vector<ppu_method_report> report;
  for (const ppu_method method :
       {PPU_METHOD_PGS_SM, PPU_METHOD_INTERIOR_POINT, PPU_METHOD_CROSSOVER}) {
    ppu_method_def def = ppu_default_method_def(method);
    def.solve.program = boxed.get();
    const MethodAnswer answer = solve_method(device.get(), test::view(problem), def);
    ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
    EXPECT_TRUE(answer.report.reached);
    report.push_back(answer.report);
  }
  EXPECT_LE(report[2].paper_residual, 1e-8);
  EXPECT_LT(report[2].paper_residual, report[1].paper_residual);
  EXPECT_LT(report[2].factorizations, report[0].factorizations);
  EXPECT_GT(report[2].factorizations, report[1].factorizations);
  EXPECT_GT(report[2].sweeps, 0U);
}

TEST(MethodSolve, LetsFrictionFollowTheContacts) {
  const model::RowProblem problem = test::read_test_data("ball_f110.h5");
  const MethodAnswer answer =
      solve_method({}, test::view(problem), ppu_default_method_def(PPU_METHOD_INTERIOR_POINT));
  ASSERT_EQ(answer.result, PPU_OK) << ppu_last_error();
  EXPECT_TRUE(answer.report.reached);
  EXPECT_GT(answer.report.friction_rounds, 1U);
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    if (problem.parent[i] < 0) continue;
    const double normal = answer.impulse[static_cast<std::size_t>(problem.parent[i])];
    EXPECT_LE(std::fabs(answer.impulse[i]),
              static_cast<double>(problem.friction[i]) * std::fmax(0, normal) + 1e-5);
  }
}

TEST(MethodSolve, SaysWhereItsRoundsWereNotEnough) {
  const model::RowProblem problem = boxed_ball();
  ppu_method_def def = ppu_default_method_def(PPU_METHOD_INTERIOR_POINT);
  def.max_rounds = 2;
  const MethodAnswer answer = solve_method({}, test::view(problem), def);
  EXPECT_EQ(answer.result, PPU_OK);
  EXPECT_FALSE(answer.report.reached);
  EXPECT_EQ(answer.report.iterations, 2U);
}

struct MethodRefusal {
  const char* name;
  std::function<void(model::RowProblem&, ppu_problem&, ppu_method_def&)> spoil;
  ppu_result result;
  const char* words;
  friend std::ostream& operator<<(std::ostream& out, const MethodRefusal& refusal) {
    return out << refusal.name;
  }
};

class MethodRefuses : public testing::TestWithParam<MethodRefusal> {};

TEST_P(MethodRefuses, NamingWhatIsWrongAndTouchingNothing) {
  model::RowProblem problem = boxed_ball();
  ppu_method_def def = ppu_default_method_def(PPU_METHOD_INTERIOR_POINT);
  ppu_problem rows = test::view(problem);
  GetParam().spoil(problem, rows, def);
  const MethodAnswer answer = solve_method({}, rows, def);
  EXPECT_EQ(answer.result, GetParam().result) << ppu_last_error();
  EXPECT_NE(std::string(ppu_last_error()).find(GetParam().words), std::string::npos)
      << ppu_last_error();
  EXPECT_TRUE(answer.untouched());
}

using Rows = model::RowProblem;
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

INSTANTIATE_TEST_SUITE_P(
    All, MethodRefuses,
    testing::Values(
        MethodRefusal{"ADefOfNoDefault",
                      [](Rows&, ppu_problem&, ppu_method_def& def) { def.cookie = 0; },
                      PPU_ERROR_INVALID_ARGUMENT, "ppu_default_method_def"},
        MethodRefusal{"NoMethod",
                      [](Rows&, ppu_problem&, ppu_method_def& def) {
                        def.method = static_cast<ppu_method>(7);
                      },
                      PPU_ERROR_INVALID_ARGUMENT, "method is 7"},
        MethodRefusal{
            "NoDevice",
            [](Rows&, ppu_problem&, ppu_method_def& def) { def.method = PPU_METHOD_PGS_SM; },
            PPU_ERROR_INVALID_HANDLE, "device"},
        MethodRefusal{"ABudget",
                      [](Rows&, ppu_problem&, ppu_method_def& def) { def.solve.budget_cycles = 1; },
                      PPU_ERROR_INVALID_ARGUMENT, "budget_cycles"},
        MethodRefusal{
            "AThresholdThatIsNoNumber",
            [](Rows&, ppu_problem&, ppu_method_def& def) { def.solve.threshold = kNoNumber; },
            PPU_ERROR_INVALID_ARGUMENT, "threshold"},
        MethodRefusal{"TheImpulseForm",
                      [](Rows&, ppu_problem& rows, ppu_method_def&) { rows.impulse_form = true; },
                      PPU_ERROR_INVALID_ARGUMENT, "impulse_form"},
        MethodRefusal{"NoMasses",
                      [](Rows&, ppu_problem& rows, ppu_method_def&) { rows.inv_mass = nullptr; },
                      PPU_ERROR_INVALID_ARGUMENT, "inv_mass"},
        MethodRefusal{
            "ANegativeMass",
            [](Rows& problem, ppu_problem&, ppu_method_def&) { problem.inv_mass[3] = -1; },
            PPU_ERROR_PROBLEM, "inv_mass"},
        MethodRefusal{
            "AnIndefiniteInertia",
            [](Rows& problem, ppu_problem&, ppu_method_def&) { problem.inv_inertia[9] = -10; },
            PPU_ERROR_PROBLEM, "positive semidefinite"},
        MethodRefusal{
            "ANumberThatIsNone",
            [](Rows& problem, ppu_problem&, ppu_method_def&) { problem.rate_bias[7] = kNoNumber; },
            PPU_ERROR_PROBLEM, "row 7"},
        MethodRefusal{"BoundsTheWrongWayRound",
                      [](Rows& problem, ppu_problem&, ppu_method_def&) {
                        problem.lower[4] = 2;
                        problem.upper[4] = 1;
                      },
                      PPU_ERROR_PROBLEM, "row 4"},
        MethodRefusal{"ABodyThatIsNone",
                      [](Rows& problem, ppu_problem&, ppu_method_def&) {
                        problem.body[5] = {0, 1000};
                      },
                      PPU_ERROR_PROBLEM, "row 5"},
        MethodRefusal{"AParentThatComesLater",
                      [](Rows& problem, ppu_problem&, ppu_method_def&) { problem.parent[2] = 9; },
                      PPU_ERROR_PROBLEM, "row 2"}),
    [](const auto& each) { return each.param.name; });

TEST(MethodRefusesNumbers, OfASingularMatrixOnA) {
  // A row without a Jacobian and without compliance: its diagonal is 0.
  model::RowProblem problem = boxed_ball();
  for (std::size_t k = 0; k < 12; ++k) problem.jacobian[k] = problem.inv_mass_jacobian[k] = 0;
  problem.compliance[0] = 0;
  const MethodAnswer answer =
      solve_method({}, test::view(problem), ppu_default_method_def(PPU_METHOD_EXPLICIT));
  EXPECT_EQ(answer.result, PPU_ERROR_PROBLEM);
  EXPECT_EQ(std::string(ppu_last_error()).find("diagonal of A row 0: found"), 0U)
      << ppu_last_error();
  EXPECT_TRUE(answer.untouched());
}

TEST(MethodRefusesNumbers, OfARateThatAsksForAnImpulseAsLargeAsNoBound) {
  for (const float rate : {3e38F, -1e12F}) {
    model::RowProblem problem = boxed_ball();
    problem.rate_bias[7] = rate;
    for (const ppu_method method : {PPU_METHOD_INTERIOR_POINT, PPU_METHOD_EXPLICIT}) {
      const MethodAnswer answer =
          solve_method({}, test::view(problem), ppu_default_method_def(method));
      EXPECT_EQ(answer.result, PPU_ERROR_NUMERIC);
      EXPECT_EQ(std::string(ppu_last_error()).find("row 7: rate_bias is "), 0U) << ppu_last_error();
      EXPECT_TRUE(answer.untouched());
    }
  }
}

constexpr double kCube[6][4] = {{1, 0, 0, 1},  {-1, 0, 0, 1}, {0, 1, 0, 1},
                                {0, -1, 0, 1}, {0, 0, 1, 1},  {0, 0, -1, 1}};
constexpr double kTetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

ppu_pair apart(double x) {
  return {0, 1, {{0, 0, 0}, {0, 0, 0, 1}}, {{x, 0, 0}, {0, 0, 0, 1}}};
}

TEST(Distances, OfACubeAndATetrahedronAreThoseOfGeometry) {
  const ppu_polyhedron shapes[] = {{kCube, 6, 0, nullptr}, {nullptr, 0, 4, kTetrahedron}};
  std::vector<ppu_pair> pairs;
  for (int i = 0; i < 20; ++i) pairs.push_back(apart(0.5 + 0.25 * i));
  for (const std::uint32_t threads : {1U, 0U}) {
    std::vector<ppu_distance> found(pairs.size());
    ASSERT_EQ(ppu_distances(shapes, 2, pairs.data(), 20, threads, found.data()), PPU_OK)
        << ppu_last_error();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double gap = std::fmax(0, pairs[i].second_pose.position[0] - 1);
      EXPECT_NEAR(found[i].distance, gap, 1e-12);
      EXPECT_LE(found[i].proven_error, 1e-11);
      if (gap > 0) {
        EXPECT_NEAR(found[i].second_point[0] - found[i].first_point[0], gap, 1e-12);
      }
    }
  }
}

TEST(Distances, RefusePolyhedraAndPairsThatAreNone) {
  double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const ppu_polyhedron sound{kCube, 6, 0, nullptr};
  const auto expect = [](const ppu_polyhedron& first, const ppu_pair& pair, const char* words) {
    const ppu_polyhedron shapes[] = {first, {kCube, 6, 0, nullptr}};
    ppu_distance found{kUntouchedNumber, {}, {}, 0, 0};
    EXPECT_EQ(ppu_distances(shapes, 2, &pair, 1, 1, &found), PPU_ERROR_PROBLEM);
    EXPECT_NE(std::string(ppu_last_error()).find(words), std::string::npos) << ppu_last_error();
    EXPECT_EQ(found.distance, kUntouchedNumber);
  };
  expect({nullptr, 0, 4, flat}, apart(3), "polyhedron 0");
  expect({kCube, 3, 0, nullptr}, apart(3), "polyhedron 0: found 3 faces");
  expect({kCube, 5, 0, nullptr}, apart(3), "polyhedron 0");  // Without an end.
  expect({kCube, 6, 4, kTetrahedron}, apart(3), "one of both");
  expect({nullptr, 0, 0, nullptr}, apart(3), "one of both");
  ppu_pair pair = apart(3);
  pair.second = 2;
  expect(sound, pair, "pair 0 names polyhedron 2");
  pair = apart(3);
  pair.first_pose.rotation[3] = 0.5;
  expect(sound, pair, "quaternion");
  pair = apart(std::numeric_limits<double>::infinity());
  expect(sound, pair, "not finite");
  EXPECT_EQ(ppu_distances(nullptr, 1, &pair, 0, 1, nullptr), PPU_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace ppu::driver
