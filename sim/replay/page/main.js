// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Unpacks the library and the replay, and starts the views.
"use strict";
PPU.run_library = async function () {
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await PPU.inflate("library"));
  document.head.append(script);
};

// Said where a run has more frames than fit on a page.
PPU.thinned = function () {
  const { frames_of_run, frame_step } = PPU.replay;
  if (frame_step === 1) return "";
  return `. Of the ${PPU.format.grouped(frames_of_run)} frames of the run this page has one in ` +
    `${frame_step}, the one with the most rows and the last`;
};

PPU.headline = function () {
  const replay = PPU.replay;
  const f = PPU.format;
  document.getElementById("title").textContent = replay.scene + " on the PPU";
  document.getElementById("subtitle").textContent = replay.description + " Back end " +
    replay.backend + ", program " + replay.program + ", order " + replay.order + ", config " +
    replay.config + " (" + replay.device + "); ppu " + replay.version + PPU.thinned();
  const frames = replay.frames;
  const most = Math.max(...frames.map((frame) => frame.rows));
  const chips = [[f.grouped(frames.length), "frames"], [f.grouped(replay.bodies.length), "bodies"],
                 [f.grouped(most), "rows at most"]];
  const sum = (value) => frames.reduce((total, frame) => total + value(frame), 0);
  if (replay.timed) {
    chips.push([f.micro(PPU.micros(sum((frame) => frame.device_cycles)) / frames.length),
                "device time per frame"],
               [f.short(sum((frame) => frame.row_updates) / sum((frame) => frame.engine_cycles)),
                "rows/cycle"]);
  }
  const same = frames.filter((frame) => frame.same).length;
  const good = same === frames.length;
  const verdict = good ? "bit-identical" : `${same} of ${frames.length} frames`;
  document.getElementById("chips").innerHTML = chips.map(([value, label]) =>
    `<span class="chip"><b>${value}</b> ${label}</span>`).join("") + (replay.against_cpu
    ? `<span class="chip ${good ? "good" : "bad"}"><b>${verdict}</b> ` +
      `${good ? "to" : "bit-identical to"} the CPU engine</span>` : "");
  document.getElementById("ghost-label").hidden = !replay.against_cpu;
  document.getElementById("config").textContent = replay.config_toml;
  document.getElementById("config-note").textContent = "Hash " + replay.config_hash;
  document.getElementById("command").textContent = replay.command;
};

PPU.start = async function () {
  await PPU.run_library();
  await PPU.load();
  PPU.headline();
  for (const view of [PPU.scope, PPU.over_time, PPU.stalls, PPU.cost, PPU.timeline, PPU.rows_view,
                      PPU.roofline, PPU.materials, PPU.stage, PPU.transport]) view.start();
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth !== width) PPU.changed("look");
    width = window.innerWidth;
  });
  window.matchMedia("(prefers-color-scheme: dark)")
    .addEventListener("change", () => PPU.changed("look"));
  document.body.classList.add("ready");
};

PPU.start().catch((error) => {
  document.getElementById("loading").textContent = "The replay cannot be shown: " + error.message;
  throw error;
});
