// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Two columns against each other, the front, and its export.
'use strict';

function drawScatter(devices, front) {
  const narrow = innerWidth < 720;
  const [width, height] = narrow ? [420, 400] : [1080, 460];
  const edge = { left: 64, right: 16, top: 12, bottom: 48 };
  const x = scaleOf(devices.map((device) => valueOf(device, seen.x)),
    edge.left, width - edge.right, seen.log);
  const y = scaleOf(devices.map((device) => valueOf(device, seen.y)),
    height - edge.bottom, edge.top, seen.log);
  const chart = element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `${titleOf(seen.y)} against ${titleOf(seen.x)}` });
  const text = (at, words, kind = '') => {
    const made = element('text', { ...at, class: kind });
    made.textContent = words;
    return made;
  };
  for (const tick of x.ticks) {
    const at = x.place(tick);
    chart.append(element('line', { class: 'grid', x1: at, x2: at, y1: edge.top,
      y2: height - edge.bottom }),
    text({ x: at, y: height - edge.bottom + 18, 'text-anchor': 'middle' }, format(tick)));
  }
  for (const tick of y.ticks) {
    const at = y.place(tick);
    chart.append(element('line', { class: 'grid', x1: edge.left, x2: width - edge.right,
      y1: at, y2: at }),
    text({ x: edge.left - 8, y: at + 4, 'text-anchor': 'end' }, format(tick)));
  }
  const middle = (edge.top + height - edge.bottom) / 2;
  chart.append(
    text({ x: (edge.left + width - edge.right) / 2, y: height - 8, 'text-anchor': 'middle' },
      titleOf(seen.x), 'axis'),
    text({ x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 14 ${middle})` },
      titleOf(seen.y), 'axis'));
  const at = (device) => [x.place(valueOf(device, seen.x)), y.place(valueOf(device, seen.y))];
  chart.append(element('polyline', { class: 'front-line',
    points: front.map((device) => at(device).join()).join(' ') }));
  const onFront = new Set(front);
  const order = [...devices].sort((a, b) => onFront.has(a) - onFront.has(b));
  for (const device of order) {
    const [cx, cy] = at(device);
    const kind = (onFront.has(device) ? '' : ' behind') + (device === seen.picked ? ' picked' : '');
    chart.append(element('circle', { cx, cy, r: onFront.has(device) ? 6 : 4,
      class: `dot s${colourOf(device)}${kind}`, onclick: () => pick(device) },
    element('title', {}, nameOf(device))));
  }
  byId('scatter').replaceChildren(chart);
}

function nameOf(device) {
  return study.axes.map((axis, i) => `${axis} ${device.axes[i]}`).join(', ');
}

/** The chart with its styles inside, as a file of its own. */
function chartFile() {
  const chart = byId('scatter').firstChild.cloneNode(true);
  const [, , width, height] = chart.getAttribute('viewBox').split(' ').map(Number);
  chart.setAttribute('width', width);
  chart.setAttribute('height', height);
  chart.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const styles = element('style');
  styles.textContent = document.querySelector('style').textContent;
  chart.prepend(styles, element('rect', { width, height, style: 'fill:var(--card)' }));
  return { text: new XMLSerializer().serializeToString(chart), width, height };
}

function download(url, name) {
  const link = element('a', { href: url, download: name });
  link.click();
}

function exportSvg() {
  const { text } = chartFile();
  download(URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })), 'study.svg');
}

function exportPng() {
  const { text, width, height } = chartFile();
  const image = new Image();
  image.onload = () => {
    const canvas = element('canvas', { width: 2 * width, height: 2 * height });
    canvas.getContext('2d').drawImage(image, 0, 0, 2 * width, 2 * height);
    download(canvas.toDataURL('image/png'), 'study.png');
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
