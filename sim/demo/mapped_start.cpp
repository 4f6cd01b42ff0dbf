// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Contacts of one frame found again in the next.
#include "sim/demo/mapped_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "model/reference/residual.hpp"

namespace ppu::sim {
namespace {

using Vector = std::array<double, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

constexpr std::int32_t kNew = -2;  // A body that the frame before does not have.

/// The rows of a problem by contact, with bodies as the frame before numbers them.
class Contacts {
 public:
  using Pair = std::array<std::int32_t, 2>;  ///< Smaller number first; -1: cannot be moved.

  Contacts(const model::RowProblem& rows, const std::vector<std::int32_t>* earlier)
      : rows_(rows), friction_(rows.rows()), ordinal_(rows.rows()) {
    for (const Pair& body : rows.body)
      body_.push_back({number(body[0], earlier), number(body[1], earlier)});
    std::map<Pair, std::size_t> joints;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (rows.parent[i] >= 0) {
        friction_[static_cast<std::size_t>(rows.parent[i])].push_back(i);
      } else {
        of_pair_[pair(i)].push_back(i);
        if (is_joint(i)) ordinal_[i] = joints[pair(i)]++;
      }
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& friction(std::size_t i) const {
    return friction_[i];
  }
  /// The direction of row i on the body with the larger number, which can be moved.
  [[nodiscard]] Vector direction(std::size_t i) const { return part(i, 0); }

  /// The row of this problem that is row i of `later`; rows() if there is none.
  [[nodiscard]] std::size_t found_again(const Contacts& later, std::size_t i) const {
    std::size_t found = rows_.rows();
    const auto same_pair = of_pair_.find(later.pair(i));
    if (same_pair == of_pair_.end()) return found;
    double nearest = kSamePlace;
    for (const std::size_t row : same_pair->second) {
      if (is_joint(row) != later.is_joint(i)) continue;
      if (is_joint(row)) {
        if (ordinal_[row] == later.ordinal_[i]) return row;
        continue;
      }
      const Vector here = place(row), there = later.place(i);
      const double apart = std::hypot(here[0] - there[0], here[1] - there[1], here[2] - there[2]);
      if (apart < nearest) {
        nearest = apart;
        found = row;
      }
    }
    return found;
  }

 private:
  static std::int32_t number(std::int32_t body, const std::vector<std::int32_t>* earlier) {
    if (body < 0 || earlier == nullptr) return body;
    const std::int32_t same = (*earlier)[static_cast<std::size_t>(body)];
    return same < 0 ? kNew : same;
  }
  [[nodiscard]] bool is_joint(std::size_t i) const {
    return rows_.kind[i] == model::RowKind::kJoint;
  }
  [[nodiscard]] Pair pair(std::size_t i) const {
    return {std::min(body_[i][0], body_[i][1]), std::max(body_[i][0], body_[i][1])};
  }

  /// From the centre of that body to the contact of normal row i, in m. Its rows have directions d
  /// of length 1, at right angles, with arms r x d: the sum of d x (r x d) is 2 r. Of a contact
  /// without friction it is the part of r across the normal.
  [[nodiscard]] Vector place(std::size_t i) const {
    std::vector<std::size_t> all = friction_[i];
    all.push_back(i);
    const double share = all.size() == 3 ? 0.5 : 1;
    Vector sum{};
    for (const std::size_t row : all) {
      const Vector one = cross(part(row, 0), part(row, 3));
      for (std::size_t k = 0; k < 3; ++k) sum[k] += share * one[k];
    }
    return sum;
  }
  /// Three numbers of the half of the Jacobian that is that body's.
  [[nodiscard]] Vector part(std::size_t i, std::size_t offset) const {
    const std::size_t first = 12 * i + (body_[i][0] >= body_[i][1] ? 0 : 6) + offset;
    return {static_cast<double>(rows_.jacobian[first]),
            static_cast<double>(rows_.jacobian[first + 1]),
            static_cast<double>(rows_.jacobian[first + 2])};
  }

  const model::RowProblem& rows_;
  std::vector<std::array<std::int32_t, 2>> body_;
  std::vector<std::vector<std::size_t>> friction_;  ///< By normal row.
  std::vector<std::size_t> ordinal_;                ///< Of joint rows among those of their pair.
  std::map<Pair, std::vector<std::size_t>> of_pair_;
};

}  // namespace

MappedStart map_start(const model::RowProblem& before, const std::vector<float>& impulse,
                      const model::RowProblem& after, const std::vector<std::int32_t>& earlier) {
  const Contacts known(before, nullptr), later(after, &earlier);
  MappedStart start;
  start.impulse.resize(after.rows());
  for (std::size_t i = 0; i < after.rows(); ++i) {
    if (after.parent[i] >= 0) continue;
    ++start.contacts;
    const std::size_t row = known.found_again(later, i);
    if (row == before.rows()) continue;
    ++start.matched;
    start.impulse[i] = impulse[row];
    Vector sideways{};
    for (const std::size_t j : known.friction(row)) {
      const Vector direction = known.direction(j);
      for (std::size_t k = 0; k < 3; ++k)
        sideways[k] += static_cast<double>(impulse[j]) * direction[k];
    }
    for (const std::size_t j : later.friction(i))
      start.impulse[j] = static_cast<float>(dot(sideways, later.direction(j)));
  }
  return start;
}

model::RowProblem started_from(const MappedStart& start, model::RowProblem after) {
  after.impulse = start.impulse;
  const std::vector<double> velocity = model::coupled_velocity(after, after.impulse);
  after.velocity_change.assign(velocity.begin(), velocity.end());
  return after;
}

}  // namespace ppu::sim
