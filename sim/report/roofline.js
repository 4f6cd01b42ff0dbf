// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Roofline: what pipes, on-chip memory, device memory and host link allow, and the frame.
"use strict";
PPU.roofline = {
  start() {
    PPU.listen((what) => { if (what !== "body") PPU.roofline.draw(); });
    PPU.roofline.draw();
  },

  // Performance in GFLOP/s, intensity in flop per byte of that level.
  points() {
    const frame = PPU.frame();
    const roofs = PPU.replay.roofs;
    const rate = (flops, cycles) => flops / cycles * PPU.replay.clock_mhz / 1000;
    const sweeps = rate(frame.flops, frame.engine_cycles);
    const whole = rate(frame.flops, frame.device_cycles);
    const roof = (bytes) => bytes * PPU.replay.clock_mhz / 1000;
    const peak = roofs.rows * frame.flops / frame.row_updates * PPU.replay.clock_mhz / 1000;
    const levels = [
      ["on-chip memory", roofs.chip_bytes, frame.chip_bytes, sweeps, "in the sweeps"],
      ["device memory", roofs.memory_bytes, frame.memory_bytes, whole, "over the frame"],
      ["host link", roofs.link_bytes, frame.link_bytes, whole, "over the frame"],
    ].map(([label, bytes, moved, reached, when]) => ({ label, slope: roof(bytes), reached, when,
      intensity: frame.flops / moved }))
      .filter((level) => level.slope > 0 && Number.isFinite(level.intensity));
    return { peak, levels };
  },

  draw() {
    if (!PPU.replay.timed) return PPU.untimed("roofline");
    if (PPU.frame().row_updates === 0)
      return void (document.getElementById("roofline").innerHTML = '<p class="note">No rows.</p>');
    PPU.charts.put("roofline", (width) => PPU.roofline.chart(width));
  },

  chart(width) {
    const c = PPU.charts;
    const height = 300;
    const { peak, levels } = PPU.roofline.points();
    const intensities = levels.flatMap((level) => [level.intensity, peak / level.slope]);
    const across = c.decades(intensities.flatMap((value) => [value / 2, value * 2]));
    const { area, grid } = c.log_plot(width, height,
      [2 * peak, ...levels.map((level) => level.reached / 1.5)], "GFLOP/s");
    const x = (value) => area.left + (area.right - area.left) *
      (Math.log10(value) - across.low) / (across.high - across.low);
    let content = grid;
    for (let power = across.low; power <= across.high; ++power) {
      content += c.line("grid", x(10 ** power), area.top, x(10 ** power), area.bottom);
      content += c.text(x(10 ** power), area.bottom + 16, "middle", PPU.format.axis(10 ** power));
    }
    content += c.text(area.right, area.bottom - 6, "end", "flop per byte of that level", "axis");
    const clip = '<clipPath id="roof-area"><rect x="' + area.left + '" y="' + area.top +
      '" width="' + (area.right - area.left) + '" height="' + (area.bottom - area.top) +
      '"/></clipPath>';
    const first = 10 ** across.low;
    const ridges = levels.map((level, l) => c.path("roof l" + l,
      [[x(first), area.y_any(first * level.slope)],
       [x(peak / level.slope), area.y(peak)]])).join("");
    content += clip + '<g clip-path="url(#roof-area)">' + ridges + "</g>";
    const knee = Math.min(...levels.map((level) => peak / level.slope));
    content += c.path("roof", [[x(knee), area.y(peak)], [area.right, area.y(peak)]]) +
      c.text(area.right - 4, area.y(peak) - 6, "end",
             "row pipes: " + PPU.format.short(peak) + " GFLOP/s", "key");
    levels.forEach((level, l) => {
      content += `<circle class="s${l} mark" r="6" cx="${x(level.intensity).toFixed(1)}" ` +
        `cy="${area.y(level.reached).toFixed(1)}"><title>${level.label}</title></circle>`;
    });
    return { height, content, after: c.legend(levels.map((level, l) => ({ css: "s" + l,
      label: `${level.label} (roof ${PPU.format.short(level.slope)} GB/s):`,
      value: PPU.roofline.words(level, peak) }))) + '<p class="note">Each dot is this frame, ' +
      "seen from one level: its floating-point operations per byte that the level moved, and the " +
      "rate reached. A dot near a line is held back by it.</p>" };
  },

  words(level, peak) {
    const allowed = Math.min(peak, level.intensity * level.slope);
    return `${PPU.format.short(level.reached)} GFLOP/s ${level.when}, ` +
      `${PPU.format.percent(level.reached / allowed)} of what it allows`;
  },
};
