// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How bodies stand and move.
#include "sim/scenes/body_state.hpp"

#include <cstdint>
#include <cstdio>

#include "base/bits/float_bits.hpp"

namespace ppu::scenes {
namespace {

constexpr const char* kNames[] = {
    "position x",         "position y",         "position z",        "rotation 0,0", "rotation 0,1",
    "rotation 0,2",       "rotation 1,0",       "rotation 1,1",      "rotation 1,2", "rotation 2,0",
    "rotation 2,1",       "rotation 2,2",       "velocity x",        "velocity y",   "velocity z",
    "angular velocity x", "angular velocity y", "angular velocity z"};
static_assert(std::size(kNames) == std::tuple_size_v<BodyState>);

}  // namespace

Pose pose_of(const btRigidBody& body) {
  const btVector3& position = body.getWorldTransform().getOrigin();
  const btQuaternion rotation = body.getWorldTransform().getRotation();
  return {{position.x(), position.y(), position.z()},
          {rotation.x(), rotation.y(), rotation.z(), rotation.w()}};
}

BodyState state_of(const btRigidBody& body) {
  const btTransform& place = body.getWorldTransform();
  const btVector3 vectors[] = {place.getOrigin(),        place.getBasis()[0],
                               place.getBasis()[1],      place.getBasis()[2],
                               body.getLinearVelocity(), body.getAngularVelocity()};
  BodyState state{};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = vectors[i / 3][static_cast<int>(i % 3)];
  return state;
}

std::string Difference::str() const {
  char text[120];
  std::snprintf(text, sizeof text, "body %zu, %s: %.9g (0x%08x) and %.9g (0x%08x)", body,
                kNames[number], static_cast<double>(a), bits_of(a), static_cast<double>(b),
                bits_of(b));
  return text;
}

std::optional<Difference> first_difference(const Scene& a, const Scene& b) {
  for (std::size_t body = 0; body < a.bodies().size(); ++body) {
    const BodyState of_a = state_of(*a.bodies()[body].body);
    const BodyState of_b = state_of(*b.bodies()[body].body);
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      if (bits_of(of_a[i]) != bits_of(of_b[i])) return Difference{body, i, of_a[i], of_b[i]};
    }
  }
  return std::nullopt;
}

}  // namespace ppu::scenes
