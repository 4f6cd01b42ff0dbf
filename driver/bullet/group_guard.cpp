// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Emptying what a group has filled.
#include "driver/bullet/group_guard.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace ppu::bullet {

void abandon(const Pools& pools) {
  for (int i = 0; i < pools.bodies.size(); ++i)
    if (btRigidBody* const body = pools.bodies[i].m_originalBody) body->setCompanionId(-1);
  for (btConstraintArray* rows : {&pools.joints, &pools.contacts, &pools.friction, &pools.rolling})
    rows->resizeNoInitialize(0);
  pools.bodies.resizeNoInitialize(0);
}

}  // namespace ppu::bullet
