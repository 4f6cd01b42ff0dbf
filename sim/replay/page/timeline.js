// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The device in one frame along its time: DMA, engine, and a mean sweep of the pipes.
"use strict";
PPU.timeline = {
  start() {
    PPU.listen((what) => { if (what !== "body") PPU.timeline.draw(); });
    PPU.timeline.draw();
  },

  async draw() {
    if (!PPU.replay.timed) return PPU.untimed("timeline");
    const frame = PPU.state.frame;
    document.getElementById("timeline").innerHTML = '<div id="phases"></div><div id="sweep"></div>';
    PPU.charts.put("phases", (width) => PPU.timeline.phases(width));
    const rows = await PPU.rows(frame);
    if (frame !== PPU.state.frame) return;
    PPU.timeline.sweep(rows);
  },

  // Parts in the order of time: what the DMA moves is outside, the rest is the engine's.
  phases(width) {
    const frame = PPU.frame();
    const c = PPU.charts;
    const left = 112;
    const right = width - 12;
    const x = (cycle) => left + (right - left) * cycle / Math.max(1, frame.device_cycles);
    const tracks = ["DMA, host link", "engine"];
    let content = tracks.map((track, t) => c.text(left - 8, 32 + 30 * t, "end", track, "key") +
      c.line("grid", left, 42 + 30 * t, right, 42 + 30 * t)).join("");
    let begin = 0;
    frame.parts.forEach((part, p) => {
      const track = ["upload", "read-back"].includes(part.name) ? 0 : 1;
      const hint = `${part.name}: ${PPU.format.grouped(part.cycles)} cycles, ` +
        PPU.format.micro(PPU.micros(part.cycles));
      const size = x(begin + part.cycles) - x(begin);
      content += c.rect("s" + p, x(begin), 16 + 30 * track, Math.max(size, 0.5), 24, hint);
      if (size > 8 * part.name.length)
        content += c.text(x(begin) + size / 2, 33 + 30 * track, "middle", part.name, "on");
      begin += part.cycles;
    });
    content += PPU.timeline.scale(x, frame.device_cycles, 90, true);
    const parts = frame.parts.map((part, p) => ({ css: "s" + p, label: part.name,
      value: PPU.format.micro(PPU.micros(part.cycles)) }));
    return { height: 98, content, after: c.legend(parts) };
  },

  scale(x, cycles, y, micros) {
    if (cycles <= 0) return "";
    const words = (at) => PPU.format.grouped(at) + (at === 0 ? " cycles" : "") +
      (micros && at > 0 ? " · " + PPU.format.micro(PPU.micros(at)) : "");
    // As many as find room beside each other.
    const room = 7 * Math.max(words(0).length, words(cycles).length) + 14;
    const most = Math.max(1, Math.min(6, Math.floor((x(cycles) - x(0)) / room)));
    const step = PPU.charts.step(cycles, most / 1.25);
    let content = "";
    for (let at = 0; at <= cycles; at += step) {
      const anchor = at === 0 ? "start" : x(at) + room / 2 > x(cycles) ? "end" : "middle";
      content += PPU.charts.text(x(at), y, anchor, words(at));
    }
    return content;
  },

  // The mean cycles of the rows, each after its waits, in the order of slots. With dataflow issue
  // rows issue in another order, as the tokens of their bodies come: then it is which slots cost
  // how much, not when.
  sweep(rows) {
    const place = document.getElementById("sweep");
    if (rows === null) return void (place.innerHTML = PPU.rows_missing());
    if (rows.row_of_slot.length === 0)
      return void (place.innerHTML = '<p class="note">The frame took several solves or ' +
        "runs, each with an order of its own: no common sweep to show.</p>");
    PPU.charts.put("sweep", (width) => PPU.timeline.sweep_chart(rows, width));
  },

  kinds: [["issue", "s0", "other_cycles"], ["body hazard", "s2", "body_stall"],
          ["parent hazard", "s3", "parent_stall"], ["row fetch", "s4", "fetch_stall"]],

  buckets(rows, count, visits) {
    const total = rows.cycles.reduce((sum, cycles) => sum + cycles, 0);
    const buckets = Array.from({ length: count }, () => [0, 0, 0, 0]);
    let done = 0;
    for (const row of rows.row_of_slot) {
      PPU.timeline.kinds.forEach(([, , column], k) => {
        // A wait may be longer than a bucket.
        let rest = rows[column][row];
        while (rest > 0) {
          const bucket = Math.min(count - 1, Math.floor(count * done / total));
          const room = bucket === count - 1 ? rest : total * (bucket + 1) / count - done;
          const part = Math.min(rest, Math.max(room, 1e-6));
          buckets[bucket][k] += part;
          done += part;
          rest -= part;
        }
      });
    }
    return { buckets, cycles: total / visits, size: total / count };
  },

  sweep_chart(rows, width) {
    const c = PPU.charts;
    const left = 112;
    const right = width - 12;
    const count = Math.max(1, Math.min(Math.floor((right - left) / 3), rows.count));
    const { buckets, cycles, size } = PPU.timeline.buckets(rows, count, PPU.visits());
    const title = width < 720 ? "A mean sweep, by slots" : "A mean sweep, by slots, not by " +
      "time: share of the cycles in which rows issue, and what they wait for before";
    let content = c.text(left, 12, "start", title, "axis") +
      c.text(left - 8, 62, "end", "row pipes", "key");
    const pitch = (right - left) / count;
    buckets.forEach((bucket, b) => {
      let y = 108;
      bucket.forEach((part, k) => {
        const height = size > 0 ? 88 * part / size : 0;
        y -= height;
        if (height > 0.05)
          content += c.rect(PPU.timeline.kinds[k][1], left + b * pitch, y, pitch + 0.3, height);
      });
    });
    const x = (cycle) => left + (right - left) * cycle / cycles;
    content += PPU.timeline.scale(x, cycles, 126, false);
    const parts = PPU.timeline.kinds.map(([label, css], k) => ({ css, label,
      value: PPU.format.percent(buckets.reduce((sum, bucket) => sum + bucket[k], 0) /
                                (count * size || 1)) }));
    return { height: 132, content, after: c.legend(parts) };
  },
};
