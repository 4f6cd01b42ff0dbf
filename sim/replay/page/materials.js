// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Materials of the replay: each body has a colour of its own, boxes have fine edges.
"use strict";
PPU.materials = {
  start() {
    PPU.materials.ghost = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.35,
                                                        depthWrite: false });
    // Its own, since only instanced meshes may use it.
    PPU.materials.depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
  },

  body(shape) {
    const material = new THREE.MeshLambertMaterial();
    const box = PPU.replay.shapes[shape].kind === "box";
    const size = PPU.stage.shapes[shape].boundingBox.max;
    material.onBeforeCompile = (shader) => {
      shader.uniforms.half_size = { value: size };
      shader.vertexShader = "attribute vec3 tint; varying vec3 v_tint; varying vec3 v_place;\n" +
        shader.vertexShader.replace("#include <begin_vertex>",
          "#include <begin_vertex>\nv_tint = tint; v_place = position;");
      shader.fragmentShader = "varying vec3 v_tint; varying vec3 v_place;\n" +
        "uniform vec3 half_size;\n" + shader.fragmentShader.replace("#include <color_fragment>",
          "diffuseColor.rgb = v_tint;\n" + (box ? PPU.materials.edges : ""));
    };
    // Materials with another text must not share a compiled program.
    material.defines = box ? { WITH_EDGES: 1 } : {};
    return material;
  },

  // Darker where a second side of the box is near, a pixel or so wide.
  edges: `
    vec3 inside = half_size - abs(v_place);
    vec3 pixel = max(fwidth(v_place), vec3(1e-6));
    vec3 near_side = 1.0 - smoothstep(vec3(0.0), 1.6 * pixel + 0.004 * half_size, inside);
    float sides = near_side.x + near_side.y + near_side.z;
    float fade = clamp(0.12 * min(half_size.x, min(half_size.y, half_size.z)) /
                       max(pixel.x, max(pixel.y, pixel.z)), 0.0, 1.0);
    diffuseColor.rgb *= 1.0 - 0.45 * fade * clamp(sides - 1.0, 0.0, 1.0);
  `,
};
