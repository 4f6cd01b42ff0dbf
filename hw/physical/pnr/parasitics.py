# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Resistors and capacitors of routed wires, as SPEF, and whether the wires connect what the netlist says.

A wire has the capacitance to ground that the LEF file states for its area and its edges, half of it at each end, and the
resistance of its squares. Coupling between wires is not in it. A via has the resistance that the LEF file states, if any.
"""
import bisect
import collections

from pnr import layout as layouts

HEAD = """*SPEF "IEEE 1481-1998"
*DESIGN "{design}"
*DATE "-"
*VENDOR "open PPU"
*PROGRAM "ppu physical"
*VERSION "1"
*DESIGN_FLOW "PIN_CAP NONE"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY

"""
LEAST_OHMS = 0.001  # of what is connected without a wire


def wires_of(net, lef):
    """The wires of a net between neighbouring points, as {(point, point): ohms}, and {point: picofarads}. A point is
    (x, y, layer). Wires that meet in the middle of another one cut it."""
    order = list(lef.layers)
    marks = collections.defaultdict(set)  # by layer: where something begins or ends
    links, loads = {}, collections.Counter()
    for layer, x0, y0, x1, y1 in net.wires:
        marks[layer] |= {(x0, y0), (x1, y1)}
    for name, x, y in net.vias:
        below, *_, above = sorted((layer for layer in lef.vias[name] if layer in lef.layers), key=order.index)
        cut = next((layer for layer in lef.vias[name] if layer in lef.cut_ohms), None)
        links[(x, y, below), (x, y, above)] = lef.cut_ohms.get(cut, LEAST_OHMS)
        marks[below].add((x, y))
        marks[above].add((x, y))
    by_line = collections.defaultdict(list)
    for layer, found in marks.items():
        for x, y in found:
            by_line[layer, "x", x].append(y)
            by_line[layer, "y", y].append(x)
    for layer, x0, y0, x1, y1 in net.wires:
        if x0 == x1:
            low, high = sorted((y0, y1))
            stops = [(x0, y) for y in sorted(set(by_line[layer, "x", x0])) if low <= y <= high]
        else:
            low, high = sorted((x0, x1))
            stops = [(x, y0) for x in sorted(set(by_line[layer, "y", y0])) if low <= x <= high]
        for one, other in zip(stops, stops[1:]):
            ends = (*one, layer), (*other, layer)
            if ends in links:
                continue
            length = abs(other[0] - one[0]) + abs(other[1] - one[1])
            links[ends] = lef.layers[layer].resistance(length)
            for end in ends:
                loads[end] += lef.layers[layer].capacitance(length) / 2
    return links, loads


def shapes(end, layout, lef):
    """The rectangles (layer, left, bottom, right, top) of an end of a net."""
    cell, pin = end
    if cell == "PIN":
        layer, x, y = layout.pins[pin]
        return [(layer, x, y, x, y)]
    component = layout.components[cell]
    macro = lef.macros[component.kind]
    return [(layer, *layouts.rectangle(box, macro, component)) for layer, *box in macro.pins[pin]]


def around(known, shape, lef):
    """Those of the sorted points that are no farther to the left or right than a wire's width."""
    at, left, _, right, _ = shape
    reach = lef.layers[at].width if at in lef.layers else 0
    return known[bisect.bisect_left(known, (left - reach,)):bisect.bisect_right(known, (right + reach, float("inf")))]


def touches(point, shape, lef):
    """A wire that ends at the point lies on the rectangle, or half of its width does."""
    x, y, layer = point
    at, left, bottom, right, top = shape
    reach = lef.layers[at].width / 2 + 1e-6 if at in lef.layers else 0
    return at == layer and left - reach <= x <= right + reach and bottom - reach <= y <= top + reach


class Groups:
    """Which points are connected."""

    def __init__(self):
        self.above = {}

    def of(self, point):
        root = point
        while self.above.setdefault(root, root) != root:
            root = self.above[root]
        while self.above[point] != root:
            self.above[point], point = root, self.above[point]
        return root

    def join(self, one, other):
        """Connects two points; says whether they were not yet."""
        one, other = self.of(one), self.of(other)
        self.above[one] = other
        return one != other


def tree(net, layout, lef):
    """The resistors of a net as [(point, point, ohms)] without loops, its capacitors, and the ends that no wire reaches. The
    shapes of a pin are one piece of metal."""
    links, loads = wires_of(net, lef)
    groups = Groups()
    resistors = [(one, other, ohms) for (one, other), ohms in links.items() if groups.join(one, other)]
    known = sorted({point for ends in links for point in ends})
    for end in net.ends:
        groups.of(end)
        for shape in shapes(end, layout, lef):
            resistors += [(end, point, LEAST_OHMS) for point in around(known, shape, lef)
                          if touches(point, shape, lef) and groups.join(end, point)]
    resistors += joined(groups, links, known, lef)
    main = groups.of(net.ends[0]) if net.ends else None
    return resistors, loads, [end for end in net.ends if groups.of(end) != main]


def loose(net, layout, lef):
    """The ends of a net of power or ground that no wire touches; its wires end on rails, which are none of its own."""
    known = sorted({point for ends in wires_of(net, lef)[0] for point in ends})
    return [end for end in net.ends if not any(touches(point, shape, lef) for shape in shapes(end, layout, lef)
                                               for point in around(known, shape, lef))]


def joined(groups, links, known, lef):
    """Joins what lies on each other beside the centre lines: qrouter moves vias by less than the width of a wire."""
    found = []
    if len({groups.of(point) for point in known}) == 1:
        return found
    for point in known:
        x, y, layer = point
        reach = lef.layers[layer].width + 1e-6
        for one, other in links:
            if one[2] == other[2] == layer and groups.of(one) != groups.of(point) and (
                    min(one[0], other[0]) - reach <= x <= max(one[0], other[0]) + reach and
                    min(one[1], other[1]) - reach <= y <= max(one[1], other[1]) + reach):
                end = min(one, other, key=lambda end: abs(end[0] - x) + abs(end[1] - y))
                found.append((point, end, LEAST_OHMS))
                groups.join(point, end)
    return found


def spef(layout, lef, design, names, ports, directions):
    """The text of the file, and {net: ends that no wire reaches}. `names`: cells as the netlist calls them; `ports`:
    {pin: I or O}; `directions`: the outputs of each kind of cell."""
    lines, opens = [HEAD.format(design=design)], {}
    for name, net in layout.nets.items():
        if len(net.ends) < 2:
            continue
        resistors, loads, missing = tree(net, layout, lef)
        if missing:
            opens[name] = missing
        called = {}
        for cell, pin in net.ends:
            called[cell, pin] = pin if cell == "PIN" else f"{names[cell]}:{pin}"
        for one, other, _ in resistors:
            for point in (one, other):
                called.setdefault(point, f"{name}:{len(called)}")
        lines.append(f"*D_NET {name} {sum(loads.values()):.6g}\n*CONN")
        for cell, pin in net.ends:
            if cell == "PIN":
                lines.append(f"*P {pin} {ports[pin]}")
            else:
                kind = layout.components[cell].kind
                lines.append(f"*I {called[cell, pin]} {'O' if pin in directions[kind] else 'I'}")
        lines.append("*CAP")
        lines += [f"{number} {called[point]} {load:.6g}" for number, (point, load) in enumerate(loads.items(), 1) if point in called]
        lines.append("*RES")
        lines += [f"{number} {called[one]} {called[other]} {ohms:.6g}" for number, (one, other, ohms) in enumerate(resistors, 1)]
        lines.append("*END\n")
    return "\n".join(lines) + "\n", opens
