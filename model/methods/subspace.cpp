// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Algorithm 3.1 round by round.
#include "model/methods/subspace.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ppu::model::methods {
namespace {

class Minimization {
 public:
  Minimization(const ScaledRows& rows, const SubspaceOptions& options)
      : rows_(rows),
        options_(options),
        schedule_(options.proximal.value_or(proximal_for(rows))),
        proximal_(schedule_.first) {}

  /// The subspace phase of a round: z^0 in `z`, and what becomes of it.
  SubspaceRound run(std::vector<double>& z, std::size_t& nonzeros);

 private:
  [[nodiscard]] double weight(std::size_t i) const { return proximal_ * rows_.diagonal[i]; }
  /// Puts rows near a bound to it and returns those that are inside.
  std::vector<std::size_t> free_rows(std::vector<double>& z) const;
  /// The step of (3.3) from z on `free`; 0 elsewhere.
  std::vector<double> step(const std::vector<std::size_t>& free, const std::vector<double>& z,
                           std::size_t& nonzeros) const;
  /// z + d up to the first bound, (3.5).
  [[nodiscard]] std::vector<double> backtracked(const std::vector<double>& z,
                                                const std::vector<double>& d) const;
  /// (1.4) with the proximal term.
  [[nodiscard]] double merit(const std::vector<double>& z) const;

  void adapt(const SubspaceRound& round);

  const ScaledRows& rows_;
  const SubspaceOptions& options_;
  const Proximal schedule_;
  double proximal_;             ///< Of this round.
  std::vector<double> center_;  ///< z^0.
};

std::vector<std::size_t> Minimization::free_rows(std::vector<double>& z) const {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (rows_.diagonal[i] == 0) continue;
    if (z[i] <= rows_.lower[i] + options_.active) {
      z[i] = rows_.lower[i];
    } else if (z[i] >= rows_.upper[i] - options_.active) {
      z[i] = rows_.upper[i];
    } else {
      free.push_back(i);
    }
  }
  return free;
}

std::vector<double> Minimization::step(const std::vector<std::size_t>& free,
                                       const std::vector<double>& z, std::size_t& nonzeros) const {
  const std::vector<double> u = rows_.rates(z);
  RowSystem system(rows_, free, options_.system);
  std::vector<double> shift, r;
  for (const std::size_t i : free) {
    shift.push_back(rows_.compliance[i] + weight(i));
    r.push_back(-u[i] - weight(i) * (z[i] - center_[i]));
  }
  system.factorize(shift);
  const std::vector<double> solution = system.solve(r);
  nonzeros = std::max(nonzeros, system.factor_nonzeros());
  std::vector<double> d(z.size());
  for (std::size_t k = 0; k < free.size(); ++k) {
    if (!std::isfinite(solution[k])) {
      throw MethodFailure("subspace minimization: found a step that is not finite in row " +
                          std::to_string(free[k]) + ", expected numbers");
    }
    d[free[k]] = solution[k];
  }
  return d;
}

std::vector<double> Minimization::backtracked(const std::vector<double>& z,
                                              const std::vector<double>& d) const {
  double alpha = 1;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (d[i] < 0) alpha = std::min(alpha, (rows_.lower[i] - z[i]) / d[i]);
    if (d[i] > 0) alpha = std::min(alpha, (rows_.upper[i] - z[i]) / d[i]);
  }
  std::vector<double> zb(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) zb[i] = rows_.clamped(i, z[i] + alpha * d[i]);
  return zb;
}

double Minimization::merit(const std::vector<double>& z) const {
  double sum = objective(rows_, z, rows_.rates(z));
  for (std::size_t i = 0; i < z.size(); ++i) {
    sum += 0.5 * weight(i) * (z[i] - center_[i]) * (z[i] - center_[i]);
  }
  return sum;
}

void Minimization::adapt(const SubspaceRound& round) {
  const double next = round.fell_back ? proximal_ * schedule_.growth : proximal_ / schedule_.decay;
  proximal_ = std::min(std::max(next, schedule_.least), schedule_.most);
}

SubspaceRound Minimization::run(std::vector<double>& z, std::size_t& nonzeros) {
  SubspaceRound round;
  center_ = z;
  std::vector<double> zb;
  bool is_inside = false;
  for (int k = 0; k < options_.steps_per_round && !is_inside; ++k) {
    const std::vector<std::size_t> free = free_rows(z);
    if (k == 0) round.free_rows = free.size();
    if (free.empty()) break;
    const std::vector<double> d = step(free, z, nonzeros);
    ++round.factorizations;
    if (k == 0) zb = backtracked(z, d);
    is_inside = true;
    for (const std::size_t i : free) {
      const double target = z[i] + d[i];
      z[i] = rows_.clamped(i, target);
      is_inside = is_inside && z[i] > rows_.lower[i] + options_.active &&
                  z[i] < rows_.upper[i] - options_.active;
    }
  }
  if (!zb.empty() && merit(z) > merit(zb)) {
    z = zb;
    round.fell_back = true;
  }
  round.proximal = proximal_;
  adapt(round);
  return round;
}

void check(const ScaledRows& rows, const SubspaceOptions& options,
           const std::vector<double>& start) {
  if (start.size() != rows.rows()) {
    throw std::invalid_argument("the start has " + std::to_string(start.size()) +
                                " impulses, expected " + std::to_string(rows.rows()));
  }
  if (options.sweeps_per_round < 0 || options.steps_per_round < 1 ||
      (options.proximal && !(options.proximal->first >= 0))) {
    throw std::invalid_argument(
        "subspace minimization needs sweeps >= 0, steps >= 1 and a proximal term >= 0");
  }
}

}  // namespace

Proximal proximal_for(const ScaledRows& rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i)
    if (rows.diagonal[i] > 0 && !(rows.compliance[i] > 0)) return {};
  Proximal small;
  small.first = 1e-6;
  small.growth = 100;
  return small;
}

SubspaceSolution solve_subspace(const ScaledRows& rows, Sweeps& sweeps,
                                const SubspaceOptions& options, std::vector<double> start) {
  if (start.empty()) start.resize(rows.rows());
  check(rows, options, start);
  SubspaceSolution solution;
  std::vector<double>& z = solution.impulse;
  z = std::move(start);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = rows.clamped(i, z[i]);
  Minimization minimization(rows, options);
  for (int count = 0; count < options.max_rounds && !solution.reached; ++count) {
    sweeps.sweep(z, options.sweeps_per_round);
    solution.sweeps += options.sweeps_per_round;
    SubspaceRound round = minimization.run(z, solution.factor_nonzeros);
    solution.residual = residual(rows, z, rows.rates(z));
    round.residual = solution.residual.paper;
    solution.factorizations += round.factorizations;
    solution.fallbacks += round.fell_back ? 1 : 0;
    solution.rounds.push_back(round);
    solution.reached = round.residual <= options.tolerance;
  }
  return solution;
}

}  // namespace ppu::model::methods
