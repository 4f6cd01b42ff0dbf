// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A demo whose worlds come apart: nudged_demo FRAMES DIR runs wall10 with a ball that is rougher in
// the PPU's world, and writes DIR/report.html. The worlds are equal until the ball hits the wall.
#include <iostream>
#include <string>

#include "sim/demo/scene_demo.hpp"

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: nudged_demo FRAMES DIR\n";
    return 2;
  }
  ppu::sim::SceneDemo demo;
  demo.scene.name = "wall10";
  demo.solve.backend = "functional";
  demo.frames = static_cast<std::uint32_t>(std::stoul(arguments[1]));
  demo.report_folder = arguments[2];
  ppu::sim::SceneTwins twins(demo.scene, demo.solve);
  btCollisionObjectArray& bodies = twins.ppu_scene().world().getCollisionObjectArray();
  for (int i = 0; i < bodies.size(); ++i)
    if (bodies[i]->getCollisionShape()->getShapeType() == SPHERE_SHAPE_PROXYTYPE)
      bodies[i]->setFriction(2 * bodies[i]->getFriction());
  return ppu::sim::run_scene_demo(demo, twins);
}
