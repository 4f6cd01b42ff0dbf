// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Arms and positions from the Jacobians of contacts. With directions d_k at right angles and turns
// t_k = r x d_k, the sum of d_k x t_k is 2 r.
#include "sim/method/contact_world.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <stdexcept>

#include "sim/base/text.hpp"
#include "sim/method/vector3.hpp"

namespace ppu::sim {
namespace {

using RowTriple = std::array<std::size_t, 3>;

constexpr double kSamePoint = 1e-5;      // m
constexpr double kSameDirection = 1e-4;  // Of vectors of length 1.

double largest_difference(const Vector3& a, const Vector3& b) {
  double most = 0;
  for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::fabs(a[k] - b[k]));
  return most;
}

/// What keeps rows from being a world, on its way to ContactWorld::obstacle.
struct Obstacle : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Builder {
 public:
  Builder(const model::RowProblem& problem, const std::vector<std::int32_t>& parent)
      : problem_(problem), parent_(parent) {}

  ContactWorld build() {
    if (problem_.inv_mass.size() != problem_.bodies() ||
        problem_.inv_inertia.size() != 9 * problem_.bodies())
      throw Obstacle("bodies without masses");
    group_rows();
    for (const RowTriple& rows : made_.rows) add_contact(rows);
    add_bodies();
    return std::move(made_);
  }

 private:
  [[nodiscard]] Vector3 half_of(std::size_t row, std::size_t half, std::size_t part) const {
    const float* const j = &problem_.jacobian[12 * row + 6 * half + 3 * part];
    return {static_cast<double>(j[0]), static_cast<double>(j[1]), static_cast<double>(j[2])};
  }

  void group_rows() {
    std::vector<std::size_t> contact_of(problem_.rows()), found;
    for (std::size_t i = 0; i < problem_.rows(); ++i) {
      const bool is_contact = problem_.kind[i] == model::RowKind::kContact;
      if (problem_.kind[i] == model::RowKind::kJoint) throw Obstacle("joints");
      if (is_contact) {
        contact_of[i] = made_.rows.size();
        made_.rows.push_back({i, i, i});
        found.push_back(1);
        continue;
      }
      if (made_.rows.empty()) throw Obstacle("friction without a contact");
      const std::size_t contact =
          parent_[i] < 0 ? made_.rows.size() - 1 : contact_of[static_cast<std::size_t>(parent_[i])];
      if (found[contact] > 2) throw Obstacle("more than two rows of friction to a contact");
      made_.rows[contact][found[contact]++] = i;
    }
    if (std::any_of(found.begin(), found.end(), [](std::size_t count) { return count != 3; }))
      throw Obstacle("contacts without two rows of friction");
  }

  void add_contact(const RowTriple& rows) {
    const auto body = problem_.body[rows[0]];
    const std::size_t first = body[1] >= 0 ? 1 : 0;
    WorldContact contact;
    contact.body = {static_cast<double>(body[first]), static_cast<double>(body[1 - first])};
    std::array<Vector3, 2> arm{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t row = rows[k];
      if (problem_.body[row] != body) throw Obstacle("friction of other bodies than its contact");
      contact.direction[k] = half_of(row, first, 0);
      contact.rate[k] = static_cast<double>(problem_.rate_bias[row]);
      contact.compliance[k] = static_cast<double>(problem_.compliance[row]);
      for (std::size_t half = 0; half < 2; ++half) {
        if (body[half] < 0) continue;
        const Vector3 along = half_of(row, half, 0);
        Vector3 expected = contact.direction[k];
        if (half != first)
          for (double& x : expected) x = -x;
        if (largest_difference(along, expected) > kSameDirection)
          throw Obstacle("rows that do not push both bodies alike");
        const Vector3 twice = cross(along, half_of(row, half, 1));
        for (std::size_t axis = 0; axis < 3; ++axis) arm[half][axis] += twice[axis] / 2;
      }
      if (k > 0) {
        const double upper = static_cast<double>(problem_.upper[row]);
        if (static_cast<double>(problem_.lower[row]) != -upper)
          throw Obstacle("friction with two bounds");
        contact.bound[k - 1] = upper;
      } else if (problem_.lower[row] != 0 || !(problem_.upper[row] >= 1e10F)) {
        throw Obstacle("contacts with an upper bound");
      }
    }
    for (std::size_t k = 0; k < 3; ++k)
      if (largest_difference(cross(contact.direction[k], contact.direction[(k + 1) % 3]),
                             contact.direction[(k + 2) % 3]) > kSameDirection &&
          largest_difference(cross(contact.direction[(k + 1) % 3], contact.direction[k]),
                             contact.direction[(k + 2) % 3]) > kSameDirection)
        throw Obstacle("directions that are not at right angles");
    check_turns(rows, arm);
    arms_.push_back({arm[first], arm[1 - first]});
    made_.list.contact.push_back(contact);
  }

  void check_turns(const RowTriple& rows, const std::array<Vector3, 2>& arm) const {
    double most = 0;
    for (const std::size_t row : rows)
      for (std::size_t half = 0; half < 2; ++half)
        if (problem_.body[row][half] >= 0)
          most = std::max(most, largest_difference(cross(arm[half], half_of(row, half, 0)),
                                                   half_of(row, half, 1)));
    if (most > kSamePoint) throw Obstacle("rows of a contact that turn about other points");
  }

  /// Each body next to one that has a place, the first of each heap at the origin.
  void add_bodies() {
    auto& contacts = made_.list.contact;
    const std::size_t count = problem_.bodies();
    std::vector<std::vector<std::size_t>> touching(count);
    for (std::size_t c = 0; c < contacts.size(); ++c)
      for (const double body : contacts[c].body)
        if (body >= 0) touching[static_cast<std::size_t>(body)].push_back(c);
    std::vector<std::optional<Vector3>> place(count);
    for (std::size_t start = 0; start < count; ++start) {
      if (place[start]) continue;
      place[start] = Vector3{};
      for (std::deque<std::size_t> next{start}; !next.empty(); next.pop_front())
        for (const std::size_t c : touching[next.front()]) reach(c, next, place);
    }
    double most = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      contacts[c].point = point_of(c, 0, place);
      if (contacts[c].body[1] >= 0)
        most = std::max(most, largest_difference(contacts[c].point, point_of(c, 1, place)));
    }
    if (most > kSamePoint)
      throw Obstacle("contacts at two points, up to " + scientific(most) + " m apart");
    for (std::size_t b = 0; b < count; ++b) {
      WorldBody body;
      body.position = *place[b];
      body.inv_mass = static_cast<double>(problem_.inv_mass[b]);
      for (std::size_t k = 0; k < 9; ++k)
        body.inv_inertia[k] = static_cast<double>(problem_.inv_inertia[9 * b + k]);
      made_.list.body.push_back(body);
    }
  }

  void reach(std::size_t c, std::deque<std::size_t>& next,
             std::vector<std::optional<Vector3>>& place) const {
    const auto& body = made_.list.contact[c].body;
    if (body[1] < 0) return;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto mine = static_cast<std::size_t>(body[side]);
      const auto other = static_cast<std::size_t>(body[1 - side]);
      if (!place[mine] || place[other]) continue;
      Vector3 point = point_of(c, side, place);
      for (std::size_t k = 0; k < 3; ++k) point[k] -= arms_[c][1 - side][k];
      place[other] = point;
      next.push_back(other);
    }
  }
  [[nodiscard]] Vector3 point_of(std::size_t c, std::size_t side,
                                 const std::vector<std::optional<Vector3>>& place) const {
    Vector3 point = *place[static_cast<std::size_t>(made_.list.contact[c].body[side])];
    for (std::size_t k = 0; k < 3; ++k) point[k] += arms_[c][side][k];
    return point;
  }

  const model::RowProblem& problem_;
  const std::vector<std::int32_t>& parent_;
  ContactWorld made_;
  std::vector<std::array<Vector3, 2>> arms_;  ///< From the bodies of each contact to its point.
};

}  // namespace

ContactWorld contact_world(const model::RowProblem& problem,
                           const std::vector<std::int32_t>& parent) {
  try {
    return Builder(problem, parent).build();
  } catch (const Obstacle& obstacle) {
    ContactWorld none;
    none.obstacle = obstacle.what();
    return none;
  }
}

}  // namespace ppu::sim
