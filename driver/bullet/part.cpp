// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/bullet/part.hpp"

namespace ppu::bullet {

void Part::begin(const Pools& pools, const BulletLimits& limits, std::uint32_t first) {
  pools_ = &pools;
  limits_ = limits;
  first_ = end_ = first;
  looked_ = bodies_ = 0;
  is_full_ = is_rolling_ = false;
  moved_.assign(static_cast<std::size_t>(pools.bodies.size()), false);
}

void Part::look(const btSolverConstraint& row, RowKind kind) {
  const std::uint32_t turn = looked_++;
  if (turn < first_ || is_full_) return;
  // Rolling rows come last, and in parts of their own: so none of them needs a cap.
  if (turn == first_) is_rolling_ = kind == RowKind::kRolling;
  const bool fits = rows() < limits_.rows && is_rolling_ == (kind == RowKind::kRolling);
  is_full_ = !fits || !take_bodies(row);
  if (!is_full_) end_ = turn + 1;
}

bool Part::take_bodies(const btSolverConstraint& row) {
  const int places[] = {row.m_solverBodyIdA, row.m_solverBodyIdB};
  const auto is_new = [this](int place) {
    return !moved_[static_cast<std::size_t>(place)] && can_move(pools_->bodies[place]);
  };
  const bool same = places[0] == places[1];
  const std::uint32_t more = (is_new(places[0]) ? 1U : 0U) + (!same && is_new(places[1]) ? 1U : 0U);
  if (bodies_ + more > limits_.bodies) return false;
  bodies_ += more;
  for (const int place : places)
    if (is_new(place)) moved_[static_cast<std::size_t>(place)] = true;
  return true;
}

}  // namespace ppu::bullet
