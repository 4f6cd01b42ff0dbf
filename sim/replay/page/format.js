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
  // Few digits of any size, with an exponent for the very small and the very large.
  scientific(value, digits = 2) {
    if (value === null || !Number.isFinite(value)) return "-";
    const plain = value === 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 1e4);
    return plain ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1);
  },
  // A row's violation is a speed, or a rate of turning.
  residual_unit: "m/s or rad/s",
  residual: (value) => PPU.format.scientific(value) + " " + PPU.format.residual_unit,
  percent: (share) => (100 * share).toFixed(1) + " %",
  micro: (value) => PPU.format.short(value) + " µs",
  escape: (text) => String(text).replace(/[&<>"']/g, (letter) => "&#" + letter.charCodeAt(0) + ";"),
};
