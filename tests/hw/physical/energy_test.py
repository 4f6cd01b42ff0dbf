# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Activity of a mapped netlist and the energy that it costs, on a netlist of four cells.

usage: energy_test.py ROOT
"""
import pathlib
import random
import re
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "hw/physical"))
import activity  # noqa: E402
import energy  # noqa: E402
import figures  # noqa: E402
import liberty  # noqa: E402
import memory  # noqa: E402
from netlist import Netlist  # noqa: E402
from technology import Library, UserError  # noqa: E402

POWER = 'internal_power () { rise_power (t) { index_1 ("1, 2"); index_2 ("0, 10"); values ("0, 0", "2, 12"); } ' \
        'fall_power (t) { index_1 ("1, 2"); index_2 ("0, 10"); values ("0, 0", "4, 14"); } }'
FLAT = 'internal_power () { rise_power (scalar) { values ("1"); } fall_power (scalar) { values (3); } }'
LIBRARY = f"""library (four) {{ nom_voltage : 2; capacitive_load_unit (1, pf); leakage_power_unit : "1nW";
  power_lut_template (t) {{ variable_1 : input_transition_time; variable_2 : total_output_net_capacitance; }}
  cell (NAND) {{ cell_leakage_power : 5; pin (A) {{ capacitance : 1; }} pin (B) {{ capacitance : 1; }}
    pin (Y) {{ direction : output; function : "!(A B)"; {POWER} }} }}
  cell (BUF) {{ pin (A) {{ capacitance : 2; }} pin (Y) {{ direction : output; function : "A"; {POWER} }} }}
  cell (REG) {{ ff (IQ, IQN) {{ clocked_on : "C"; next_state : "!D"; }} pin (C) {{ capacitance : 3; {FLAT} }}
    pin (D) {{ capacitance : 1; }} pin (Q) {{ direction : output; function : "IQN"; {POWER} }} }}
}}
"""
# What the RTL does: q_o is a_i AND in_valid_i, two cycles later.
CELLS = {"u_x.nand": ("NAND", {"A": 3, "B": 4, "Y": 5}), "u_x.first": ("REG", {"C": 2, "D": 5, "Q": 6}),
         "not": ("NAND", {"A": 6, "B": 6, "Y": 7}), "second": ("REG", {"C": 2, "D": 7, "Q": 8})}
NAMES = ["clk_i", "in_valid_i", "a_i", "q_o"]


class Simulated(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name, "four.lib")
        file.write_text(LIBRARY)
        cells = liberty.cells(file)
        technology = types.SimpleNamespace(buffer=("BUF", "A", "Y"), most_load=4, picofarad=1)
        self.netlist = Netlist.__new__(Netlist)
        self.netlist.library = Library(technology, file, cells)
        self.netlist.cells, self.netlist.next_net = CELLS, 9
        self.netlist.parts, self.netlist.part_of = [("x", re.compile("^u_x"))], {}
        self.netlist.ports = {"clk_i": ("input", [2]), "a_i": ("input", [3]), "in_valid_i": ("input", [4]),
                              "q_o": ("output", [8])}
        dice = random.Random(1)
        values = [(dice.choice("01"), dice.choice("01")) for _ in range(4000)]
        ands = [str(int(a) & int(valid)) for a, valid in values]
        self.cycles = [("1", valid, a, ands[at - 2] if at > 1 else "0") for at, (a, valid) in enumerate(values)]

    def run_it(self, cycles):
        return activity.Simulation(self.netlist).run(NAMES, cycles, 50, 4, 8, ("q_o",))

    def test_a_netlist_does_what_its_rtl_did_and_its_changes_are_counted(self):
        toggles, counted, differ, rows = self.run_it(self.cycles)
        self.assertEqual((counted, differ), (400, 0))
        at = [window * ((4000 - 12) // 50) + step for window in range(50) for step in range(4, 12)]
        self.assertEqual(rows, sum(self.cycles[cycle][1] == "1" for cycle in at))
        for net, column in ((3, 2), (4, 1), (8, 3)):
            self.assertEqual(toggles[net], sum(self.cycles[cycle][column] != self.cycles[cycle - 1][column] for cycle in at))

    def test_another_bit_than_that_of_the_rtl_is_seen(self):
        wrong = [cycle[:3] + ("1" if cycle[3] == "0" else "0",) if at % 200 < 100 else cycle
                 for at, cycle in enumerate(self.cycles)]
        self.assertGreater(self.run_it(wrong)[2], 100)

    def test_a_loop_of_gates_is_refused(self):
        self.netlist.cells = CELLS | {"not": ("NAND", {"A": 6, "B": 9, "Y": 7}), "back": ("BUF", {"A": 7, "Y": 9})}
        with self.assertRaises(ValueError):
            activity.Simulation(self.netlist)

    def test_changes_cost_what_the_library_states(self):
        toggles = [0] * 9
        toggles[5], toggles[6] = 100, 50
        found, tree = energy.of_cells(self.netlist, toggles, 100, 4)
        picojoules = {part: [value * 1e12 for value in values] for part, values in found.items()}
        # Net 5 has one input of 1 pF at 2 V, net 6 two; a change costs 3 pJ and 1 pJ for each pF in the cell that drives.
        for got, wanted in zip(picojoules[0], (1 * 2 + 0.5 * 4, 1 * 4 + 0.5 * 5, 3 * 4 + 2 * 2, 5e-9 * 4e-9 * 1e12)):
            self.assertAlmostEqual(got, wanted)
        self.assertAlmostEqual(picojoules[1][2], 16)
        # Two clock pins of 3 pF: two buffers below one more.
        self.assertAlmostEqual(tree * 1e12, 2 * (2 * 4 + 2 * 6))

    def test_wires_are_charged_too(self):
        toggles = [0] * 9
        toggles[5] = 100
        self.netlist.library.technology.most_load = 5
        before, tree = energy.of_cells(self.netlist, toggles, 100, 4)
        self.netlist.library.wire_load = 0.25
        after, wired_tree = energy.of_cells(self.netlist, toggles, 100, 4)
        # A quarter of a picofarad more at 2 V, and the cell that drives it takes 1 pJ more for each.
        self.assertAlmostEqual((after[0][0] - before[0][0]) * 1e12, 0.25 * 2)
        self.assertAlmostEqual((after[0][1] - before[0][1]) * 1e12, 0.25)
        # A clock pin changes twice in a cycle.
        self.assertAlmostEqual((after[1][2] - before[1][2]) * 1e12, 0.25 * 4)
        self.assertGreater(wired_tree, tree)
        self.netlist.library.wire_load = 100
        with self.assertRaisesRegex(UserError, "are as much load as it may have"):
            energy.of_cells(self.netlist, toggles, 100, 4)

    def test_energies_between_loads_are_interpolated_and_end_at_the_table(self):
        tables = [([0.0, 10.0], [2.0, 12.0]), ([0.0], [4.0])]
        self.assertEqual([energy.at_load(tables, load) for load in (0, 5, 10, 20)], [3, 5.5, 8, 8])
        self.assertEqual(energy.at_load([], 1), 0)


class Memories(unittest.TestCase):
    def test_a_read_is_that_of_the_largest_macro_of_two_ports(self):
        clock = ('pin (B_CLK) { clock : true; internal_power () { when : "B_MEN & B_WEN & !B_REN"; rise_power (s) { values (9); } '
                 'fall_power (s) { values (0); } } internal_power () { when : "B_MEN  & !B_WEN & B_REN"; '
                 'rise_power (s) { values (48); } fall_power (s) { values (0); } } }')
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for name, area in (("X_2P_64x8_c2", 10), ("X_2P_16x8_c2", 5), ("X_1P_128x8_c2", 20)):
                files.append(pathlib.Path(folder, f"{name}.lib"))
                files[-1].write_text("library (x) { nom_voltage : 1; capacitive_load_unit (1,pf);\n"
                                     f"  cell ({name}) {{ area : {area}; pin (B_DOUT) {{ direction : output; timing () {{ "
                                     f'cell_rise (s) {{ values ("1"); }} }} }} {clock} }}\n}}\n')
            library = types.SimpleNamespace(macros=memory.read(files))
            self.assertAlmostEqual(energy.of_memories(library), 6)
            self.assertEqual(energy.of_memories(types.SimpleNamespace(macros={})), 0)


class Row(unittest.TestCase):
    FOUND = {"parts": {"a": [1, 2, 4, 8], "b": [0, 0, 6, 0]}, "clock_tree": 5, "memories": 100}

    def test_other_registers_of_an_engine_have_clock_pins_as_those_of_the_row_pipe(self):
        noted = {figures.key(*figures.PIPE): {"registers": 20}, "engine": {"registers": 60}}
        with mock.patch.object(figures, "load", lambda technology: noted):
            self.assertEqual(energy.of_pipe(self.FOUND), 26)
            self.assertEqual(energy.of_other_registers(self.FOUND, "x"), 30)
            self.assertEqual(energy.of_row(self.FOUND, "x"), 156)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
