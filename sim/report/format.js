// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers for people, with their units.
"use strict";
PPU.format = {
  grouped: (value) => Math.round(value).toLocaleString("en-US"),
  // About three digits, never an exponent for what people count or time.
  short(value) {
    if (!Number.isFinite(value)) return "-";
    const size = Math.abs(value);
    if (size >= 1000) return PPU.format.grouped(value);
    if (size > 0 && size < 0.001) return value.toExponential(1);
    return value.toFixed(size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
  },
  // On an axis: 0.5 rather than 0.500.
  axis: (value) =>
    Math.abs(value) >= 1000 ? PPU.format.grouped(value) : String(Number(value.toPrecision(3))),
  scientific: (value) =>
    value === null || !Number.isFinite(value) ? "-" : value === 0 ? "0" : value.toExponential(1),
  percent: (share) => (100 * share).toFixed(1) + " %",
  micro: (value) => PPU.format.short(value) + " µs",
  escape: (text) => String(text).replace(/[&<>"']/g, (letter) => "&#" + letter.charCodeAt(0) + ";"),
};
