// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the files of scenes share.
#pragma once

#include <vector>

#include "tests/driver/bullet/worlds.hpp"

namespace ppu::test {

inline btBoxShape* box(float half = 0.5F) {
  return new btBoxShape(btVector3(half, half, half));
}

inline btRigidBody& body(World* world, int index) {
  return *btRigidBody::upcast((*world)->getCollisionObjectArray()[index]);
}

inline const btVector3 kLeft(-0.6F, 0, 0);
inline const btVector3 kRight(0.6F, 0, 0);
inline const btVector3 kZ(0, 0, 1);

inline btHingeConstraint* hinge(btRigidBody& a, btRigidBody& b) {
  return new btHingeConstraint(a, b, kRight, kLeft, kZ, kZ);
}

/// Worlds that settings are tried on, too.
void build_rolling(World* world);
void build_overlapping(World* world);
void build_overrides(World* world);

std::vector<Scene> solver_scenes();
std::vector<Scene> joint_scenes();
std::vector<Scene> contact_scenes();
std::vector<Scene> body_scenes();
std::vector<Scene> massless_scenes();

}  // namespace ppu::test
