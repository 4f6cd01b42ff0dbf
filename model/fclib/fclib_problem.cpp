// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Matrices of FCLIB, the local form of a global problem, and the error that the field compares by.
#include "model/fclib/fclib_problem.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "model/problem/problem_error.hpp"

namespace ppu::model::fclib {
namespace {

double length_of(const double* x, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

}  // namespace

void project_to_cone(double mu, double* x, std::size_t dimension) {
  const double along = x[0], across = length_of(x + 1, dimension - 1);
  if (across <= mu * along) return;
  if (mu * across <= -along) {
    std::fill(x, x + dimension, 0.0);
    return;
  }
  const double normal = (along + mu * across) / (1 + mu * mu);
  for (std::size_t k = 1; k < dimension; ++k) x[k] *= across > 0 ? mu * normal / across : 0;
  x[0] = normal;
}

std::vector<double> Matrix::times(const std::vector<double>& x) const {
  std::vector<double> y(place_of(rows));
  for (const Entry& e : entry) y[place_of(e.row)] += e.value * x[place_of(e.column)];
  return y;
}

std::vector<double> Matrix::transposed_times(const std::vector<double>& x) const {
  std::vector<double> y(place_of(columns));
  for (const Entry& e : entry) y[place_of(e.column)] += e.value * x[place_of(e.row)];
  return y;
}

void Matrix::put_in_order() {
  std::stable_sort(entry.begin(), entry.end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  std::vector<Entry> merged;
  for (const Entry& e : entry) {
    if (!merged.empty() && merged.back().row == e.row && merged.back().column == e.column) {
      merged.back().value += e.value;
    } else {
      merged.push_back(e);
    }
  }
  entry = std::move(merged);
}

InverseMass::InverseMass(const Problem& problem) : size_(problem.dimension == 3 ? 6 : 3) {
  const std::size_t rows = place_of(problem.m.rows);
  if (rows % size_ != 0)
    refuse(problem.name, "M", std::to_string(rows) + " rows",
           "a multiple of " + std::to_string(size_) + ", the velocities of rigid bodies");
  inverse_.assign(rows * size_, 0);
  for (const Entry& e : problem.m.entry) {
    if (e.value == 0) continue;
    if (place_of(e.row) / size_ != place_of(e.column) / size_)
      refuse(problem.name, "M column " + std::to_string(e.column), place_of(e.row),
             number_text(e.value),
             "0: a matrix of rigid bodies, each a block of " + std::to_string(size_) +
                 " on the diagonal");
    inverse_[place_of(e.row) * size_ + place_of(e.column) % size_] = e.value;
  }
  for (std::size_t first = 0; first < rows; first += size_) {
    const auto n = static_cast<Eigen::Index>(size_);
    Eigen::Map<Eigen::MatrixXd> block(&inverse_[first * size_], n, n);
    const Eigen::LLT<Eigen::MatrixXd> factor(block);
    const bool is_symmetric =
        (block - block.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * block.cwiseAbs().maxCoeff();
    if (!is_symmetric || factor.info() != Eigen::Success)
      refuse(problem.name, "M", first, "the mass of a body",
             "a symmetric, positive definite block");
    block = factor.solve(Eigen::MatrixXd::Identity(n, n)).eval();
  }
}

std::vector<double> InverseMass::times(const std::vector<double>& x) const {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < size_; ++k) y[i] += inverse_[i * size_ + k] * x[i - i % size_ + k];
  return y;
}

Problem localized(const Problem& problem) {
  if (!problem.is_global) return problem;
  const InverseMass inverse(problem);
  Problem local;
  local.name = problem.name;
  local.title = problem.title;
  local.dimension = problem.dimension;
  local.friction = problem.friction;
  local.solution = problem.solution;
  local.offset = problem.h.transposed_times(inverse.times(problem.force));
  for (std::size_t i = 0; i < local.offset.size(); ++i) {
    local.offset[i] += problem.offset[i];
    if (!(std::fabs(local.offset[i]) <= kLargestNumber))
      refuse(problem.name, "H' M^-1 f + w", i, number_text(local.offset[i]), kInRange);
  }
  // Rows of H by bodies: W gets a term for each two columns of a body.
  const std::size_t size = inverse.block();
  std::vector<std::vector<Entry>> of_body(place_of(problem.m.rows) / size);
  for (const Entry& e : problem.h.entry) of_body[place_of(e.row) / size].push_back(e);
  local.w.rows = local.w.columns = problem.h.columns;
  for (std::size_t body = 0; body < of_body.size(); ++body) {
    for (const Entry& a : of_body[body]) {
      for (const Entry& b : of_body[body]) {
        const double mass = inverse.at(body, place_of(a.row) % size, place_of(b.row) % size);
        if (mass != 0) local.w.entry.push_back({a.column, b.column, a.value * mass * b.value});
      }
    }
    if (local.w.entry.size() > (1U << 22U)) local.w.put_in_order();
  }
  local.w.put_in_order();
  for (const Entry& e : local.w.entry)
    if (!(std::fabs(e.value) <= kLargestNumber))
      refuse(problem.name, "H' M^-1 H column " + std::to_string(e.column), place_of(e.row),
             number_text(e.value), kInRange);
  return local;
}

double natural_error(const Problem& local, const std::vector<double>& r) {
  const auto dimension = place_of(local.dimension);
  std::vector<double> u = local.w.times(r);
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += local.offset[i];
  for (std::size_t c = 0; c < local.contacts(); ++c) {
    const std::size_t first = c * dimension;
    std::vector<double> moved(dimension);
    for (std::size_t k = 0; k < dimension; ++k) moved[k] = r[first + k] - u[first + k];
    moved[0] -= local.friction[c] * length_of(&u[first + 1], dimension - 1);
    project_to_cone(local.friction[c], moved.data(), dimension);
    for (std::size_t k = 0; k < dimension; ++k) sum += std::pow(r[first + k] - moved[k], 2);
  }
  const double scale = length_of(local.offset.data(), local.offset.size());
  return std::sqrt(sum) / (scale > 0 ? scale : 1);
}

std::vector<double> in_cones(const Problem& problem, std::vector<double> r) {
  const auto dimension = place_of(problem.dimension);
  for (std::size_t c = 0; c < problem.contacts(); ++c)
    project_to_cone(problem.friction[c], &r[c * dimension], dimension);
  return r;
}

double cone_excess(const Problem& problem, const std::vector<double>& r) {
  const auto dimension = place_of(problem.dimension);
  double most = 0, size = 0;
  for (std::size_t c = 0; c < problem.contacts(); ++c) {
    const double* mine = &r[c * dimension];
    size = std::max(size, length_of(mine, dimension));
    most = std::max(most, length_of(mine + 1, dimension - 1) - problem.friction[c] * mine[0]);
  }
  return size > 0 ? most / size : 0;
}

}  // namespace ppu::model::fclib
