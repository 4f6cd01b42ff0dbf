// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parallel coordinates: an upright line for each axis and column, a path for each device.
'use strict';

function drawParallel(devices, front) {
  const lines = study.axes.map((name, axis) => ({
    title: name, values: valuesOfAxis[axis],
    of: (device) => valuesOfAxis[axis].indexOf(String(device.axes[axis])) }));
  study.columns.forEach((_, column) => {
    if (devices.every((device) => valueOf(device, column) !== null)) {
      lines.push({ title: titleOf(column), of: (device) => valueOf(device, column) });
    }
  });
  const gap = 96;
  const [width, height, top, bottom] = [gap * lines.length, 330, 46, 14];
  const chart = element('svg', { viewBox: `0 0 ${width} ${height}`,
    style: `min-width:${width}px` });
  lines.forEach((line, i) => {
    line.x = gap / 2 + i * gap;
    const range = line.values ? line.values.map((_, index) => index) : devices.map(line.of);
    line.scale = scaleOf(range, height - bottom, top, seen.log && !line.values);
  });
  const points = (device) =>
    lines.map((line) => `${line.x},${line.scale.place(line.of(device))}`).join(' ');
  const onFront = new Set(front);
  const rank = (device) => (device === seen.picked ? 2 : Number(onFront.has(device)));
  for (const device of [...devices].sort((a, b) => rank(a) - rank(b))) {
    const kind = (onFront.has(device) ? ' on-front' : '') +
      (device === seen.picked ? ' picked' : '');
    chart.append(element('polyline', { points: points(device), class: `path${kind}`,
      style: device === seen.picked ? '' : `stroke:var(--c${colourOf(device)})`,
      onclick: () => pick(device) }, element('title', {}, nameOf(device))));
  }
  lines.forEach((line, i) => {
    chart.append(element('line', { class: 'axis-line', x1: line.x, x2: line.x, y1: top,
      y2: height - bottom }));
    const title = element('text', { class: 'axis', x: line.x, y: i % 2 ? 32 : 14,
      'text-anchor': 'middle' });
    title.textContent = line.title;
    chart.append(title);
    const ticks = line.values ? line.values.map((value, index) => [index, value])
      : line.scale.ticks.map((tick) => [tick, format(tick)]);
    for (const [value, words] of ticks) {
      const tick = element('text', { x: line.x + 4, y: line.scale.place(value) + 4 });
      tick.textContent = words;
      chart.append(tick);
    }
  });
  byId('parallel').replaceChildren(chart);
}
