# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The physical flow: its figures are those that are noted, and wrong use gets a sentence.

usage: physical_test.py ROOT
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "hw/physical"))
import block  # noqa: E402
import buffers  # noqa: E402
import figures  # noqa: E402
import flow  # noqa: E402
import gates  # noqa: E402
import liberty  # noqa: E402
import memory  # noqa: E402
import memory_table  # noqa: E402
import physical as physical_main  # noqa: E402
import simulate  # noqa: E402
import technology  # noqa: E402
import units  # noqa: E402
from netlist import Netlist  # noqa: E402

MODULES = """autoidx 900
attribute \\src "prim/ppu_lzc.sv:1.1-9.9"
module \\ppu_top
  wire input 1 \\a_i
  wire $add$prim/ppu_lzc.sv:{line}${number}_Y
  cell \\ppu_plain \\u_plain
    connect \\a_i \\a_i
  end
end
module \\ppu_plain
  wire input 1 \\a_i
  cell $paramod$0a1b\\ppu_unit \\u_unit
  end
end
module $paramod$0a1b\\ppu_unit
  wire input 1 width 8 \\a_i
  wire \\inside
end
"""


LIBRARY = """library (two) { /* a comment with a { */
  time_unit : "1ns";
  cell (BUF) { area : 2.5; pin (A) { direction : input; capacitance : 0.01; } pin (Y) { direction : output; } }
  cell ("REG") { area : 7;
    ff (IQ, IQN) { clocked_on : "C"; next_state : "D"; }
    pin (D) { capacitance : 0.5
      direction : input; } pin (Q) { direction : output; } }
}
"""


def physical(*arguments):
    return subprocess.run((sys.executable, "-B", ROOT / "hw/physical/physical.py", *arguments), capture_output=True,
                          text=True, check=False)


class Figures(unittest.TestCase):
    def test_units_and_issue_are_as_large_and_as_fast_as_noted(self):
        noted = figures.load("osu018")
        for keys in ("fp-add fp_add_stages=3", "fp-mul fp_mul_stages=3", "issue pipes=1"):
            name, override = keys.split()
            done = physical(name, "--set", override, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            measured, = json.loads(done.stdout)["blocks"]
            for figure in ("area_um2", "period_ns"):
                with self.subTest(keys=keys, figure=figure):
                    self.assertAlmostEqual(measured[figure] / noted[keys][figure], 1, delta=0.05)
            self.assertEqual(measured["registers"], noted[keys]["registers"])

    def test_mapped_cells_do_what_the_rtl_does(self):
        done = physical("fp-add", "--simulate", "2000")
        self.assertEqual((done.returncode, done.stdout),
                         (0, "fp-add: 0 of 2,000 cycles differ; outputs changed in 2,000\n"), done.stderr)

    def test_parts_behind_a_configuration_and_in_a_file_are_read(self):
        rows = block.values_of("default+resident+asap7", ["impulse_memory_rows=512"])
        self.assertEqual((rows["row_memory_rows"], rows["impulse_memory_rows"], rows["pipes"]), (32768, 512, 1))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "own.toml"
            file.write_text('parts = ["resident", "ihp130"]\nbody_memory_bodies = 8192\n')
            self.assertEqual(block.values_of(str(file), []), block.values_of("default+resident", ["body_memory_bodies=8192"]))


class Sources(unittest.TestCase):
    def test_a_part_is_mapped_from_its_own_files_alone(self):
        self.assertEqual(flow.sources("ppu_fp_add"), [f"prim/{name}.sv" for name in (
            "ppu_delay", "ppu_lzc", "ppu_fp_round", "ppu_fp_add")])
        self.assertIn("spec/ppu_spec_pkg.sv", flow.sources("ppu_row_pipe"))


    def test_arrays_of_structures_are_refused(self):
        flow.refuse_arrays("some.sv", "  ppu_pkg::row_t row_q, row_d;\n  logic [7:0] words_q [0:3];\n")
        for line in ("  ppu_pkg::row_t row_q [0:Window-1];\n", "  entry_t  entry_q[0:3];\n"):
            with self.assertRaisesRegex(flow.UserError, "some.sv: .* is an array of structures"):
                flow.refuse_arrays("some.sv", "  logic a;\n" + line)

    def test_the_rtl_has_none(self):
        for path in flow.RTL.rglob("*.sv"):
            flow.refuse_arrays(path.name, path.read_text())


class Units(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def modules(self, line=5, number=800, text=MODULES):
        path = self.folder / "modules.il"
        path.write_text(text.replace("{line}", str(line)).replace("{number}", str(number)))
        return units.read(path)

    def test_a_block_is_cut_where_it_is_told(self):
        modules, kept = self.modules(), ("ppu_unit",)
        self.assertEqual(units.all_units(modules, "\\ppu_top", kept), ["$paramod$0a1b\\ppu_unit", "\\ppu_top"])
        self.assertEqual(units.all_units(modules, "\\ppu_top", ()), ["\\ppu_top"])
        text = units.text(modules, "\\ppu_top", kept)
        self.assertIn("module \\unit\n", text)
        self.assertIn("module \\ppu_plain\n", text)
        self.assertIn("attribute \\blackbox 1\nmodule $paramod$0a1b\\ppu_unit\n  wire input 1 width 8 \\a_i\nend\n", text)
        self.assertNotIn("inside", text)
        self.assertIn("inside", units.text(modules, "\\ppu_top", ()))

    def test_what_else_was_read_does_not_change_a_unit(self):
        of = lambda modules: units.text(modules, "\\ppu_top", ("ppu_unit",))
        text = of(self.modules())
        self.assertEqual(of(self.modules(line=77, number=4321)), text)
        self.assertEqual(of(self.modules(text=MODULES.replace("inside", "other"))), text)
        self.assertNotEqual(of(self.modules(text=MODULES.replace("width 8", "width 9"))), text)

    def test_a_mapped_unit_gets_its_name_back(self):
        self.assertEqual(units.named("attribute \\top 1\nattribute \\x 1\nmodule \\unit\nend\n", "$p\\ppu_unit"),
                         "attribute \\x 1\nmodule $p\\ppu_unit\nend\n")

    def test_a_unit_is_mapped_once(self):
        library = technology.load("osu018", [], [], self.folder)
        scripts = []

        def run(lines, script):
            scripts.append(lines)
            (self.folder / "unit_mapped.il").write_text(f"mapped {len(scripts)}")

        with mock.patch.object(units, "folder", lambda: self.folder), mock.patch.object(flow, "yosys_mapping", run), \
             mock.patch.object(sys, "stderr"):
            of = lambda source: flow.mapped_unit(source, "ppu_unit", library, self.folder)
            self.assertEqual([of("one"), of("two"), of("one")], ["mapped 1", "mapped 2", "mapped 1"])
            (self.folder / "osu018.lib").write_text("another library")
            self.assertEqual(of("one"), "mapped 3")

    def test_units_that_are_joined_do_what_the_rtl_does(self):
        adder = block.Block("fp-add", "ppu_fp_add", "", {"Stages": 3}, ("ppu_delay", "ppu_fp_round", "ppu_lzc"),
                            parts=(("all", ""),))
        self.assertTrue(adder.in_units)
        library = technology.load("osu018", [], [], self.folder)
        self.assertEqual(simulate.differing(adder, library, self.folder, 1000), (0, 1000))


class Libraries(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "two.lib")
        self.path.write_text(LIBRARY)

    def test_cells_have_area_and_pins(self):
        cells = liberty.cells(self.path)
        self.assertEqual(cells["BUF"].area, 2.5)
        self.assertEqual((cells["BUF"].capacitance["A"], cells["BUF"].outputs), (0.01, {"Y"}))
        self.assertEqual([name for name, cell in cells.items() if cell.is_register], ["REG"])
        self.assertEqual(cells["REG"].capacitance["D"], 0.5)

    def test_a_merged_library_leaves_cells_out_and_has_each_once(self):
        merged = self.path.with_name("merged.lib")
        liberty.merge((self.path, self.path), ("B*",), merged)
        self.assertEqual(list(liberty.cells(merged)), ["REG"])
        self.assertEqual(merged.read_text().count("time_unit"), 1)


MACROS = """library (macros) { type (b4) { bit_width : 4; }
  cell (X_2P_16x4_c2) { area : 100; pin (A_CLK) { direction : input; capacitance : 0.1; }
    pin (A_WEN) { direction : input; capacitance : 0.1; }
    bus (A_BM) { bus_type : b4; direction : input; capacitance : 0.2; }
    bus (B_DOUT) { bus_type : b4; direction : output; pin (B_DOUT[3:0]) { }
      timing () { cell_rise (t) { values ("1.0, 2.0", "3.0, 4.0"); } } } }
  cell (X_1P_64x8_c2) { area : 90; pin (A_CLK) { direction : input; capacitance : 0.1; }
    bus (A_DOUT) { bus_type : b4; direction : output; timing () { cell_rise (t) { values ("5"); } } } }
}
"""


class Memories(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "macros.lib")
        path.write_text(MACROS)
        self.macros = memory.read([path])

    def test_a_macro_has_the_size_in_its_name_and_pins_by_bit(self):
        macro = self.macros["X_2P_16x4_c2"]
        self.assertEqual((macro.ports, macro.words, macro.width, macro.area), (2, 16, 4, 100))
        self.assertEqual(macro.cell.outputs, {f"B_DOUT[{bit}]" for bit in range(4)})
        self.assertEqual(macro.cell.capacitance["A_BM[3]"], 0.2)

    def test_only_macros_of_two_ports_are_mapped_to(self):
        self.assertEqual(memory.rules(self.macros, 10).count("ram block"), 1)
        self.assertIn("module \\MEMORY_X_2P_16x4_c2 ", memory.modules(self.macros))
        self.assertNotIn("1P", memory.modules(self.macros))

    def test_tiles_are_the_smallest_and_narrow_words_share_a_macro(self):
        of = lambda width, ports, *words: memory_table.tiles(memory_table.Memory("", words, width, 1), self.macros, ports)
        self.assertEqual(of(4, 2, 16), (1, 100))
        self.assertEqual(of(5, 2, 17), (3, 300))
        self.assertEqual(of(1, 2, 64), (1, 100))
        self.assertEqual(of(1, 1, 64), (1, 90))

    def test_a_memory_of_two_sizes_takes_what_both_take(self):
        memory_of_two = memory_table.Memory("", (32, 16), 4, 1)
        self.assertEqual(memory_table.tiles(memory_of_two, self.macros, 2), (3, 300))

    def test_the_memories_of_an_engine_are_all_found(self):
        with tempfile.TemporaryDirectory() as folder:
            found = memory_table.memories(block.engine(block.values_of("default", [])), pathlib.Path(folder))
        bits = sum(count * sum(kind.words) * kind.width * kind.reads for kind, count in found.items())
        jacobian = memory_table.Memory("u_rows.u_pipe.u_rows.u_jacobian", (2048,), 384, 1)
        self.assertEqual(found[jacobian], 1)
        self.assertEqual(round(bits / 1e6, 3), 6.728)

    def test_a_block_with_a_memory_gets_macros_whose_paths_count(self):
        done = physical("sequencer", "--set", "instruction_memory_words=1024", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        measured, = json.loads(done.stdout)["blocks"]
        self.assertEqual(measured["macros"], 16)
        self.assertIn("u_instructions (out)", measured["path"])


class Buffers(unittest.TestCase):
    """A buffer drives 4 with resistance 1; GATE and REG have 4, what is STRONG 2."""
    def setUp(self):
        def cell(area, resistance, state="", capacitance=1.0):
            return liberty.Cell(area, {"A": capacitance}, {"Y"}, state, {"Y": state or "A"}, {"Y": 1.0}, {"Y": resistance})

        cells = {"BUF": liberty.Cell(1, {"A": 1.0}, {"Y"}, "", {}, {"Y": 1.0}, {"Y": 1.0}), "GATE": cell(1, 4.0),
                 "STRONG": cell(2, 2.0), "REG": cell(1, 4.0, "(Q) A"), "STRONG_REG": cell(9, 2.0, "(Q) A")}
        self.library = technology.Library(types.SimpleNamespace(buffer=("BUF", "A", "Y"), most_load=4, picofarad=1), None, cells)

    def buffered(self, cells):
        """A netlist of these cells with buffers: how many, and the cells."""
        netlist = Netlist.__new__(Netlist)
        netlist.library, netlist.ports, netlist.next_net = self.library, {}, 1000
        netlist.cells = {name: (kind, dict(zip("AY", nets))) for name, (kind, *nets) in cells.items()}
        return buffers.add(netlist), netlist.cells

    def loads(self, cells):
        found = collections.Counter(pins["A"] for _, pins in cells.values())
        return {net: count * (1 + self.library.wire_load) for net, count in found.items()}

    @staticmethod
    def sinks(count):
        return {f"load{number}": ("REG", 1, 100 + number) for number in range(count)}

    def test_a_net_that_is_light_for_its_driver_stays(self):
        added, cells = self.buffered({"driver": ("BUF", 0, 1)} | self.sinks(4))
        self.assertEqual((added, self.loads(cells)[1]), (0, 4))

    def test_no_net_is_too_heavy_and_every_load_hangs_on_it(self):
        for count in (5, 16, 17, 100):
            added, cells = self.buffered({"driver": ("BUF", 0, 1)} | self.sinks(count))
            self.assertLessEqual(max(self.loads(cells).values()), 4)
            drivers = {pins["Y"]: pins["A"] for name, (_, pins) in cells.items() if name.startswith("buffer_")}
            self.assertEqual(len(drivers), added)
            for name in (f"load{number}" for number in range(count)):
                net = cells[name][1]["A"]
                while net != 1:
                    net = drivers[net]

    def test_wires_weigh_as_well(self):
        self.library.wire_load = 1.0
        added, cells = self.buffered({"driver": ("BUF", 0, 1)} | self.sinks(4))
        self.assertGreater(added, 0)
        self.assertLessEqual(max(self.loads(cells).values()), 4)

    def test_a_weak_driver_becomes_stronger_before_it_gets_buffers(self):
        for count, kind, added in ((1, "GATE", 0), (2, "STRONG", 0), (3, "STRONG", 1)):
            found, cells = self.buffered({"driver": ("GATE", 0, 1)} | self.sinks(count))
            self.assertEqual((cells["driver"][0], found), (kind, added), count)

    def test_a_register_becomes_the_fastest_one_of_its_kind(self):
        _, cells = self.buffered({"driver": ("REG", 0, 1), "load0": ("GATE", 1, 2)})
        self.assertEqual([cells[name][0] for name in ("driver", "load0")], ["STRONG_REG", "GATE"])

    def test_what_has_a_long_way_ahead_stays_at_the_driver(self):
        far = {"far": ("GATE", 1, 2), "farther": ("GATE", 2, 3), "end": ("REG", 3, 4)}
        for cells in ({"driver": ("BUF", 0, 1)} | far | self.sinks(20), {"driver": ("BUF", 0, 1)} | self.sinks(20) | far):
            _, cells = self.buffered(cells)
            self.assertEqual(cells["far"][1]["A"], 1)

    def test_clock_and_reset_have_no_buffers(self):
        netlist = Netlist.__new__(Netlist)
        netlist.library, netlist.ports, netlist.next_net = self.library, {"clk_i": ("input", [1])}, 1000
        netlist.cells = {name: (kind, dict(zip("AY", nets))) for name, (kind, *nets) in self.sinks(100).items()}
        self.assertEqual(buffers.add(netlist), 0)


class Tables(unittest.TestCase):
    """Of the four libraries that there are, two name loads before slews."""
    LIBRARY = """library (t) {{
  lu_table_template (ds) {{ variable_1 : {first}; variable_2 : {second}; index_1 ("1, 2"); index_2 ("1, 2"); }}
  default_wire_load : "some";
  wire_load ("other") {{ capacitance : 9; fanout_length (1, 9); }}
  wire_load ("some") {{ capacitance : 0.5; fanout_length (1, 3); fanout_length (5, 11); }}
  cell (GATE) {{ pin (A) {{ direction : input; capacitance : 1; }} pin (Y) {{ direction : output; function : "A";
    timing () {{ cell_rise (ds) {{ {rise} }} cell_fall (ds) {{ {fall} }} }} }} }}
}}
"""

    def cell(self, **texts):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.lib")
            path.write_text(self.LIBRARY.format(**texts))
            return liberty.cells(path)["GATE"], liberty.wire_load(path)

    def test_delay_and_resistance_are_those_of_the_slower_edge_whatever_comes_first(self):
        load, slew = "total_output_net_capacitance", "input_net_transition"
        for texts in ({"first": slew, "second": load,
                       "rise": 'index_1 ("1, 2, 3"); index_2 ("10, 20"); values ("1, 2", "1, 3", "4, 5");',
                       "fall": 'index_1 ("1, 2, 3"); index_2 ("10, 20"); values ("1, 2", "1, 3", "2, 8");'},
                      {"first": load, "second": slew,
                       "rise": 'index_1 ("10, 20"); index_2 ("1, 2, 3"); values ("1, 1, 4", "2, 3, 5");',
                       "fall": 'index_1 ("10, 20"); index_2 ("1, 2, 3"); values ("1, 1, 2", "2, 3, 8");'}):
            gate, _ = self.cell(**texts)
            self.assertEqual((gate.delay["Y"], gate.resistance["Y"]), (4, 0.6), texts["first"])

    def test_a_table_without_indices_has_those_of_its_template(self):
        gate, _ = self.cell(first="input_net_transition", second="total_output_net_capacitance",
                            rise='values ("1, 2", "1, 3");', fall='values ("1, 2", "1, 4");')
        self.assertEqual(gate.resistance["Y"], 3)

    def test_a_wire_is_as_long_as_one_more_sink_makes_it(self):
        _, wire = self.cell(first="a", second="b", rise='values ("1");', fall='values ("1");')
        self.assertEqual(wire, 1.0)


class Parts(unittest.TestCase):
    def test_a_cell_belongs_to_the_part_that_its_instances_say(self):
        netlist = Netlist.__new__(Netlist)
        netlist.parts = [(name, re.compile(pattern)) for name, pattern in block.PARTS]
        netlist.part_of = {}
        for cell, part in (("$flatten\\u_rows.$flatten\\gen_dataflow.u_dataflow.\\u_linker.$abc$7$auto$9", "linker"),
                           ("$flatten\\u_rows.\\gen_pipe[0].u_pipe.$flatten\\u_pipe.\\u_dot.$abc$1$x", "row pipe"),
                           ("$flatten\\u_sequencer.$abc$2$y", "sequencer"), ("buffer_12", "buffers"), ("$abc$3$z", "engine")):
            self.assertEqual(netlist.parts[netlist.part(cell)][0], part, cell)


class Checks(unittest.TestCase):
    def setUp(self):
        gate, both = (liberty.Cell(1, dict.fromkeys(pins, 1.0), {"Y"}, "", {"Y": function})
                      for pins, function in (("A", "A'"), ("AB", "(A B)")))
        cells = {"GATE": gate, "BOTH": both, "REG": liberty.Cell(1, {"D": 1.0}, {"Q"}, "(IQ)", {"Q": "IQ"})}
        self.netlist = Netlist.__new__(Netlist)
        self.netlist.library = types.SimpleNamespace(cells=cells, macros={}, cell=cells.get)
        self.netlist.module, self.netlist.drivers, self.netlist.constants = "some", {}, {}
        self.netlist.names = {4: "state_q"}
        self.netlist.cells = {"tied": ("GATE", {"A": "0", "Y": 2}), "gate": ("GATE", {"A": 3, "Y": 5}),
                              "reg": ("REG", {"D": 5, "Q": 4}), "low": ("GATE", {"A": 2, "Y": 6}),
                              "never": ("BOTH", {"A": 4, "B": 6, "Y": 7})}
        self.netlist.ports = {"in_i": ("input", [3]), "out_o": ("output", [2, 4, 7])}

    def check(self, text):
        flow.refuse_unchecked(self.netlist, list(self.netlist.cells), text)

    def test_ends_of_constants_have_no_path(self):
        self.check("")
        for end in ("out_o__0", "out_o__2"):
            self.check(f"Warning: There is 1 unconstrained endpoint.\n  {end}\n")
        self.assertEqual([self.netlist.constant(net) for net in ("0", 2, 6, 7, 3, 4, 5)], [0, 1, 0, 0, None, None, None])

    def test_an_end_that_nobody_checks_is_refused(self):
        for end, says in (("out_o__1", "out_o\\[1\\]"), ("p0_c2/D", "state_q")):
            with self.subTest(end=end), self.assertRaisesRegex(flow.UserError, f"no path is checked to {says}"):
                self.check(f"Warning: There is 1 unconstrained endpoint.\n  {end}\n")

    def test_what_abc_does_not_prove_is_refused(self):
        one = "ABC: + source map.abc\nABC: Networks are equivalent{}.  Time =     0.48 sec\n"
        flow.refuse_unproven("")
        flow.refuse_unproven(one.format("") + one.format(" after structural hashing"))
        for log, says in ((one.format("") + "ABC: + source map.abc\n", "proves 1 of 2 mapped modules$"),
                          (one.replace("equivalent{}", "NOT EQUIVALENT"), "0 of 1 mapped modules; it says: networks are NOT EQUIVALENT$"),
                          (one.replace("equivalent{}", "UNDECIDED"), "are UNDECIDED$")):
            with self.subTest(says=says), self.assertRaisesRegex(flow.UserError, says):
                flow.refuse_unproven(log)

    def test_abc_proves_what_it_maps(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run((sys.executable, "-B", ROOT / "hw/physical/physical.py", "issue", "--keep", folder),
                           capture_output=True, check=True)
            self.assertIn("ABC: Networks are equivalent", pathlib.Path(folder, "abc.log").read_text())

    def test_a_loop_is_refused(self):
        with self.assertRaisesRegex(flow.UserError, "combinational loop"):
            self.check("Warning: There is 1 combinational loop in the design.\n  p0_c1/A\n")


class Cells(unittest.TestCase):
    def test_functions_of_liberty_are_those_of_verilog(self):
        for function, verilog in (("(A B)", "( A & B )"), ("!((A*B)+C')", "~ ( ( A & B ) | (~C) )"),
                                  ("A^B", "A ^ B"), ("(!A) (B)", "( ~ A ) & ( B )"), ("1", "1'b1")):
            self.assertEqual(gates.verilog(function), verilog)

    def test_a_register_has_its_edges(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "reg.lib")
            path.write_text('''library (one) { cell (REG) { area : 1; ff (IQ,IQN) { clocked_on : "C"; next_state : "D";
              clear : "!R"; } pin (C) { direction : input; } pin (D) { direction : input; } pin (R) { direction : input; }
              pin (Q) { direction : output; function : "IQ"; } } }''')
            text = gates.models(path, {"REG"})
        self.assertIn("always @(posedge C or negedge R)", text)
        self.assertIn("assign Q = IQ;", text)


class WrongUse(unittest.TestCase):
    def refused(self, sentence, *arguments):
        done = physical(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(sentence, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_names_what_is_expected(self):
        self.refused("nosuch: no such block, expected one of fp-add", "nosuch")
        self.refused("--config nosuch: no such configuration, expected one of default", "fp-add", "--config", "nosuch")
        self.refused("--config nosuch: no such part, expected one of hbm2", "fp-add", "--config", "default+nosuch")
        self.refused("No such file or directory: 'no/such.toml'", "fp-add", "--config", "no/such.toml")
        self.refused("--set pipes: expected KEY=NUMBER", "issue", "--set", "pipes")
        self.refused("not part of Debian, expected --liberty FILE", "fp-add", "--tech", "ihp130")
        self.refused("expected --memories FILE", "memories")
        self.refused("nosuch.lib: no such memory library", "sequencer", "--memories", "nosuch.lib")
        self.refused("nosuch.lib: no such cell library", "fp-add", "--liberty", "nosuch.lib")
        self.refused("not a library in the Liberty format", "fp-add", "--liberty", str(ROOT / "README.md"))

    def test_files_of_configurations(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "own.toml"
            for text, says in (("parts = \"resident\"", "parts is not a list of names"), ("parts = [1]", "parts is not a list of names"),
                               ("lanez = 3", "lanez = 3: expected a number and a key"), ("pipes = \"four\"", "pipes = four: expected a number"),
                               (f'parts = ["{file}"]', "it is a part of itself"), ("pipes =", "Invalid value"),
                               (f'parts = ["{folder}/other.toml"]', "it is a part of itself")):
                file.write_text(text + "\n")
                (file.parent / "other.toml").write_text(f'parts = ["{file}"]\n')
                with self.subTest(text), self.assertRaisesRegex(technology.UserError, re.escape(says)):
                    block.values_of(str(file), [])

    def test_a_record_finds_its_point_by_all_keys(self):
        self.assertTrue(physical_main.same(figures.values(figures.RESIDENT), block.values_of("default+resident+asap7", [])))
        self.assertFalse(physical_main.same(figures.values(()), block.values_of("default", ["pipes=4"])))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
