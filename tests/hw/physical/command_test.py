# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The options of the physical flow: what would not be read is refused in a sentence, and tools end with the flow.

usage: command_test.py ROOT
"""
import contextlib
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "hw/physical"))
import block  # noqa: E402
import command  # noqa: E402
import energy  # noqa: E402
import figures  # noqa: E402
import flow  # noqa: E402
import memory  # noqa: E402
import physical  # noqa: E402
import processes  # noqa: E402
import routed_page  # noqa: E402
import simulate  # noqa: E402
import technology  # noqa: E402
import waves  # noqa: E402
from pnr import place, routed  # noqa: E402

PROGRAM = (sys.executable, "-B", str(ROOT / "hw/physical/physical.py"))
MACRO = """library (macros) {{ cell ({name}) {{ area : 100; pin (A_CLK) {{ direction : input; capacitance : 0.1; }}
    pin (B_DOUT) {{ direction : output; timing () {{ cell_rise (t) {{ values ("1"); }} }} }} }} }}
"""


def runs(process):
    """Whether a process is there, and no zombie."""
    state = pathlib.Path(f"/proc/{process}/stat")
    return state.is_file() and state.read_text().rpartition(")")[2].split()[0] != "Z"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def refused(self, sentence, *arguments):
        """In a process of its own, with nothing but the sentence."""
        done = subprocess.run((*PROGRAM, *map(str, arguments)), capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)
        return path


class Violations(Case):
    def test_a_layout_with_violations_ends_with_1(self):
        for found, status in ((0, 0), (3, 1)):
            measured = mock.Mock()
            measured.figures.return_value = {"violations": found}
            options = command.parse(["fp-add", "--route", "--drc", "--json"], "")
            with mock.patch.object(physical.routed, "measure", return_value=(measured, None, None, None)), \
                 mock.patch.object(physical, "count_violations"), mock.patch.object(physical, "drawn", return_value=""), \
                 contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(physical.route(options, None, self.folder, {"fp-add": None}), status)


class Options(Case):
    def unread(self, sentence, *arguments):
        with self.subTest(arguments), self.assertRaises(technology.UserError) as caught:
            command.parse(arguments, "")
        self.assertIn(sentence, str(caught.exception))

    def test_what_a_task_does_not_read_is_refused(self):
        for option in (("--drc",), ("--coriolis", "python3"), ("--spread", "2"), ("--limit", "5")):
            self.unread(f"{option[0]}: expected with --route", "fp-add", *option)
            self.unread(f"an FPGA has no {option[0]}; expected", "fp-add", "--tech", "ecp5", *option)
        for task in ("--energy", "--window"):
            for option, name in (("fp-add", "BLOCK"), ("--config=small", "--config"), ("--set=pipes=1", "--set"),
                                 ("--route", "--route"), ("--json", "--json"), ("--simulate=5", "--simulate")):
                self.unread(f"{task}: takes no {name}", option, task)
        self.unread("--energy: takes no --window", "--window", "--energy")
        for option in ("fp-add", "--tech=osu018", "--keep=x", "--record"):
            self.unread("--page: takes no ", "--page", option)
            self.unread("--frames: takes no ", "--frames", option)
        for option in ("--config=small", "--set=pipes=1", "--json"):
            self.unread(f"--route --record: takes no {option.split('=')[0]}", "issue", "--route", "--record", option)
        for task in (("fp-add", "--simulate", "5"), ("memories",), ("--record",)):
            self.unread("takes no --json", *task, "--json")
        self.unread("--route: takes no --paths", "fp-add", "--route", "--paths", "3")
        self.unread("--record: takes no memories", "memories", "--record")
        self.unread("an FPGA has no --paths; expected", "fp-add", "--tech", "ecp5", "--paths", "2")
        self.unread("an FPGA has no memories; expected", "memories", "--tech", "ecp5")
        self.refused("--drc: expected with --route", "fp-add", "--drc")

    def test_what_a_task_reads_is_taken(self):
        for text in ("--frames --page", "fp-add --route --drc --json --set fp_add_stages=2", "--energy --tech ihp130 --keep x",
                     "engine --route --record --coriolis python3 --limit 180", "memories --config small",
                     "engine --record --config small", "issue --simulate 5 --config small",
                     "fp-add --tech ecp5 --json", "--window --memories a b"):
            command.parse(text.split(), "")
        options = command.parse(["fp-add"], "")
        self.assertEqual((options.tech, options.paths, options.spread, options.limit, options.shape, options.all_points),
                         ("osu018", 1, None, 60, "default", True))

    def test_every_command_of_the_docs_is_taken(self):
        found = [text for page in ("README.md", "docs/guide/physical.md", "docs/physical.md", "docs/reference/measured/physical.md")
                 for text in re.findall(r"(?:`|^)\./ppu physical ([^`\n]+)", (ROOT / page).read_text().replace("\\\n", ""), re.M)]
        self.assertGreater(len(found), 20)
        for text in found:
            text = re.sub(r"(--tech) NAME", r"\1 ihp130", text).replace(" --set KEY=N", "").replace("CYCLES", "5")
            with self.subTest(text):
                command.parse(text.replace("...", "").replace(" [BLOCK]", "").split(), "")

    def test_a_configuration_does_not_name_another_technology(self):
        self.unread("--config default+ecp5: its technology is ecp5; expected --tech ecp5", "fp-add", "--config", "default+ecp5")
        self.unread("its technology is asap7; expected --tech asap7", "fp-add", "--config", "default+asap7", "--tech", "ihp130")
        command.parse(["fp-add", "--config", "default+ecp5", "--tech", "ecp5"], "")

    def test_a_part_behind_the_files_is_no_file(self):
        self.unread("--liberty fp-add: that is a BLOCK; expected it before --liberty", "--liberty", "cells.lib", "fp-add")
        self.unread("--memories issue: that is a BLOCK", "fp-add", "--memories", "ram.lib", "issue")

    def test_an_empty_value_is_refused(self):
        for arguments in (("fp-add", "--route", "--coriolis", ""), ("--record", "--config", ""), ("fp-add", "--keep", ""), ("",)):
            self.unread("an argument is empty; expected a value", *arguments)

    def test_a_record_names_what_is_no_point_beside_what_is_one(self):
        self.refused("--record: in-flight is no point of the page", "fp-add", "in-flight", "--record")

    def test_numbers_are_whole_and_above_0(self):
        for option in ("--simulate", "--paths", "--limit"):
            for text in ("-5", "0", "1.5", "x", "²"):
                self.unread(f"{option} {text}: expected a whole number of 1 or more", "fp-add", option, text)
        for text in ("nan", "inf", "x", "0.5"):
            self.unread(f"--spread {text}: expected a number of 1 or more", "fp-add", "--route", "--spread", text)
        self.refused("--simulate 0: expected a whole number", "fp-add", "--simulate", "0")

    def test_the_first_line_has_the_keys_that_were_set(self):
        self.assertEqual(command.parse(["fp-add", "--set", "fp_add_stages=1", "--set", "pipes=2"], "").shape,
                         "default fp_add_stages=1 pipes=2")
        done = subprocess.run((*PROGRAM, "fp-add", "--set", "fp_add_stages=1"), capture_output=True, text=True, check=False)
        self.assertIn("; configuration default fp_add_stages=1; after synthesis", done.stdout, done.stderr)


class Values(Case):
    def test_values_outside_of_a_key_are_refused(self):
        for text, says in (("pipes=0", "expected one of 1, 2, 4, 8, 16"), ("pipes=3", "expected one of 1, 2, 4, 8, 16"),
                           ("fp_add_stages=6", "expected 1 to 5"), ("fp_div_stages=1", "expected 2 to 29"),
                           ("row_memory_rows=17", "expected 16 to 1048576, a multiple of 16"),
                           ("clock_mhz=0", "expected 1 to 10000")):
            key, number = text.split("=")
            with self.subTest(text), self.assertRaises(technology.UserError) as caught:
                block.values_of("default", [text])
            self.assertEqual(str(caught.exception), f"--set {text}: {key} is {number}, {says}")
        self.refused("--set lanes=0: lanes is 0, expected one of 1, 2, 3, 4, 6, 12", "fp-add", "--set", "lanes=0")

    def test_values_of_files_are_so_too(self):
        file = self.folder / "own.toml"
        for text, says in (("pipes = 3", "pipes is 3, expected one of"), ("lanes = -1", "lanes is -1, expected one of")):
            file.write_text(text + "\n")
            with self.subTest(text), self.assertRaisesRegex(technology.UserError, f"^--config {file}: {says}"):
                block.values_of(str(file), [])

    def test_every_point_that_is_noted_has_values_of_its_keys(self):
        for points in (figures.POINTS, figures.FPGA_POINTS, *routed_page.POINTS.values()):
            for _, overrides in points:
                figures.values(overrides)


class Files(Case):
    def test_a_folder_to_keep_is_one_that_tools_can_read(self):
        self.refused("a b: tools read no path with white space", "fp-add", "--keep", self.folder / "a b")
        self.assertFalse((self.folder / "a b").exists())
        self.refused("README.md: File exists; expected a folder", "fp-add", "--keep", ROOT / "README.md")
        self.refused("Not a directory; expected a folder", "fp-add", "--keep", ROOT / "README.md/x")

    def test_memories_of_another_technology_are_refused(self):
        for name, says in (("RM_IHPSG13_2P_64x32", None),
                           ("X_2P_64x32", "X_2P_64x32 is no macro of ihp130; expected names as RM_IHPSG13_")):
            (self.folder / "macros.lib").write_text(MACRO.format(name=name))
            found = memory.read([self.folder / "macros.lib"])
            with self.subTest(name), self.assertRaisesRegex(technology.UserError, says) if says else contextlib.nullcontext():
                technology.refuse_others(technology.LIBRARIES["ihp130"], found)
        self.refused("osu018 has no memory macros; expected none", "sequencer", "--memories", self.folder / "macros.lib")

    def test_memories_have_absolute_paths_for_tools_that_run_elsewhere(self):
        (self.folder / "macros.lib").write_text(MACRO.format(name="X_2P_64x32"))
        with contextlib.chdir(self.folder):
            found = memory.read(["macros.lib"])
        self.assertEqual(found["X_2P_64x32"].file, self.folder / "macros.lib")

    def test_memories_have_no_white_space_in_their_paths(self):
        (self.folder / "a b.lib").write_text(MACRO.format(name="RM_IHPSG13_2P_64x32"))
        self.refused("a b.lib: tools read no path with white space", "fp-add", "--memories", self.folder / "a b.lib")


class Coriolis(Case):
    def test_a_python_is_absolute_and_stays_the_link_that_it_is(self):
        self.program("real", "exit 0")
        (self.folder / "venv/bin").mkdir(parents=True)
        (self.folder / "venv/bin/python").symlink_to("../../real")
        with contextlib.chdir(self.folder):
            self.assertEqual(place.interpreter("venv/bin/python"), str(self.folder / "venv/bin/python"))
        with mock.patch.dict(os.environ, {"PATH": str(self.folder / "venv/bin")}):
            self.assertEqual(place.interpreter("python"), str(self.folder / "venv/bin/python"))

    def test_none_is_said_before_anything_is_mapped(self):
        for name, says in (("no/such", "no such program; expected a Python that has coriolis-eda"),
                           (self.program("other", "exit 1"), "it has no coriolis-eda")):
            with mock.patch.object(routed, "measure", side_effect=AssertionError("mapped")):
                with self.subTest(name), self.assertRaisesRegex(technology.UserError, f"^--coriolis {name}: {says}"):
                    physical.main(["fp-add", "--route", "--coriolis", str(name)])


class Route(Case):
    def route(self, *arguments, noted=None):
        """What --route prints, with parts that cost nothing."""
        measured = mock.Mock(cells=1, core_area_um2=1, wire_length_mm=1)
        measured.figures.side_effect = lambda: {"cells": 1}
        page = {"osu018": {name: {"placer": placer, "violations": count} for name, placer, count in noted or ()}}
        with mock.patch.object(routed, "measure", lambda *_: (measured, None, None, {})), \
             mock.patch.object(physical, "drawn", lambda *_: ""), mock.patch.object(physical, "count_violations"), \
             mock.patch.object(routed_page, "record") as record, mock.patch.object(routed_page, "load", lambda: page), \
             mock.patch.object(routed_page, "DRAWN", ()), mock.patch.object(place, "interpreter", lambda python: python), \
             contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(physical.main([*arguments, "--route"]), 0)
        return said.getvalue(), [call.args[1] for call in record.call_args_list]

    def test_json_of_several_parts_is_one_list(self):
        found = json.loads(self.route("fp-add", "fp-mul", "--json")[0])
        self.assertEqual([part["block"] for part in found], ["fp-add", "fp-mul"])

    def test_a_record_is_what_etesian_places_and_loses_no_count_of_violations(self):
        noted = (("fp-add", "etesian", 0), ("row-pipe", "etesian", None))
        python = ("--coriolis", "python3")
        for arguments, says in ((("fp-add", "--drc"), "the page has what Etesian places; expected --coriolis PYTHON"),
                                (("fp-add", *python), "fp-add is noted with its violations of design rules; expected --drc"),
                                (("fp-mul", "fp-div", *python), "fp-div is not on the page; expected some of fp-add")):
            with self.subTest(arguments), self.assertRaisesRegex(technology.UserError, f"^--route --record: {says}"):
                self.route(*arguments, "--record", noted=noted)
        for name in ("fp-add", "row-pipe", "fp-mul"):
            self.assertEqual(self.route(name, "--drc", *python, "--record", noted=noted)[1], [name])


class Simulated(Case):
    def test_outputs_that_never_change_are_no_comparison(self):
        for differ, changed, status in ((0, 5, 0), (1, 5, 1), (0, 0, 1)):
            with mock.patch.object(simulate, "differing", lambda *_: (differ, changed)), \
                 contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(physical.main(["fp-add", "--simulate", "5"]), status, (differ, changed))


class Tools(Case):
    def test_what_energy_needs_is_missed_before_anything_is_mapped(self):
        library = types.SimpleNamespace(technology=technology.LIBRARIES["osu018"])
        with mock.patch.object(flow, "map_to_cells", side_effect=AssertionError("mapped")), \
             mock.patch.object(figures, "engine", lambda name: ("default", {"period_ns": 1})):
            with mock.patch.object(waves, "PROGRAM", self.folder / "ppu"), \
                 self.assertRaisesRegex(technology.UserError, "ppu is not built; build it with: ./ppu info$"):
                energy.record(library, self.folder)
            with mock.patch.object(waves, "PROGRAM", self.program("ppu", "exit 0")), \
                 mock.patch.dict(os.environ, {"PATH": "/nowhere"}), \
                 self.assertRaisesRegex(technology.UserError, "^fst2vcd is not installed; .*: apt-get install gtkwave$"):
                energy.record(library, self.folder)

    def ended(self, path, *arguments):
        """Ends the flow in a tool, which notes the process that it has started; True if that one is gone as well."""
        process = subprocess.Popen((*PROGRAM, *arguments), env=os.environ | {"PATH": path}, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        note = self.folder / "started"
        self.wait(lambda: note.is_file() and note.read_text().endswith("\n"))
        process.terminate()
        status, started = process.wait(30), int(note.read_text())
        gone = self.wait(lambda: not runs(started))
        if not gone:
            os.kill(started, signal.SIGKILL)
        self.assertEqual(status, 143)
        return gone

    @staticmethod
    def wait(condition):
        """True if something is so within a minute."""
        until = time.monotonic() + 60
        while not condition() and time.monotonic() < until:
            time.sleep(0.05)
        return condition()

    def test_a_tool_that_starts_when_the_flow_ends_is_ended_too(self):
        started, popen = [], subprocess.Popen

        def start(*arguments, **options):
            started.append(popen(*arguments, **options))
            processes.end()
            return started[0]

        self.addCleanup(processes.late.update, starting=False, asked=False)
        self.addCleanup(signal.signal, signal.SIGTERM, signal.SIG_DFL)
        with mock.patch.object(subprocess, "Popen", start), self.assertRaises(SystemExit) as caught, \
             processes.running(("sleep", "300")):
            self.fail("it runs")
        self.assertEqual((caught.exception.code, started[0].returncode), (143, -signal.SIGKILL))

    def test_what_a_failing_tool_leaves_behind_is_ended(self):
        note = self.folder / "left"
        with processes.running(("sh", "-c", f"sleep 300 & echo $! >{note}; exit 1")) as process:
            process.wait()
        self.assertEqual(process.returncode, 1)
        self.assertTrue(self.wait(lambda: not runs(int(note.read_text()))))

    def test_tools_end_with_the_flow(self):
        note = self.folder / "started"
        waiting = f"sleep 300 & echo $! >{note}; wait"
        self.program("yosys/yosys", waiting)
        self.assertTrue(self.ended(f"{self.folder}/yosys:{os.environ['PATH']}", "fp-add"))
        note.unlink()
        self.program("qrouter/qrouter", waiting)
        self.assertTrue(self.ended(f"{self.folder}/qrouter:{os.environ['PATH']}", "issue", "--route"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
