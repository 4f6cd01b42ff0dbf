// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Tableaus as velocities.
#include "sim/pivot/pivot_rows.hpp"

#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

#include "model/distance/generated_pairs.hpp"
#include "model/problem/row_problem.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

namespace distance = model::distance;

constexpr std::size_t kLanes = 12;
constexpr std::uint64_t kRowBytes = 128, kVelocityBytes = 32, kImpulseBytes = 4;

/// A tableau in float32, its rows padded to whole device rows, and the pivot to come.
struct FloatTableau {
  std::size_t rows = 0, stride = 0, leaving = 0, column = 0;
  std::vector<float> cell;

  explicit FloatTableau(const distance::LemkeTableau& from)
      : rows(from.size()),
        stride((from.columns() + kLanes - 1) / kLanes * kLanes),
        leaving(from.leaving_row()),
        column(from.entering_column()),
        cell(rows * stride) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < from.columns(); ++k)
        cell[i * stride + k] = static_cast<float>(from.row(i)[k]);
  }

  /// The row of the entering variable, which both host and device add.
  [[nodiscard]] std::vector<float> entering_row() const {
    const float* const old = &cell[leaving * stride];
    const float inverse = 1 / old[column];
    std::vector<float> row(stride);
    for (std::size_t k = 0; k < stride; ++k) row[k] = k == column ? inverse : old[k] * -inverse;
    return row;
  }
};

void pivot_on_host(FloatTableau& tableau, const std::vector<float>& entering) {
  for (std::size_t i = 0; i < tableau.rows; ++i) {
    if (i == tableau.leaving) continue;
    float* const row = &tableau.cell[i * tableau.stride];
    const float factor = row[tableau.column];
    row[tableau.column] = 0;
    for (std::size_t k = 0; k < tableau.stride; ++k) row[k] += factor * entering[k];
  }
}

model::RowProblem rows_of_pivot(const FloatTableau& tableau, const std::vector<float>& entering) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  model::RowProblem rows;
  rows.name = "pivot";
  for (std::size_t i = 0; i < tableau.rows; ++i) {
    if (i == tableau.leaving) continue;
    const float* const old = &tableau.cell[i * tableau.stride];
    for (std::size_t first = 0; first < tableau.stride; first += kLanes) {
      const auto body = static_cast<std::int32_t>(rows.velocity_change.size() / 6);
      rows.body.push_back({body, body + 1});
      rows.kind.push_back(model::RowKind::kJoint);
      rows.parent.push_back(-1);
      rows.rate_bias.push_back(-old[tableau.column]);
      rows.inv_diagonal.push_back(1);
      rows.lower.push_back(-kInfinity);
      rows.upper.push_back(kInfinity);
      for (auto* zeros : {&rows.friction, &rows.compliance, &rows.impulse}) zeros->push_back(0);
      for (std::size_t k = first; k < first + kLanes; ++k) {
        rows.jacobian.push_back(0);
        rows.inv_mass_jacobian.push_back(entering[k]);
        rows.velocity_change.push_back(k == tableau.column ? 0 : old[k]);
      }
    }
  }
  return rows;
}

/// Cells that differ in their bits; the signs of zeros count as equal, which no later step sees.
std::size_t differences(const FloatTableau& tableau, const std::vector<float>& velocity) {
  std::size_t different = 0, next = 0;
  for (std::size_t i = 0; i < tableau.rows; ++i) {
    if (i == tableau.leaving) continue;
    for (std::size_t k = 0; k < tableau.stride; ++k, ++next) {
      const float expected = tableau.cell[i * tableau.stride + k];
      const bool same = std::memcmp(&expected, &velocity[next], sizeof expected) == 0;
      if (!same && !(expected == 0 && velocity[next] == 0)) ++different;
    }
  }
  return different;
}

void pivot_on_both(const Solver& solver, const distance::LemkeTableau& from, PivotStudy& study) {
  FloatTableau tableau(from);
  const std::vector<float> entering = tableau.entering_row();
  const model::RowProblem rows = rows_of_pivot(tableau, entering);
  const auto start = std::chrono::steady_clock::now();
  pivot_on_host(tableau, entering);
  study.host_us +=
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  const SolveResult solved = solver.solve(rows, 1);
  study.different += differences(tableau, solved.solution.velocity_change);
  study.equations = tableau.rows;
  study.rows += rows.rows();
  study.sweep_cycles += solved.counter(PPU_COUNTER_CYCLES);
  study.device_cycles += solved.report.device_cycles;
  study.bytes_in += rows.rows() * (kRowBytes + kImpulseBytes) + rows.bodies() * kVelocityBytes;
  study.clock_mhz = solved.device.clock_mhz;
  ++study.pivots;
}

}  // namespace

PivotStudy study_pivots(const Options& options, std::size_t faces, std::size_t distances) {
  const distance::GeneratedPairs made =
      distance::generate_pairs(faces, distance::Placement::kRandom, distances, 1);
  Options mine = options;
  mine.program = "boxed";
  mine.start = "warm";
  mine.sweeps = 1;
  const Solver solver(mine);
  PivotStudy study;
  study.faces = faces;
  distance::DistanceSolver lemke;
  for (const distance::Pair& pair : made.pairs) {
    lemke.set_up(made.shapes[pair.first], made.shapes[pair.second], pair);
    while (lemke.tableau().select() == distance::LemkeTableau::State::kGoesOn) {
      pivot_on_both(solver, lemke.tableau(), study);
      lemke.tableau().pivot();
    }
  }
  if (study.pivots > 0) study.host_us /= static_cast<double>(study.pivots);
  return study;
}

}  // namespace ppu::sim
