// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems that the parity workloads make themselves.
#include "parity_problems.hpp"

#include <algorithm>
#include <limits>
#include <random>

namespace ppu::sim {
namespace {

constexpr std::size_t kElements = sizeof(ppu_row::jacobian) / sizeof(float);
constexpr std::size_t kVelocityFloats = 6;

/// Adds islands to a problem, from a generator whose numbers the standard fixes.
class IslandMaker {
 public:
  explicit IslandMaker(std::uint32_t seed) : random_(seed) {}

  void add(std::uint32_t rows) {
    const auto first_body = static_cast<std::int32_t>(problem_.bodies());
    // Three rows to a contact: a body for each, and the next one in the chain.
    const std::uint32_t contacts = (rows + 2) / 3;
    for (std::uint32_t i = 0; i < contacts * kVelocityFloats; ++i)
      problem_.velocity_change.push_back(fraction() * 0.125F);
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
  /// A multiple of 1/64 in [-1, 1].
  float fraction() { return (static_cast<float>(pick(129)) - 64.0F) / 64.0F; }

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

}  // namespace

model::RowProblem make_islands(const IslandsShape& shape) {
  std::mt19937 random(shape.seed);
  IslandMaker maker(shape.seed + 1);
  for (std::uint32_t i = 0; i < shape.islands; ++i)
    maker.add(shape.min_rows +
              static_cast<std::uint32_t>(random()) % (shape.max_rows - shape.min_rows + 1));
  return std::move(maker).problem();
}

model::RowProblem make_nothing() {
  return {};
}

std::vector<ppu_row> device_rows(const model::RowProblem& problem, bool impulse_form,
                                 std::uint32_t body_stride) {
  const auto body = [body_stride](std::int32_t index) {
    return index < 0 ? PPU_NONE : static_cast<std::uint32_t>(index) * body_stride;
  };
  std::vector<ppu_row> rows(problem.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ppu_row& row = rows[i];
    std::copy_n(problem.jacobian.begin() + static_cast<std::ptrdiff_t>(i * kElements), kElements,
                row.jacobian);
    std::copy_n(problem.inv_mass_jacobian.begin() + static_cast<std::ptrdiff_t>(i * kElements),
                kElements, row.inv_mass_jacobian);
    const bool friction = problem.parent[i] >= 0;
    const float d = problem.inv_diagonal[i];
    row.bias = impulse_form ? -(problem.rate_bias[i] * d) : problem.rate_bias[i];
    row.inv_diagonal = d;
    row.lower = friction ? 0.0F : problem.lower[i];
    row.upper = friction ? problem.friction[i] : problem.upper[i];
    row.compliance = impulse_form ? problem.compliance[i] * d : problem.compliance[i];
    row.body_a = body(problem.body[i][0]);
    row.body_b = body(problem.body[i][1]);
    row.parent = friction ? static_cast<std::uint32_t>(problem.parent[i]) : PPU_NONE;
  }
  return rows;
}

}  // namespace ppu::sim
