# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Spreads what nextpnr has placed in an ECP5: spread.cpp moves LUTs and registers to where wires are left.

nextpnr's placers make wires short, and do not count how many a region has: routing demand. A large engine then wants more wires
in the middle of the FPGA than there are, while a third of it is empty.

A tile has eight LUTs with a register behind each; two of them are a slice. A register that takes the value of the LUT before it
(SD=1) stays with it. nextpnr lets the registers of a tile have one clock and one reset, those of a slice one enable. Slices that
carry or remember, and such with a LUT of more than four inputs, block RAMs and multipliers stay where they are.

A place is written as BEL, which a user sets, in place of nextpnr's own NEXTPNR_BEL. nextpnr then looks whether it is legal. It
would bind a cell with NEXTPNR_BEL before it knows what the cell is, and its router would exchange inputs of carries and memories
as if these were LUTs."""
import json
import re
from dataclasses import dataclass

from technology import UserError

from pnr.place import run_own

MOVES = 300_000_000
LIMIT = 7200  # seconds
PLACE = re.compile(r"X(\d+)/Y(\d+)/(?:SLICE([A-D])\.(K|FF)([01])$)?")
# Ports that are wired by the clock's own net, or in the slice.
NOT_WIRED = {"CLK", "CLKA", "CLKB", "WCK", "FCI", "FCO"} | {f"CLK{n}" for n in range(4)}
IN_TILE = ("CLK", "LSR"), ("CLKMUX", "LSRMUX", "SRMODE")  # ports and parameters that the registers of a tile share
IN_SLICE = ("CE",), ("CEMUX", "GSR")  # and those of a slice
WIDE = ("F1", "FXA", "FXB", "OFX")  # ports of LUTs that are one of more than four inputs
TYPES = {"TRELLIS_COMB": 1, "TRELLIS_FF": 2}
FIXED, LONE_LUT, LONE_REGISTER, PAIR_LUT, PAIR_REGISTER = range(5)


@dataclass(eq=False)
class Cell:
    """A cell of a netlist, and where it is: tile, and number of the LUT or register in it."""
    made: dict
    x: int
    y: int
    number: int | None
    kind: int = FIXED
    partner: "Cell | None" = None

    def bit(self, port):
        """The net at a port; None where it is a constant."""
        bits = self.made["connections"].get(port, [])
        return bits[0] if bits and isinstance(bits[0], int) else None

    def parameter(self, name):
        return self.made["parameters"].get(name, "").strip()

    def control(self, ports, parameters):
        return (*(self.bit(port) for port in ports), *(self.parameter(name) for name in parameters))


def read(module):
    """{name: cell} of what a placed netlist of nextpnr has in tiles."""
    found = {}
    for name, made in module["cells"].items():
        place = PLACE.match(made["attributes"].get("NEXTPNR_BEL", ""))
        if place:
            x, y, part, _, half = place.groups()
            found[name] = Cell(made, int(x), int(y), "ABCD".index(part) * 2 + int(half) if part else None)
    return found


def name_kinds(cells):
    """Says of each cell whether it may move, and with which other one. Returns the slices that stay as they are."""
    at = {(cell.made["type"], cell.x, cell.y, cell.number): cell for cell in cells if cell.number is not None}
    closed = {(cell.x, cell.y, cell.number // 2) for cell in at.values()
              if cell.made["type"] == "TRELLIS_COMB" and (cell.parameter("MODE") not in ("", "LOGIC") or
                                                          any(cell.bit(port) is not None for port in WIDE))}
    for (kind, x, y, number), cell in at.items():
        lut = at.get(("TRELLIS_COMB", x, y, number))
        if kind != "TRELLIS_FF":
            continue
        if cell.parameter("SD") == "0":
            cell.kind = LONE_REGISTER
        elif lut and (x, y, number // 2) not in closed and cell.bit("DI") == lut.bit("F"):
            cell.kind, lut.kind, cell.partner, lut.partner = PAIR_REGISTER, PAIR_LUT, lut, cell
    for (kind, x, y, number), cell in at.items():
        behind = at.get(("TRELLIS_FF", x, y, number))
        if kind == "TRELLIS_COMB" and cell.kind == FIXED and (x, y, number // 2) not in closed and (
                behind is None or behind.kind != FIXED):
            cell.kind = LONE_LUT
    return closed


def write(path, cells, tiles, closed):
    """What spread.cpp reads: the size, tiles of logic, closed slices; cells with type, kind, place, partner, and what the
    registers of their tile and of their slice share; nets as the numbers of their cells."""
    number, nets, controls = {cell: n for n, cell in enumerate(cells)}, {}, {}

    def shared(cell, ports, parameters):
        if cell.made["type"] != "TRELLIS_FF":
            return -1
        return controls.setdefault(cell.control(ports, parameters), len(controls))

    for cell, n in number.items():
        for port, bits in cell.made["connections"].items():
            for bit in bits if port not in NOT_WIRED else ():
                if isinstance(bit, int):
                    nets.setdefault(bit, {})[n] = None
    used = tiles | {(cell.x, cell.y) for cell in cells}
    lines = [f"{max(x for x, _ in used) + 1} {max(y for _, y in used) + 1}", str(len(tiles))]
    lines += [f"{x} {y}" for x, y in sorted(tiles)] + [str(len(closed))] + [f"{x} {y} {part}" for x, y, part in sorted(closed)]
    lines.append(str(len(cells)))
    for cell in cells:
        register = cell.partner if cell.kind == PAIR_LUT else cell
        lines.append(f"{TYPES.get(cell.made['type'], 0)} {cell.kind} {cell.x} {cell.y} {cell.number or 0} "
                     f"{number.get(cell.partner, -1)} {shared(register, *IN_TILE)} {shared(register, *IN_SLICE)}")
    ends = [found for found in nets.values() if len(found) > 1]
    path.write_text("\n".join([*lines, str(len(ends)), *(f"{len(found)} {' '.join(map(str, found))}" for found in ends), ""]))


def move(cells, places):
    """Gives LUTs and registers the places that spread.cpp wrote, a line each."""
    for cell, line in zip(cells, places, strict=True):
        x, y, number = map(int, line.split())
        place, stays = PLACE.match(cell.made["attributes"]["NEXTPNR_BEL"]), (x, y, number) == (cell.x, cell.y, cell.number or 0)
        if cell.kind == FIXED and not stays:
            raise UserError(f"spread moved a cell that stays: {place[0]}")
        if not stays:
            cell.made["attributes"]["NEXTPNR_BEL"] = f"X{x}/Y{y}/SLICE{'ABCD'[number // 2]}.{place[4]}{number % 2}"


def hold(cells):
    """Makes the places of nextpnr ones that a user demands. nextpnr reads no port without a net, and its check of multipliers
    looks for all of them: an undefined value makes one."""
    for cell in cells:
        attributes = cell["attributes"]
        attributes.pop("BEL_STRENGTH", None)
        if place := attributes.pop("NEXTPNR_BEL", None):
            attributes["BEL"] = place
        if cell["type"] == "MULT18X18D":
            cell["connections"] = {port: bits or ["x"] for port, bits in cell["connections"].items()}


def spread(folder, source, target, tiles, moves=MOVES):
    """Spreads a netlist that nextpnr has placed (`source` and `target`: names in the folder), over tiles of logic."""
    netlist = json.loads((folder / source).read_text())
    module = netlist["modules"][next(iter(netlist["modules"]))]
    cells = list(read(module).values())
    tiles = tiles | {(cell.x, cell.y) for cell in cells if cell.number is not None}
    write(folder / "spread.txt", cells, tiles, name_kinds(cells))
    run_own(folder, LIMIT, "spread", "spread.txt", "places.txt", str(moves))
    move(cells, (folder / "places.txt").read_text().splitlines())
    hold(module["cells"].values())
    (folder / target).write_text(json.dumps(netlist))
