// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// With fixed bounds a sweep minimizes 1/2 x'Ax + b'x row by row, so that no sweep may raise it, in
// double precision or float32: relaxed or not, over tagged rows, or cut off at any row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

using testing::shipped;

struct Energy {
  double value = 0;  ///< 1/2 x'Ax + b'x, A = J M^-1 J^T + diag(cfm).
  double terms = 0;  ///< Sum of the absolute values that make it up.
};

template <class Scalar>
Energy energy_of(const RowProblem& problem, const std::vector<Scalar>& x) {
  const std::vector<double> v = coupled_velocity(problem, x);
  Energy energy;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const auto xi = static_cast<double>(x[i]);
    double ax = static_cast<double>(problem.compliance[i]) * xi;
    for (std::size_t k = 0; k < 12; ++k) {
      const std::int32_t body = problem.body[i][k / 6];
      if (body < 0) continue;
      ax += static_cast<double>(problem.jacobian[12 * i + k]) *
            v[6 * static_cast<std::size_t>(body) + k % 6];
    }
    const double bias = static_cast<double>(problem.rate_bias[i]);
    energy.value += xi * (0.5 * ax + bias);
    energy.terms += std::fabs(xi) * (0.5 * std::fabs(ax) + std::fabs(bias));
  }
  return energy;
}

/// Cold, so that v is M^-1 J^T x, and without parents: x'Ax + b'x is what a sweep minimizes.
SolveOptions from_rest(int sweeps) {
  return {sweeps, Start::kCold, FrictionRule::kClamp, Projection::kMed, {}};
}

RowProblem frozen(const char* name, float relaxation) {
  const RowProblem problem = shipped(name);
  RowProblem fixed = freeze_friction(problem, problem.reference->impulse);
  for (float& d : fixed.inv_diagonal) d *= relaxation;
  return fixed;
}

/// Energies never rise by more than the rounding of M^-1 J^T in the file and of the sweeps.
void expect_no_rise(const std::vector<Energy>& energies, double rounding) {
  for (std::size_t i = 1; i < energies.size(); ++i)
    EXPECT_LE(energies[i].value, energies[i - 1].value + rounding * energies[i].terms)
        << "sweep " << i;
  EXPECT_LT(energies.back().value, energies.front().value);
}

constexpr int kSweeps = 25;

class EnergyOf : public ::testing::TestWithParam<const char*> {};

TEST_P(EnergyOf, DoesNotRiseInSweepsOfAnyRelaxation) {
  for (const float relaxation : {0.5F, 1.0F, 1.5F, 1.9F}) {
    SCOPED_TRACE(relaxation);
    const RowProblem problem = frozen(GetParam(), relaxation);
    std::vector<Energy> exact, rounded;
    for (int sweeps = 0; sweeps <= kSweeps; ++sweeps) {
      exact.push_back(energy_of(problem, solve_rows(problem, from_rest(sweeps)).impulse));
      rounded.push_back(
          energy_of(problem, replay(problem, from_rest(sweeps), spec::Form::kRate).impulse));
    }
    expect_no_rise(exact, 1e-6);
    expect_no_rise(rounded, 1e-5);
  }
}

TEST_P(EnergyOf, DoesNotRiseInFilteredSweeps) {
  const RowProblem problem = frozen(GetParam(), 1);
  const Visits visits = replay_filter(problem, from_rest(kSweeps), {1e-3F, 1e-2F, true}).visits;
  std::vector<Energy> exact, rounded;
  for (std::size_t sweeps = 0; sweeps <= visits.size(); ++sweeps) {
    const Visits first(visits.begin(), visits.begin() + static_cast<std::ptrdiff_t>(sweeps));
    exact.push_back(energy_of(problem, solve_visits(problem, from_rest(0), first).impulse));
    rounded.push_back(energy_of(problem, replay_visits(problem, from_rest(0), first).impulse));
  }
  expect_no_rise(exact, 1e-6);
  expect_no_rise(rounded, 1e-5);
}

// As a budget cuts it: a sweep up to any of its rows.
TEST_P(EnergyOf, DoesNotRiseInPartsOfASweep) {
  const RowProblem problem = frozen(GetParam(), 1);
  const std::size_t rows = problem.rows();
  Visits visits(3);
  for (std::vector<std::size_t>& sweep : visits) {
    sweep.resize(rows);
    std::iota(sweep.begin(), sweep.end(), std::size_t{0});
  }
  std::vector<Energy> energies;
  for (std::size_t end = 0; end <= rows; end += std::max<std::size_t>(rows / 16, 1)) {
    visits.back().resize(end);
    energies.push_back(energy_of(problem, replay_visits(problem, from_rest(0), visits).impulse));
    visits.back().resize(rows);
    std::iota(visits.back().begin(), visits.back().end(), std::size_t{0});
  }
  expect_no_rise(energies, 1e-5);
}

TEST_P(EnergyOf, RisesWhereRelaxationIsBeyondTwo) {
  const RowProblem problem = frozen(GetParam(), 2.5F);
  const double first = energy_of(problem, solve_rows(problem, from_rest(1)).impulse).value;
  bool rose = false;
  double before = 0;
  for (int sweeps = 1; sweeps <= kSweeps; ++sweeps) {
    const double now = energy_of(problem, solve_rows(problem, from_rest(sweeps)).impulse).value;
    rose = rose || now > before;
    before = now;
  }
  EXPECT_TRUE(rose) << "from " << first << " to " << before;
}

INSTANTIATE_TEST_SUITE_P(Problems, EnergyOf,
                         ::testing::Values("ball_f110", "massratio_f040", "topple_f060",
                                           "ragdollcfm_f070", "wall10cfm_f030"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace ppu::model
