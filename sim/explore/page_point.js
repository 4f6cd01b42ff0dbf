// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The picked device: its configuration, its stalls on every problem, the commands that repeat it.
'use strict';

function tableOf(head, rows) {
  const cells = (kind, words) => words.map((word) => {
    const cell = element(kind);
    cell.append(word instanceof Node ? word : format(word));
    return cell;
  });
  return element('table', {}, element('tr', {}, ...cells('th', head)),
    ...rows.map((row) => element('tr', {}, ...cells('td', row))));
}

/** Keys of the configuration, those first that differ between devices of the study. */
function configTable(device) {
  const differs = study.keys.map((_, key) =>
    study.devices.some((other) => other.config[key] !== device.config[key]));
  const order = study.keys.map((_, key) => key).sort((a, b) => differs[b] - differs[a] || a - b);
  const table = tableOf(['key', 'value'],
    order.map((key) => [study.keys[key], device.config[key]]));
  [...table.rows].slice(1).forEach((row, i) => {
    if (differs[order[i]]) row.cells[1].className = 'changed';
  });
  return table;
}

function stallBar(stalls) {
  const total = stalls.reduce((sum, cycles) => sum + cycles, 0) || 1;
  return element('div', { class: 'stack' }, ...stalls.map((cycles, i) =>
    element('span', { class: `s${i}`, style: `width:${100 * cycles / total}%`,
      title: `${study.stalls[i]}: ${format(cycles)} cycles, ${format(100 * cycles / total)} %` })));
}

function drawPoint() {
  const device = seen.picked;
  if (!device) {
    byId('point').textContent = 'Click a dot, a line or a row of the front.';
    return;
  }
  const names = study.problems.filter((name) => device.points[name]);
  const values = tableOf(['problem', ...study.columns.map((_, i) => titleOf(i))],
    names.map((name) => [name, ...device.points[name].values]));
  const stalls = names.flatMap((name) =>
    [element('div', { class: 'note' }, name), stallBar(device.points[name].stalls)]);
  const legend = element('ul', { class: 'legend' }, ...study.stalls.map((stall, i) =>
    element('li', {}, element('i', { class: `s${i}` }), stall)));
  const repeat = element('pre', {}, names.map((name) => device.points[name].command).join('\n'));
  const bounds = names.map((name) =>
    element('p', { class: 'note' }, `${name}: ${device.points[name].bound}.`));
  byId('point').replaceChildren(
    element('p', {}, nameOf(device)), element('div', { class: 'scroll' }, values),
    element('div', { class: 'two' },
      element('div', {}, element('h2', {}, 'Where the cycles went'), ...stalls, legend, ...bounds),
      element('div', {}, element('h2', {}, 'Configuration'),
        element('div', { style: 'max-height:420px;overflow-y:auto' }, configTable(device)))),
    element('h2', {}, 'Repeat this'), repeat);
}
