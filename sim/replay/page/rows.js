// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows of the chosen frame: histogram of their cycles, the slowest, and those of a body.
"use strict";
PPU.kind_names = ["joint", "contact", "friction"];

// How often a row went through the pipe, in the mean.
PPU.visits = () => Math.max(1, PPU.frame().row_updates / Math.max(1, PPU.frame().rows));

PPU.frame_link = (frame) =>
  `<button class="link" data-frame="${frame}">${PPU.replay.frames[frame].number}</button>`;
PPU.body_link = (body) => body < 0 ? "static"
  : `<button class="link" data-body="${body}">${PPU.body_name(body)}</button>`;

// Said where single rows are needed and were not kept.
PPU.rows_missing = function () {
  const near = PPU.nearest_with_rows(PPU.state.frame).map(PPU.frame_link).join(" and ");
  return '<p class="note">Single rows were kept for ' + PPU.replay.frames_with_rows.length +
    " of " + PPU.replay.frames.length + " frames, not for this one." +
    (near ? " Nearest with rows: " + near + "." : "") + "</p>";
};

PPU.rows_view = {
  start() {
    document.addEventListener("click", (event) => {
      const { frame, body } = event.target.dataset || {};
      if (frame !== undefined) PPU.choose_frame(Number(frame));
      if (body !== undefined) PPU.choose_body(Number(body));
    });
    PPU.listen((what) => {
      if (what !== "body") PPU.rows_view.draw();
      if (what !== "look") PPU.rows_view.body();
    });
    PPU.rows_view.draw();
    PPU.rows_view.body();
  },

  async draw() {
    PPU.rows_view.residual();
    if (!PPU.replay.timed) {
      PPU.untimed("histogram");
      return PPU.untimed("slowest");
    }
    const frame = PPU.state.frame;
    const rows = await PPU.rows(frame);
    if (frame !== PPU.state.frame) return;
    if (rows === null || rows.count === 0) {
      const words = rows === null ? PPU.rows_missing() : '<p class="note">No rows.</p>';
      document.getElementById("histogram").innerHTML = words;
      return void (document.getElementById("slowest").innerHTML = words);
    }
    PPU.rows_view.histogram(rows);
    PPU.rows_view.slowest(rows);
  },

  // Edges at 1, 1.5, 2, 3, 4, 6, ... cycles, as in `ppu profile`.
  bins(rows) {
    const visits = PPU.visits();
    const bins = [];
    let low = 0;
    for (let power = 1; power <= 65536; power *= 2) {
      for (const high of [1.5 * power, 2 * power]) {
        bins.push({ low, high, rows: 0 });
        low = high;
      }
    }
    bins.at(-1).high = Infinity;
    for (const cycles of rows.cycles) ++bins.find((bin) => cycles / visits < bin.high).rows;
    while (bins.length > 1 && bins.at(-1).rows === 0) bins.pop();
    return bins;
  },

  histogram(rows) {
    const bins = PPU.rows_view.bins(rows);
    const c = PPU.charts;
    c.put("histogram", (width) => {
      const top = 1.12 * Math.max(...bins.map((bin) => bin.rows));
      const { area, grid } = c.plot(width, 220, top, "rows");
      const pitch = (area.right - area.left) / bins.length;
      let content = grid;
      bins.forEach((bin, b) => {
        const x = area.left + b * pitch;
        const words = `${bin.low} to ${bin.high} cycles: ${PPU.format.grouped(bin.rows)} rows`;
        content += c.rect("bar", x + pitch * 0.08, area.y(bin.rows), pitch * 0.84,
                          area.bottom - area.y(bin.rows), words);
        if (bin.rows > 0 && pitch > 28)
          content += c.text(x + pitch / 2, area.y(bin.rows) - 4, "middle",
                            PPU.format.grouped(bin.rows));
        content += c.text(x, area.bottom + 16, "middle", bin.low);
      });
      return { height: 220, content, after: '<p class="note">Cycles per visit, waits before the ' +
               "row included; each bin from its edge to the next.</p>" };
    });
  },

  // What `ppu profile` says, too: see token_senders() of row_holds.hpp.
  held_by(rows, row, slot_of) {
    const other = rows.held_by.length > 0 ? rows.held_by[row] : -1;
    if (other < 0) return "-";
    const mine = [rows.body_a[row], rows.body_b[row]];
    const shared = [rows.body_a[other], rows.body_b[other]]
      .filter((body) => body >= 0 && mine.includes(body));
    const way = slot_of.get(row) - slot_of.get(other);
    const slots = way > 0 ? way : way + slot_of.size;
    return `${shared.map(PPU.body_link).join(", ")} from row ${other}, ` +
      `${PPU.format.grouped(slots)} ${slots === 1 ? "slot" : "slots"} before`;
  },

  slowest(rows) {
    const visits = PPU.visits();
    const slot_of = new Map();
    rows.row_of_slot.forEach((row, slot) => slot_of.set(row, slot));
    const order = [...rows.cycles.keys()]
      .sort((a, b) => rows.cycles[b] - rows.cycles[a] || a - b).slice(0, 12);
    const per_visit = (cycles) => (cycles / visits).toFixed(1);
    document.getElementById("slowest").innerHTML = PPU.charts.table(
      ["row", "slot", "kind", "body a", "body b", "cycles/visit", "body wait", "parent wait",
       "fetch wait", "waits for"],
      order.map((row) => [row, slot_of.has(row) ? slot_of.get(row) : "-",
        PPU.kind_names[rows.kind[row]], PPU.body_link(rows.body_a[row]),
        PPU.body_link(rows.body_b[row]), per_visit(rows.cycles[row]),
        per_visit(rows.body_stall[row]), per_visit(rows.parent_stall[row]),
        per_visit(rows.fetch_stall[row]), PPU.rows_view.held_by(rows, row, slot_of)])) +
      '<p class="note">Waits for: the body whose token comes last, and the row before it on that ' +
      "body, which sends it; slots go round from sweep to sweep. Mean over the sweeps.</p>";
  },

  residual() {
    const residuals = PPU.frame().residuals;
    const place = document.getElementById("residual");
    if (residuals.length < 2)
      return void (place.innerHTML = '<p class="note">Not measured for this frame.</p>');
    const c = PPU.charts;
    c.put("residual", (width) => {
      const { area, grid } = c.log_plot(width, 220, residuals,
                                        "true residual, " + PPU.format.residual_unit);
      const x = (sweep) => area.left + (area.right - area.left) * sweep / (residuals.length - 1);
      let content = grid +
        c.path("line", residuals.map((value, sweep) => [x(sweep), area.y(value)]));
      const step = Math.max(1, c.step(residuals.length, 8));
      residuals.forEach((value, sweep) => {
        content += `<circle class="bar" r="3.5" cx="${x(sweep).toFixed(1)}" ` +
          `cy="${area.y(value).toFixed(1)}"><title>after ${sweep} sweeps: ` +
          `${PPU.format.residual(value)}</title></circle>`;
        if (sweep % step === 0) content += c.text(x(sweep), area.bottom + 16, "middle", sweep);
      });
      return { height: 220, content, after: '<p class="note">Largest violation over all rows, ' +
        `after each sweep; ${PPU.format.residual(residuals.at(-1))} at the end.</p>` };
    });
  },

  async body() {
    const { frame, body } = PPU.state;
    const rows = await PPU.rows(frame);
    if (frame !== PPU.state.frame || body !== PPU.state.body) return;
    document.getElementById("body").innerHTML =
      body < 0 ? PPU.rows_view.heaviest() : PPU.rows_view.body_card(body, rows);
  },

  // What is shown while no body is picked.
  heaviest() {
    const cycles = PPU.of_bodies(PPU.replay.body_cycles, PPU.state.frame);
    const impulses = PPU.of_bodies(PPU.replay.body_impulses, PPU.state.frame);
    const weight = PPU.replay.timed ? cycles : impulses;
    const order = [...weight.keys()].filter((body) => weight[body] > 0)
      .sort((a, b) => weight[b] - weight[a]).slice(0, 8);
    return '<h2>No body picked</h2><p class="note">Click a body in the replay to see its rows. ' +
      `Those with the most ${PPU.replay.timed ? "cycles" : "impulse"} in this frame:</p>` +
      PPU.charts.table(["body", "shape", "cycles", "largest impulse"], order.map((body) => [
        PPU.body_link(body), PPU.format.escape(PPU.replay.shapes[PPU.replay.bodies[body][0]].kind),
        PPU.replay.timed ? PPU.format.grouped(cycles[body]) : "-",
        PPU.format.short(impulses[body]) + " N s"]));
  },

  body_card(body, rows) {
    const [shape, mass] = PPU.replay.bodies[body];
    const f = PPU.format;
    const frame = PPU.state.frame;
    const position = [0, 0, 0];
    PPU.pose(PPU.replay.paths[0], frame, body, position, [0, 0, 0, 0]);
    const of_body = (values) => PPU.of_bodies(values, frame)[body];
    const island = of_body(PPU.replay.body_islands);
    const pairs = [
      ["cycles", PPU.replay.timed ? f.grouped(of_body(PPU.replay.body_cycles)) : "-"],
      ["impulse", f.short(of_body(PPU.replay.body_impulses)) + " N s"],
      ["island", island < 0 ? "none" : island],
      ["at", position.map((part) => part.toFixed(2)).join(", ") + " m"]];
    return `<h2><span class="swatch"></span>Body ${body}</h2><p class="note">` +
      f.escape(PPU.replay.shapes[shape].name) + (mass > 0 ? `, ${f.short(mass)} kg` : ", fixed") +
      '</p><div class="pairs">' + pairs.map(([label, value]) =>
        `<span>${label}</span><b>${value}</b>`).join("") + "</div>" +
      (rows === null ? PPU.rows_missing() : PPU.rows_view.body_rows(body, rows));
  },

  body_rows(body, rows) {
    const mine = [];
    for (let row = 0; row < rows.count; ++row)
      if (rows.body_a[row] === body || rows.body_b[row] === body) mine.push(row);
    if (mine.length === 0) return '<p class="note">No rows in this frame.</p>';
    const stall = (row) => rows.body_stall[row] + rows.parent_stall[row] + rows.fetch_stall[row];
    mine.sort((a, b) => rows.cycles[b] - rows.cycles[a] || a - b);
    const timed = (value) => PPU.replay.timed ? PPU.format.grouped(value) : "-";
    return PPU.charts.table(["row", "kind", "other", "impulse N s", "cycles", "stalled"],
      mine.map((row) => [row, PPU.kind_names[rows.kind[row]],
        PPU.body_link(rows.body_a[row] === body ? rows.body_b[row] : rows.body_a[row]),
        PPU.format.short(rows.impulse[row]), timed(rows.cycles[row]), timed(stall(row))]), "rows");
  },
};
