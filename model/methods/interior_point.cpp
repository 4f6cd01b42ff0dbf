// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The iteration, in the shifted problem.
#include "model/methods/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace ppu::model::methods {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double norm(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

/// The rows that move, shifted: impulse = origin + sign x.
struct Shifted {
  std::vector<std::size_t> row;
  std::vector<double> origin, sign;
  std::vector<double> u;      ///< Infinite on L and F.
  std::vector<char> bounded;  ///< Of B or L.
};

Shifted shifted(const ScaledRows& rows) {
  Shifted to;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double lo = rows.lower[i], hi = rows.upper[i];
    // What no impulse can change is as good as fixed.
    if (lo == hi || rows.diagonal[i] == 0) continue;
    const bool turned = std::isinf(lo) && !std::isinf(hi);
    const bool is_free = std::isinf(lo) && std::isinf(hi);
    to.row.push_back(i);
    to.origin.push_back(is_free ? 0 : turned ? hi : lo);
    to.sign.push_back(turned ? -1 : 1);
    to.u.push_back(std::isinf(lo) || std::isinf(hi) ? kInfinite : hi - lo);
    to.bounded.push_back(!is_free);
  }
  return to;
}

struct Steps {
  double primal, dual;
};

class Iteration {
 public:
  Iteration(const ScaledRows& rows, const InteriorPointOptions& options)
      : rows_(rows),
        options_(options),
        to_(shifted(rows)),
        sigma_(options.centering),
        system_(rows, to_.row, options.system) {
    start();
  }

  InteriorPointSolution solve();

 private:
  [[nodiscard]] std::size_t size() const { return to_.row.size(); }
  [[nodiscard]] bool is_box(std::size_t k) const { return !std::isinf(to_.u[k]); }
  void start();
  /// H x + q.
  [[nodiscard]] std::vector<double> rate() const;
  [[nodiscard]] std::vector<double> impulse() const;
  /// mu after `steps` along the direction.
  [[nodiscard]] double mu(const Steps& steps) const;
  [[nodiscard]] double gradient(const std::vector<double>& hxq) const;
  void factorize();
  /// x s and (u - x) xi as they shall be after a full step: `target` for all rows,
  void aim(double target);
  /// and what the direction's own products will add (Mehrotra),
  void aim_past_products();
  /// and for rows that `steps` would take far from it, back towards it (Gondzio).
  void aim_at_center(const Steps& steps, double target);
  /// Solves (1) for these goals; fills dx_, ds_, dxi_.
  void find_direction(const std::vector<double>& hxq);
  [[nodiscard]] Steps longest_steps(double fraction) const;
  /// Mehrotra's sigma, from the direction of sigma = 0; aims accordingly.
  [[nodiscard]] double predict(const std::vector<double>& hxq, double mu_now);
  /// Corrects the direction while that makes its steps longer.
  [[nodiscard]] Steps center(const std::vector<double>& hxq, double target);
  void advance(const Steps& steps);

  const ScaledRows& rows_;
  const InteriorPointOptions& options_;
  Shifted to_;
  double sigma_;
  RowSystem system_;
  std::vector<double> x_, s_, xi_, dx_, ds_, dxi_, lower_goal_, upper_goal_;
};

std::vector<double> Iteration::impulse() const {
  std::vector<double> f(rows_.rows());
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = rows_.clamped(i, 0);
  for (std::size_t k = 0; k < size(); ++k) f[to_.row[k]] = to_.origin[k] + to_.sign[k] * x_[k];
  return f;
}

std::vector<double> Iteration::rate() const {
  const std::vector<double> u = rows_.rates(impulse());
  std::vector<double> hxq(size());
  for (std::size_t k = 0; k < size(); ++k) hxq[k] = to_.sign[k] * u[to_.row[k]];
  return hxq;
}

void Iteration::start() {
  x_.assign(size(), 0.0);
  s_ = xi_ = dx_ = ds_ = dxi_ = x_;
  for (std::size_t k = 0; k < size(); ++k) {
    if (to_.bounded[k]) x_[k] = is_box(k) ? to_.u[k] / 2 : 1;
  }
  const std::vector<double> hxq = rate();
  for (std::size_t k = 0; k < size(); ++k) {
    if (!to_.bounded[k]) continue;
    s_[k] = is_box(k) ? 0.1 + std::max(0.0, hxq[k]) : std::max(0.1, hxq[k]);
    if (is_box(k)) xi_[k] = s_[k] - hxq[k];
  }
}

double Iteration::mu(const Steps& steps) const {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    if (!to_.bounded[k]) continue;
    const double x = x_[k] + steps.primal * dx_[k];
    sum += x * (s_[k] + steps.dual * ds_[k]);
    if (is_box(k)) sum += (to_.u[k] - x) * (xi_[k] + steps.dual * dxi_[k]);
    count += is_box(k) ? 2 : 1;
  }
  return count == 0 ? 0 : sum / count;
}

double Iteration::gradient(const std::vector<double>& hxq) const {
  std::vector<double> g = hxq;
  for (std::size_t k = 0; k < size(); ++k) g[k] += xi_[k] - s_[k];
  return norm(g);
}

void Iteration::factorize() {
  std::vector<double> shift(size());
  for (std::size_t k = 0; k < size(); ++k) {
    shift[k] = rows_.compliance[to_.row[k]];
    if (to_.bounded[k]) shift[k] += s_[k] / x_[k];
    if (is_box(k)) shift[k] += xi_[k] / (to_.u[k] - x_[k]);
    shift[k] = std::max(shift[k], options_.least_shift);
  }
  system_.factorize(shift);
}

void Iteration::aim(double target) {
  lower_goal_.assign(size(), target);
  upper_goal_.assign(size(), target);
}

void Iteration::aim_past_products() {
  for (std::size_t k = 0; k < size(); ++k) {
    lower_goal_[k] -= dx_[k] * ds_[k];
    upper_goal_[k] += dx_[k] * dxi_[k];
  }
}

void Iteration::aim_at_center(const Steps& steps, double target) {
  constexpr double kLow = 0.1, kHigh = 10;
  const auto correction = [&](double product) {
    const double into = std::min(std::max(product, kLow * target), kHigh * target) - product;
    return std::max(into, -kHigh * target);
  };
  for (std::size_t k = 0; k < size(); ++k) {
    const double x = x_[k] + steps.primal * dx_[k];
    lower_goal_[k] += correction(x * (s_[k] + steps.dual * ds_[k]));
    if (!is_box(k)) continue;
    upper_goal_[k] += correction((to_.u[k] - x) * (xi_[k] + steps.dual * dxi_[k]));
  }
}

void Iteration::find_direction(const std::vector<double>& hxq) {
  std::vector<double> r(size());
  for (std::size_t k = 0; k < size(); ++k) {
    r[k] = -hxq[k];
    if (to_.bounded[k]) r[k] += lower_goal_[k] / x_[k];
    if (is_box(k)) r[k] -= upper_goal_[k] / (to_.u[k] - x_[k]);
    r[k] *= to_.sign[k];
  }
  dx_ = system_.solve(r);
  for (std::size_t k = 0; k < size(); ++k) {
    dx_[k] *= to_.sign[k];
    if (!std::isfinite(dx_[k])) {
      throw MethodFailure("interior point: found a step that is not finite in row " +
                          std::to_string(to_.row[k]) + ", expected numbers");
    }
    if (to_.bounded[k]) ds_[k] = (lower_goal_[k] - s_[k] * dx_[k]) / x_[k] - s_[k];
    if (is_box(k)) dxi_[k] = (upper_goal_[k] + xi_[k] * dx_[k]) / (to_.u[k] - x_[k]) - xi_[k];
  }
}

Steps Iteration::longest_steps(double fraction) const {
  // The largest step that keeps value + length * change positive.
  const auto limit = [](double value, double change, double& length) {
    if (change < 0) length = std::min(length, -value / change);
  };
  Steps steps{kInfinite, kInfinite};
  for (std::size_t k = 0; k < size(); ++k) {
    if (!to_.bounded[k]) continue;
    limit(x_[k], dx_[k], steps.primal);
    limit(s_[k], ds_[k], steps.dual);
    if (!is_box(k)) continue;
    limit(to_.u[k] - x_[k], -dx_[k], steps.primal);
    limit(xi_[k], dxi_[k], steps.dual);
  }
  return {std::min(1.0, fraction * steps.primal), std::min(1.0, fraction * steps.dual)};
}

double Iteration::predict(const std::vector<double>& hxq, double mu_now) {
  aim(0);
  find_direction(hxq);
  const double ratio = mu(longest_steps(1)) / mu_now;
  const double sigma = ratio * ratio * ratio;
  aim(sigma * mu_now);
  aim_past_products();
  return sigma;
}

Steps Iteration::center(const std::vector<double>& hxq, double target) {
  constexpr double kReach = 0.3, kGain = 0.02;
  Steps steps = longest_steps(options_.boundary_fraction);
  for (int count = 0; count < options_.centrality_corrections; ++count) {
    const auto before = std::tuple(dx_, ds_, dxi_);
    aim_at_center({std::min(1.0, steps.primal + kReach), std::min(1.0, steps.dual + kReach)},
                  target);
    find_direction(hxq);
    const Steps next = longest_steps(options_.boundary_fraction);
    if (next.primal + next.dual < steps.primal + steps.dual + kGain) {
      std::tie(dx_, ds_, dxi_) = before;
      break;
    }
    steps = next;
  }
  return steps;
}

void Iteration::advance(const Steps& steps) {
  for (std::size_t k = 0; k < size(); ++k) {
    x_[k] += steps.primal * dx_[k];
    s_[k] += steps.dual * ds_[k];
    xi_[k] += steps.dual * dxi_[k];
  }
}

InteriorPointSolution Iteration::solve() {
  InteriorPointSolution solution;
  const std::vector<double> q = [&] {
    const std::vector<double> x = std::exchange(x_, std::vector<double>(size()));
    std::vector<double> at_zero = rate();
    x_ = x;
    return at_zero;
  }();
  const double gradient_goal = (1 + norm(q)) * options_.gradient_tolerance;
  for (;;) {
    const std::vector<double> hxq = rate();
    InteriorPointIteration record{mu({0, 0}), gradient(hxq), sigma_, 0, 0};
    solution.reached = record.mu <= options_.mu_tolerance && record.gradient <= gradient_goal;
    if (solution.reached) break;
    if (static_cast<int>(solution.iterations.size()) >= options_.max_iterations) break;
    factorize();
    if (options_.direction == Direction::kCorrected) {
      record.sigma = predict(hxq, record.mu);
    } else {
      aim(sigma_ * record.mu);
    }
    find_direction(hxq);
    const Steps steps = options_.direction == Direction::kCorrected
                            ? center(hxq, record.sigma * record.mu)
                            : longest_steps(options_.boundary_fraction);
    advance(steps);
    record.primal_step = steps.primal;
    record.dual_step = steps.dual;
    const bool is_low = std::min(steps.primal, steps.dual) < options_.low_step;
    sigma_ = is_low ? options_.low_step_centering : (options_.centering + sigma_) / 2;
    solution.iterations.push_back(record);
    solution.factor_nonzeros = std::max(solution.factor_nonzeros, system_.factor_nonzeros());
  }
  solution.form = system_.form();
  solution.matrix_size = system_.size();
  solution.gradient_steps = system_.gradient_steps();
  solution.impulse = impulse();
  for (std::size_t k = 0; k < size(); ++k) {
    const std::size_t i = to_.row[k];
    double& f = solution.impulse[i];
    const double slack = to_.u[k] - x_[k];
    // In a narrow box both multipliers may be above their slacks: the stronger one decides.
    const bool is_high = is_box(k) && xi_[k] > slack && xi_[k] * x_[k] > s_[k] * slack;
    const bool is_low = to_.bounded[k] && s_[k] > x_[k] && !is_high;
    if (is_low) f = to_.sign[k] > 0 ? rows_.lower[i] : rows_.upper[i];
    if (is_high) f = rows_.upper[i];
  }
  solution.residual = residual(rows_, solution.impulse, rows_.rates(solution.impulse));
  return solution;
}

}  // namespace

std::size_t predicted_factor_nonzeros(const ScaledRows& rows, Form form, Ordering ordering) {
  SystemOptions options;
  options.form = form;
  return RowSystem(rows, shifted(rows).row, options).predicted_nonzeros(ordering);
}

InteriorPointSolution solve_interior_point(const ScaledRows& rows,
                                           const InteriorPointOptions& options) {
  return Iteration(rows, options).solve();
}

}  // namespace ppu::model::methods
