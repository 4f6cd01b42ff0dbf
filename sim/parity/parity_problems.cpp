// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems that the parity workloads make themselves.
#include "sim/parity/parity_problems.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace ppu::sim {
namespace {

constexpr std::size_t kElements = sizeof(ppu_row::jacobian) / sizeof(float);
constexpr std::size_t kVelocityFloats = 6;

/// Adds rows to a problem, from a generator whose numbers the standard fixes.
class ProblemMaker {
 public:
  explicit ProblemMaker(std::uint32_t seed) : random_(seed) {}

  void add_tangle(std::uint32_t rows, std::uint32_t bodies) {
    add_bodies(bodies);
    std::vector<std::int32_t> normals;
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::array<std::int32_t, 2> pair{pick_body(bodies), pick_body(bodies)};
      if (pair[0] == pair[1]) pair[1] = -1;
      const bool friction = !normals.empty() && pick(3) == 0;
      const std::int32_t parent =
          friction ? normals[pick(static_cast<std::uint32_t>(normals.size()))] : -1;
      if (!friction) normals.push_back(static_cast<std::int32_t>(problem_.rows()));
      add_row(pair, parent);
    }
  }

  void add_island(std::uint32_t rows) {
    const auto first_body = static_cast<std::int32_t>(problem_.bodies());
    // Three rows to a contact: a body for each, and the next one in the chain.
    const std::uint32_t contacts = (rows + 2) / 3;
    add_bodies(contacts);
    std::int32_t normal = -1;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const auto link = static_cast<std::int32_t>(row / 3);
      const std::array<std::int32_t, 2> pair{link == 0 ? -1 : first_body + link - 1,
                                             first_body + link};
      if (row % 3 == 0) normal = static_cast<std::int32_t>(problem_.rows());
      add_row(pair, row % 3 == 0 ? -1 : normal);
    }
  }

  model::RowProblem problem() && { return std::move(problem_); }

 private:
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_()) % count; }
  /// A body or, one time in four, the world.
  std::int32_t pick_body(std::uint32_t bodies) {
    return pick(4) == 0 ? -1 : static_cast<std::int32_t>(pick(bodies));
  }
  /// A multiple of 1/64 in [-1, 1].
  float fraction() { return (static_cast<float>(pick(129)) - 64.0F) / 64.0F; }

  void add_bodies(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count * kVelocityFloats; ++i)
      problem_.velocity_change.push_back(fraction() * 0.125F);
  }

  void add_row(const std::array<std::int32_t, 2>& pair, std::int32_t parent) {
    const bool friction = parent >= 0;
    const float cfm = pick(4) == 0 ? 0.015625F : 0.0F;
    float diagonal = cfm;
    for (std::size_t i = 0; i < kElements; ++i) {
      const float j = pair[i / kVelocityFloats] < 0 ? 0.0F : fraction();
      const float inverse_mass = i % kVelocityFloats < 3 ? 0.5F : 2.0F;
      problem_.jacobian.push_back(j);
      problem_.inv_mass_jacobian.push_back(j * inverse_mass);
      diagonal += j * j * inverse_mass;
    }
    problem_.body.push_back(pair);
    problem_.kind.push_back(friction ? model::RowKind::kFriction : model::RowKind::kContact);
    problem_.parent.push_back(parent);
    problem_.rate_bias.push_back(friction ? 0.0F : fraction() - 0.5F);
    problem_.inv_diagonal.push_back(1.0F / std::max(diagonal, 0.0625F));
    problem_.lower.push_back(0.0F);
    problem_.upper.push_back(std::numeric_limits<float>::infinity());
    problem_.friction.push_back(friction ? 0.5F : 0.0F);
    problem_.compliance.push_back(cfm);
    problem_.impulse.push_back(friction ? 0.0F : std::max(fraction(), 0.0F));
  }

  std::mt19937 random_;
  model::RowProblem problem_;
};

/// All but the parent.
ppu_row device_row(const model::RowProblem& problem, std::size_t index, const RowLayout& layout) {
  const auto body = [&layout](std::int32_t number) {
    return number < 0 ? PPU_NONE : static_cast<std::uint32_t>(number) * layout.body_stride;
  };
  const auto first = static_cast<std::ptrdiff_t>(index * kElements);
  const bool friction = problem.parent[index] >= 0;
  const float d = problem.inv_diagonal[index];
  const float cfm = problem.compliance[index];
  ppu_row row{};
  std::copy_n(problem.jacobian.begin() + first, kElements, row.jacobian);
  std::copy_n(problem.inv_mass_jacobian.begin() + first, kElements, row.inv_mass_jacobian);
  row.bias = layout.impulse_form ? -(problem.rate_bias[index] * d) : problem.rate_bias[index];
  row.inv_diagonal = d;
  row.lower = friction ? 0.0F : problem.lower[index];
  row.upper = friction ? problem.friction[index] : problem.upper[index];
  row.compliance = layout.impulse_form ? cfm * d : cfm;
  row.body_a = body(problem.body[index][0]);
  row.body_b = body(problem.body[index][1]);
  return row;
}

}  // namespace

model::RowProblem make_islands(const IslandsShape& shape) {
  std::mt19937 random(shape.seed);
  ProblemMaker maker(shape.seed + 1);
  for (std::uint32_t i = 0; i < shape.islands; ++i)
    maker.add_island(shape.min_rows +
                     static_cast<std::uint32_t>(random()) % (shape.max_rows - shape.min_rows + 1));
  return std::move(maker).problem();
}

model::RowProblem make_tangle(std::uint32_t rows, std::uint32_t bodies, std::uint32_t seed) {
  ProblemMaker maker(seed);
  maker.add_tangle(rows, bodies);
  return std::move(maker).problem();
}

model::RowProblem make_nothing() {
  return {};
}

std::vector<ppu_row> device_rows(const model::RowProblem& problem, const RowLayout& layout) {
  std::vector<std::uint32_t> order = layout.row_of_slot;
  if (order.empty()) {
    order.resize(problem.rows());
    std::iota(order.begin(), order.end(), 0U);
  }
  std::vector<std::uint32_t> slot_of_row(order.size());
  for (std::uint32_t slot = 0; slot < order.size(); ++slot) slot_of_row[order[slot]] = slot;
  std::vector<ppu_row> rows;
  for (const std::uint32_t row : order) {
    rows.push_back(device_row(problem, row, layout));
    const std::int32_t parent = problem.parent[row];
    rows.back().parent = parent < 0 ? PPU_NONE : slot_of_row[static_cast<std::size_t>(parent)];
  }
  return rows;
}

}  // namespace ppu::sim
