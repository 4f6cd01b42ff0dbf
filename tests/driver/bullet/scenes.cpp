// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The list of all scenes, and the world that most settings are tried on.
#include <algorithm>
#include <stdexcept>

#include "tests/driver/bullet/scene_builders.hpp"

namespace ppu::test {

void build_towers(World* world) {
  world->add_ground();
  for (int tower = 0; tower < 3; ++tower)
    for (int i = 0; i < 3 + tower; ++i) {
      const auto level = static_cast<float>(i);
      btRigidBody& body = world->add(box(), 1.0F + level,
                                     btVector3(static_cast<float>(4 * tower) + 0.1F * level,
                                               0.55F + 1.02F * level, 0.05F * level * level));
      body.setFriction(0.6F);
    }
}

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = [] {
    std::vector<Scene> list;
    for (const auto& some :
         {solver_scenes(), contact_scenes(), joint_scenes(), body_scenes(), massless_scenes()})
      list.insert(list.end(), some.begin(), some.end());
    return list;
  }();
  return all;
}

const Scene& scene(const std::string& name) {
  const auto found = std::find_if(scenes().begin(), scenes().end(),
                                  [&](const Scene& each) { return each.name == name; });
  if (found == scenes().end()) throw std::invalid_argument("there is no scene " + name);
  return *found;
}

}  // namespace ppu::test
