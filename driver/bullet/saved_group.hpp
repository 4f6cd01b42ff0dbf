// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What iterations change of a group, as its set-up has left it: a group that is refused in the
// midst of its iterations is as if there had been none. A refused run changes nothing, so the
// velocities need to be saved only where several runs follow each other. Set-up leaves push and
// turn velocities and impulses 0.
#pragma once

#include <cstddef>
#include <vector>

#include "driver/bullet/visits.hpp"

namespace ppu::bullet {

/// Keeps its memory from group to group.
class SavedGroup {
 public:
  /// A new group: nothing is saved.
  void begin() { saved_ = false; }
  /// Saves impulses and changes of velocities; once in a group.
  void save(const Pools& pools) {
    if (saved_) return;
    saved_ = true;
    velocities_.clear();
    impulses_.clear();
    for (int i = 0; i < pools.bodies.size(); ++i) {
      velocities_.push_back(pools.bodies[i].m_deltaLinearVelocity);
      velocities_.push_back(pools.bodies[i].m_deltaAngularVelocity);
    }
    for_each_row(pools, [this](const btSolverConstraint& row) {
      impulses_.push_back(row.m_appliedImpulse);
    });
  }
  void restore(const Pools& pools) const {
    for (int i = 0; i < pools.bodies.size(); ++i) {
      btSolverBody& body = pools.bodies[i];
      body.m_pushVelocity.setZero();
      body.m_turnVelocity.setZero();
      // Bodies that came in the midst are as new.
      const std::size_t place = 2 * static_cast<std::size_t>(i);
      if (!saved_ || place >= velocities_.size()) continue;
      body.m_deltaLinearVelocity = velocities_[place];
      body.m_deltaAngularVelocity = velocities_[place + 1];
    }
    std::size_t number = 0;
    for_each_row(pools, [&](const btSolverConstraint& row) {
      row.m_appliedPushImpulse = 0;
      if (saved_) row.m_appliedImpulse = impulses_[number++];
    });
  }

 private:
  template <class Function>
  static void for_each_row(const Pools& pools, Function function) {
    for (const btConstraintArray* rows :
         {&pools.joints, &pools.contacts, &pools.friction, &pools.rolling})
      for (int i = 0; i < rows->size(); ++i) function((*rows)[i]);
  }

  bool saved_ = false;
  std::vector<btVector3> velocities_;  ///< Two of each body: linear, angular.
  std::vector<btScalar> impulses_;     ///< Of the rows of all pools, in their order.
};

}  // namespace ppu::bullet
