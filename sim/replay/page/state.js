// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The replay that the page shows, and what is chosen in it: a frame and perhaps a body.
"use strict";
PPU.state = { frame: 0, body: -1 };
PPU.listeners = [];

// `listener(what)` is called with "frame", "body" or "look" (size, colours) after each change.
PPU.listen = (listener) => PPU.listeners.push(listener);
PPU.changed = (what) => PPU.listeners.forEach((listener) => listener(what));

PPU.choose_frame = function (frame) {
  const last = PPU.replay.frames.length - 1;
  PPU.state.frame = Math.max(0, Math.min(last, Math.round(frame)));
  PPU.changed("frame");
};

PPU.choose_body = function (body) {
  PPU.state.body = body;
  PPU.changed("body");
};

PPU.frame = () => PPU.replay.frames[PPU.state.frame];
PPU.micros = (cycles) => cycles / PPU.replay.clock_mhz;

PPU.load = async function () {
  const replay = await PPU.unpack("replay");
  const columns = replay.columns;
  replay.paths = [PPU.path_of(replay, "")];
  if (columns.cpu_positions) replay.paths.push(PPU.path_of(replay, "cpu_"));
  replay.body_impulses = PPU.as_short_float(columns.body_impulses, 16);
  replay.body_islands = PPU.as_int32(columns.body_islands);
  replay.body_cycles = columns.body_cycles;
  replay.frames_with_rows = [...document.querySelectorAll("script[id^='rows-']")]
    .map((block) => Number(block.id.slice("rows-".length)));
  PPU.replay = replay;
  PPU.rows_of_frame = new Map();
};

// The quantised path of all bodies; that of the CPU is kept as its difference from the device's.
PPU.path_of = function (replay, prefix) {
  const sum = (name) => prefix === "" ? replay.columns[name]
    : replay.columns[prefix + name].map((number, i) => number + replay.columns[name][i]);
  return { positions: PPU.as_uint16(sum("positions")), rotations: PPU.as_int16(sum("rotations")) };
};

// Position and rotation of a body in a frame on one of the paths, into arrays.
PPU.pose = function (path, frame, body, position, rotation) {
  const { low, high } = PPU.replay.box;
  const count = PPU.replay.bodies.length;
  for (let axis = 0; axis < 3; ++axis) {
    const place = path.positions[(3 * frame + axis) * count + body];
    position[axis] = low[axis] + (high[axis] - low[axis]) * place / 65535;
  }
  for (let part = 0; part < 4; ++part)
    rotation[part] = path.rotations[(4 * frame + part) * count + body] / 32767;
};

// Something of all bodies in a frame, by frame and body.
PPU.of_bodies = function (values, frame) {
  const count = PPU.replay.bodies.length;
  return values.subarray(frame * count, (frame + 1) * count);
};

PPU.body_name = function (body) {
  if (body < 0) return "static";
  return PPU.replay.bodies[body][1] === 0 ? "ground " + body : String(body);
};

// The rows of a frame, or null if they were not kept; a promise.
PPU.rows = function (frame) {
  if (!PPU.replay.frames_with_rows.includes(frame)) return Promise.resolve(null);
  if (!PPU.rows_of_frame.has(frame)) {
    PPU.rows_of_frame.set(frame, PPU.unpack("rows-" + frame).then((block) => {
      const rows = block.columns;
      rows.count = rows.kind.length;
      rows.body_a = PPU.as_int32(rows.body_a);
      rows.body_b = PPU.as_int32(rows.body_b);
      rows.held_by = PPU.as_int32(rows.held_by);
      rows.impulse = PPU.as_short_float(rows.impulse, 24);
      rows.cycles = rows.other_cycles.map((other, i) =>
        other + rows.body_stall[i] + rows.parent_stall[i] + rows.fetch_stall[i]);
      return rows;
    }));
  }
  return PPU.rows_of_frame.get(frame);
};

// Frames with rows that are nearest to `frame`, before and after.
PPU.nearest_with_rows = function (frame) {
  const known = PPU.replay.frames_with_rows;
  return [known.filter((other) => other < frame).pop(), known.find((other) => other > frame)]
    .filter((other) => other !== undefined);
};
