# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Layers and cells of LEF files: what a routed layout is measured with."""
import dataclasses

from technology import UserError

# The rails of a cell, by what a net on them always is: the library has no cells for 0 and 1.
RAILS = {"0": "gnd", "1": "vdd"}


@dataclasses.dataclass
class Layer:
    """A layer of wires: micrometres, ohms a square, picofarads a square micrometre and a micrometre of edge."""
    name: str
    horizontal: bool = False
    pitch: float = 0.0
    width: float = 0.0
    spacing: float = 0.0
    square_ohms: float = 0.0
    area_pf: float = 0.0
    edge_pf: float = 0.0

    def capacitance(self, length):
        """Picofarads of a wire of the layer's width: its area, and both of its long edges."""
        return length * (self.width * self.area_pf + 2 * self.edge_pf)

    def resistance(self, length):
        return self.square_ohms * length / self.width


@dataclasses.dataclass
class Macro:
    """A cell: its size, and the rectangles (layer, left, bottom, right, top) of each pin, and of what keeps wires out."""
    name: str
    width: float = 0.0
    height: float = 0.0
    pins: dict = dataclasses.field(default_factory=dict)
    blocked: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Lef:
    """Layers of wires from the lowest up, ohms of a via by the name of its layer of cuts, and cells."""
    layers: dict = dataclasses.field(default_factory=dict)
    cut_ohms: dict = dataclasses.field(default_factory=dict)
    vias: dict = dataclasses.field(default_factory=dict)  # the layers of each via
    via_reach: dict = dataclasses.field(default_factory=dict)  # by via: how far it reaches from its centre
    macros: dict = dataclasses.field(default_factory=dict)


def statements(path):
    """The statements of a file, each as its words; `END X` and the openings of sections are lines without a semicolon."""
    text = [line.split("#")[0].split() for line in path.read_text().split("\n")]
    words = []
    for line in text:
        for word in line:
            if word == ";":
                yield words
                words = []
            elif word.endswith(";"):
                yield words + [word[:-1]]
                words = []
            else:
                words.append(word)
        opens = words and (words[0] in ("END", "LAYER", "MACRO", "PIN", "PORT", "OBS", "VIA", "VIARULE", "SITE", "UNITS",
                                        "PROPERTYDEFINITIONS", "SPACING"))
        if opens and not (words[0] == "LAYER" and len(words) < 2):
            yield words
            words = []


def read(paths):
    """What the files say of layers, vias and cells."""
    found = Lef()
    for path in paths:
        try:
            read_file(path, found)
        except (OSError, UnicodeDecodeError, ValueError, IndexError, KeyError) as error:
            raise UserError(f"{path}: not a library in the LEF format ({error})") from error
    if not found.layers or not found.macros:
        raise UserError(f"{paths[0]}: has no layers of wires, or no cells; expected LEF files of both")
    return found


def read_file(path, found):
    layer = via = macro = pin = None
    at = ""  # the layer that rectangles are on
    blocked = False  # in what keeps wires out
    for words in statements(path):
        first = words[0] if words else ""
        if first == "END":
            name = words[1] if len(words) > 1 else ""
            if pin is not None and name == pin:
                pin = None
            elif macro and name == macro.name:
                macro, blocked = None, False
            elif layer and name == layer.name:
                layer = None
            elif name and name == via:
                via = None
            elif not name:
                blocked = False
        elif macro:
            if first == "SIZE":
                macro.width, macro.height = float(words[1]), float(words[3])
            elif first == "PIN":
                pin = words[1]
                macro.pins[pin] = []
            elif first == "OBS":
                blocked = True
            elif first == "LAYER":
                at = words[1]
            elif first == "RECT" and pin and not blocked:
                macro.pins[pin].append((at, *map(float, words[-4:])))
            elif first == "RECT" and blocked:
                macro.blocked.append((at, *map(float, words[-4:])))
        elif first == "MACRO" and len(words) == 2:
            macro = found.macros.setdefault(words[1], Macro(words[1]))
        elif first in ("VIA", "VIARULE"):
            via = words[1]
            found.vias.setdefault(via, [])
        elif first == "LAYER" and via:
            found.vias[via].append(words[1])
        elif first == "RECT" and via:
            found.via_reach[via] = max(found.via_reach.get(via, 0.0), *(abs(float(word)) for word in words[1:5]))
        elif first == "LAYER":
            layer = Layer(words[1])
        elif layer and first:
            read_layer(layer, words, found)


def read_layer(layer, words, found):
    """A statement of a layer."""
    if words[0] == "TYPE" and words[1] == "ROUTING":
        found.layers.setdefault(layer.name, layer)
    elif words[0] == "DIRECTION":
        layer.horizontal = words[1] == "HORIZONTAL"
    elif words[0] == "PITCH":
        layer.pitch = float(words[1])
    elif words[0] == "WIDTH" and not layer.width:
        layer.width = float(words[1])
    elif words[0] == "SPACING" and not layer.spacing:
        layer.spacing = float(words[1])
    elif words[0] == "RESISTANCE" and words[1] == "RPERSQ":
        layer.square_ohms = float(words[2])
    elif words[0] == "RESISTANCE":
        found.cut_ohms[layer.name] = float(words[1])
    elif words[0] == "CAPACITANCE":
        layer.area_pf = float(words[2])
    elif words[0] == "EDGECAPACITANCE":
        layer.edge_pf = float(words[1])
