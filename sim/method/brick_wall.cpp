// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Walls of bricks.
#include "sim/method/brick_wall.hpp"

#include <array>
#include <cmath>
#include <random>
#include <string>

#include "sim/base/cli_error.hpp"
#include "sim/method/vector3.hpp"

namespace ppu::sim {
namespace {

constexpr double kSize[3] = {0.4, 0.2, 0.2};  // m; z is up.
constexpr double kStep = 1.0 / 60;
constexpr double kFall = 9.81 * kStep;  // m/s.
constexpr double kMu = 0.5;
constexpr double kCompliance = 1e-5;

class Wall {
 public:
  Wall(std::size_t width, std::size_t height) : width_(width), height_(height) {
    rows_.name = "wall" + std::to_string(width) + "x" + std::to_string(height);
    add_bricks();
    for (std::size_t course = 0; course < height; ++course)
      for (std::size_t i = 0; i < width; ++i) add_supports(course, i);
    rows_.impulse.assign(rows_.rows(), 0);
    rows_.friction.assign(rows_.rows(), 0);
    rows_.compliance.assign(rows_.rows(), static_cast<float>(kCompliance));
  }
  model::RowProblem take() { return std::move(rows_); }

 private:
  [[nodiscard]] std::int32_t number(std::size_t course, std::size_t i) const {
    return static_cast<std::int32_t>(course * width_ + i);
  }
  [[nodiscard]] static Vector3 middle(std::size_t course, std::size_t i) {
    const double shift = course % 2 == 0 ? 0 : kSize[0] / 2;
    return {kSize[0] * static_cast<double>(i) + shift, 0,
            kSize[2] * (static_cast<double>(course) + 0.5)};
  }

  void add_bricks() {
    std::mt19937 random(1);
    const auto push = [&random] {
      return 0.1 * (static_cast<double>(random()) / 4294967296.0 - 0.5);
    };
    const std::size_t bricks = width_ * height_;
    rows_.velocity_change.assign(6 * bricks, 0);
    rows_.inv_mass.assign(bricks, 1);
    rows_.inv_inertia.assign(9 * bricks, 0);
    for (std::size_t b = 0; b < bricks; ++b) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double y = kSize[(k + 1) % 3], z = kSize[(k + 2) % 3];
        inverse_inertia_[k] = 12 / (y * y + z * z);
        rows_.inv_inertia[9 * b + 4 * k] = static_cast<float>(inverse_inertia_[k]);
      }
      velocity_.push_back({push(), push(), push() - kFall});
    }
  }

  void add_supports(std::size_t course, std::size_t i) {
    const auto upper = number(course, i);
    const double half = kSize[0] / 2;
    const double left = middle(course, i)[0] - half;
    if (course == 0) {
      add_face(-1, upper, course, i, i, left, left + kSize[0]);
      return;
    }
    // An odd course lies half a brick to the right.
    const bool has_left = course % 2 == 1 || i > 0;
    const bool has_right = course % 2 == 0 || i + 1 < width_;
    const std::size_t first = course % 2 == 1 ? i : i - 1;
    if (has_left) add_face(number(course - 1, first), upper, course, i, first, left, left + half);
    const std::size_t second = course % 2 == 1 ? i + 1 : i;
    if (has_right)
      add_face(number(course - 1, second), upper, course, i, second, left + half, left + 2 * half);
  }

  void add_face(std::int32_t lower, std::int32_t upper, std::size_t course, std::size_t i,
                std::size_t below, double from, double to) {
    const Vector3 top = middle(course, i);
    const Vector3 bottom = lower < 0 ? Vector3{} : middle(course - 1, below);
    const double load = kFall * static_cast<double>(height_ - course) / 8;
    for (const double x : {from, to}) {
      for (const double y : {-kSize[1] / 2, kSize[1] / 2}) {
        const Vector3 point{x, y, kSize[2] * static_cast<double>(course)};
        Vector3 on_lower{}, on_upper{};
        for (std::size_t k = 0; k < 3; ++k) {
          on_lower[k] = point[k] - bottom[k];
          on_upper[k] = point[k] - top[k];
        }
        for (const std::size_t axis : {2U, 0U, 1U})
          add_row(lower, upper, on_lower, on_upper, axis, axis == 2 ? 0 : kMu * load);
      }
    }
  }

  /// `bound` 0: a contact.
  void add_row(std::int32_t lower, std::int32_t upper, const Vector3& on_lower,
               const Vector3& on_upper, std::size_t axis, double bound) {
    Vector3 direction{};
    direction[axis] = 1;
    double diagonal = kCompliance, rate = 0;
    const auto add_half = [&](std::int32_t body, const Vector3& arm, double sign) {
      const Vector3 turn = cross(arm, direction);
      for (std::size_t k = 0; k < 6; ++k) {
        const double j = body < 0 ? 0 : sign * (k < 3 ? direction[k] : turn[k - 3]);
        const double mass = k < 3 ? 1 : inverse_inertia_[k - 3];
        rows_.jacobian.push_back(static_cast<float>(j));
        rows_.inv_mass_jacobian.push_back(static_cast<float>(mass * j));
        diagonal += j * mass * j;
        if (body >= 0 && k < 3) rate += j * velocity_[static_cast<std::size_t>(body)][k];
      }
    };
    add_half(lower, on_lower, -1);
    add_half(upper, on_upper, 1);
    rows_.body.push_back({lower, upper});
    rows_.kind.push_back(bound > 0 ? model::RowKind::kFriction : model::RowKind::kContact);
    rows_.parent.push_back(-1);
    rows_.rate_bias.push_back(static_cast<float>(rate));
    rows_.inv_diagonal.push_back(static_cast<float>(1 / diagonal));
    rows_.lower.push_back(static_cast<float>(-bound));
    rows_.upper.push_back(bound > 0 ? static_cast<float>(bound) : HUGE_VALF);
  }

  const std::size_t width_, height_;
  std::array<double, 3> inverse_inertia_{};
  std::vector<Vector3> velocity_;
  model::RowProblem rows_;
};

}  // namespace

model::RowProblem brick_wall(std::size_t width, std::size_t height) {
  return Wall(width, height).take();
}

model::RowProblem brick_wall(const std::string& word) {
  const std::size_t cross = word.find('x');
  const auto number = [&](const std::string& digits) {
    const bool is_number = !digits.empty() && digits.size() <= 3 &&
                           digits.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || std::stoul(digits) < 1)
      throw CliError(kExitUsage, "--walls: '" + word + "', expected WIDTHxHEIGHT, each 1 to 999");
    return std::stoul(digits);
  };
  const std::string height = cross == std::string::npos ? "" : word.substr(cross + 1);
  return brick_wall(number(word.substr(0, cross)), number(height));
}

}  // namespace ppu::sim
