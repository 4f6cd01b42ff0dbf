// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bodies, caps, and the way back.
#include "driver/bullet/impulse_rows.hpp"

#include <algorithm>

namespace ppu::bullet {

static_assert(offsetof(ppu_row, inv_mass_jacobian) == 12 * sizeof(float) &&
                  offsetof(ppu_row, bias) == 24 * sizeof(float),
              "each store of three numbers may touch the one behind");

void ImpulseRows::begin(const Pools& pools, Bank bank, std::uint32_t most_rows, const Part* part) {
  if (!records_) records_.emplace(device_);
  pools_ = &pools;
  bank_ = bank;
  plain_ = joints_ = caps_ = massless_ = 0;
  rolling_.clear();
  body_.clear();
  solver_bodies_.clear();
  for (int i = 0; i < pools.bodies.size(); ++i) {
    const bool wanted = part == nullptr || part->moves(static_cast<std::size_t>(i));
    add_body(pools.bodies[i], wanted && can_move(pools.bodies[i]));
  }

  if (row_.size() < most_rows) row_.resize(most_rows);
  memory_ = records_->begin(most_rows, static_cast<std::uint32_t>(solver_bodies_.size()));
  write_velocities();
}

void ImpulseRows::add_of_part(const btSolverConstraint& row, RowKind kind, std::int32_t parent) {
  const auto turn = static_cast<std::uint32_t>(turns_.size());
  turns_.push_back({&row, PPU_NONE});
  if (!part_.has(turn)) return;
  const Turn* const contact = parent >= 0 ? &turns_[static_cast<std::size_t>(parent)] : nullptr;
  if (contact != nullptr && contact->place == PPU_NONE) {
    // As Bullet does, which leaves the row out where nothing presses.
    const float x = contact->row->m_appliedImpulse;
    if (!(x > 0)) return;
    float bound = row.m_friction * x;
    if (kind == RowKind::kRolling && bound > row.m_friction) bound = row.m_friction;
    write(plain_, row, kind, PPU_NONE);
    memory_.rows[plain_].lower = -bound;
    memory_.rows[plain_].upper = bound;
  } else {
    write(plain_, row, kind, contact != nullptr ? contact->place : PPU_NONE);
  }
  turns_.back().place = plain_;
  memory_.impulses[plain_] = impulse_of(row);
  keep(row, kind);
  if (plain_ % kBlock == 0) records_->commit(plain_);
}

void ImpulseRows::add_body(const btSolverBody& body, bool movable) {
  const auto number = static_cast<std::uint32_t>(solver_bodies_.size());
  if (movable) solver_bodies_.push_back(static_cast<int>(body_.size()));
  body_.push_back({load(body.internalGetInvMass()), load(body.m_linearFactor),
                   load(body.m_angularFactor), body.m_originalBody == nullptr ? 0 : ~0U,
                   movable ? number : PPU_NONE});
}

void ImpulseRows::write_velocities() {
  const bool push = bank_ == Bank::kPush;
  ppu_velocity* velocity = memory_.velocities;
  for (const int place : solver_bodies_) {
    const btSolverBody& body = pools_->bodies[place];
    const btVector3& linear = push ? body.m_pushVelocity : body.m_deltaLinearVelocity;
    const btVector3& angular = push ? body.m_turnVelocity : body.m_deltaAngularVelocity;
    *velocity++ = {{linear[0], linear[1], linear[2]}, {angular[0], angular[1], angular[2]}, {0, 0}};
  }
}

std::uint32_t ImpulseRows::up_to_massless() const {
  for (std::uint32_t i = rolling_count(); i > 0; --i)
    if (rolling_[i - 1].row->m_jacDiagABInv == 0) return plain_ + i;
  return massless_;
}

void ImpulseRows::add_caps(bool own_caps) {
  // What a cap is called is kept in place of its contact.
  if (!rolling_.empty()) cap_of_contact_.assign(plain_, PPU_NONE);
  contact_of_cap_.clear();
  for (Visit& visit : rolling_) {
    std::uint32_t& cap = cap_of_contact_[static_cast<std::size_t>(visit.parent)];
    if (own_caps || cap == PPU_NONE) {
      cap = plain_ + caps_++;
      contact_of_cap_.push_back(static_cast<std::uint32_t>(visit.parent));
      memory_.impulses[cap] = 0;
    }
    visit.parent = static_cast<std::int32_t>(cap);
  }
  for (std::uint32_t i = 0; i < rolling_count(); ++i)
    memory_.impulses[plain_ + caps_ + i] = impulse_of(*rolling_[i].row);
}

void ImpulseRows::finish() {
  std::uint32_t place = plain_;
  for (const std::uint32_t contact : contact_of_cap_) write_cap(place++, contact);
  for (const Visit& visit : rolling_)
    write(place++, *visit.row, visit.kind, static_cast<std::uint32_t>(visit.parent));
  records_->commit(rows());
}

void ImpulseRows::write_cap(std::uint32_t place, std::uint32_t contact) {
  ppu_row record{};
  record.bias = record.inv_diagonal = record.upper = record.compliance = 1;
  record.body_a = record.body_b = PPU_NONE;
  record.parent = contact;
  memory_.rows[place] = record;
}

const btSolverConstraint& ImpulseRows::row_of(std::size_t number) const {
  if (number < plain_) return *row_[number];
  if (number >= plain_ + caps_) return *rolling_[number - plain_ - caps_].row;
  return *row_[contact_of_cap_[number - plain_]];
}

void ImpulseRows::write_back() const {
  const bool push = bank_ == Bank::kPush;
  const auto put = [push](const btSolverConstraint& row, float impulse) {
    (push ? row.m_appliedPushImpulse : row.m_appliedImpulse) = impulse;
  };
  for (std::uint32_t i = 0; i < plain_; ++i) {
    if (i + kAhead < plain_) __builtin_prefetch(&row_[i + kAhead]->m_appliedImpulse, 1);
    put(*row_[i], memory_.impulses[i]);
  }
  for (std::uint32_t i = 0; i < rolling_count(); ++i)
    put(*rolling_[i].row, memory_.impulses[plain_ + caps_ + i]);
  const ppu_velocity* velocity = memory_.velocities;
  for (const int place : solver_bodies_) {
    btSolverBody& body = pools_->bodies[place];
    const float* const v = velocity->linear;
    const float* const w = velocity->angular;
    (push ? body.m_pushVelocity : body.m_deltaLinearVelocity).setValue(v[0], v[1], v[2]);
    (push ? body.m_turnVelocity : body.m_deltaAngularVelocity).setValue(w[0], w[1], w[2]);
    ++velocity;
  }
}

}  // namespace ppu::bullet
