// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The study, what the user has chosen to see of it, and the front of what is seen.
'use strict';
const study = JSON.parse(document.getElementById('data').textContent);
const ALL = '';  // In place of a problem: all of them.
const seen = {
  problem: study.problems.length > 1 ? ALL : study.problems[0],
  x: 0, y: 0, colour: 0, log: true, picked: null,
  hidden: study.axes.map(() => new Set()),
};
const byId = (id) => document.getElementById(id);
const columnOf = (name) => study.columns.findIndex((column) => column.name === name);

/** Distinct values of an axis, in the order of the study. */
const valuesOfAxis = study.axes.map((_, axis) =>
  [...new Set(study.devices.map((device) => String(device.axes[axis])))]);

/** Columns that are above 0 everywhere have a geometric mean over the problems, others a mean. */
const isPositive = study.columns.map((_, column) => study.devices.every((device) =>
  Object.values(device.points).every((point) => point.values[column] > 0)));

function valueOf(device, column) {
  if (seen.problem !== ALL) {
    const point = device.points[seen.problem];
    return point ? point.values[column] : null;
  }
  const values = study.problems.map((name) => device.points[name])
    .map((point) => (point ? point.values[column] : null));
  if (values.some((value) => value === null)) return null;
  const sum = (list) => list.reduce((total, value) => total + value, 0);
  return isPositive[column] ? Math.exp(sum(values.map(Math.log)) / values.length)
    : sum(values) / values.length;
}

/** Devices that no filter hides and that have both numbers. */
function visibleDevices() {
  return study.devices.filter((device) =>
    device.axes.every((value, axis) => !seen.hidden[axis].has(String(value))) &&
    valueOf(device, seen.x) !== null && valueOf(device, seen.y) !== null);
}

/** Those that no other one beats in one of both columns without losing in the other. */
function frontOf(devices) {
  const cost = (device, column) =>
    (study.columns[column].most ? -1 : 1) * valueOf(device, column);
  const sorted = devices.map((device) => [cost(device, seen.x), cost(device, seen.y), device])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const front = [];
  let best = Infinity;
  for (const [, y, device] of sorted) {
    if (y < best) {
      front.push(device);
      best = y;
    }
  }
  return front;
}

function format(value) {
  if (value === null || value === undefined) return '-';
  if (typeof value !== 'number') return String(value);
  if (value !== 0 && (Math.abs(value) < 0.001 || Math.abs(value) >= 1e9)) {
    return value.toExponential(2);
  }
  if (Number.isInteger(value) || Math.abs(value) >= 1000) {
    return Math.round(value).toLocaleString('en');
  }
  return String(Number(value.toPrecision(3)));
}

function wordsOf(column) {
  return study.columns[column].name.replaceAll('_', ' ')
    .replace(/^us /, 'time ').replace(/ (mm2|mhz|seconds)$/, '');
}

function titleOf(column) {
  const { unit } = study.columns[column];
  const words = wordsOf(column);
  return unit === '1' || words.endsWith(unit) ? words : `${words}, ${unit}`;
}

function element(name, attributes = {}, ...children) {
  const svg = ['svg', 'g', 'line', 'path', 'circle', 'text', 'polyline', 'rect', 'title', 'style'];
  const made = svg.includes(name) ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** From values to pixels; linear where a value is not above 0. */
function scaleOf(values, from, to, wantsLog) {
  const log = wantsLog && values.every((value) => value > 0);
  const map = log ? Math.log10 : (value) => value;
  let low = Math.min(...values.map(map));
  let high = Math.max(...values.map(map));
  if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
  const margin = (high - low) * 0.04;
  [low, high] = [low - margin, high + margin];
  const place = (value) => from + (map(value) - low) / (high - low) * (to - from);
  return { place, ticks: ticksOf(low, high, log) };
}

function ticksOf(low, high, log) {
  if (log && high - low > 0.5) {
    const steps = high - low > 2.2 ? [1] : high - low > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
    const ticks = [];
    for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
      for (const step of steps) ticks.push(step * 10 ** power);
    }
    return ticks.filter((tick) => Math.log10(tick) >= low && Math.log10(tick) <= high);
  }
  const [first, last] = log ? [10 ** low, 10 ** high] : [low, high];
  const rough = (last - first) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough);
  const ticks = [];
  for (let tick = Math.ceil(first / step) * step; tick <= last; tick += step) {
    ticks.push(Number(tick.toPrecision(12)));
  }
  return ticks;
}

/** The class of the colour of a device: of its value on the chosen axis. */
function colourOf(device) {
  const value = String(device.axes[seen.colour]);
  return valuesOfAxis[seen.colour].indexOf(value) % 9;
}
