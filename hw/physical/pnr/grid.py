# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Routing on a grid by router.cpp: every net gets crossings of tracks, where its wires and vias keep their distance from others.

A pin of a cell is reached from the second layer, by a via that lies on the metal of the pin."""
import collections
import dataclasses
import itertools
import math
import re

from pnr import layout as layouts, lef as lefs
from technology import UserError

DEARER = 1.5  # the second layer, which all pins need
VIA = 2.0  # micrometres of wire that a via is worth
CLOSE = 1e-6
ENOUGH = 12  # crossings of a rail


@dataclasses.dataclass(frozen=True)
class Tracks:
    start: float
    step: float
    count: int

    def inside(self, low, high):
        """The numbers of the tracks from low to high."""
        return range(max(math.ceil((low - self.start) / self.step - CLOSE), 0),
                     min(math.floor((high - self.start) / self.step + CLOSE) + 1, self.count))

    def at(self, number):
        return round(self.start + number * self.step, 4)


class Grid:
    """The layers from the second one on that have the tracks of the second and the third: x and y, and the layers."""

    def __init__(self, text, lef):
        units = int(re.search(r"UNITS DISTANCE MICRONS (\d+)", text)[1])
        tracks = {}
        for way, start, count, step, layer in re.findall(r"TRACKS ([XY]) (-?\d+) DO (\d+) STEP (\d+) LAYER (\S+)", text):
            if (way == "Y") == lef.layers[layer].horizontal:
                tracks[layer] = Tracks(int(start) / units, int(step) / units, int(count))
        layers = list(lef.layers.values())
        self.x, self.y = (tracks[layer.name] for layer in sorted(layers[1:3], key=lambda layer: layer.horizontal))
        self.layers = list(itertools.takewhile(
            lambda layer: tracks[layer.name] == (self.y if layer.horizontal else self.x), layers[1:]))
        self.number = {layer.name: number for number, layer in enumerate(self.layers)}
        self.lowest, self.lef = layers[0], lef
        self.vias = {}
        for name, parts in lef.vias.items():
            metals = sorted((layer for layer in parts if layer in lef.layers), key=list(lef.layers).index)
            if name in lef.via_reach and len(metals) == 2:
                self.vias.setdefault(tuple(metals), name)
        self.pin_via = self.vias[self.lowest.name, self.layers[0].name]
        for tracks, layer in itertools.product((self.x, self.y), self.layers):
            reach = max([lef.via_reach[via] for pair, via in self.vias.items() if layer.name in pair and pair[1] in self.number])
            if tracks.step < 2 * reach + layer.spacing - CLOSE:
                raise UserError(f"tracks of {tracks.step} µm are too close for vias of {layer.name}")

    def within(self, box, inset):
        """The crossings (x, y) in a rectangle, so far from its edge."""
        left, bottom, right, top = box
        return itertools.product(self.x.inside(left + inset, right - inset), self.y.inside(bottom + inset, top - inset))

    def places(self, component, pin):
        """The crossings on the metal of a cell's pin where a via fits."""
        macro = self.lef.macros[component.kind]
        return sorted({place for layer, *box in macro.pins[pin] if layer == self.lowest.name for place in
                       self.within(layouts.rectangle(box, macro, component), self.lef.via_reach[self.pin_via])})

    def kept(self, component, nets):
        """The crossings (layer, x, y, net) that the cell's own metal keeps free: for all but the net, which may be None. `nets`:
        {pin: net}."""
        macro = self.lef.macros[component.kind]
        shapes = [(shape, None) for shape in macro.blocked]
        shapes += [(shape, nets.get(pin)) for pin, found in macro.pins.items() for shape in found]
        for (layer, *box), net in shapes:
            if layer in self.number:
                reach = self.lef.layers[layer].spacing + self.lef.via_reach[self.pin_via]
                for x, y in self.within(layouts.rectangle(box, macro, component), 2 * CLOSE - reach):
                    yield self.number[layer], x, y, net


def on_rail(grid, layout, row, cell, rail):
    """Crossings on the rail of a cell and, where these are few, of the next cells of its row: the rails of a row are one, and its
    neighbours want some, too. `row`: names of cells."""
    at, found = layout.components[cell].x, grid.places(layout.components[cell], rail)
    if len(found) < ENOUGH:
        for other in sorted(row, key=lambda other: abs(layout.components[other].x - at)):
            found += [place for place in grid.places(layout.components[other], rail) if place not in found]
            if len(found) >= ENOUGH:
                break
    if not found:
        raise UserError(f"no via fits on {rail} in the row of {cell}")
    return found


def nets_of(layout):
    """What is to be connected, as [(name, ends)]: an end of a supply alone, since the rails connect it to the others."""
    found = []
    for name, net in layout.nets.items():
        found += [(name, [end]) for end in net.ends] if name in lefs.RAILS.values() else [(name, net.ends)]
    return found


def write(path, grid, layout, nets):
    """Writes the grid, what is kept free on it, and the nets, for the router."""
    lines, kept, owners, in_row = [], {}, collections.defaultdict(dict), collections.defaultdict(list)
    for number, (name, ends) in enumerate(nets):
        for cell, pin in ends:
            if cell != "PIN":
                owners[cell][pin] = number
    for cell, component in layout.components.items():
        in_row[component.y].append(cell)
        for *place, net in grid.kept(component, owners[cell]):
            kept[tuple(place)] = net if kept.get(tuple(place), net) == net else None
    for number, (name, ends) in enumerate(nets):
        terminals = []
        for cell, pin in ends:
            if cell == "PIN":
                layer, x, y = layout.pins[pin]
                places = [(grid.number[layer], grid.x.inside(x, x)[0], grid.y.inside(y, y)[0])]
            else:
                places = [(0, *place) for place in grid.places(layout.components[cell], pin)]
                places = [place for place in places if kept.get(place, number) == number]
            if not places:
                raise UserError(f"no via fits on pin {pin} of {cell}, a {layout.components[cell].kind}")
            if len(places) == 1:
                kept[places[0]] = number
            terminals.append((int(cell != "PIN"), places))
        if name in lefs.RAILS.values():
            (cell, _), = ends
            row = in_row[layout.components[cell].y]
            terminals.insert(0, (1, [(0, *place) for place in on_rail(grid, layout, row, cell, name)]))
        lines.append(f"{len(terminals)}\n" + "\n".join(
            f"{cell} {len(places)} " + " ".join(f"{layer} {x} {y}" for layer, x, y in places) for cell, places in terminals))
    with open(path, "w") as file:
        file.write(f"{grid.x.count} {grid.y.count} {len(grid.layers)} {grid.x.step} {grid.y.step} {VIA}\n")
        file.writelines(f"{int(layer.horizontal)} {1 if number else DEARER}\n" for number, layer in enumerate(grid.layers))
        file.write(f"{len(kept)}\n")
        file.writelines(f"{layer} {x} {y} {-1 if net is None else net}\n" for (layer, x, y), net in kept.items())
        file.write(f"{len(lines)}\n" + "\n".join(lines) + "\n")


def wires(words, grid, whole):
    """A way of the router as the pieces of a DEF file."""
    first, last, *numbers = map(int, words)
    corners = list(zip(numbers[::3], numbers[1::3], numbers[2::3]))

    def point(corner):
        return f"( {whole(grid.x.at(corner[1]))} {whole(grid.y.at(corner[2]))} )"

    names = [layer.name for layer in grid.layers]
    pieces = [f"{names[0]} {point(corner)} {grid.pin_via}" for is_pin, corner in ((first, corners[0]), (last, corners[-1])) if is_pin]
    for one, other in zip(corners, corners[1:]):
        if one[0] == other[0]:
            pieces.append(f"{names[one[0]]} {point(one)} {point(other)}")
        else:
            low = min(one[0], other[0])
            pieces.append(f"{names[low]} {point(one)} {grid.vias[names[low], names[low + 1]]}")
    return pieces


def write_def(path, text, grid, layout, nets, ways):
    """Writes the layout with its wires: the text of the one without, up to its nets, and the nets again. `ways`: lines of the
    router."""
    units = int(re.search(r"UNITS DISTANCE MICRONS (\d+)", text)[1])
    pieces = collections.defaultdict(list)
    for line in ways:
        number, *words = line.split()
        pieces[nets[int(number)][0]] += wires(words, grid, lambda value: round(value * units))
    with open(path, "w") as file:
        file.write(text[:text.index("\nNETS ")] + f"\nNETS {len(layout.nets)} ;\n")
        for name, net in layout.nets.items():
            ends = "\n  ".join(f"( {cell} {pin} )" for cell, pin in net.ends)
            routed = "\n+ ROUTED " + "\n  NEW ".join(pieces[name]) if pieces[name] else ""
            file.write(f"- {name}\n  {ends}{routed} ;\n")
        file.write("END NETS\nEND DESIGN\n")
