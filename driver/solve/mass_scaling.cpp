// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/solve/mass_scaling.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "driver/base/failure.hpp"
#include "driver/solve/problem.hpp"

namespace ppu::driver {
namespace {

constexpr std::size_t kHalfLength = 6;
constexpr std::size_t kInertia = 9;
/// How far inv_mass_jacobian may be from M^-1 J^T, as a share of its largest element on a body.
constexpr double kConsistent = 1e-3;

/// What float32 may lose of a velocity on the way to the reduced form and back, as a share of it,
/// and what it may lose of any number because it is so small.
constexpr double kRounding = 4 * std::numeric_limits<float>::epsilon();
constexpr double kLeast = std::numeric_limits<float>::min();

using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

double norm(const float* vector) {
  return Eigen::Map<const Eigen::Vector3f>(vector).cast<double>().norm();
}

MassScaling::Vector scaled(double linear, const double* angular, const float* in) {
  const Eigen::Vector3d turned =
      Eigen::Map<const Matrix3>(angular) * Eigen::Map<const Eigen::Vector3f>(in + 3).cast<double>();
  MassScaling::Vector out;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = static_cast<float>(linear * double{in[i]});
    out[i + 3] = static_cast<float>(turned[static_cast<Eigen::Index>(i)]);
  }
  return out;
}

}  // namespace

MassScaling::Body MassScaling::body_of(const float* inv_mass, const float* inv_inertia) {
  Body body;
  body.linear = std::sqrt(double{*inv_mass});
  body.inverse_linear = *inv_mass > 0 ? 1 / body.linear : 0;
  const Matrix3 inverse =
      Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(inv_inertia).cast<double>();
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver((inverse + inverse.transpose()) / 2);
  // What is left of a 0 in float32 is a 0.
  const double least = solver.eigenvalues().cwiseAbs().maxCoeff() * 1e-6;
  const auto root = [&](bool inverted) {
    Eigen::Vector3d values;
    for (Eigen::Index i = 0; i < 3; ++i) {
      const double value = solver.eigenvalues()[i];
      values[i] = value <= least ? 0 : inverted ? 1 / std::sqrt(value) : std::sqrt(value);
    }
    return Matrix3(solver.eigenvectors() * values.asDiagonal() * solver.eigenvectors().transpose());
  };
  Eigen::Map<Matrix3>(body.angular.data()) = root(false);
  Eigen::Map<Matrix3>(body.inverse_angular.data()) = root(true);
  return body;
}

MassScaling::MassScaling(const ppu_problem& problem, ppu_start start) {
  const std::size_t bodies = problem.body_count;
  check_finite(problem.inv_mass, "inv_mass", "body", bodies, 1);
  check_finite(problem.inv_inertia, "inv_inertia", "body", bodies, kInertia);
  bodies_.reserve(bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (problem.inv_mass[i] < 0)
      fail(PPU_ERROR_PROBLEM, "body ", i, ": inv_mass is ", problem.inv_mass[i], ", expected >= 0");
    bodies_.push_back(body_of(problem.inv_mass + i, problem.inv_inertia + i * kInertia));
    if (start == PPU_START_WARM) check_start(i, problem.velocity_change + i * kHalfLength);
  }
  check_rows(problem);
}

void MassScaling::check_start(std::size_t body, const float* velocity) const {
  const Vector reduced = to_reduced(body, velocity);
  const Vector back = from_reduced(body, reduced.data());
  const double turn = Eigen::Map<const Matrix3>(bodies_[body].angular.data()).norm();
  for (std::size_t i = 0; i < kHalfLength; ++i) {
    const std::size_t part = i / 3 * 3;
    const double root = part == 0 ? bodies_[body].linear : turn;
    const double rounding = kRounding * (norm(velocity + part) + root * norm(&reduced[part]));
    if (!(std::fabs(double{velocity[i]} - double{back[i]}) < rounding + (1 + root) * kLeast))
      fail(PPU_ERROR_PROBLEM, "body ", body, ": velocity_change has ", velocity[i], " at column ",
           i, ", of which the reduced form keeps ", back[i],
           ": inv_mass or inv_inertia hold the body; expected such a motion in rate_bias");
  }
}

void MassScaling::check_rows(const ppu_problem& problem) const {
  for (std::size_t half = 0; half < std::size_t{2} * problem.row_count; ++half) {
    const std::int32_t body = problem.body[half / 2][half % 2];
    if (body < 0) continue;
    const auto index = static_cast<std::size_t>(body);
    const float* const given = problem.inv_mass_jacobian + half * kHalfLength;
    const Vector reduced = scale_jacobian(index, problem.jacobian + half * kHalfLength);
    const Vector product = from_reduced(index, reduced.data());
    double largest = 0;
    for (std::size_t i = 0; i < kHalfLength; ++i)
      largest = std::max(largest, std::fabs(double{given[i]}));
    for (std::size_t i = 0; i < kHalfLength; ++i)
      if (!(std::fabs(double{given[i]} - double{product[i]}) <= kConsistent * largest))
        fail(PPU_ERROR_PROBLEM, "row ", half / 2, ": inv_mass_jacobian has ", given[i],
             " at column ", half % 2 * kHalfLength + i, ", expected ", product[i],
             ", M^-1 J^T by inv_mass and inv_inertia of body ", body);
  }
}

MassScaling::Vector MassScaling::scale_jacobian(std::size_t body, const float* jacobian) const {
  return scaled(bodies_[body].linear, bodies_[body].angular.data(), jacobian);
}

MassScaling::Vector MassScaling::to_reduced(std::size_t body, const float* velocity) const {
  return scaled(bodies_[body].inverse_linear, bodies_[body].inverse_angular.data(), velocity);
}

MassScaling::Vector MassScaling::from_reduced(std::size_t body, const float* reduced) const {
  return scaled(bodies_[body].linear, bodies_[body].angular.data(), reduced);
}

}  // namespace ppu::driver
