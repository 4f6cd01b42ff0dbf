# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""From places of cells to a DEF file: cells on the sites of rows, fillers between them, and pins around the core."""
import collections
import math

from technology import UserError

UNITS = 100  # of the DEF file, a micrometre
EDGE = 4  # tracks between the core and the edge of the die; pins lie on the second of them


def on_sites(cells, sites):
    """Left ends for the cells of a row, in sites: `cells` are (wanted left end, width) from left to right."""
    found, at = [], 0
    for left, width in cells:
        at = max(at, round(left))
        found.append(at)
        at += width
    limit = sites
    for index in range(len(cells) - 1, -1, -1):
        found[index] = min(found[index], limit - cells[index][1])
        limit = found[index]
    if limit < 0:
        raise UserError(f"{sum(width for _, width in cells)} sites of cells do not fit a row of {sites}")
    return found


def legal(places, kinds, lef, site, width):
    """Cells as {number: (row, left end in sites)}, and the sites of a row. `places`: {number: (left, bottom)}."""
    height = lef.macros[kinds[0]].height
    sites, by_row = math.ceil(width / site), collections.defaultdict(list)
    for number, (left, bottom) in places.items():
        by_row[round(bottom / height)].append((left / site, round(lef.macros[kinds[number]].width / site), number))
    found = {}
    for row, cells in by_row.items():
        cells.sort()
        for (_, _, number), left in zip(cells, on_sites([cell[:2] for cell in cells], sites)):
            found[number] = (row, left)
    return found, sites


def turned(row):
    """Every second row is upside down, so that rows share their rails."""
    return "FS" if row % 2 else "N"


def pins_around(ports, centres, left, bottom, right, top, pitch_x, pitch_y):
    """{port: (side, place on the side)}: each on the side that is the nearest to its cells, beside them or as near as others leave
    it. `centres`: {port: (x, y) of its cells}."""
    wide, high = right - left, top - bottom
    around = 2 * (wide + high)

    def wanted(port):
        """The way from the lower left corner around the core, against the clock."""
        x, y = centres[port]
        return min((y - bottom, x - left), (right - x, wide + y - bottom), (top - y, wide + high + right - x),
                   (x - left, 2 * wide + high + top - y))[1]

    order = sorted(ports, key=lambda port: (wanted(port), port))
    gap = max(min(2 * max(pitch_x, pitch_y), around / max(len(ports), 1)), max(pitch_x, pitch_y))
    found = {}
    for port, slot in zip(order, on_sites([(wanted(port) / gap, 1) for port in order], int(around / gap))):
        at = (slot + 0.5) * gap
        side, at = (("S", left + at) if at < wide else ("E", bottom + at - wide) if at < wide + high else
                    ("N", right - (at - wide - high)) if at < 2 * wide + high else ("W", top - (at - 2 * wide - high)))
        pitch = pitch_x if side in "NS" else pitch_y
        found[port] = side, round(at / pitch) * pitch
    return found


def write_def(path, block, cells, kinds, nets, ports, lef, places, filler):
    """Writes the layout without wires. `cells`: names; `nets`: {net: [(cell's number, pin)]}."""
    layers = list(lef.layers.values())
    across, up = layers[1], layers[2]  # the vertical layer, the horizontal one
    site, height = lef.macros[filler].width, lef.macros[filler].height
    width = max(left + lef.macros[kinds[number]].width for number, (left, _) in places.items())
    legally, sites = legal(places, kinds, lef, site, width)
    rows = 1 + max(row for row, _ in legally.values())
    x0, y0 = across.pitch / 2, up.pitch / 2
    right, top = x0 + sites * site, y0 + rows * height
    die = (-EDGE * across.pitch, -EDGE * up.pitch, (math.ceil(right / across.pitch) + EDGE) * across.pitch,
           (math.ceil(top / up.pitch) + EDGE) * up.pitch)

    def whole(value):
        return round(value * UNITS)

    placed, used = [], collections.defaultdict(list)
    for number, (row, left) in legally.items():
        placed.append(f"- {cells[number]} {kinds[number]} + PLACED ( {whole(x0 + left * site)} {whole(y0 + row * height)} ) "
                      f"{turned(row)} ;")
        used[row].append((left, left + round(lef.macros[kinds[number]].width / site)))
    for row in range(rows):
        at = 0
        for left, end in sorted(used[row]) + [(sites, sites)]:
            placed += [f"- FILL_{row}_{free} {filler} + PLACED ( {whole(x0 + free * site)} {whole(y0 + row * height)} ) "
                       f"{turned(row)} ;" for free in range(at, left)]
            at = end
    centres = {}
    for port in ports:
        ends = [legally[number] for number, _ in nets.get(port, [])] or [(rows / 2, sites / 2)]
        centres[port] = (x0 + site * sum(end[1] for end in ends) / len(ends), y0 + height * sum(end[0] for end in ends) / len(ends))
    around = pins_around([port for port in ports if nets.get(port)], centres, x0, y0, right, top, across.pitch, up.pitch)
    lines = ["VERSION 5.6 ;", 'DIVIDERCHAR "/" ;', 'BUSBITCHARS "<>" ;', f"DESIGN {block} ;", f"UNITS DISTANCE MICRONS {UNITS} ;",
             "DIEAREA ( {} {} ) ( {} {} ) ;".format(*map(whole, die))]
    for layer in layers:
        low, high, way = (die[1], die[3], "Y") if layer.horizontal else (die[0], die[2], "X")
        lines.append(f"TRACKS {way} {whole(low)} DO {1 + int((high - low) / layer.pitch + 1e-6)} STEP {whole(layer.pitch)} LAYER {layer.name} ;")
    lines += [f"COMPONENTS {len(placed)} ;", *placed, "END COMPONENTS", f"PINS {len(around)} ;"]
    for port, (side, at) in around.items():
        layer = across if side in "NS" else up
        x = at if side in "NS" else die[0] + 2 * across.pitch if side == "W" else die[2] - 2 * across.pitch
        y = at if side in "WE" else die[1] + 2 * up.pitch if side == "S" else die[3] - 2 * up.pitch
        lines.append(f"- {port} + NET {port} + LAYER {layer.name} ( 0 0 ) ( 1 1 ) + PLACED ( {whole(x)} {whole(y)} ) N ;")
    lines += ["END PINS", f"NETS {len(nets)} ;"]
    for net, ends in nets.items():
        pins = ([f"( PIN {net} )"] if net in around else []) + [f"( {cells[number]} {pin} )" for number, pin in ends]
        lines.append("\n  ".join((f"- {net}", *pins)) + " ;")
    path.write_text("\n".join(lines + ["END NETS", "END DESIGN"]) + "\n")
