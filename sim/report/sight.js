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

  // Rays from the camera to the middle of the box and to points on the way to its corners.
  rays(box) {
    const centre = box.getCenter(new THREE.Vector3());
    const points = [centre];
    for (let corner = 0; corner < 8; ++corner) {
      const end = ["x", "y", "z"].map((axis, i) => (corner >> i & 1 ? box.max : box.min)[axis]);
      points.push(new THREE.Vector3(...end).lerp(centre, 0.4));
    }
    const eye = PPU.stage.camera.position;
    return points.map((point) => ({
      ray: new THREE.Ray(eye.clone(), point.clone().sub(eye).normalize()),
      distance: eye.distanceTo(point),
    }));
  },

  // Shows the bodies of a group that do not move, but for those that a ray meets on its way.
  clear(group, rays) {
    const nothing = new THREE.Matrix4().makeScale(0, 0, 0);
    group.bodies.forEach((body, i) => {
      const place = group.places[i];
      const hides = rays.some(({ ray, distance }) =>
        PPU.stage.distance_to(ray, group.mesh.geometry, place) < distance);
      group.mesh.setMatrixAt(i, hides ? nothing : place);
    });
    group.mesh.instanceMatrix.needsUpdate = true;
  },
};
