// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What colour a body has: a ramp over cycles or impulses, a hue per island, or plain.
"use strict";
PPU.colour = {
  mode: "none",
  // Dark blue over green to yellow, evenly brighter.
  ramp: [[0.27, 0.0, 0.33], [0.23, 0.32, 0.55], [0.13, 0.57, 0.55], [0.37, 0.79, 0.38],
         [0.99, 0.91, 0.14]],
  plain: { box: [0.70, 0.43, 0.32], sphere: [0.25, 0.42, 0.62], capsule: [0.30, 0.55, 0.47] },

  of_ramp(share) {
    const at = Math.max(0, Math.min(1, share)) * (PPU.colour.ramp.length - 1);
    const low = Math.min(Math.floor(at), PPU.colour.ramp.length - 2);
    return [0, 1, 2].map((k) => PPU.colour.ramp[low][k] +
      (at - low) * (PPU.colour.ramp[low + 1][k] - PPU.colour.ramp[low][k]));
  },

  // A number in 0..1 that looks random but is the body's own.
  noise: (body) => (Math.imul(body + 1, 2654435761) >>> 8) / (1 << 24),

  of_island(island) {
    const hue = 6 * PPU.colour.noise(island);
    return [5, 3, 1].map((shift) => {
      const k = (shift + hue) % 6;
      return 0.82 - 0.5 * Math.max(0, Math.min(k, 4 - k, 1));
    });
  },

  // The values behind a ramp in a frame, and the largest of the whole run: a colour means the same
  // in every frame.
  values(frame) {
    const all = PPU.colour.mode === "cycles" ? PPU.replay.body_cycles : PPU.replay.body_impulses;
    return PPU.of_bodies(all, frame);
  },

  // A value that one body in a thousand exceeds, so that one blow does not darken all others.
  top() {
    PPU.colour.tops = PPU.colour.tops || {};
    const mode = PPU.colour.mode;
    if (PPU.colour.tops[mode] === undefined) {
      const all = mode === "cycles" ? PPU.replay.body_cycles : PPU.replay.body_impulses;
      const sorted = Array.from(all).filter((value) => value > 0).sort((a, b) => a - b);
      PPU.colour.tops[mode] = sorted[Math.floor(0.999 * (sorted.length - 1))] || 1;
    }
    return PPU.colour.tops[mode];
  },

  of_body(body, frame) {
    const [shape, mass] = PPU.replay.bodies[body];
    const grey = [0.55, 0.58, 0.62];
    const shade = 0.86 + 0.28 * PPU.colour.noise(body);
    if (mass === 0) return grey.map((part) => part * shade);
    if (PPU.colour.mode === "none") {
      return PPU.colour.plain[PPU.replay.shapes[shape].kind].map((part) => part * shade);
    }
    if (PPU.colour.mode === "island") {
      const island = PPU.of_bodies(PPU.replay.body_islands, frame)[body];
      return island < 0 ? grey : PPU.colour.of_island(island);
    }
    return PPU.colour.of_ramp(Math.sqrt(PPU.colour.values(frame)[body] / PPU.colour.top()));
  },

  legend() {
    const mode = PPU.colour.mode;
    if (mode === "none") return "";
    if (mode === "island") return "one colour per island; grey: no rows";
    const stops = PPU.colour.ramp.map((stop) =>
      "rgb(" + stop.map((part) => Math.round(255 * part)).join(",") + ")").join(",");
    const unit = mode === "cycles" ? " cycles" : " N s";
    return `0 <i style="background:linear-gradient(90deg,${stops})"></i> ` +
      PPU.format.short(PPU.colour.top()) + unit + " or more (square root)";
  },
};
