// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Charts as SVG text, drawn at the width of their place; chart.css has the colours.
"use strict";
PPU.charts = {
  // Puts a chart into an element: `draw(width)` returns its height and its content.
  put(id, draw) {
    const element = document.getElementById(id);
    const width = Math.max(320, element.clientWidth);
    const { height, content, after } = draw(width);
    element.innerHTML = `<svg width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" style="width:${width}px">${content}</svg>${after || ""}`;
  },

  text: (x, y, anchor, words, css = "") =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${css}">` +
    PPU.format.escape(words) + "</text>",

  rect: (css, x, y, width, height, hint = "", more = "") =>
    `<rect class="${css}" x="${x.toFixed(2)}" y="${y.toFixed(2)}" ` +
    `width="${Math.max(0, width).toFixed(2)}" height="${Math.max(0, height).toFixed(2)}" ${more}>` +
    (hint ? `<title>${PPU.format.escape(hint)}</title>` : "") + "</rect>",

  line: (css, x1, y1, x2, y2) => `<line class="${css}" x1="${x1.toFixed(1)}" ` +
    `y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`,

  path: (css, points) => `<polyline class="${css}" points="` +
    points.map(([x, y]) => x.toFixed(1) + "," + y.toFixed(1)).join(" ") + '"/>',

  legend: (parts) => '<ul class="legend">' + parts.map((part) =>
    `<li><i class="${part.css}"></i>${PPU.format.escape(part.label)} <b>${part.value}</b></li>`)
    .join("") + "</ul>",

  // One bar cut into shares; parts have label, value and, for the legend, words.
  stacked_bar(id, parts) {
    const sum = parts.reduce((total, part) => total + part.value, 0);
    const legend = parts.map((part, i) => ({ css: "s" + i, label: part.label, value: part.words }));
    PPU.charts.put(id, (width) => {
      let x = 0;
      let content = "";
      parts.forEach((part, i) => {
        const share = sum > 0 ? part.value / sum : 0;
        const hint = part.label + " " + part.words;
        content += PPU.charts.rect("s" + i, x, 0, share * width, 38, hint);
        if (share > 0.09)
          content += PPU.charts.text(x + share * width / 2, 24, "middle",
                                     PPU.format.percent(share), "on");
        x += share * width;
      });
      return { height: 38, content, after: PPU.charts.legend(legend) };
    });
  },

  // 1, 2 or 5 times a power of ten, for about `steps` steps up to `top`.
  step(top, steps) {
    const power = 10 ** Math.floor(Math.log10(top / steps));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step * steps >= top * 0.8);
  },

  // Plot area inside a chart, with a grid of its linear y axis from 0 to `top`.
  plot(width, height, top, y_title) {
    const area = { left: 58, right: width - 12, top: 20, bottom: height - 24, width, height };
    area.y = (value) => area.bottom - (area.bottom - area.top) * Math.min(1, value / top);
    let grid = PPU.charts.text(4, 11, "start", y_title, "axis");
    const step = PPU.charts.step(top, 4);
    for (let value = 0; value <= top * 1.0001; value += step) {
      grid += PPU.charts.line("grid", area.left, area.y(value), area.right, area.y(value)) +
        PPU.charts.text(area.left - 6, area.y(value) + 4, "end", PPU.format.axis(value));
    }
    return { area, grid };
  },

  // Powers of ten that `values` lie between.
  decades(values) {
    const known = values.filter((value) => value > 0 && Number.isFinite(value));
    if (known.length === 0) return { low: -1, high: 0 };
    const low = Math.floor(Math.log10(Math.min(...known)));
    return { low, high: Math.max(low + 1, Math.ceil(Math.log10(Math.max(...known)))) };
  },

  // As plot(), on a logarithmic scale.
  log_plot(width, height, values, y_title) {
    const { low, high } = PPU.charts.decades(values);
    const area = { left: 58, right: width - 12, top: 28, bottom: height - 24, width, height };
    // Also of values outside the plot.
    area.y_any = (value) => area.bottom - (area.bottom - area.top) *
      (Math.log10(value) - low) / (high - low);
    area.y = (value) => area.y_any(Math.max(value, 10 ** low));
    let grid = PPU.charts.text(4, 11, "start", y_title, "axis");
    const factors = high - low <= 2 ? [1, 2, 5] : [1];
    for (let power = low; power <= high; power += Math.ceil((high - low) / 5)) {
      for (const value of factors.map((factor) => factor * 10 ** power)) {
        if (value > 10 ** high) break;
        grid += PPU.charts.line("grid", area.left, area.y(value), area.right, area.y(value)) +
          PPU.charts.text(area.left - 6, area.y(value) + 4, "end", PPU.format.scientific(value, 1));
      }
    }
    return { area, grid };
  },

  table(titles, rows, css = "") {
    const head = titles.map((title) => `<th>${PPU.format.escape(title)}</th>`).join("");
    const body = rows.map((cells) => "<tr>" + cells.map((cell) => `<td>${cell}</td>`).join("") +
      "</tr>").join("");
    return `<table class="${css}"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  },
};
