// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Joints of all sorts: twelve ragdolls of hinges and cone twists fall on a heap, boxes drop onto a
// bridge of hinged planks, a chain swings down, a motor turns a blade.
#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

/// Parts of a ragdoll; those with a left and a right one: the right one follows the left one.
enum Part { kPelvis, kSpine, kHead, kThigh, kShin = 5, kUpperArm = 7, kLowerArm = 9, kParts = 11 };

/// A capsule, its mass and its place in a ragdoll whose pelvis is at the origin, in m and kg. Those
/// with a left and a right one have x of the right one.
struct PartDef {
  Part part;
  float radius, height, mass, x, y;
  bool along_x;  ///< Arms lie along x, the rest stands.
};

constexpr PartDef kPartDefs[] = {
    {kPelvis, 0.15F, 0.20F, 8, 0, 0, false},
    {kSpine, 0.15F, 0.28F, 10, 0, 0.35F, false},
    {kHead, 0.10F, 0.05F, 3, 0, 0.75F, false},
    {kThigh, 0.07F, 0.45F, 5, 0.18F, -0.385F, false},
    {kShin, 0.05F, 0.37F, 3, 0.18F, -0.835F, false},
    {kUpperArm, 0.05F, 0.33F, 2, 0.4F, 0.45F, true},
    {kLowerArm, 0.04F, 0.25F, 1, 0.8F, 0.45F, true},
};

/// Where two parts meet, and what turns there: hinges around x (arms: around y), cone twists about
/// y (arms: about x). Angles in radians: the lower and the upper one of a hinge, or swing and
/// twist.
struct JointDef {
  Part a, b;
  bool hinge;
  float x, y, low, high;
};

constexpr float kRight = SIMD_HALF_PI;
constexpr JointDef kJointDefs[] = {
    {kPelvis, kSpine, true, 0, 0.15F, -kRight / 2, kRight},
    {kSpine, kHead, false, 0, 0.65F, kRight / 2, kRight},
    {kPelvis, kThigh, false, 0.18F, -0.10F, kRight / 2, 0},
    {kThigh, kShin, true, 0.18F, -0.63F, 0, kRight},
    {kSpine, kUpperArm, false, 0.2F, 0.45F, kRight, 0},
    {kUpperArm, kLowerArm, true, 0.6F, 0.45F, -kRight, 0},
};

constexpr float kRagdollFriction = 0.7F;

btTransform turned(const btVector3& axis, float angle, const btVector3& position) {
  return btTransform(btQuaternion(axis, angle), position);
}

class Ragdoll : public Scene {
 public:
  Ragdoll(std::uint64_t seed, SolverPtr solver)
      : Scene({"ragdoll", "ragdoll", "seed=" + std::to_string(seed),
               "Twelve ragdolls fall on a heap, beside a bridge of planks, a chain and a motor.",
               seed},
              std::move(solver)) {
    add_ground();
    for (int i = 0; i < 12; ++i) {
      const btVector3 place(i % 2 == 0 ? -1.1F : 1.1F, 1.3F + 2 * static_cast<float>(i / 4),
                            i % 4 < 2 ? -0.6F : 0.6F);
      const btVector3 lean = random().within(btVector3(0.05F, 0.2F, 0.05F));
      const btQuaternion turn(lean.x(), lean.y(), lean.z(), 1);
      add_ragdoll(
          btTransform(turn.normalized(), place + random().within(btVector3(0.15F, 0, 0.15F))));
    }
    add_bridge();
    add_chain(btVector3(4, 6, 0), 20, 0.3F, 0.3F);
    add_motor();
  }

 private:
  void add_ragdoll(const btTransform& place) {
    btRigidBody* parts[kParts] = {};
    for (const PartDef& def : kPartDefs) {
      for (int right = 0; right <= (def.x > 0 ? 1 : 0); ++right) {
        const float side = right != 0 ? 1.0F : -1.0F;
        const btTransform within = turned(btVector3(0, 0, 1), def.along_x ? side * kRight : 0,
                                          btVector3(side * def.x, def.y, 0));
        parts[def.part + right] =
            &add(Shape::capsule(def.radius, def.height), def.mass, place * within);
        parts[def.part + right]->setFriction(kRagdollFriction);
      }
    }
    for (const JointDef& def : kJointDefs) {
      for (int right = 0; right <= (def.x > 0 ? 1 : 0); ++right) {
        // A part without sides is joined to both of the others.
        btRigidBody& a = *parts[def.a + (def.a > kHead ? right : 0)];
        join(def, place, a, *parts[def.b + right], right != 0 ? 1.0F : -1.0F);
      }
    }
  }

  void join(const JointDef& def, const btTransform& place, btRigidBody& a, btRigidBody& b,
            float side) {
    const btVector3 position(side * def.x, def.y, 0);
    const bool arm = def.b >= kUpperArm;
    if (def.hinge) {
      // The axis of a hinge is z of its frame.
      const btTransform frame = place * (arm ? turned(btVector3(1, 0, 0), -side * kRight, position)
                                             : turned(btVector3(0, 1, 0), kRight, position));
      link<btHingeConstraint>(a, b, within(a, frame), within(b, frame)).setLimit(def.low, def.high);
    } else {
      // The axis of a twist is x of its frame.
      const btTransform frame = place * turned(btVector3(0, 0, 1), arm ? 0 : kRight, position);
      link<btConeTwistConstraint>(a, b, within(a, frame), within(b, frame))
          .setLimit(def.low, def.low, def.high);
    }
  }
  static btTransform within(const btRigidBody& body, const btTransform& frame) {
    return body.getWorldTransform().inverse() * frame;
  }

  /// Twelve planks between two points, with boxes that drop onto them.
  void add_bridge() {
    constexpr int kPlanks = 12;
    constexpr float kPitch = 0.7F;
    const btVector3 axis(0, 0, 1);
    const btVector3 end(kPitch / 2, 0, 0);
    btRigidBody* last = nullptr;
    for (int i = 0; i < kPlanks; ++i) {
      const float x = kPitch * (static_cast<float>(i) - 0.5F * (kPlanks - 1));
      btRigidBody& plank = add(Shape::box(0.3F, 0.05F, 0.5F), 2, btVector3(x, 4, 4));
      if (last == nullptr) {
        link<btHingeConstraint>(plank, -end, axis);
      } else {
        link<btHingeConstraint>(*last, plank, end, -end, axis, axis);
      }
      last = &plank;
    }
    link<btHingeConstraint>(*last, end, axis);
    for (int i = 0; i < 6; ++i) {
      add(Shape::box(0.25F, 0.25F, 0.25F), 3,
          btVector3(0, 5 + 0.6F * static_cast<float>(i), 4) +
              random().within(btVector3(2, 0, 0.1F)));
    }
  }

  void add_motor() {
    btRigidBody& blade = add(Shape::box(1, 0.1F, 0.2F), 5, btVector3(-5, 1.5F, -4));
    link<btHingeConstraint>(blade, btVector3(0, 0, 0), btVector3(0, 0, 1))
        .enableAngularMotor(true, 3, 0.5F);
  }
};

}  // namespace

std::unique_ptr<Scene> make_ragdoll(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Ragdoll>(seed, std::move(solver));
}

}  // namespace ppu::scenes
