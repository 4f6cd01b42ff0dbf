# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu study programs: every program on every problem, equal on all back ends, as the manual shows it."""
import json
import os
import re
import shlex
import subprocess

from cli import BACKENDS, BALL, CliTest, DATA, PROGRAMS, ROOT, WALL

PAGE = ROOT / "docs/reference/measured/programs.md"
CELLS = ("sweeps", "row_updates", "max_residual", "device_cycles", "rows_per_cycle",
         "bytes_per_row_on_chip", "bytes_per_row_streamed", "state_hash")


def page_lines():
    """The lines of the manual's tables, as {(program, problem): cells}."""
    lines, program = {}, None
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            program = line[3:]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 10 and cells[0] not in ("problem", "---"):
            lines[program, cells[0]] = cells[1:]
    return lines


def page_commands():
    """The command above each table, as {program: its words}."""
    return {match[1]: shlex.split(match[2]) for match in
            re.finditer(r"^## (\S+)\n\n[^\n]*\n\n```sh\n(.*)\n```$", PAGE.read_text(), re.MULTILINE)}


def shown(result):
    """The cells of a result as the manual shows them."""
    return [f"{result['sweeps']:,}", f"{result['row_updates']:,}", f"{result['max_residual']:.3g}",
            f"{result['device_cycles']:,}", f"{result['rows_per_cycle']:.3f}",
            f"{result['bytes_per_row_on_chip']:.1f}", f"{result['bytes_per_row_streamed']:.1f}",
            result["state_hash"], "yes"]


class ProgramsTest(CliTest):
    def programs(self, *arguments, expect=0, environment=None):
        """Runs it without a limit of time: slow machines may take long."""
        run = subprocess.run([os.environ["PPU_BIN"], "study", "programs", *map(str, arguments)],
                             cwd=self.folder, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout

    def results(self, *arguments, **options):
        return json.loads(self.programs(*arguments, "--json", "-", **options))["results"]

    def shipped(self):
        return {path.stem for path in PROGRAMS.glob("*.s")}


class ProgramsShortForm(ProgramsTest):
    def test_small_problems_are_equal_on_all_back_ends_and_as_the_page_shows_them(self):
        table = json.loads(self.programs("--quick", "--data", DATA, "--json", "-"))
        self.assertEqual(set(table["backends"]), set(BACKENDS))
        self.assertTrue(table["equal"])
        self.assertEqual({result["program"] for result in table["results"]}, self.shipped())
        self.assertGreaterEqual(len({result["problem"] for result in table["results"]}), 3)
        page = page_lines()
        for result in table["results"]:
            self.assertEqual(result["differences"], [])
            self.assertEqual(page[result["program"], result["problem"]], shown(result),
                             result["command"])


class Programs(ProgramsTest):
    def test_the_page_has_every_program_on_every_problem_and_all_are_equal(self):
        page = page_lines()
        problems = [path.stem for path in DATA.rglob("*.h5")]
        self.assertEqual(set(page), {(program, problem) for program in self.shipped()
                                     for problem in problems})
        self.assertEqual({cells[-1] for cells in page.values()}, {"yes"})
        self.assertIn("on systemc, functional, cosim, rtl: states, sweeps, row updates", PAGE.read_text())

    def test_the_command_above_a_table_repeats_a_line_of_it(self):
        page, commands = page_lines(), page_commands()
        self.assertEqual(set(commands), self.shipped())
        for program, words in commands.items():
            self.assertEqual(words[:3], ["ppu", "solve", "FILE"])
            result = self.json("solve", BALL, *words[3:])
            stream = self.json("solve", BALL, *words[3:], "--stream")
            self.assertEqual(stream["state_hash"], result["state_hash"])
            result["device_cycles"] = result["frame"]["device_cycles"]
            result["bytes_per_row_on_chip"] = result["bytes_per_row"]
            line = page[program, BALL.stem]
            for key, cell in zip(CELLS, line):
                if key != "bytes_per_row_streamed":
                    self.assertEqual(cell, shown({**dict.fromkeys(CELLS, 0), **result})
                                     [CELLS.index(key)], (program, key))

    def test_rows_stream_at_their_size_in_memory(self):
        full, reduced = self.results("--problems", WALL, "--programs", "boxed,reduced",
                                     "--backends", "functional")
        self.assertEqual(full["bytes_per_row_streamed"], 128)
        self.assertLess(reduced["bytes_per_row_streamed"], 81)
        self.assertGreaterEqual(reduced["bytes_per_row_streamed"], 80)

    def test_a_problem_that_a_program_does_not_take_is_said_in_the_drivers_words(self):
        bare = self.edited("delete", "/bodies/inv_mass", source=BALL)
        sentence = self.ppu("solve", bare, "--program", "reduced", expect=2).stderr
        full, reduced = self.results("--problems", bare, "--programs", "boxed,reduced",
                                     "--backends", "functional,systemc")
        self.assertEqual(full["refused"], "")
        self.assertEqual(f"ppu: {reduced['refused']}\n", sentence)
        self.assertEqual(reduced["differences"], [])
        text = self.programs("--problems", bare, "--programs", "reduced", "--backends",
                             "functional", "--table", "page.md")
        self.assertIn("edited is refused: ", text)
        page = (self.folder / "page.md").read_text()
        self.assertIn("| edited | refused | - |", page)
        self.assertIn("* edited is refused: ", page)

    def test_what_differs_between_back_ends_is_a_mismatch(self):
        # The broken device has another adder in the RTL row pipes.
        broken = {"PPU_DEVICE": os.environ["PPU_BROKEN_DEVICE"]}
        result, = self.results("--problems", BALL, "--programs", "boxed", "--backends",
                               "systemc,cosim", expect=1, environment=broken)
        difference, = result["differences"]
        self.assertTrue(difference.startswith("cosim: "), difference)
        self.assertIn("replay it with waves: ppu cosim", difference)
        text = self.programs("--problems", BALL, "--programs", "boxed", "--backends",
                             "systemc,cosim", expect=1, environment=broken)
        self.assertIn("1 of 1 differ", text)

    def test_bad_options(self):
        self.refused("study", "programs", "--backends", "fpga", names=("fpga", "functional"))
        self.refused("study", "programs", "--data", self.folder, names=("no .h5 file",))
        self.refused("study", "programs", "--programs", "boxes", "--problems", BALL, names=("boxes",))
