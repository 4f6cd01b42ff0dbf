// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The replay in 3-D: bodies, ghosts of the CPU engine, orbit, picking.
"use strict";
PPU.stage = {
  groups: [],

  start() {
    const canvas = document.getElementById("canvas");
    const stage = PPU.stage;
    const context = canvas.getContext("webgl2", { antialias: true });
    if (context === null) throw new Error("this browser has no WebGL 2");
    stage.renderer = new THREE.WebGLRenderer({ canvas, context });
    stage.renderer.setPixelRatio(window.devicePixelRatio);
    stage.renderer.shadowMap.enabled = true;
    stage.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    stage.scene = new THREE.Scene();
    stage.camera = new THREE.PerspectiveCamera(38, 1, 0.1, 1000);
    stage.controls = new THREE.OrbitControls(stage.camera, canvas);
    stage.controls.enableKeys = false;
    stage.controls.maxPolarAngle = 0.495 * Math.PI;
    stage.controls.addEventListener("change", () => stage.draw());
    stage.shapes = PPU.replay.shapes.map((shape, i) => stage.geometry(i));
    stage.ghosts = new THREE.Group();
    stage.add_bodies(0, stage.scene, (shape) => PPU.materials.body(shape));
    if (PPU.replay.paths.length > 1)
      stage.add_bodies(1, stage.ghosts, () => PPU.materials.ghost);
    stage.ghosts.visible = false;
    stage.scene.add(stage.ghosts);
    stage.box = PPU.sight.box();
    stage.add_light();
    stage.listen(canvas);
    stage.resize();
    stage.reset_view();
  },

  geometry(i) {
    const columns = PPU.replay.columns;
    const geometry = new THREE.BufferGeometry();
    for (const [name, column] of [["position", "positions"], ["normal", "normals"]]) {
      const values = PPU.as_float(columns[`shape${i}_${column}`]);
      geometry.setAttribute(name, new THREE.BufferAttribute(values, 3));
    }
    const indices = PPU.as_uint16(columns[`shape${i}_indices`]);
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    geometry.computeBoundingSphere();
    geometry.computeBoundingBox();
    return geometry;
  },

  // One draw call for all bodies of a shape that move, or do not.
  add_bodies(path, parent, material) {
    PPU.stage.shapes.forEach((geometry, shape) => {
      const bodies = [...PPU.replay.bodies.keys()].filter((body) =>
        PPU.replay.bodies[body][0] === shape && (path === 0 || PPU.replay.bodies[body][1] > 0));
      if (bodies.length === 0) return;
      const own = geometry.clone();
      const tint = new THREE.InstancedBufferAttribute(new Float32Array(3 * bodies.length), 3);
      own.setAttribute("tint", tint);
      const mesh = new THREE.InstancedMesh(own, material(shape), bodies.length);
      mesh.frustumCulled = false;
      const still = PPU.replay.bodies[bodies[0]][1] === 0;
      mesh.castShadow = path === 0 && !still;
      mesh.receiveShadow = path === 0;
      mesh.customDepthMaterial = PPU.materials.depth;
      parent.add(mesh);
      const places = bodies.map(() => new THREE.Matrix4());
      PPU.stage.groups.push({ path, bodies, mesh, tint, places, still });
    });
  },

  add_light() {
    const { box } = PPU.stage;
    const centre = box.getCenter(new THREE.Vector3());
    const reach = 0.75 * box.min.distanceTo(box.max) + 1;
    PPU.stage.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 0.72));
    const sun = new THREE.DirectionalLight(0xffffff, 0.62);
    sun.position.copy(centre).add(new THREE.Vector3(0.55, 1, 0.75).multiplyScalar(reach));
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.bias = -0.0008;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach,
                                       near: 0.01, far: 4 * reach });
    PPU.stage.scene.add(sun, sun.target);
  },

  reset_view() {
    const { camera, controls, box } = PPU.stage;
    box.getCenter(controls.target);
    // The angle of the camera is that of the height.
    const distance = 1.35 * box.min.distanceTo(box.max) / Math.min(1, camera.aspect) + 0.5;
    camera.far = 40 * distance;
    camera.near = distance / 400;
    camera.updateProjectionMatrix();
    camera.position.copy(controls.target)
      .add(new THREE.Vector3(0.62, 0.34, 0.78).normalize().multiplyScalar(distance));
    controls.update();
  },

  listen(canvas) {
    const stage = PPU.stage;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", (event) => {
      // A drag turns the view, a click picks.
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4)
        PPU.choose_body(stage.pick(event.clientX, event.clientY));
    });
    document.getElementById("view").addEventListener("click", () => stage.reset_view());
    document.getElementById("colour").addEventListener("change", (event) => {
      PPU.colour.mode = event.target.value;
      stage.show();
    });
    document.getElementById("ghosts").addEventListener("change", (event) => {
      stage.ghosts.visible = event.target.checked;
      stage.show();
    });
    new ResizeObserver(() => stage.resize()).observe(document.getElementById("stage"));
    PPU.listen((what) => what === "look" ? stage.resize() : stage.show());
  },

  resize() {
    const place = document.getElementById("stage");
    const stage = PPU.stage;
    stage.renderer.setSize(place.clientWidth, place.clientHeight, false);
    stage.camera.aspect = place.clientWidth / Math.max(1, place.clientHeight);
    stage.camera.updateProjectionMatrix();
    stage.show();
  },

  // Puts all bodies where they are in the chosen frame.
  show() {
    const frame = PPU.state.frame;
    const one = new THREE.Vector3(1, 1, 1);
    const position = [0, 0, 0];
    const rotation = [0, 0, 0, 1];
    const sky = getComputedStyle(document.body);
    const picked = new THREE.Color(sky.getPropertyValue("--pick").trim()).toArray();
    for (const { path, bodies, mesh, tint, places } of PPU.stage.groups) {
      bodies.forEach((body, i) => {
        const matrix = places[i];
        PPU.pose(PPU.replay.paths[path], frame, body, position, rotation);
        matrix.compose(new THREE.Vector3(...position),
                       new THREE.Quaternion(...rotation).normalize(), one);
        mesh.setMatrixAt(i, matrix);
        tint.setXYZ(i, ...(body === PPU.state.body ? picked : PPU.colour.of_body(body, frame)));
      });
      mesh.instanceMatrix.needsUpdate = true;
      tint.needsUpdate = true;
    }
    PPU.stage.scene.background = new THREE.Color(sky.getPropertyValue("--sky").trim());
    PPU.materials.ghost.color.set(sky.getPropertyValue("--ghost").trim());
    document.getElementById("legend").innerHTML = PPU.colour.legend();
    PPU.stage.note();
    PPU.stage.draw();
  },

  note() {
    const words = () => {
      if (!PPU.stage.ghosts.visible) return "";
      if (PPU.replay.paths.length === 1) return "CPU engine: bit-identical in every frame";
      return PPU.frame().same ? "CPU engine: bit-identical in this frame"
        : "<i></i> CPU engine: another path in this frame";
    };
    document.getElementById("ghost-note").innerHTML = words();
  },

  draw() {
    const rays = PPU.sight.rays();
    for (const group of PPU.stage.groups) if (group.still) PPU.sight.clear(group, rays);
    PPU.stage.renderer.render(PPU.stage.scene, PPU.stage.camera);
  },

  // The body whose triangles are met first by the ray through a point of the window; -1 if none.
  pick(x, y) {
    const canvas = PPU.stage.renderer.domElement.getBoundingClientRect();
    const caster = new THREE.Raycaster();
    caster.setFromCamera({ x: 2 * (x - canvas.left) / canvas.width - 1,
                           y: 1 - 2 * (y - canvas.top) / canvas.height }, PPU.stage.camera);
    let nearest = { distance: Infinity, body: -1 };
    for (const { path, bodies, mesh, places, still } of PPU.stage.groups) {
      if (path !== 0 || still) continue;
      bodies.forEach((body, i) => {
        const distance = PPU.stage.distance_to(caster.ray, mesh.geometry, places[i]);
        if (distance < nearest.distance) nearest = { distance, body };
      });
    }
    return nearest.body;
  },

  // How far along the ray a geometry at a place is met; Infinity if it is not.
  distance_to(ray, geometry, place) {
    const local = ray.clone().applyMatrix4(new THREE.Matrix4().getInverse(place));
    if (!local.intersectsSphere(geometry.boundingSphere)) return Infinity;
    const { position } = geometry.attributes;
    const index = geometry.index.array;
    const corners = [0, 1, 2].map(() => new THREE.Vector3());
    const hit = new THREE.Vector3();
    let nearest = Infinity;
    for (let t = 0; t < index.length; t += 3) {
      corners.forEach((corner, k) => corner.fromBufferAttribute(position, index[t + k]));
      if (local.intersectTriangle(...corners, true, hit))
        nearest = Math.min(nearest, local.origin.distanceTo(hit));
    }
    return nearest;
  },
};
