// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Packing and unpacking of Bullet's rows.
#include "driver/bullet/impulse_rows.hpp"

#include <algorithm>
#include <limits>

namespace ppu::bullet {
namespace {

/// Bullet's solver of contact rows looks at no upper limit.
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

ImpulseRows::ImpulseRows(const Pools& pools, const std::vector<Visit>& visits, Bank bank,
                         bool own_caps)
    : pools_(pools), visits_(visits), bank_(bank), numbers_(pools, visits) {
  const auto rolling = std::find_if(visits.begin(), visits.end(), [](const Visit& visit) {
    return visit.kind == RowKind::kRolling;
  });
  plain_ = static_cast<std::uint32_t>(rolling - visits.begin());
  reserve(2 * visits.size() - plain_);
  for (std::uint32_t i = 0; i < plain_; ++i) append_row(visits[i], visits[i].parent);
  append_caps(own_caps);
  for (std::size_t i = plain_; i < visits.size(); ++i) append_row(visits[i], cap_of_[i - plain_]);
  for (const int body : numbers_.solver_bodies()) append_body(pools.bodies[body]);
  impulse_answer_.resize(impulse_.size());
  velocity_answer_.resize(velocity_.size());
}

void ImpulseRows::reserve(std::size_t rows) {
  body_.reserve(rows);
  parent_.reserve(rows);
  for (std::vector<float>* wide : {&jacobian_, &inv_mass_jacobian_})
    wide->reserve(rows * std::tuple_size<Elements>::value);
  for (std::vector<float>* each :
       {&rhs_, &inv_diagonal_, &lower_, &upper_, &friction_, &cfm_, &impulse_})
    each->reserve(rows);
}

void ImpulseRows::append_row(const Visit& visit, std::int32_t parent) {
  const btSolverConstraint& row = *visit.row;
  body_.push_back({numbers_.of(row.m_solverBodyIdA), numbers_.of(row.m_solverBodyIdB)});
  parent_.push_back(parent);
  append(jacobian_of(row), &jacobian_);
  append(inv_mass_jacobian_of(pools_, row), &inv_mass_jacobian_);
  rhs_.push_back(bank_ == Bank::kVelocity ? row.m_rhs : row.m_rhsPenetration);
  inv_diagonal_.push_back(row.m_jacDiagABInv);
  lower_.push_back(row.m_lowerLimit);
  upper_.push_back(visit.kind == RowKind::kContact ? kInfinity : row.m_upperLimit);
  friction_.push_back(row.m_friction);
  cfm_.push_back(row.m_cfm);
  impulse_.push_back(bank_ == Bank::kVelocity ? row.m_appliedImpulse : row.m_appliedPushImpulse);
}

void ImpulseRows::append_caps(bool own_caps) {
  std::vector<std::int32_t> cap_of_contact(visits_.size(), -1);
  for (std::size_t i = plain_; i < visits_.size(); ++i) {
    std::int32_t& cap = cap_of_contact[static_cast<std::size_t>(visits_[i].parent)];
    if (own_caps || cap < 0) {
      cap = static_cast<std::int32_t>(plain_ + caps_++);
      append_cap(visits_[i].parent);
    }
    cap_of_.push_back(cap);
  }
}

void ImpulseRows::append_cap(std::int32_t contact) {
  body_.push_back({-1, -1});
  parent_.push_back(contact);
  append(Elements{}, &jacobian_);
  append(Elements{}, &inv_mass_jacobian_);
  for (std::vector<float>* ones : {&rhs_, &inv_diagonal_, &friction_, &cfm_}) ones->push_back(1.0F);
  for (std::vector<float>* zeros : {&lower_, &upper_, &impulse_}) zeros->push_back(0.0F);
}

std::size_t ImpulseRows::visit_of(std::size_t row) const {
  if (row < plain_) return row;
  return row < plain_ + caps_ ? static_cast<std::size_t>(parent_[row]) : row - caps_;
}

void ImpulseRows::append_body(const btSolverBody& body) {
  const bool push = bank_ == Bank::kPush;
  append(push ? body.m_pushVelocity : body.m_deltaLinearVelocity, &velocity_);
  append(push ? body.m_turnVelocity : body.m_deltaAngularVelocity, &velocity_);
}

ppu_problem ImpulseRows::view() const {
  static_assert(sizeof(std::array<std::int32_t, 2>) == sizeof(std::int32_t[2]));
  ppu_problem problem{};
  problem.row_count = static_cast<std::uint32_t>(body_.size());
  problem.body_count = static_cast<std::uint32_t>(numbers_.solver_bodies().size());
  problem.body = reinterpret_cast<const std::int32_t(*)[2]>(body_.data());
  problem.parent = parent_.data();
  problem.jacobian = jacobian_.data();
  problem.inv_mass_jacobian = inv_mass_jacobian_.data();
  problem.rate_bias = rhs_.data();
  problem.inv_diagonal = inv_diagonal_.data();
  problem.lower = lower_.data();
  problem.upper = upper_.data();
  problem.friction = friction_.data();
  problem.compliance = cfm_.data();
  problem.impulse = impulse_.data();
  problem.velocity_change = velocity_.data();
  problem.impulse_form = true;
  return problem;
}

void ImpulseRows::write_back() const {
  for (std::size_t i = 0; i < visits_.size(); ++i) {
    const float impulse = impulse_answer_[i < plain_ ? i : i + caps_];
    const btSolverConstraint& row = *visits_[i].row;
    (bank_ == Bank::kVelocity ? row.m_appliedImpulse : row.m_appliedPushImpulse) = impulse;
  }
  const float* v = velocity_answer_.data();
  for (const int index : numbers_.solver_bodies()) {
    btSolverBody& body = pools_.bodies[index];
    const bool push = bank_ == Bank::kPush;
    (push ? body.m_pushVelocity : body.m_deltaLinearVelocity).setValue(v[0], v[1], v[2]);
    (push ? body.m_turnVelocity : body.m_deltaAngularVelocity).setValue(v[3], v[4], v[5]);
    v += 6;
  }
}

}  // namespace ppu::bullet
