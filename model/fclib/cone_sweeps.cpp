// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Gauss-Seidel on cones.
#include "model/fclib/cone_sweeps.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>

#include "model/problem/problem_error.hpp"

namespace ppu::model::fclib {
namespace {

/// The error costs as much as a sweep: it is looked at where little changes, and once in so many.
constexpr int kSweepsPerLook = 16;

/// W by blocks of contacts, row by row; and what a contact's own block is good for.
class Blocks {
 public:
  explicit Blocks(const Problem& local)
      : local_(local), d_(place_of(local.dimension)), start_(local.contacts() + 1) {
    const std::size_t contacts = local.contacts();
    std::vector<std::vector<const Entry*>> of_contact(contacts);
    for (const Entry& e : local.w.entry) of_contact[place_of(e.row) / d_].push_back(&e);
    std::vector<std::size_t> place(contacts, kNowhere);  // Of the blocks of one contact.
    for (std::size_t c = 0; c < contacts; ++c) {
      start_[c] = other_.size();
      for (const Entry* e : of_contact[c]) {
        std::size_t& mine = place[place_of(e->column) / d_];
        if (mine == kNowhere) {
          mine = other_.size();
          other_.push_back(place_of(e->column) / d_);
          value_.resize(value_.size() + d_ * d_);
        }
        value_[(mine * d_ + place_of(e->row) % d_) * d_ + place_of(e->column) % d_] = e->value;
      }
      add_own(c, place[c]);
      for (std::size_t b = start_[c]; b < other_.size(); ++b) place[other_[b]] = kNowhere;
    }
    start_[contacts] = other_.size();
  }

  /// One sweep; returns |r' - r|^2.
  double sweep(int steps, std::vector<double>& r) const {
    double changed = 0;
    for (std::size_t c = 0; c < local_.contacts(); ++c) {
      double free[3], before[3];
      std::copy_n(&r[c * d_], d_, before);
      free_velocity(c, r, free);
      solve_one(c, free, steps, &r[c * d_]);
      for (std::size_t k = 0; k < d_; ++k) changed += std::pow(r[c * d_ + k] - before[k], 2);
    }
    return changed;
  }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  void add_own(std::size_t contact, std::size_t place) {
    const auto n = static_cast<Eigen::Index>(d_);
    Eigen::MatrixXd own = Eigen::MatrixXd::Zero(n, n);
    if (place != kNowhere)
      own = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
          &value_[place * d_ * d_], n, n);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(own);
    if (!(eigen.eigenvalues()[0] > 0))
      refuse(local_.name, "W of contact", contact,
             "the eigenvalue " + number_text(eigen.eigenvalues()[0]), "a positive definite block");
    rho_.push_back(1 / eigen.eigenvalues()[n - 1]);
    const Eigen::MatrixXd inverse = own.inverse();
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index k = 0; k < n; ++k) {
        own_.push_back(own(i, k));
        inverse_.push_back(inverse(i, k));
      }
    }
  }

  /// u of contact c without its own impulse.
  void free_velocity(std::size_t c, const std::vector<double>& r, double* free) const {
    std::copy_n(&local_.offset[c * d_], d_, free);
    for (std::size_t b = start_[c]; b < start_[c + 1]; ++b) {
      if (other_[b] == c) continue;
      const double* block = &value_[b * d_ * d_];
      const double* impulse = &r[other_[b] * d_];
      for (std::size_t i = 0; i < d_; ++i)
        for (std::size_t k = 0; k < d_; ++k) free[i] += block[i * d_ + k] * impulse[k];
    }
  }

  void solve_one(std::size_t c, const double* free, int steps, double* r) const {
    const double mu = local_.friction[c];
    if (free[0] >= 0) {
      std::fill_n(r, d_, 0.0);
      return;
    }
    double stuck[3] = {}, in_cone[3] = {};
    for (std::size_t i = 0; i < d_; ++i)
      for (std::size_t k = 0; k < d_; ++k) stuck[i] -= inverse_[(c * d_ + i) * d_ + k] * free[k];
    std::copy_n(stuck, d_, in_cone);
    project_to_cone(mu, in_cone, d_);
    if (std::equal(stuck, stuck + d_, in_cone)) {
      std::copy_n(stuck, d_, r);
      return;
    }
    for (int step = 0; step < steps; ++step) {
      double u[3], next[3], slip = 0, moved = 0, size = 0;
      for (std::size_t i = 0; i < d_; ++i) {
        u[i] = free[i];
        for (std::size_t k = 0; k < d_; ++k) u[i] += own_[(c * d_ + i) * d_ + k] * r[k];
        if (i > 0) slip += u[i] * u[i];
      }
      u[0] += mu * std::sqrt(slip);
      for (std::size_t i = 0; i < d_; ++i) next[i] = r[i] - rho_[c] * u[i];
      project_to_cone(mu, next, d_);
      for (std::size_t i = 0; i < d_; ++i) {
        moved += std::pow(next[i] - r[i], 2);
        size += next[i] * next[i];
        r[i] = next[i];
      }
      if (moved <= 1e-28 * size) break;
    }
  }

  const Problem& local_;
  std::size_t d_;
  std::vector<std::size_t> start_, other_;  ///< Blocks of each contact, and with which one.
  std::vector<double> value_;               ///< d x d for each block.
  std::vector<double> own_, inverse_;       ///< d x d for each contact.
  std::vector<double> rho_;
};

double squared(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

}  // namespace

ConeSolution solve_cones(const Problem& local, const ConeOptions& options) {
  const Blocks blocks(local);
  ConeSolution solution;
  solution.r.assign(local.offset.size(), 0);
  solution.error = natural_error(local, solution.r);
  while (solution.error > options.tolerance && std::isfinite(solution.error) &&
         solution.sweeps < options.max_sweeps) {
    const double changed = blocks.sweep(options.steps, solution.r);
    ++solution.sweeps;
    const bool is_still = changed <= options.tolerance * options.tolerance * squared(solution.r);
    if (is_still || solution.sweeps % kSweepsPerLook == 0 || solution.sweeps == options.max_sweeps)
      solution.error = natural_error(local, solution.r);
  }
  solution.reached = solution.error <= options.tolerance;
  return solution;
}

}  // namespace ppu::model::fclib
