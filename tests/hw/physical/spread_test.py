# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Spreading a placed FPGA design: what may move where, and that wires find room.

usage: spread_test.py ROOT
"""
import json
import pathlib
import random
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "hw/physical"))
from pnr import spread  # noqa: E402

SIDE = 40  # of the FPGA, in tiles; the design stands in a quarter of its side
TILES = {(x, y) for x in range(2, SIDE) for y in range(2, SIDE) if y % 12 != 10}


def made(kind, place, parameters=None, **connections):
    return {"type": kind, "parameters": parameters or {}, "attributes": {"NEXTPNR_BEL": place},
            "connections": {port: [bit] for port, bit in connections.items()}}


def design():
    """A module: tiles full of LUTs with registers that wait for one of three enables, and of adders. LUTs read distant ones."""
    chance, cells, bits = random.Random(3), {}, {}
    tiles = [(x, y) for x in range(4, 14) for y in range(12, 20)]
    sites = [(x, y, n) for x, y in tiles for n in range(8)]
    for number, site in enumerate(sites):
        bits[site] = 100 + 2 * number
    for x, y, n in sites:
        half, part, out = n % 2, "ABCD"[n // 2], bits[x, y, n]
        read = dict(zip("ABCD", (bits[chance.choice(sites)] + chance.randrange(2) for _ in range(4))))
        mode = {"MODE": "CCU2"} if n < 2 and x % 3 == 0 else {}
        if mode and n == 1:
            continue  # half of its slice is empty, and stays so
        cells[f"lut_{x}_{y}_{n}"] = made("TRELLIS_COMB", f"X{x}/Y{y}/SLICE{part}.K{half}", mode, F=out, **read)
        own = (x + n) % 2 == 0  # the register takes the LUT's value
        enable = {"CE": 10 + (x + n // 2) % 3} if y % 2 else {}
        reset = {"LSR": 20} if y % 3 == 0 else {"LSR": "0"}
        taken = {"DI": out} if own else {"M": bits[chance.choice(sites)]}
        cells[f"register_{x}_{y}_{n}"] = made("TRELLIS_FF", f"X{x}/Y{y}/SLICE{part}.FF{half}", {"SD": "1 " if own else "0 "},
                                              CLK=2, Q=out + 1, **taken, **enable, **reset)
    cells["ram"] = made("DP16KD", "X6/Y10/EBR1", CLKA=2, DOA0=4, ADA0=bits[sites[0]])
    cells["pin"] = made("TRELLIS_IO", "X0/Y5/PIOA", O=2)
    return {"modules": {"top": {"cells": cells}}}


def places(netlist):
    return {name: cell["attributes"]["NEXTPNR_BEL"] for name, cell in netlist["modules"]["top"]["cells"].items()}


@unittest.skipIf(shutil.which("g++") is None, "there is no compiler")
class Spread(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "placed.json").write_text(json.dumps(design()))
            spread.spread(folder, "placed.json", "spread.json", TILES, moves=3_000_000)
            cls.log = (folder / "spread.log").read_text().splitlines()
            cls.moved = json.loads((folder / "spread.json").read_text())
        cls.before, cls.after = places(design()), places(cls.moved)
        cls.cells = spread.read(cls.moved["modules"]["top"])

    def test_the_greatest_demand_falls_by_a_quarter(self):
        first, last = (float(line.rpartition(" ")[2]) for line in (self.log[0], self.log[-1]))
        self.assertLess(last, 0.75 * first, self.log)

    def test_most_cells_move_and_stay_in_tiles_of_logic(self):
        self.assertGreater(sum(self.after[name] != place for name, place in self.before.items()), 0.8 * len(self.before))
        for cell in self.cells.values():
            self.assertTrue(cell.number is None or (cell.x, cell.y) in TILES, cell)

    def test_every_cell_has_a_place_of_its_own(self):
        self.assertEqual(len(set(self.after.values())), len(self.before))

    def test_nothing_changes_but_places(self):
        for cell in self.moved["modules"]["top"]["cells"].values():
            del cell["attributes"]["NEXTPNR_BEL"]
        expected = design()
        for cell in expected["modules"]["top"]["cells"].values():
            del cell["attributes"]["NEXTPNR_BEL"]
        self.assertEqual(self.moved, expected)

    def test_a_register_that_takes_a_luts_value_stays_with_it(self):
        for name, place in self.after.items():
            if name.startswith("register") and self.cells[name].parameter("SD") == "1":
                lut = name.replace("register", "lut")
                self.assertEqual(place.replace("FF", "K"), self.after[lut])

    def test_registers_of_a_slice_have_their_control_in_common(self):
        controls = {}
        for name, cell in self.cells.items():
            if name.startswith("register"):
                controls.setdefault((cell.x, cell.y, cell.number // 2), set()).add(cell.control)
        self.assertEqual({len(found) for found in controls.values()}, {1})

    def test_registers_with_reset_stay_in_slices_that_had_one(self):
        had = {self.before[name].rpartition(".")[0] for name, cell in self.cells.items() if cell.bit("LSR") is not None}
        for name, cell in self.cells.items():
            if cell.bit("LSR") is not None:
                self.assertIn(self.after[name].rpartition(".")[0], had)

    def test_carries_memories_and_pins_stay(self):
        for name, cell in self.cells.items():
            if cell.number is None or cell.parameter("MODE") == "CCU2":
                self.assertEqual(self.after[name], self.before[name])

    def test_a_slice_that_carries_gets_no_more_registers_and_no_other_lut(self):
        slices = {self.after[name].rpartition(".")[0] for name, cell in self.cells.items() if cell.parameter("MODE") == "CCU2"}
        before, after = ({name: place for name, place in found.items() if place.rpartition(".")[0] in slices}
                         for found in (self.before, self.after))
        luts = {name for name in after if name.startswith("lut")}
        self.assertEqual(luts, {name for name in before if name.startswith("lut")})
        self.assertLessEqual(len(after), len(before))

    def test_it_is_the_same_every_time(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "placed.json").write_text(json.dumps(design()))
            spread.spread(folder, "placed.json", "spread.json", TILES, moves=3_000_000)
            self.assertEqual(places(json.loads((folder / "spread.json").read_text())), self.after)


class Refused(unittest.TestCase):
    def test_a_cell_that_stays_may_not_be_moved(self):
        cells = list(spread.read({"cells": {"ram": made("DP16KD", "X6/Y10/EBR1")}}).values())
        with self.assertRaisesRegex(spread.UserError, "spread moved a cell that stays: X6/Y10/"):
            spread.move(cells, ["7 10 0"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
