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
    """A module: tiles full of LUTs with registers that wait for one of three enables and have one of two resets, and of
    adders. LUTs read distant ones."""
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
        reset = {"LSR": (20, 21, "0")[y % 3]}
        taken = {"DI": out} if own else {"M": bits[chance.choice(sites)]}
        cells[f"register_{x}_{y}_{n}"] = made("TRELLIS_FF", f"X{x}/Y{y}/SLICE{part}.FF{half}",
                                              {"SD": "1 " if own else "0 ", "SRMODE": "ASYNC " if y % 3 == 1 else "LSR_OVER_CE "},
                                              CLK=2, Q=out + 1, **taken, **enable, **reset)
    cells["ram"] = made("DP16KD", "X6/Y10/EBR1", CLKA=2, DOA0=4, ADA0=bits[sites[0]])
    cells["pin"] = made("TRELLIS_IO", "X0/Y5/PIOA", O=2)
    return {"modules": {"top": {"cells": cells}}}


def taken_back(netlist):
    """The netlist with places as nextpnr writes them, not as a user demands them."""
    for cell in netlist["modules"]["top"]["cells"].values():
        cell["attributes"]["NEXTPNR_BEL"] = cell["attributes"].pop("BEL")
    return netlist


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
            cls.moved = taken_back(json.loads((folder / "spread.json").read_text()))
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

    def controls(self, where, *named):
        """What the registers of each place have of ports and parameters."""
        found = {}
        for name, cell in self.cells.items():
            if name.startswith("register"):
                found.setdefault(where(cell), set()).add(cell.control(*named))
        return found

    def test_registers_of_a_slice_have_their_enable_in_common(self):
        found = self.controls(lambda cell: (cell.x, cell.y, cell.number // 2), ("CE",), ())
        self.assertEqual({len(controls) for controls in found.values()}, {1})
        self.assertEqual(len(set.union(*found.values())), 4)

    def test_registers_of_a_tile_have_their_clock_and_reset_in_common(self):
        found = self.controls(lambda cell: (cell.x, cell.y), ("CLK", "LSR"), ("SRMODE",))
        self.assertEqual({len(controls) for controls in found.values()}, {1})
        self.assertEqual(len(set.union(*found.values())), 3)

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
        self.assertLessEqual(set(after.values()), set(before.values()))

    def test_it_is_the_same_every_time(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "placed.json").write_text(json.dumps(design()))
            spread.spread(folder, "placed.json", "spread.json", TILES, moves=3_000_000)
            self.assertEqual(places(taken_back(json.loads((folder / "spread.json").read_text()))), self.after)


class Places(unittest.TestCase):
    def test_a_place_is_demanded_and_a_multiplier_has_all_its_ports(self):
        lut, multiplier = made("TRELLIS_COMB", "X4/Y4/SLICEA.K0", F=3), made("MULT18X18D", "X6/Y10/MULT18_0", P0=4)
        lut["attributes"]["BEL_STRENGTH"] = "1"
        lut["connections"]["A"] = multiplier["connections"]["CLK1"] = []
        spread.hold([lut, multiplier])
        self.assertEqual(lut["attributes"], {"BEL": "X4/Y4/SLICEA.K0"})
        self.assertEqual(lut["connections"], {"F": [3], "A": []})
        self.assertEqual(multiplier["connections"], {"P0": [4], "CLK1": ["x"]})

    def test_a_slice_with_a_lut_of_more_inputs_stays(self):
        module = {"cells": {f"lut{n}": made("TRELLIS_COMB", f"X4/Y4/SLICEA.K{n}", F=5 + n, **wide)
                            for n, wide in enumerate(({"F1": 6, "OFX": 8}, {}))}}
        cells = spread.read(module)
        self.assertEqual(spread.name_kinds(cells.values()), {(4, 4, 0)})
        self.assertEqual({cell.kind for cell in cells.values()}, {spread.FIXED})


class Refused(unittest.TestCase):
    def test_a_cell_that_stays_may_not_be_moved(self):
        cells = list(spread.read({"cells": {"ram": made("DP16KD", "X6/Y10/EBR1")}}).values())
        with self.assertRaisesRegex(spread.UserError, "spread moved a cell that stays: X6/Y10/"):
            spread.move(cells, ["7 10 0"])

    def test_a_lut_of_a_carry_may_not_be_moved_in_its_tile(self):
        cells = spread.read({"cells": {"carry": made("TRELLIS_COMB", "X4/Y4/SLICEB.K1", {"MODE": "CCU2"})}})
        spread.name_kinds(cells.values())
        spread.move(cells.values(), ["4 4 3"])
        with self.assertRaisesRegex(spread.UserError, "spread moved a cell that stays: X4/Y4/SLICEB.K1"):
            spread.move(cells.values(), ["4 4 2"])

    @unittest.skipIf(shutil.which("g++") is None, "there is no compiler")
    def test_what_the_program_cannot_read_or_move_is_said(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for text, says in (("", "there is no design"), ("4 4 1", "the design ends too early"),
                               ("4 4 1 4 0", "the design has no such place or cell"),
                               ("4 4 0 0 0 0", "no cell of the design may move")):
                (folder / "spread.txt").write_text(text)
                with self.assertRaisesRegex(spread.UserError, "spread: " + says):
                    spread.run_own(folder, 60, "spread", "spread.txt", "places.txt", "10")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
