// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where the cycles of the device went, and what the frame cost: of one frame or of all.
"use strict";
// The two cards can show the chosen frame or all frames.
PPU.scope = { all: false };

PPU.scope.frames = () => PPU.scope.all ? PPU.replay.frames : [PPU.frame()];
PPU.scope.sum = (value) => PPU.scope.frames().reduce((sum, frame) => sum + value(frame), 0);

PPU.scope.tabs = function () {
  const button = (all, label) =>
    `<button aria-selected="${PPU.scope.all === all}" data-all="${all}">${label}</button>`;
  const here = PPU.replay.frame_step > 1 ? " here" : "";
  return `<div class="tabs scope">${button(false, "frame " + PPU.frame().number)}` +
    `${button(true, "all " + PPU.replay.frames.length + " frames" + here)}</div>`;
};

PPU.scope.start = function () {
  document.addEventListener("click", (event) => {
    if (!event.target.dataset || event.target.dataset.all === undefined) return;
    PPU.scope.all = event.target.dataset.all === "true";
    PPU.stalls.draw();
    PPU.cost.draw();
  });
};

PPU.untimed = (id) => {
  document.getElementById(id).innerHTML = '<p class="note">The back end ' +
    PPU.format.escape(PPU.replay.backend) + " has no time; systemc, cosim and rtl do.</p>";
};

PPU.stalls = {
  start() {
    PPU.listen((what) => { if (what !== "body") PPU.stalls.draw(); });
    PPU.stalls.draw();
  },

  draw() {
    if (!PPU.replay.timed) return PPU.untimed("stalls");
    const place = document.getElementById("stalls");
    const bound = PPU.scope.all ? PPU.replay.bound : PPU.frame().bound;
    place.innerHTML = PPU.scope.tabs() + (bound
      ? `<p class="verdict">Bound by ${PPU.format.escape(bound)}.</p>`
      : '<p class="verdict">No rows in this frame.</p>') + '<div id="stall-bar"></div>' +
      '<p class="note">Every engine cycle belongs to one class; the classes sum to 100 %.</p>';
    const cycles = PPU.scope.sum((frame) => frame.engine_cycles);
    PPU.charts.stacked_bar("stall-bar", PPU.replay.stall_labels.map((label, i) => {
      const value = PPU.scope.sum((frame) => frame.stalls[i] || 0);
      return { label, value, words: PPU.format.grouped(value) + " cycles, " +
               PPU.format.percent(cycles > 0 ? value / cycles : 0) };
    }));
  },
};

PPU.cost = {
  // Pack, upload, run and download in µs; loads and stores of the engine are part of the run.
  phases() {
    const named = (frame, names) => frame.parts.filter((part) => names(part.name))
      .reduce((sum, part) => sum + PPU.micros(part.cycles), 0);
    const outside = ["upload", "read-back"];
    return [
      { label: "pack", value: (frame) => 1e6 * (frame.pack_seconds - frame.overlap_seconds) },
      { label: "upload", value: (frame) => named(frame, (name) => name === "upload") },
      { label: "run", value: (frame) => named(frame, (name) => !outside.includes(name)) },
      { label: "download", value: (frame) => named(frame, (name) => name === "read-back") },
    ];
  },

  start() {
    PPU.listen((what) => { if (what !== "body") PPU.cost.draw(); });
    PPU.cost.draw();
  },

  draw() {
    if (!PPU.replay.timed) return PPU.untimed("cost");
    const frames = PPU.scope.frames().length;
    const cpu = PPU.scope.sum((frame) => frame.cpu_seconds) / frames;
    document.getElementById("cost").innerHTML = PPU.scope.tabs() + '<div id="cost-bar"></div>' +
      '<p class="note">' + (PPU.scope.all ? "Mean of a frame. " : "") +
      "Pack: plan, packing and unpacking, measured on the host that ran this, but for what " +
      "passes while the device works. Upload, run and download: device cycles at " +
      PPU.replay.clock_mhz + " MHz." +
      (cpu > 0 ? " The CPU engine's solver took " + PPU.format.micro(1e6 * cpu) +
        " on that host." : "") + "</p>";
    PPU.charts.stacked_bar("cost-bar", PPU.cost.phases().map((phase) => {
      const value = PPU.scope.sum(phase.value) / frames;
      return { label: phase.label, value, words: PPU.format.micro(value) };
    }));
  },
};
