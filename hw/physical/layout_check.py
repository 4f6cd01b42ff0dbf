# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Whether a layout is that of its netlist: the same cells, the same ends of nets, and no wires of two nets on each other."""
import bisect
import collections

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
    found = shorts(layout, lef)
    if found:
        raise UserError(f"wires of {len(found)} pairs of nets lie on each other: " + ", ".join("/".join(pair) for pair in found[:4]))


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
        pieces.sort()
        reach, owner = float("-inf"), None
        for low, high, name in pieces:
            if low <= reach and name != owner:
                found.add(tuple(sorted((name, owner))))
            if high >= reach:
                reach, owner = high, name
        crossing[layer, axis].append((at, pieces))
    for layer in lef.layers:
        found |= crosses(sorted(crossing[layer, "x"]), sorted(crossing[layer, "y"]))
    return sorted(found)


def crosses(vertical, horizontal):
    """Pairs of nets of which a vertical piece crosses a horizontal one of another net."""
    found = set()
    starts = [at for at, _ in horizontal]
    for x, pieces in vertical:
        for low, high, name in pieces:
            for index in range(bisect.bisect_left(starts, low), bisect.bisect_right(starts, high)):
                found |= {tuple(sorted((name, other))) for left, right, other in horizontal[index][1]
                          if left <= x <= right and other != name}
    return found
