// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A straight scalar float loop over packed rows: what a careful C programmer writes first.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "sim/bench/bench.hpp"

namespace ppu::sim {
namespace {

struct PlainRow {
  std::array<float, 12> jacobian, inv_mass_jacobian;
  float bias, inv_diagonal, lower, upper, compliance;
  std::int32_t parent;
  std::size_t body_a, body_b;
};

class PlainSolver {
 public:
  explicit PlainSolver(const model::RowProblem& problem) : problem_(problem) {
    // The static world is one more body, which no row moves: its half of JM is zero.
    const auto index = [&problem](std::int32_t body) {
      return body < 0 ? problem.bodies() : static_cast<std::size_t>(body);
    };
    for (std::size_t i = 0; i < problem.rows(); ++i) {
      PlainRow row{};
      std::copy_n(&problem.jacobian[12 * i], 12, row.jacobian.begin());
      std::copy_n(&problem.inv_mass_jacobian[12 * i], 12, row.inv_mass_jacobian.begin());
      row.bias = problem.rate_bias[i];
      row.inv_diagonal = problem.inv_diagonal[i];
      row.parent = problem.parent[i];
      row.lower = problem.lower[i];
      row.upper = row.parent >= 0 ? problem.friction[i] : problem.upper[i];
      row.compliance = problem.compliance[i];
      row.body_a = index(problem.body[i][0]);
      row.body_b = index(problem.body[i][1]);
      rows_.push_back(row);
    }
  }

  Sample run(std::uint32_t sweeps) {
    impulse_ = problem_.impulse;
    velocity_ = problem_.velocity_change;
    velocity_.resize(velocity_.size() + 6);
    const double begin = cpu_seconds();
    for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
      for (std::size_t i = 0; i < rows_.size(); ++i) update(rows_[i], impulse_[i]);
    }
    return {cpu_seconds() - begin, sweeps * static_cast<std::uint64_t>(rows_.size()), 0};
  }

 private:
  void update(const PlainRow& row, float& impulse) {
    float lower = row.lower;
    float upper = row.upper;
    if (row.parent >= 0) {
      const float parent = impulse_[static_cast<std::size_t>(row.parent)];
      if (parent <= 0.0F) return;
      upper = row.upper * parent;
      lower = -upper;
    }
    float* a = &velocity_[6 * row.body_a];
    float* b = &velocity_[6 * row.body_b];
    float rate = row.bias + row.compliance * impulse;
    for (std::size_t k = 0; k < 6; ++k) {
      rate += row.jacobian[k] * a[k] + row.jacobian[6 + k] * b[k];
    }
    const float next = std::min(std::max(impulse - row.inv_diagonal * rate, lower), upper);
    const float delta = next - impulse;
    impulse = next;
    for (std::size_t k = 0; k < 6; ++k) {
      a[k] += row.inv_mass_jacobian[k] * delta;
      b[k] += row.inv_mass_jacobian[6 + k] * delta;
    }
  }

  const model::RowProblem& problem_;
  std::vector<PlainRow> rows_;
  std::vector<float> impulse_, velocity_;
};

}  // namespace

Contender bench_plain(const model::RowProblem& problem) {
  auto solver = std::make_shared<PlainSolver>(problem);
  return {"plain scalar loop", "sweeps", "cpu",
          [solver](std::uint32_t sweeps) { return solver->run(sweeps); }};
}

}  // namespace ppu::sim
