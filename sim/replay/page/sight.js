// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the camera looks at, and what stands in its way: walls before the bodies are left out.
"use strict";
PPU.sight = {
  // Where all moving bodies are in the first frame, and nine of ten, in each direction, in the
  // middle of the replay: by then some may have gone far away.
  box() {
    const middle = Math.floor(PPU.replay.frames.length / 2);
    return PPU.sight.box_of(0, 0).union(PPU.sight.box_of(middle, 0.05));
  },

  // Of a frame, without this share of the bodies at either end.
  box_of(frame, share) {
    const moving = [...PPU.replay.bodies.keys()].filter((body) => PPU.replay.bodies[body][1] > 0);
    const position = [0, 0, 0];
    const ends = moving.map((body) => {
      const radius = PPU.stage.shapes[PPU.replay.bodies[body][0]].boundingSphere.radius;
      PPU.pose(PPU.replay.paths[0], frame, body, position, [0, 0, 0, 0]);
      return position.map((x) => [x - radius, x + radius]);
    });
    const at = (axis, end, place) => ends.map((body) => body[axis][end]).sort((a, b) => a - b)[
      Math.round(place * (ends.length - 1))];
    return new THREE.Box3(new THREE.Vector3(...[0, 1, 2].map((axis) => at(axis, 0, share))),
                          new THREE.Vector3(...[0, 1, 2].map((axis) => at(axis, 1, 1 - share))));
  },

  // Rays from the camera to some of the moving bodies, spread over their numbers.
  rays() {
    const moving = [...PPU.replay.bodies.keys()].filter((body) => PPU.replay.bodies[body][1] > 0);
    const step = Math.ceil(moving.length / 40);
    const eye = PPU.stage.camera.position;
    const position = [0, 0, 0];
    return moving.filter((_, i) => i % step === 0).map((body) => {
      PPU.pose(PPU.replay.paths[0], PPU.state.frame, body, position, [0, 0, 0, 0]);
      const place = new THREE.Vector3(...position);
      return { ray: new THREE.Ray(eye.clone(), place.clone().sub(eye).normalize()),
               distance: eye.distanceTo(place) };
    });
  },

  // Shows the bodies of a group that do not move, but for those before a quarter of the others.
  clear(group, rays) {
    const nothing = new THREE.Matrix4().makeScale(0, 0, 0);
    group.bodies.forEach((body, i) => {
      const place = group.places[i];
      const hidden = rays.filter(({ ray, distance }) =>
        PPU.stage.distance_to(ray, group.mesh.geometry, place) < distance).length;
      group.mesh.setMatrixAt(i, 4 * hidden > rays.length ? nothing : place);
    });
    group.mesh.instanceMatrix.needsUpdate = true;
  },
};
