// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The controls of the page, and everything drawn again when one of them changes.
'use strict';

function pick(device) {
  seen.picked = device;
  draw();
}

function draw() {
  const devices = visibleDevices();
  const front = devices.length > 0 ? frontOf(devices) : [];
  if (devices.length > 0) {
    drawScatter(devices, front);
    drawParallel(devices, front);
  } else {
    byId('scatter').textContent = 'The filters hide every device.';
    byId('parallel').replaceChildren();
  }
  byId('legend').replaceChildren(...valuesOfAxis[seen.colour].map((value, i) =>
    element('li', {}, element('i', { class: `s${i % 9}` }),
      `${study.axes[seen.colour]} ${value}`)));
  const [gained, paid] = [study.columns[seen.x].most, !study.columns[seen.y].most]
    .map((more) => (more ? 'more' : 'less'));
  const mean = seen.problem !== ALL ? `on ${seen.problem}`
    : `over ${study.problems.length} problems`;
  byId('front-note').textContent = `${front.length} of ${devices.length} devices are on the front ` +
    `(dashed, large dots): none has ${gained} ${wordsOf(seen.x)} without ${paid} ` +
    `${wordsOf(seen.y)}; ${mean}` +
    (seen.problem === ALL ? ', geometric mean where every value is above 0.' : '.');
  drawPoint();
  const table = tableOf([...study.axes, ...study.columns.map((_, i) => titleOf(i))],
    front.map((device) => [...device.axes, ...study.columns.map((_, i) => valueOf(device, i))]));
  [...table.rows].slice(1).forEach((row, i) =>
    row.addEventListener('click', () => pick(front[i])));
  byId('front').replaceChildren(table);
}

function addSelect(id, names, chosen, change) {
  byId(id).replaceChildren(...names.map(([value, words]) => element('option', { value }, words)));
  byId(id).value = chosen;
  byId(id).addEventListener('change', () => {
    change(byId(id).value);
    draw();
  });
}

function addFilters() {
  study.axes.forEach((axis, i) => {
    if (valuesOfAxis[i].length < 2) return;
    const buttons = valuesOfAxis[i].map((value) => element('button', { 'aria-pressed': 'true',
      onclick: (event) => {
        const hidden = seen.hidden[i];
        if (!hidden.delete(value)) hidden.add(value);
        event.target.setAttribute('aria-pressed', String(!hidden.has(value)));
        draw();
      } }, value === '' ? '(none)' : value));
    byId('filters').append(element('div', { class: 'filter' }, element('b', {}, axis), ...buttons));
  });
}

function start() {
  byId('title').textContent = study.title;
  byId('subtitle').textContent = `${study.devices.length.toLocaleString('en')} devices x ` +
    `${study.problems.length} problems` +
    (study.technology ? `; clock and area in cells of ${study.technology}` : '');
  const [x, y] = study.minimize.map(columnOf);
  seen.x = x >= 0 ? x : 0;
  seen.y = y >= 0 ? y : Math.min(1, study.columns.length - 1);
  const columns = study.columns.map((_, i) => [i, titleOf(i)]);
  const problems = study.problems.map((name) => [name, name]);
  if (problems.length > 1) problems.unshift([ALL, `all ${problems.length}, mean`]);
  addSelect('problem', problems, seen.problem, (value) => { seen.problem = value; });
  addSelect('x', columns, seen.x, (value) => { seen.x = Number(value); });
  addSelect('y', columns, seen.y, (value) => { seen.y = Number(value); });
  addSelect('colour', study.axes.map((name, i) => [i, name]), seen.colour,
    (value) => { seen.colour = Number(value); });
  byId('log').addEventListener('change', () => {
    seen.log = byId('log').checked;
    draw();
  });
  byId('svg').addEventListener('click', exportSvg);
  byId('png').addEventListener('click', exportPng);
  addEventListener('resize', draw);
  addFilters();
  draw();
}

start();
