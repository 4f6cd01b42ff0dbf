// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the camera looks at, and what stands in its way: walls before the bodies are left out.
"use strict";
PPU.sight = {
  // Where nine of ten moving bodies are in the middle of the replay, in each direction.
  box() {
    const frame = Math.floor(PPU.replay.frames.length / 2);
    const moving = [...PPU.replay.bodies.keys()].filter((body) => PPU.replay.bodies[body][1] > 0);
    const position = [0, 0, 0];
    const ends = moving.map((body) => {
      const radius = PPU.stage.shapes[PPU.replay.bodies[body][0]].boundingSphere.radius;
      PPU.pose(PPU.replay.paths[0], frame, body, position, [0, 0, 0, 0]);
      return position.map((x) => [x - radius, x + radius]);
    });
    const at = (axis, end, share) => ends.map((body) => body[axis][end]).sort((a, b) => a - b)[
      Math.round(share * (ends.length - 1))];
    return new THREE.Box3(new THREE.Vector3(...[0, 1, 2].map((axis) => at(axis, 0, 0.05))),
                          new THREE.Vector3(...[0, 1, 2].map((axis) => at(axis, 1, 0.95))));
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
