# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A layout in a DEF file: where cells and pins lie, and the wires of each net. All lengths are in micrometres."""
import collections
import dataclasses

from technology import UserError


@dataclasses.dataclass
class Component:
    """A placed cell: its kind, its lower left corner, and how it is turned or mirrored."""
    kind: str
    x: float
    y: float
    turned: str


@dataclasses.dataclass
class Net:
    """The ends of a net (cell or PIN, pin), its wires (layer, x0, y0, x1, y1), and its vias (name, x, y)."""
    ends: list = dataclasses.field(default_factory=list)
    wires: list = dataclasses.field(default_factory=list)
    vias: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Layout:
    die: tuple = (0.0, 0.0, 0.0, 0.0)
    components: dict = dataclasses.field(default_factory=dict)
    pins: dict = dataclasses.field(default_factory=dict)  # (layer, x, y)
    nets: dict = dataclasses.field(default_factory=dict)

    def wire_length(self):
        """Micrometres by layer."""
        found = collections.Counter()
        for net in self.nets.values():
            for layer, x0, y0, x1, y1 in net.wires:
                found[layer] += abs(x1 - x0) + abs(y1 - y0)
        return found

    def vias(self):
        return sum(len(net.vias) for net in self.nets.values())


def rectangle(box, macro, component):
    """Where a rectangle of a cell lies in the layout."""
    left, bottom, right, top = box
    if "W" in component.turned or "E" in component.turned:
        raise UserError(f"{component.kind} is turned by 90 degrees: {component.turned}")
    if component.turned in ("S", "FN"):
        left, right = macro.width - right, macro.width - left
    if component.turned in ("S", "FS"):
        bottom, top = macro.height - top, macro.height - bottom
    return component.x + left, component.y + bottom, component.x + right, component.y + top


def points(words, units):
    """The wires of the words behind ROUTED: (layer, x0, y0, x1, y1), and the vias (name, x, y)."""
    wires, vias, layer, at, index = [], [], None, None, 0
    while index < len(words):
        word = words[index]
        if word in ("ROUTED", "NEW", "FIXED", "COVER"):
            layer, at, index = words[index + 1], None, index + 2
        elif word == "TAPER":
            index += 1
        elif word in ("TAPERRULE", "STYLE"):
            index += 2
        elif word == "RECT":
            index = words.index(")", index) + 1
        elif word == "(":
            end = words.index(")", index)
            x, y = words[index + 1:index + 3]
            to = (at[0] if x == "*" else int(x) / units, at[1] if y == "*" else int(y) / units)
            if at is not None and to != at:
                wires.append((layer, *at, *to))
            at, index = to, end + 1
        elif word == "+":  # + SHAPE STRIPE and the like
            index += 3
        elif at is None:  # the width of a wire of power
            index += 1
        else:
            vias.append((word, *at))
            index += 1
    return wires, vias


def read(path):
    """The layout of a DEF file."""
    try:
        return parse(path.read_text())
    except (OSError, ValueError, IndexError, TypeError) as error:
        raise UserError(f"{path}: not a layout in the DEF format ({error})") from error


def parse(text):
    found, section, units, words = Layout(), None, 1, []
    for word in text.split():
        if word != ";":
            words.append(word)
            if words[0] == "END" and len(words) == 2:
                section, words = None, []
            continue
        if not words:
            continue
        if words[0] == "UNITS":
            units = int(words[-1])
        elif words[0] == "DIEAREA":
            numbers = [int(text) / units for text in words[1:] if text not in "()"]
            xs, ys = numbers[::2], numbers[1::2]
            found.die = (min(xs), min(ys), max(xs), max(ys))
        elif words[0] in ("COMPONENTS", "PINS", "NETS", "SPECIALNETS") and len(words) == 2:
            section = words[0]
        elif words[0] == "-" and section:
            entry(found, section, words[1:], units)
        words = []
    return found


def entry(found, section, words, units):
    """A cell, a pin or a net of the file."""
    name = words[0].replace("\\", "")
    placed = next((index for index, word in enumerate(words) if word in ("PLACED", "FIXED") and words[index + 1] == "("), None)
    if section in ("COMPONENTS", "PINS"):
        if placed is None:
            raise UserError(f"{name} is not placed")
        x, y = (int(word) / units for word in words[placed + 2:placed + 4])
        if section == "COMPONENTS":
            found.components[name] = Component(words[1], x, y, words[placed + 5])
        else:
            found.pins[name] = (words[words.index("LAYER") + 1], x, y)
        return
    parts = " ".join(words).split(" + ")
    net = Net()
    for part in parts[1:]:
        first = part.split()[0]
        if first in ("ROUTED", "FIXED", "COVER"):
            routed = words[words.index(first):]
            net.wires, net.vias = points(routed, units)
            break
    ends = parts[0].split()[1:]
    net.ends = [(ends[index + 1].replace("\\", ""), ends[index + 2]) for index, word in enumerate(ends) if word == "("]
    if section != "SPECIALNETS":
        found.nets[name] = net
