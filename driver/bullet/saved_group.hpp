// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A group as its set-up has left it: a group that is refused in the midst of its iterations is as
// if there had been none.
#pragma once

#include "driver/bullet/visits.hpp"

namespace ppu::bullet {

/// Keeps its memory from group to group.
class SavedGroup {
 public:
  void save(const Pools& pools) {
    copy(pools.bodies, &bodies_);
    copy(pools.joints, &joints_);
    copy(pools.contacts, &contacts_);
    copy(pools.friction, &friction_);
    copy(pools.rolling, &rolling_);
  }
  void restore(const Pools& pools) const {
    copy(bodies_, &pools.bodies);
    copy(joints_, &pools.joints);
    copy(contacts_, &pools.contacts);
    copy(friction_, &pools.friction);
    copy(rolling_, &pools.rolling);
  }

 private:
  template <class T>
  static void copy(const btAlignedObjectArray<T>& from, btAlignedObjectArray<T>* to) {
    to->resizeNoInitialize(from.size());
    for (int i = 0; i < from.size(); ++i) (*to)[i] = from[i];
  }

  btAlignedObjectArray<btSolverBody> bodies_;
  btConstraintArray joints_, contacts_, friction_, rolling_;
};

}  // namespace ppu::bullet
