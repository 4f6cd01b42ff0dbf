// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Scenes: Bullet worlds of any bodies, shapes, joints and settings. The PPU refuses a group or has
// the bits of Bullet's own solver.
#include "ppu/bullet.h"
#include "tests/driver/bullet/worlds.hpp"
#include "tests/fuzz/input.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppu;
  static BulletConstraintSolver solver("functional");
  btSequentialImpulseConstraintSolver bullets;
  solver.reset();
  test::World here(&solver), there(&bullets);
  for (test::World* const world : {&here, &there}) {
    fuzz::Input input(data, size);
    test::build_scene(world, [&input] { return input.left() > 0 ? input.word() : 7; });
  }
  try {
    for (int frame = 0; frame < 4; ++frame) {
      here.step();
      there.step();
      if (solver.last_report().refused > 0) return 0;
      fuzz::require(here.bits() == there.bits(), "the bits are those of Bullet's own solver");
    }
  } catch (const BulletUnsupported&) {
  } catch (const Error&) {
  }
  return 0;
}
