// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A robot that stands on four legs, as a row problem.
#include "sim/problem/stance.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace ppu::sim {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr double kFrame = 1.0 / 60;   ///< s.
constexpr double kGravity = 9.81;     ///< m/s^2, along -y.
constexpr double kPush = 0.3;         ///< m/s, of the trunk along x.
constexpr double kFriction = 0.8;     ///< mu.
constexpr double kTrunkMass = 20;     ///< kg.
constexpr double kLegMass = 2.5;      ///< kg.
constexpr double kLegRadius = 0.03;   ///< m; a leg is a cylinder from hip to foot.
constexpr double kHipHeight = 0.45;   ///< m.
constexpr double kTrunkHeight = 0.5;  ///< m, of its centre.
constexpr Vector kTrunkSize = {0.8, 0.2, 0.3};
constexpr Vector kHip = {0.35, kHipHeight, 0.15};  ///< Of the leg at +x, +z.
constexpr Vector kFoot = {0.40, 0.0, 0.22};        ///< Feet stand wider than hips.
constexpr std::array<Vector, 3> kAxes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr std::int32_t kGround = -1;
constexpr std::int32_t kTrunk = 0;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector sum(const Vector& a, const Vector& b, double factor) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

struct Body {
  Vector position{};
  Vector velocity{};  ///< Linear, after gravity; none turns.
  double mass = 0;
  Matrix inv_inertia{};
};

/// I = m/12 (size^2 - its own axis), a box along the axes of the world.
Matrix inv_inertia_of_box(double mass, const Vector& size) {
  Matrix inverse{};
  for (std::size_t i = 0; i < 3; ++i)
    inverse[i][i] = 12 / (mass * (dot(size, size) - size[i] * size[i]));
  return inverse;
}

/// I = t (E - e e^T) + a e e^T, a cylinder along the unit vector e: t = m (3 r^2 + l^2) / 12 across
/// it, a = m r^2 / 2 around it. Its inverse has 1/t and 1/a in their places.
Matrix inv_inertia_of_leg(const Vector& axis, double length) {
  const double across = 12 / (kLegMass * (3 * kLegRadius * kLegRadius + length * length));
  const double around = 2 / (kLegMass * kLegRadius * kLegRadius);
  Matrix inverse{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      inverse[i][k] = across * (i == k ? 1 : 0) + (around - across) * axis[i] * axis[k];
  return inverse;
}

class StanceMaker {
 public:
  StanceMaker() {
    const double fall = -kGravity * kFrame;
    add_body({{0, kTrunkHeight, 0},
              {kPush, fall, 0},
              kTrunkMass,
              inv_inertia_of_box(kTrunkMass, kTrunkSize)});
    for (const double x : {1.0, -1.0})
      for (const double z : {1.0, -1.0}) {
        hips_.push_back({x * kHip[0], kHip[1], z * kHip[2]});
        feet_.push_back({x * kFoot[0], kFoot[1], z * kFoot[2]});
        const Vector along = sum(feet_.back(), hips_.back(), -1);
        const double length = std::sqrt(dot(along, along));
        const Vector axis = {along[0] / length, along[1] / length, along[2] / length};
        add_body({sum(hips_.back(), along, 0.5),
                  {0, fall, 0},
                  kLegMass,
                  inv_inertia_of_leg(axis, length)});
      }
    for (std::int32_t leg = 0; leg < 4; ++leg) add_joint(leg);
    for (std::int32_t leg = 0; leg < 4; ++leg) add_contact(leg);
    problem_.name = problem_.scene = "stance";
    problem_.row_order = "joints, then contact by contact";
    problem_.dt = kFrame;
  }

  model::RowProblem problem() && { return std::move(problem_); }

 private:
  void add_body(const Body& body) {
    bodies_.push_back(body);
    append(body.position, &problem_.position);
    append(body.velocity, &problem_.velocity_free);
    append({}, &problem_.velocity_free);
    for (int i = 0; i < 6; ++i) problem_.velocity_change.push_back(0);
    problem_.inv_mass.push_back(static_cast<float>(1 / body.mass));
    for (const Vector& line : body.inv_inertia) append(line, &problem_.inv_inertia);
  }

  /// Trunk and leg keep the hip together.
  void add_joint(std::int32_t leg) {
    const float none = std::numeric_limits<float>::infinity();
    for (const Vector& axis : kAxes) {
      add_row({kTrunk, leg + 1}, hips_[static_cast<std::size_t>(leg)], axis);
      finish_row(model::RowKind::kJoint, -1, -none, none, 0);
    }
  }

  /// The foot does not sink into the ground, and does not slide on it.
  void add_contact(std::int32_t leg) {
    const Vector& foot = feet_[static_cast<std::size_t>(leg)];
    const auto normal = static_cast<std::int32_t>(problem_.body.size());
    add_row({leg + 1, kGround}, foot, kAxes[1]);
    finish_row(model::RowKind::kContact, -1, 0, std::numeric_limits<float>::infinity(), 0);
    for (const Vector& axis : {kAxes[0], kAxes[2]}) {
      add_row({leg + 1, kGround}, foot, axis);
      finish_row(model::RowKind::kFriction, normal, 0, 0, static_cast<float>(kFriction));
    }
  }

  /// u = axis . (velocity of body a at the point - that of body b), with J, M^-1 J^T, b and d.
  void add_row(const std::array<std::int32_t, 2>& pair, const Vector& point, const Vector& axis) {
    double bias = 0;
    double diagonal = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (pair[side] < 0) {
        for (auto* array : {&problem_.jacobian, &problem_.inv_mass_jacobian})
          array->insert(array->end(), 6, 0.0F);
        continue;
      }
      const Body& body = bodies_[static_cast<std::size_t>(pair[side])];
      const Vector linear = sum({}, axis, side == 0 ? 1 : -1);
      const Vector angular = cross(sum(point, body.position, -1), linear);
      const Vector linear_m = sum({}, linear, 1 / body.mass);
      Vector angular_m{};
      for (std::size_t i = 0; i < 3; ++i) angular_m[i] = dot(body.inv_inertia[i], angular);
      append(linear, &problem_.jacobian);
      append(angular, &problem_.jacobian);
      append(linear_m, &problem_.inv_mass_jacobian);
      append(angular_m, &problem_.inv_mass_jacobian);
      bias += dot(linear, body.velocity);
      diagonal += dot(linear, linear_m) + dot(angular, angular_m);
    }
    problem_.body.push_back(pair);
    problem_.rate_bias.push_back(static_cast<float>(bias));
    problem_.inv_diagonal.push_back(static_cast<float>(1 / diagonal));
  }

  void finish_row(model::RowKind kind, std::int32_t parent, float lower, float upper,
                  float friction) {
    problem_.kind.push_back(kind);
    problem_.parent.push_back(parent);
    problem_.lower.push_back(lower);
    problem_.upper.push_back(upper);
    problem_.friction.push_back(friction);
    problem_.compliance.push_back(0);
    problem_.impulse.push_back(0);
  }

  static void append(const Vector& vector, std::vector<float>* array) {
    for (const double value : vector) array->push_back(static_cast<float>(value));
  }

  std::vector<Body> bodies_;
  std::vector<Vector> hips_;
  std::vector<Vector> feet_;
  model::RowProblem problem_;
};

}  // namespace

model::RowProblem make_stance() {
  return StanceMaker().problem();
}

}  // namespace ppu::sim
