# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A flat netlist of mapped cells: read from Yosys' JSON, written as Verilog."""
import collections
import functools
import itertools
import json
import re

import gates


@functools.cache
def truth(function):
    """A Liberty function of {input: 0 or 1}, and its inputs."""
    text = re.sub(r"1'b([01])", r"\1", gates.verilog(function))
    inputs = tuple(sorted(set(re.findall(r"[A-Za-z_]\w*", text))))
    code = compile(text, function, "eval")
    return lambda values: eval(code, {}, values) & 1, inputs


def part_of(cell, parts):
    """The number of the first of the parts, (name, pattern), that the cell's name has; their number if none has it."""
    path = re.sub(r"\$flatten|\\", "", cell)
    return next((number for number, (_, pattern) in enumerate(parts) if re.search(pattern, path)), len(parts))


class Netlist:
    """Nets are numbers; the constants are the texts "0" and "1"."""

    def __init__(self, path, module, library, parts=()):
        found = json.loads(path.read_text())["modules"][module]
        self.module = module
        self.library = library
        self.ports = {name: (port["direction"], port["bits"]) for name, port in found["ports"].items()}
        self.cells = {name: (cell["type"], {end: bit for pin, bits in cell["connections"].items()
                                            for end, bit in self.ends(cell["type"], pin, bits)})
                      for name, cell in found["cells"].items()}
        self.names = {}
        for name, net in sorted(found["netnames"].items(), key=lambda item: (item[1]["hide_name"], len(item[0]))):
            for index, bit in enumerate(net["bits"]):
                self.names.setdefault(bit, name if len(net["bits"]) == 1 else f"{name}[{index}]")
        self.parts = [(name, re.compile(pattern)) for name, pattern in parts]
        self.part_of, self.drivers, self.constants = {}, {}, {}
        self.next_net = 1 + max((bit for bit in self.names if isinstance(bit, int)), default=0)

    def ends(self, kind, pin, bits):
        """The pins of a connection, each with its net: those of a bus have names like A[3]."""
        if kind not in self.library.macros or f"{pin}[0]" not in self.library.cell(kind).capacitance:
            return [(pin, bits[0])]
        return [(f"{pin}[{index}]", bit) for index, bit in enumerate(bits)]

    def part(self, cell):
        """The number of the part that the cell belongs to."""
        if cell not in self.part_of:
            self.part_of[cell] = part_of(cell, self.parts)
        return self.part_of[cell]

    def constant(self, net):
        """What the net is whatever registers, memories and ports say: 0 or 1, or None if they have a say."""
        if not isinstance(net, int):
            return int(net == "1")
        if not self.drivers:
            self.drivers = {pins[pin]: (kind, pin, pins) for kind, pins in self.cells.values()
                            for pin in self.library.cell(kind).functions
                            if pin in pins and not self.library.cell(kind).is_register}
        if net not in self.constants:
            self.constants[net] = None  # while it is asked for: a loop has no constant
            kind, output, pins = self.drivers.get(net, (None, None, {}))
            known = {pin: self.constant(other) for pin, other in pins.items() if pin not in self.library.cell(kind).outputs}
            results = set()
            if kind:
                function, inputs = truth(self.library.cell(kind).functions[output])
                results = {function(dict(zip(inputs, values))) for values in
                           itertools.product(*((0, 1) if known.get(pin) is None else (known[pin],) for pin in inputs))}
            self.constants[net] = results.pop() if len(results) == 1 else None
        return self.constants[net]

    def area(self, part=None):
        """Square micrometres: of all cells but memories, of the registers among them, and of the memories; of all, or
        of those of a part."""
        units, macros = self.library.technology.square_micrometre, self.library.macros
        kinds = collections.Counter(kind for name, (kind, _) in self.cells.items() if part is None or self.part(name) == part)
        areas = [(self.library.cells[kind], count) for kind, count in kinds.items() if kind not in macros]
        return (sum(cell.area * count for cell, count in areas) / units,
                sum(cell.area * count for cell, count in areas if cell.is_register) / units,
                sum(macros[kind].area * count for kind, count in kinds.items() if kind in macros) / units)

    def registers(self):
        return sum(self.library.cell(kind).is_register for kind, _ in self.cells.values())

    def memories(self):
        return sum(kind in self.library.macros for kind, _ in self.cells.values())

    def name_of_register(self, cell):
        """What the register's output is called in the RTL."""
        kind, pins = self.cells[cell]
        return next(self.names[pins[pin]] for pin in self.library.cell(kind).outputs if pins.get(pin) in self.names)

    def write_verilog(self, path, module=None):
        """One wire a bit, so that every reader of netlists takes it; cell number N of part P is called pP_cN."""
        ports = [(direction, name if len(bits) == 1 else f"{name}__{index}", bit)
                 for name, (direction, bits) in self.ports.items() for index, bit in enumerate(bits)]
        wires = {net for _, pins in self.cells.values() for net in pins.values()} | {bit for _, _, bit in ports}
        lines = [f"module {module or self.module}({', '.join(name for _, name, _ in ports)});"]
        lines += [f"  {direction} {name};" for direction, name, _ in ports]
        lines += [f"  wire n{net};" for net in sorted(wire for wire in wires if isinstance(wire, int))]
        lines += [f"  assign n{bit} = {name};" if direction == "input" else f"  assign {name} = {self.text(bit)};"
                  for direction, name, bit in ports]
        for number, (name, (kind, pins)) in enumerate(self.cells.items()):
            lines.append(f"  {kind} p{self.part(name)}_c{number} ({', '.join(self.connections(pins))});")
        path.write_text("\n".join(lines) + "\nendmodule\n")

    def connections(self, pins):
        buses = collections.defaultdict(list)
        for pin, net in pins.items():
            buses[pin.split("[")[0]].append(self.text(net))
        return (f".{pin}({nets[0] if len(nets) == 1 else '{' + ', '.join(reversed(nets)) + '}'})"
                for pin, nets in buses.items())

    @staticmethod
    def text(net):
        return f"n{net}" if isinstance(net, int) else f"1'b{net if net in '01' else 0}"
