# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Whether a layout is that of its netlist: the same cells, the same ends of nets, and no wires of two nets on each other. And
whether wires and vias keep their distance."""
import bisect
import collections
import math

from pnr import layout as layouts
from technology import UserError


def check(layout, lef, netlist, names, cells):
    """Raises UserError if the layout has other cells or ends of nets than the netlist, or wires of two nets on each other."""
    wanted = {}
    for name, (kind, pins) in zip(cells, netlist.cells.values()):
        if name not in layout.components or layout.components[name].kind != kind:
            raise UserError(f"the layout has no cell {name} of kind {kind}")
        for pin, net in pins.items():
            wanted.setdefault(names[net], set()).add((name, pin))
    for name, ends in wanted.items():
        there = {end for end in layout.nets[name].ends if end[0] != "PIN"} if name in layout.nets else set()
        if there != ends:
            raise UserError(f"net {name} has other ends in the layout than in the netlist: {sorted(there ^ ends)[:4]}")
    for found, says in ((shorts(layout, lef), "wires of {} pairs of nets lie on each other: "),
                        (too_close(layout, lef), "wires of {} pairs of nets, or of a net and a cell, are too close: ")):
        if found:
            raise UserError(says.format(len(found)) + ", ".join("/".join(pair) for pair in found[:4]))


def shorts(layout, lef):
    """Pairs of nets whose wires lie on each other: on the same layer, centre lines that cross or share a point."""
    found, lines = set(), collections.defaultdict(list)
    crossing = collections.defaultdict(list)
    for name, net in layout.nets.items():
        for layer, x0, y0, x1, y1 in net.wires:
            if x0 == x1:
                lines[layer, "x", x0].append((*sorted((y0, y1)), name))
            else:
                lines[layer, "y", y0].append((*sorted((x0, x1)), name))
    for (layer, axis, at), pieces in lines.items():
        whole = []  # the pieces of the line, those of a net that touch as one
        for low, high, name in sorted(pieces):
            if whole and low <= whole[-1][1]:
                if name != whole[-1][2]:
                    found.add(tuple(sorted((name, whole[-1][2]))))
                elif high > whole[-1][1]:
                    whole[-1] = (whole[-1][0], high, name)
            else:
                whole.append((low, high, name))
        crossing[layer, axis].append((at, whole))
    for layer in lef.layers:
        found |= crosses(sorted(crossing[layer, "x"]), sorted(crossing[layer, "y"]))
    return sorted(found)


def crosses(vertical, horizontal):
    """Pairs of nets of which a vertical piece crosses a horizontal one of another net. The pieces of a line are in order and
    apart."""
    found = set()
    starts = [at for at, _ in horizontal]
    begins = [[low for low, _, _ in pieces] for _, pieces in horizontal]
    for x, pieces in vertical:
        for low, high, name in pieces:
            for index in range(bisect.bisect_left(starts, low), bisect.bisect_right(starts, high)):
                number = bisect.bisect_right(begins[index], x) - 1
                if number >= 0 and x <= horizontal[index][1][number][1] and horizontal[index][1][number][2] != name:
                    found.add(tuple(sorted((name, horizontal[index][1][number][2]))))
    return found


def metal(layout, lef, layer):
    """The rectangles (left, bottom, right, top) on a layer as (rectangle, whose, whether a cell has it)."""
    half, ends = lef.layers[layer].width / 2, {}
    for name, net in layout.nets.items():
        ends.update((end, name) for end in net.ends)
        for at, x0, y0, x1, y1 in net.wires:
            if at == layer:
                yield (min(x0, x1) - half, min(y0, y1) - half, max(x0, x1) + half, max(y0, y1) + half), name, False
        for via, x, y in net.vias:
            if layer in lef.vias[via]:
                reach = lef.via_reach[via]
                yield (x - reach, y - reach, x + reach, y + reach), name, False
    for cell, component in layout.components.items():
        macro = lef.macros[component.kind]
        shapes = [(box, cell) for box in macro.blocked]
        shapes += [(box, ends.get((cell, pin), cell)) for pin, boxes in macro.pins.items() for box in boxes]
        for (at, *box), whose in shapes:
            if at == layer:
                yield layouts.rectangle(box, macro, component), whose, True


def too_close(layout, lef):
    """Pairs of nets, or of a net and a cell, that are closer to each other on a layer above the first than they may."""
    found = set()
    for layer in list(lef.layers.values())[1:]:
        strips, least = collections.defaultdict(list), layer.spacing - 1e-6
        for (left, bottom, right, top), whose, of_cell in metal(layout, lef, layer.name):
            low, high, below, above = (left, right, bottom, top) if layer.horizontal else (bottom, top, left, right)
            for strip in range(math.floor((below - least / 2) / layer.pitch), math.floor((above + least / 2) / layer.pitch) + 1):
                strips[strip].append((low, high, below, above, whose, of_cell))
        for strip in strips.values():
            strip.sort()
            for number, (_, high, below, above, whose, of_cell) in enumerate(strip):
                for other in range(number + 1, len(strip)):
                    low, _, under, over, owner, also = strip[other]
                    if low - high >= least:
                        break
                    if owner != whose and not (of_cell and also) and under - above < least and below - over < least:
                        found.add(tuple(sorted((whose, owner))))
    return sorted(found)
