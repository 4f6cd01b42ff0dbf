# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A routed layout as SVG: cells by what they are, and wires in a colour for each layer."""
import html

from pnr import layout as layouts

WIDTH, HEAD, MARGIN, LEGEND = 900, 34, 8, 24
BYTES = 130_000  # of wires; the longest come first
CELLS = {"register": "#8fb3d9", "buffer": "#e3c27a", "filler": "#f1f1f1", "gate": "#d8dde3"}
LAYERS = ("#7a7a7a", "#c0392b", "#2471a3", "#1e8449", "#8e44ad", "#b9770e", "#34495e", "#16a085")


def kind_of(cell, library, filler):
    if cell == filler:
        return "filler"
    if cell == library.technology.buffer[0]:
        return "buffer"
    return "register" if library.cells[cell].is_register else "gate"


def number(value):
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def svg(title, layout, lef, library, filler):
    left, bottom, right, top = layout.die
    scale = (WIDTH - 2 * MARGIN) / (right - left)
    height = (top - bottom) * scale + HEAD + LEGEND + MARGIN

    def x(value):
        return number((value - left) * scale + MARGIN)

    def y(value):
        return number((top - value) * scale + HEAD)

    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" font-family="sans-serif" font-size="13">',
            f"<title>{html.escape(title)}</title>", f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>',
            f'<text x="{MARGIN}" y="22" font-size="15">{html.escape(title)}</text>']
    cells = {kind: [] for kind in CELLS}
    for cell in layout.components.values():
        macro = lef.macros[cell.kind]
        box = layouts.rectangle((0, 0, macro.width, macro.height), macro, cell)
        cells[kind_of(cell.kind, library, filler)].append(
            f"M{x(box[0])} {y(box[3])}h{number(macro.width * scale)}v{number(macro.height * scale)}h-{number(macro.width * scale)}z")
    text += [f'<path d="{"".join(found)}" fill="{CELLS[kind]}" stroke="#ffffff" stroke-width="0.3"/>'
             for kind, found in cells.items() if found]
    wires = sorted(((abs(x1 - x0) + abs(y1 - y0), layer, x0, y0, x1, y1) for net in layout.nets.values()
                    for layer, x0, y0, x1, y1 in net.wires), reverse=True)
    paths, used = {layer: [] for layer in lef.layers}, 0
    for _, layer, x0, y0, x1, y1 in wires:
        piece = f"M{x(x0)} {y(y0)}" + (f"V{y(y1)}" if x0 == x1 else f"H{x(x1)}")
        used += len(piece)
        if used > BYTES:
            break
        paths[layer].append(piece)
    for colour, (layer, found) in zip(LAYERS, paths.items()):
        if found:
            text.append(f'<path d="{"".join(found)}" fill="none" stroke="{colour}" stroke-width="{max(lef.layers[layer].width * scale, 0.4):.2f}" '
                        f'stroke-opacity="0.75"><title>{layer}</title></path>')
    at = MARGIN
    entries = [*((kind, colour) for kind, colour in CELLS.items() if cells[kind]),
               *((layer, colour) for colour, (layer, found) in zip(LAYERS, paths.items()) if found)]
    for name, colour in entries:
        text.append(f'<rect x="{at}" y="{height - LEGEND + 4:.0f}" width="12" height="12" fill="{colour}"/>'
                    f'<text x="{at + 16}" y="{height - LEGEND + 15:.0f}">{name}</text>')
        at += 30 + 8 * len(name)
    return "\n".join(text + ["</svg>"]) + "\n"
