// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Roofline: what pipes, on-chip memory, device memory and host link allow, and the frame.
"use strict";
PPU.roofline = {
  start() {
    PPU.listen((what) => { if (what !== "body") PPU.roofline.draw(); });
    PPU.roofline.draw();
  },

  draw() {
    if (!PPU.replay.timed) return PPU.untimed("roofline");
    if (PPU.frame().roofline === null)
      return void (document.getElementById("roofline").innerHTML = '<p class="note">No rows.</p>');
    PPU.charts.put("roofline", (width) => PPU.roofline.chart(width));
  },

  chart(width) {
    const c = PPU.charts;
    const height = 300;
    // As `ppu profile --json` has it, see roofline.hpp.
    const { pipes_gflops: peak, levels } = PPU.frame().roofline;
    const intensities = levels.flatMap((level) => [level.flop_per_byte, peak / level.gb_per_s]);
    const across = c.decades(intensities.flatMap((value) => [value / 2, value * 2]));
    const { area, grid } = c.log_plot(width, height,
      [2 * peak, ...levels.map((level) => level.reached_gflops / 1.5)], "GFLOP/s");
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
      [[x(first), area.y_any(first * level.gb_per_s)],
       [x(peak / level.gb_per_s), area.y(peak)]])).join("");
    // Beside its line, each on a height of its own.
    const names = levels.map((level, l) => {
      const height = peak / 10 ** (0.3 * (l + 1));
      const at = x(height / level.gb_per_s);
      return at < area.left ? "" : c.text(at - 6, area.y_any(height), "end",
        `${level.level}: ${PPU.format.short(level.gb_per_s)} GB/s`, "key");
    }).join("");
    content += clip + '<g clip-path="url(#roof-area)">' + ridges + names + "</g>";
    const knee = Math.min(...levels.map((level) => peak / level.gb_per_s));
    content += c.path("roof", [[x(knee), area.y(peak)], [area.right, area.y(peak)]]) +
      c.text(area.right - 4, area.y(peak) - 6, "end",
             "row pipes: " + PPU.format.short(peak) + " GFLOP/s", "key");
    levels.forEach((level, l) => {
      content += `<circle class="s${l} mark" r="6" cx="${x(level.flop_per_byte).toFixed(1)}" ` +
        `cy="${area.y(level.reached_gflops).toFixed(1)}"><title>${level.level}</title></circle>`;
    });
    return { height, content, after: c.legend(levels.map((level, l) => ({ css: "s" + l,
      label: `${level.level} (roof ${PPU.format.short(level.gb_per_s)} GB/s):`,
      value: PPU.roofline.words(level) }))) + '<p class="note">Each dot is this frame, ' +
      "seen from one level: its floating-point operations per byte that the level moved, and the " +
      "rate reached. A dot near a line is held back by it.</p>" };
  },

  words(level) {
    return `${PPU.format.short(level.reached_gflops)} GFLOP/s ` +
      (level.over === "frame" ? "over the frame, " : "in the sweeps, ") +
      `${PPU.format.percent(level.share)} of what it allows`;
  },
};
