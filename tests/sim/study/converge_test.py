# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu study converge and ppu study savings: what they say follows from solves that anybody can repeat."""
import os
import re
import shlex
import statistics
import subprocess
import xml.etree.ElementTree

from cli import BALL, CliTest, DATA, PROGRAMS, ROOT, WALL
from convergence_page import PAGE, SHOWN

TOPPLE = DATA / "topple_f060.h5"
WALL_CFM = DATA / "wall10cfm_f030.h5"
RATIOS = DATA / "massratio_f040.h5"
CLOCK_MHZ = 150


class Converge(CliTest):
    def converge(self, problem, *options):
        result = self.json("study", "converge", problem, *options)
        return {program["program"]: program for program in result["programs"]}

    def test_a_point_is_a_solve_of_as_many_sweeps(self):
        programs = self.converge(WALL, "--threshold", 0.05, "--sweeps", 60)
        self.assertIn("threshold", programs)
        self.assertIn("filter", programs)
        for name, program in programs.items():
            point = program["points"][5]
            solve = self.json("solve", WALL, "--program", name, "--threshold", 0.05,
                              "--sweeps", point["sweeps"])
            for key in ("sweeps", "row_updates", "cycles"):
                self.assertEqual(point[key], solve[key], name)
            self.assertAlmostEqual(point["us"], solve["cycles"] / CLOCK_MHZ, places=6)
            # Its velocities are summed anew, the solve's are those that the device has.
            self.assertAlmostEqual(point["residual"], solve["max_residual"], places=4)

    def test_points_go_from_the_start_to_the_last_sweep(self):
        program = self.converge(WALL, "--programs", "boxed", "--sweeps", 40)["boxed"]
        sweeps = [point["sweeps"] for point in program["points"]]
        self.assertEqual((sweeps[0], sweeps[1], sweeps[-1]), (0, 1, 40))
        self.assertEqual(sweeps, sorted(set(sweeps)))
        self.assertIs(program["stopped"], False)

    def test_reached_is_the_first_sweep_at_or_below_the_threshold(self):
        program = self.converge(WALL, "--programs", "threshold", "--threshold", 0.05)["threshold"]
        reached = program["reached"]["sweeps"]
        self.assertLessEqual(program["reached"]["residual"], 0.05)
        before = self.json("solve", WALL, "--program", "threshold", "--threshold", 0.05,
                           "--sweeps", reached - 1)
        self.assertGreater(before["max_residual"], 0.05)
        self.assertIs(program["stopped"], True)
        self.assertLessEqual(program["points"][-1]["residual"], 0.0501)

    def test_what_is_not_reached_is_said_with_the_best(self):
        options = ("--programs", "threshold,filter-literal", "--threshold", 0.02)
        programs = self.converge(WALL, *options)
        literal = programs["filter-literal"]
        self.assertIs(literal["stopped"], True)
        self.assertIsNone(literal["reached"])
        self.assertGreater(literal["points"][-1]["residual"], 0.04)
        self.assertEqual(literal["best"]["residual"],
                         min(point["residual"] for point in literal["points"]))
        text = self.ppu("study", "converge", WALL, *options).stdout
        self.assertIn(f"not reached (best {literal['best']['residual']:.3g})", text)
        self.assertRegex(text, r"\nthreshold +\d+\.\d{3} ")

    def test_without_names_only_programs_that_take_the_friction_rule_run(self):
        programs = self.converge(BALL, "--friction", "skip", "--sweeps", 5)
        self.assertNotIn("nesterov", programs)
        self.assertIn("threshold", programs)
        self.assertIn("nesterov", self.converge(BALL, "--sweeps", 5))
        self.refused("study", "converge", BALL, "--friction", "skip", "--programs", "nesterov",
                     names=("skip",))

    def test_a_name_may_over_relax(self):
        relaxed, same = (self.converge(WALL, "--sweeps", 6, *options) for options in (
            ("--programs", "threshold@1.5"), ("--programs", "threshold", "--relaxation", 1.5)))
        self.assertEqual(relaxed["threshold@1.5"]["points"], same["threshold"]["points"])
        self.refused("study", "converge", WALL, "--programs", "threshold@x", names=("threshold@x", "number"))

    def test_frozen_bounds_are_a_boxed_lcp(self):
        coupled, clamp, skip = (
            self.converge(TOPPLE, "--programs", "threshold", "--sweeps", 30, *options)["threshold"]
            for options in ((), ("--frozen",), ("--frozen", "--friction", "skip")))
        self.assertEqual(clamp["points"], skip["points"])
        self.assertNotEqual(clamp["points"][-1], coupled["points"][-1])

    def test_frozen_bounds_are_those_of_the_files_own_answer(self):
        # As the schema says: mu * max(0, impulse of the parent). Row 0 is a contact of the ball.
        bare = self.edited("delete", "/reference", source=TOPPLE)
        self.refused("study", "converge", bare, "--frozen", names=(bare, "--frozen", "/solution"))
        solved = self.folder / "solved.h5"
        self.ppu("solve", bare, "--friction", "skip", "--output", solved)
        options = ("--frozen", "--programs", "boxed", "--sweeps", 20)
        own, engine = (self.converge(problem, *options)["boxed"]["points"][-1]
                       for problem in (solved, TOPPLE))
        # The engine's answer to ten sweeps and the device's differ by rounding alone.
        self.assertAlmostEqual(own["residual"] / engine["residual"], 1, places=3)

    def test_a_time_is_followed_to_its_end(self):
        for program in self.converge(WALL, "--until-us", 300, "--threshold", 0).values():
            cycles = [point["cycles"] for point in program["points"]]
            self.assertGreaterEqual(cycles[-1], 300 * CLOCK_MHZ)
            self.assertLess(cycles[-1], 300 * CLOCK_MHZ + 100)
            self.assertEqual(cycles, sorted(cycles))

    def test_the_start_counts_as_the_problem_gives_it(self):
        warm, cold = (self.converge(WALL, "--programs", "boxed", "--sweeps", 1, "--start", start)
                      ["boxed"]["points"][0] for start in ("warm", "cold"))
        self.assertEqual((warm["sweeps"], warm["row_updates"], warm["cycles"]), (0, 0, 0))
        self.assertNotEqual(warm["residual"], cold["residual"])

    def test_any_program_takes_part(self):
        mine = self.folder / "mine.s"
        mine.write_text((PROGRAMS / "boxed.s").read_text())
        programs = self.converge(BALL, "--programs", f"boxed,{mine}", "--sweeps", 8)
        self.assertEqual(programs["boxed"]["points"], programs[str(mine)]["points"])
        self.refused("study", "converge", BALL, "--programs", "boxes", names=("boxes",))

    def test_without_time_there_are_row_updates(self):
        options = ("--backend", "functional", "--programs", "threshold", "--sweeps", 20)
        timeless = self.converge(WALL, *options)["threshold"]["points"]
        timed = self.converge(WALL, *options[2:])["threshold"]["points"]
        for a, b in zip(timeless, timed, strict=True):
            self.assertEqual((a["row_updates"], a["residual"]), (b["row_updates"], b["residual"]))
            self.assertIsNone(a["cycles"])
        self.assertIn("residual after row updates", self.ppu("study", "converge", WALL, *options).stdout)
        self.refused("study", "converge", WALL, "--backend", "functional", "--until-us", 5,
                     names=("functional", "has no time"))

    def test_the_picture_is_well_formed_and_has_every_program(self):
        picture = self.folder / "wall.svg"
        self.ppu("study", "converge", WALL, "--sweeps", 20, "--programs", "boxed,filter", "--svg", picture)
        root = xml.etree.ElementTree.parse(picture).getroot()
        titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(titles, 2 * ["boxed", "filter"])


class Savings(CliTest):
    def savings(self, *options):
        results = self.json("study", "savings", "--threshold", 0.02, *options)["results"]
        return {(result["problem"], result["program"]): result for result in results}

    def test_rows_saved_are_those_of_the_plain_program_at_the_same_residual(self):
        results = self.savings("--problems", WALL_CFM, TOPPLE)
        for name in (WALL_CFM.stem, TOPPLE.stem):
            plain, verified = results[name, "threshold"], results[name, "filter"]
            for result in (plain, verified):
                self.assertIs(result["kept_its_word"], True)
                self.assertLessEqual(result["residual"], 0.0202)
            compared = verified["compared"]
            self.assertEqual(compared["plain_row_updates"], plain["row_updates"])
            self.assertEqual(compared["rows_saved"],
                             plain["row_updates"] / verified["row_updates"])
            self.assertEqual(compared["time_saved"], plain["cycles"] / verified["cycles"])
            self.assertGreater(compared["rows_saved"], 1)
            self.assertIsNone(plain["compared"])

    def test_the_first_sweeps_there_are_those_of_converge(self):
        compared = self.savings("--problems", WALL)[WALL.stem, "filter"]["compared"]
        programs = {program["program"]: program["reached"]["row_updates"] for program in
                    self.json("study", "converge", WALL, "--threshold", 0.02)["programs"]
                    if program["reached"]}
        self.assertEqual(compared["plain_first_row_updates"], programs["threshold"])
        self.assertEqual(compared["first_row_updates"], programs["filter"])
        self.assertEqual(compared["rows_saved_first"], programs["threshold"] / programs["filter"])
        self.assertLessEqual(programs["threshold"], compared["plain_row_updates"])

    def test_a_program_that_stops_too_early_is_compared_at_the_residual_it_has(self):
        literal = self.savings("--problems", WALL, "--programs", "threshold,filter-literal")[
            WALL.stem, "filter-literal"]
        self.assertEqual((literal["stopped"], literal["kept_its_word"]), (True, False))
        self.assertGreater(literal["residual"], 0.04)
        equal = self.json("solve", WALL, "--program", "threshold", "--sweeps", 20000,
                          "--threshold", literal["residual"])
        self.assertEqual(literal["compared"]["rows_saved"],
                         equal["row_updates"] / literal["row_updates"])
        text = self.ppu("study", "savings", "--threshold", 0.02, "--problems", WALL).stdout
        self.assertRegex(text, r"\n +filter-literal +STOPS ABOVE ")
        self.assertRegex(text, r"\n +filter +reached ")

    def test_what_rounding_piles_up_in_velocities_counts_in_the_residual(self):
        options = ("--problems", RATIOS, "--threshold", 0.01, "--start", "cold", "--sweeps", 20000,
                   "--backend", "functional", "--programs", "filter,threshold")
        filtered = self.json("study", "savings", *options)["results"][0]
        self.assertIs(filtered["kept_its_word"], True)
        self.assertLess(filtered["device_residual"], 0.0101)
        self.assertGreater(filtered["residual"], 0.011)
        self.assertRegex(self.ppu("study", "savings", *options).stdout, r"filter +drifted ")

    def test_what_does_not_stop_is_not_compared(self):
        options = ("--problems", RATIOS, TOPPLE, "--programs", "threshold,filter", "--sweeps", 1000)
        results = self.savings(*options)
        self.assertIs(results[RATIOS.stem, "threshold"]["stopped"], False)
        self.assertIsNone(results[RATIOS.stem, "filter"]["compared"])
        text = self.ppu("study", "savings", "--threshold", 0.02, *options).stdout
        self.assertIn(f"1 problem where one of the two does not stop: {RATIOS.stem}", text)
        self.assertIn("1 problem where both stop at the threshold", text)

    def test_the_summary_is_the_median_of_the_lines(self):
        options = ("--problems", WALL, WALL_CFM, TOPPLE, "--programs", "threshold,filter",
                   "--backend", "functional")
        saved = [result["compared"]["rows_saved"]
                 for (_, program), result in self.savings(*options).items() if program == "filter"]
        text = self.ppu("study", "savings", "--threshold", 0.02, *options).stdout
        self.assertRegex(text, rf"row updates saved +{statistics.median(saved):.2f}x median, "
                         f"{min(saved):.2f}x to {max(saved):.2f}x")

    def test_a_program_without_a_residual_is_refused(self):
        self.refused("study", "savings", "--problems", BALL, "--programs", "boxed,filter",
                     names=("--threshold", "boxed"))


SMALL = [DATA / f"{name}.h5" for name in ("ball_f110", "topple_f060", "wall10_f012")]


def lines_of(text):
    """The lines without their padding, which depends on what else is in a table."""
    return [" ".join(line.split()) for line in text.splitlines()]


class ConvergencePage(CliTest):
    """The commands of the page on convergence in a short form: fewer problems, fewer sweeps."""

    def shown(self, command):
        found = [(shlex.split(line), lines_of(text))
                 for line, text in SHOWN.findall(PAGE.read_text())]
        return [(words, lines) for words, lines in found
                if words[0] == command or words[:2] == ["study", command]]

    def printed(self, words):
        run = subprocess.run([os.environ["PPU_BIN"], *map(str, words)], cwd=ROOT, text=True,
                             capture_output=True, check=True)
        return lines_of(run.stdout)

    def test_the_lines_of_small_problems_are_what_savings_prints(self):
        # Those of many problems, which they name last.
        shown = [run for run in self.shown("savings") if "50000" in run[0]]
        self.assertEqual(len(shown), 2)
        for words, page in shown:
            options = words[:words.index("--problems")] if "--problems" in words else words
            printed = self.printed([*options, "--problems", *SMALL])
            self.assertEqual(printed[:2], page[:2])
            table = printed[2:printed.index("", 2)]
            self.assertGreater(len(table), 3 * len(SMALL))
            at = 0
            for line in table:
                self.assertIn(line, page[at:], words)
                at = page.index(line, at)

    def test_the_first_millisecond_of_the_headline_case_is_what_converge_prints(self):
        shown = self.shown("converge")
        self.assertEqual(len(shown), 2)
        for words, page in shown:
            if "--svg" in words:
                del words[words.index("--svg"):words.index("--svg") + 2]
            words[words.index("--sweeps") + 1] = "12"
            printed = self.printed(words)
            self.assertEqual(printed[0], page[0])
            first = next(i for i, line in enumerate(printed) if line.startswith("residual after"))
            self.assertIn(printed[first], page)
            rows = [line for line in printed[first + 1:] if re.match(r"(0\.\d+|1) ", line)]
            self.assertGreaterEqual(len(rows), 2)
            for row in rows:
                self.assertIn(row, page)
