// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// All frames at once: a measure over the run, and the numbers of the chosen frame.
"use strict";
PPU.over_time = {
  // What can be shown over the frames. `parts` are stacked bars, `lines` are curves.
  measures() {
    const timed = PPU.replay.timed;
    const per_cycle = (frame) =>
      frame.engine_cycles > 0 ? frame.row_updates / frame.engine_cycles : 0;
    const share = (i) => (frame) =>
      frame.engine_cycles > 0 ? 100 * frame.stalls[i] / frame.engine_cycles : 0;
    const cpu = PPU.replay.frames.some((frame) => frame.cpu_seconds > 0);
    const device = { label: "device", value: (frame) => PPU.micros(frame.device_cycles) };
    const own = { label: "CPU engine", value: (frame) => 1e6 * frame.cpu_seconds };
    return [
      timed && { name: "Frame time", unit: "µs", cut: true, parts: PPU.cost.phases() },
      timed && { name: "Rows per cycle", unit: "row updates per cycle",
                 lines: [{ label: "rows/cycle", value: per_cycle }] },
      timed && { name: "Stall reasons", unit: "% of the engine cycles", top: 100,
                 parts: PPU.replay.stall_labels.map((label, i) => ({ label, value: share(i) })) },
      { name: "Rows", unit: "rows", lines: [{ label: "rows", value: (frame) => frame.rows }] },
      cpu && { name: "Device and CPU", unit: "µs", cut: true,
               lines: timed ? [device, own] : [own] },
      { name: "Residual", log: true,
        unit: "true residual after the last sweep, " + PPU.format.residual_unit,
        lines: [{ label: "residual", value: (frame) => frame.residuals.at(-1) }] },
    ].filter(Boolean).filter((measure) => !measure.log ||
      PPU.replay.frames.some((frame) => frame.residuals.length > 0));
  },

  start() {
    const all = PPU.over_time.measures();
    PPU.over_time.shown = all[0];
    const tabs = document.getElementById("measures");
    tabs.innerHTML = all.map((measure) => `<button role="tab">${measure.name}</button>`).join("");
    [...tabs.children].forEach((tab, i) => tab.addEventListener("click", () => {
      PPU.over_time.shown = all[i];
      PPU.over_time.draw();
    }));
    const chart = document.getElementById("frame-chart");
    const jump = (event) => {
      const { left, right } = PPU.over_time.area;
      const at = event.clientX - chart.getBoundingClientRect().left;
      PPU.choose_frame(Math.floor((at - left) / (right - left) * PPU.replay.frames.length));
    };
    chart.addEventListener("pointerdown", (event) => {
      chart.setPointerCapture(event.pointerId);
      jump(event);
    });
    chart.addEventListener("pointermove", (event) => { if (event.buttons === 1) jump(event); });
    PPU.listen((what) => {
      if (what === "look") PPU.over_time.draw();
      if (what !== "frame") return;
      PPU.over_time.move();
      PPU.over_time.numbers();
    });
    PPU.over_time.draw();
    PPU.over_time.numbers();
  },

  draw() {
    const shown = PPU.over_time.shown;
    for (const tab of document.getElementById("measures").children)
      tab.setAttribute("aria-selected", tab.textContent === shown.name);
    PPU.charts.put("frame-chart", (width) => {
      const frames = PPU.replay.frames;
      const series = shown.parts || shown.lines;
      const height_of = (frame) => shown.parts
        ? shown.parts.reduce((sum, part) => sum + part.value(frame), 0)
        : Math.max(...shown.lines.map((line) => line.value(frame) || 0));
      const tops = frames.map(height_of);
      const { top, unit } = PPU.over_time.scale(shown, tops);
      const { area, grid } = shown.log
        ? PPU.charts.log_plot(width, 150, tops, unit)
        : PPU.charts.plot(width, 150, top, unit);
      PPU.over_time.area = area;
      let content = grid + PPU.over_time.axis(area);
      content += shown.parts ? PPU.over_time.bars(area, shown.parts)
        : PPU.over_time.curves(area, shown.lines);
      if (series.length > 1) content += PPU.over_time.key(area, series, shown.parts);
      return { height: 150, content: content + '<line id="now" class="now"/>' };
    });
    PPU.over_time.move();
  },

  // Times of the host have outliers, where it did something else: they are cut, and that is said.
  scale(shown, tops) {
    const most = 1.05 * Math.max(...tops) || 1;
    const median = [...tops].sort((a, b) => a - b)[Math.floor(tops.length / 2)];
    if (!shown.cut || median === 0 || most <= 4 * median)
      return { top: shown.top || most, unit: shown.unit };
    return { top: 4 * median, unit: shown.unit + ", cut at four times the median" };
  },

  x(area, frame) {
    return area.left + (area.right - area.left) * frame / PPU.replay.frames.length;
  },

  // Numbers of the frames, and a tick where rows were kept.
  axis(area) {
    const frames = PPU.replay.frames;
    const step = Math.max(1, PPU.charts.step(frames.length, 8));
    let content = "";
    for (let i = 0; i < frames.length; i += step) {
      const x = PPU.over_time.x(area, i + 0.5);
      content += PPU.charts.text(x, area.bottom + 18, "middle", frames[i].number);
    }
    for (const i of PPU.replay.frames_with_rows) {
      const x = PPU.over_time.x(area, i + 0.5);
      content += PPU.charts.line("axis-line", x, area.bottom, x, area.bottom + 4);
    }
    return content;
  },

  bars(area, parts) {
    const pitch = (area.right - area.left) / PPU.replay.frames.length;
    return PPU.replay.frames.map((frame, i) => {
      let below = 0;
      return parts.map((part, p) => {
        const from = area.y(below);
        below += part.value(frame);
        if (from - area.y(below) < 0.05) return "";
        return PPU.charts.rect("s" + p, PPU.over_time.x(area, i) + pitch * 0.06, area.y(below),
                               pitch * 0.88, from - area.y(below));
      }).join("");
    }).join("");
  },

  curves(area, lines) {
    return lines.map((line, l) => {
      const points = PPU.replay.frames
        .map((frame, i) => [PPU.over_time.x(area, i + 0.5), line.value(frame)])
        .filter(([, value]) => Number.isFinite(value)).map(([x, value]) => [x, area.y(value)]);
      return PPU.charts.path(l === 0 ? "line" : "second", points);
    }).join("");
  },

  key(area, series, filled) {
    let x = area.right;
    let content = "";
    [...series].map((one, i) => [one, i]).reverse().forEach(([one, i]) => {
      x -= 7.0 * one.label.length + 8;
      content += PPU.charts.text(x, 11, "start", one.label, "key");
      x -= 16;
      content += filled ? PPU.charts.rect("s" + i, x, 2, 10, 10)
        : PPU.charts.line(i === 0 ? "line" : "second", x - 4, 7, x + 11, 7);
      x -= 10;
    });
    return content;
  },

  move() {
    const now = document.getElementById("now");
    const x = PPU.over_time.x(PPU.over_time.area, PPU.state.frame + 0.5).toFixed(1);
    Object.entries({ x1: x, x2: x, y1: PPU.over_time.area.top - 4,
                     y2: PPU.over_time.area.bottom }).forEach(([name, value]) =>
      now.setAttribute(name, value));
  },

  numbers() {
    const frame = PPU.frame();
    const f = PPU.format;
    const pairs = [["rows", f.grouped(frame.rows)], ["islands", f.grouped(frame.islands)],
                   ["sweeps", f.grouped(frame.sweeps)],
                   ["row updates", f.grouped(frame.row_updates)]];
    if (PPU.replay.timed) {
      const rate = frame.engine_cycles > 0 ? frame.row_updates / frame.engine_cycles : NaN;
      pairs.push(["rows/cycle", f.short(rate)],
                 ["device", f.micro(PPU.micros(frame.device_cycles))],
                 ["device cycles", f.grouped(frame.device_cycles)]);
    }
    pairs.push(["host packing", f.micro(1e6 * frame.pack_seconds)]);
    if (frame.cpu_seconds > 0) pairs.push(["CPU engine", f.micro(1e6 * frame.cpu_seconds)]);
    if (frame.residuals.length > 0)
      pairs.push([`<span title="${f.residual_unit}">residual</span>`,
                  f.scientific(frame.residuals.at(-1))]);
    document.getElementById("frame-title").textContent = "Frame " + frame.number;
    document.getElementById("frame-numbers").innerHTML = '<div class="pairs">' + pairs
      .map(([label, value]) => `<span>${label}</span><b>${value}</b>`).join("") + "</div>";
  },
};
