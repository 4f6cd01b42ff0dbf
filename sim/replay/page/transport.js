// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The bar that moves through frames, and the keys.
"use strict";
PPU.transport = {
  playing: false,

  start() {
    const scrubber = document.getElementById("scrubber");
    scrubber.max = PPU.replay.frames.length - 1;
    scrubber.addEventListener("input", () => PPU.choose_frame(Number(scrubber.value)));
    document.getElementById("play").addEventListener("click", () => PPU.transport.toggle());
    document.addEventListener("keydown", (event) => PPU.transport.key(event));
    PPU.listen((what) => { if (what === "frame") PPU.transport.show(); });
    PPU.transport.show();
  },

  show() {
    const frame = PPU.frame();
    document.getElementById("scrubber").value = PPU.state.frame;
    document.getElementById("frame-label").textContent = "frame " + frame.number + " of " +
      PPU.replay.frames.at(-1).number + " · " +
      (frame.number * PPU.replay.frame_seconds).toFixed(3) + " s";
  },

  toggle() {
    const transport = PPU.transport;
    transport.playing = !transport.playing;
    const play = document.getElementById("play");
    play.classList.toggle("playing", transport.playing);
    play.setAttribute("aria-label", transport.playing ? "Pause" : "Play");
    if (!transport.playing) return;
    if (PPU.state.frame === PPU.replay.frames.length - 1) PPU.choose_frame(0);
    transport.begin = null;
    requestAnimationFrame(transport.tick);
  },

  // The last frame with at most this number.
  frame_at(number) {
    const next = PPU.replay.frames.findIndex((frame) => frame.number > number);
    return (next < 0 ? PPU.replay.frames.length : next) - 1;
  },

  // Scene time follows the clock; a frame that takes long to draw leaves some out.
  tick(now) {
    const transport = PPU.transport;
    if (!transport.playing) return;
    if (transport.begin === null || transport.expected !== PPU.state.frame) {
      transport.begin = now;
      transport.first = PPU.state.frame;
    }
    const speed = Number(document.getElementById("speed").value);
    const steps = (now - transport.begin) / 1000 * speed / PPU.replay.frame_seconds;
    const frame = transport.frame_at(PPU.replay.frames[transport.first].number + steps);
    transport.expected = frame;
    if (frame !== PPU.state.frame) PPU.choose_frame(frame);
    if (frame === PPU.replay.frames.length - 1) return transport.toggle();
    requestAnimationFrame(transport.tick);
  },

  // Space presses a focused button, a list takes all keys; a slider moves frames as the page does.
  is_for_control(event) {
    const control = event.target.closest("button, select, input");
    if (control === null || event.key === "Escape") return false;
    return control.tagName === "SELECT" || (event.key === " " && control.type !== "range");
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (PPU.transport.is_for_control(event)) return;
    const last = PPU.replay.frames.length - 1;
    const frame = PPU.state.frame;
    const go = { ArrowLeft: frame - 1, ArrowRight: frame + 1, PageUp: frame - 10,
                 PageDown: frame + 10, Home: 0, End: last }[event.key];
    if (go !== undefined) PPU.choose_frame(go);
    else if (event.key === " ") PPU.transport.toggle();
    else if (event.key === "Escape") PPU.choose_body(-1);
    else return;
    event.preventDefault();
  },
};
