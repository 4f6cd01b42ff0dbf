# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Idle cells in an FPGA: they keep places free among the cells that work, so that the wires of those have room.

nextpnr's static placer draws cells together until all places of a region are taken. An engine then fills the middle of the
FPGA, where wires run out, while the border stays empty. It has no option for a lower density, but idle cells are spread with the
others, and need no wires but the clock."""
import copy
from collections import Counter

COUNTS = {"LUT4": 22000, "DP16KD": 50}  # of an engine, with a register behind each LUT: what its wires need
FULL = 0.9  # no more of the FPGA is taken with them
LUTS_OF = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}  # what a cell takes


def add(module, fpga):
    """Adds idle cells to a module of a netlist of Yosys, as JSON; how many, by the name that nextpnr's report has for them."""
    cells = module["cells"]
    kinds = Counter(cell["type"] for cell in cells.values())
    used = {"LUT4": sum(count * kinds[kind] for kind, count in LUTS_OF.items()), "DP16KD": kinds["DP16KD"]}
    luts, rams = (min(count, max(0, int(FULL * fpga.room[kind]) - used[kind])) for kind, count in COUNTS.items())
    lut, register, ram = (next((cell for cell in cells.values() if cell["type"] == kind and free_of_control(cell)), None)
                          for kind in ("LUT4", "TRELLIS_FF", "DP16KD"))
    wires = Wires(module)
    for number in range(luts):
        between = wires.new()
        cells[f"fill_lut{number}"] = idle(lut, {"Z": [between]}) | {"parameters": {"INIT": "0" * 16}}
        cells[f"fill_ff{number}"] = idle(register, {"CLK": wires.clock, "DI": [between], "Q": [wires.new()]})
    for number in range(rams if ram else 0):
        outputs = {port: [wires.new() for _ in bits] for port, bits in ram["connections"].items()
                   if ram["port_directions"][port] == "output"}
        cells[f"fill_ram{number}"] = idle(ram, {"CLKA": wires.clock, "CLKB": wires.clock} | outputs)
    return Counter({"TRELLIS_COMB": luts, "TRELLIS_FF": luts, "DP16KD": rams if ram else 0})


def free_of_control(cell):
    """Whether a register has neither reset nor enable; other cells have none."""
    connections = cell["connections"]
    return cell["type"] != "TRELLIS_FF" or (connections.get("LSR"), connections.get("CE", ["1"])) == (["0"], ["1"])


def idle(like, connections):
    """A cell like another one: its inputs are 0, but for those that are named."""
    tied = {port: ["0"] * len(bits) for port, bits in like["connections"].items()}
    return copy.deepcopy(like) | {"attributes": {}, "connections": tied | connections}


class Wires:
    """New bits of a module, and that of its clock."""

    def __init__(self, module):
        self.clock = module["ports"]["clk_i"]["bits"]
        self.last = max(bit for cell in module["cells"].values() for bits in cell["connections"].values()
                        for bit in bits if isinstance(bit, int))

    def new(self):
        self.last += 1
        return self.last
