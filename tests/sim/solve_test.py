# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Solve and profile: what they print, write and count."""
import json
import re

from cli import BACKENDS, BALL, CliTest, WALL

KEYS = {"problem", "backend", "config", "config_hash", "program", "order", "rows", "bodies", "sweeps",
        "row_updates", "cycles", "rows_per_cycle", "cycles_per_row", "flops_per_row",
        "bytes_per_row", "max_residual", "state_hash", "wall_seconds", "stalls"}


class Solve(CliTest):
    def test_a_program_that_never_ends_is_given_up_in_time(self):
        endless = self.folder / "endless.s"
        endless.write_text("again: j again\n")
        for backend in BACKENDS:
            run = self.ppu("solve", BALL, "--program", endless, "--backend", backend,
                           "--timeout", "0.2", expect=3)
            self.assertIn("nothing was written", run.stderr)

    def test_json_has_the_promised_keys_and_they_fit_together(self):
        result = self.json("solve", WALL)
        self.assertLessEqual(KEYS, set(result))
        self.assertEqual((result["rows"], result["bodies"], result["sweeps"]), (1566, 106, 10))
        self.assertEqual(result["row_updates"], 15660)
        self.assertAlmostEqual(result["rows_per_cycle"], result["row_updates"] / result["cycles"])
        self.assertAlmostEqual(result["cycles_per_row"], result["cycles"] / result["row_updates"])
        self.assertGreaterEqual(result["flops_per_row"], 52)
        self.assertGreater(result["bytes_per_row"], 128)
        self.assertGreater(result["max_residual"], 0)

    def test_stalls_sum_to_the_cycles(self):
        for options in ((), ("--order", "engine"), ("--set", "lanes=3"),
                        ("--set", "row_memory_rows=64")):
            result = self.json("solve", WALL, *options)
            self.assertEqual(sum(result["stalls"].values()), result["cycles"], options)

    def test_streamed_rows_stall_on_fetch_and_give_the_same_bits(self):
        resident = self.json("solve", WALL)
        streamed = self.json("solve", WALL, "--set", "row_memory_rows=64")
        self.assertEqual(resident["stalls"]["row fetch"], 0)
        self.assertGreater(streamed["stalls"]["row fetch"], 0)
        self.assertEqual(resident["state_hash"], streamed["state_hash"])

    def test_the_functional_back_end_has_no_time(self):
        result = self.json("solve", WALL, "--backend", "functional")
        for key in ("cycles", "rows_per_cycle", "cycles_per_row"):
            self.assertIsNone(result[key])
        self.assertEqual(result["stalls"], {})

    def test_the_schedule_saves_cycles(self):
        engine = self.json("solve", WALL, "--order", "engine")
        scheduled = self.json("solve", WALL, "--order", "scheduled")
        self.assertLess(4 * scheduled["cycles"], engine["cycles"])

    def test_a_threshold_stops_early(self):
        # 0 can only be reached by solving exactly, 1e6 holds at the start.
        arguments = ("solve", BALL, "--program", "threshold", "--sweeps", "7")
        self.assertEqual(self.json(*arguments, "--threshold", "0")["sweeps"], 7)
        self.assertEqual(self.json(*arguments, "--threshold", "1e6")["sweeps"], 0)

    def test_the_residual_falls_with_sweeps(self):
        residuals = [self.json("solve", BALL, "--start", "cold", "--sweeps", n)["max_residual"]
                     for n in (1, 10, 100)]
        self.assertEqual(residuals, sorted(residuals, reverse=True))
        self.assertLess(residuals[2], residuals[0] / 10)

    def test_the_table_shows_the_same_numbers(self):
        result = self.json("solve", BALL)
        text = self.ppu("solve", BALL).stdout
        for key in ("state_hash", "config_hash"):
            self.assertIn(result[key], text)
        self.assertIn(f"{result['cycles']:,}", text)

    def test_json_goes_to_a_file_and_the_table_to_stdout(self):
        path = self.folder / "out.json"
        run = self.ppu("solve", BALL, "--json", path)
        self.assertIn("state hash", run.stdout)
        self.assertEqual(json.loads(path.read_text())["problem"], str(BALL))
        self.assertEqual([p.name for p in self.folder.iterdir()], ["out.json"])

    def test_the_output_is_a_problem_with_its_solution(self):
        output = self.folder / "out.h5"
        solved = self.json("solve", BALL, "--output", output)
        again = self.json("solve", output)
        self.assertEqual(solved["state_hash"], again["state_hash"])
        self.ppu("diff", output, output)

    def test_a_toml_file_and_overrides_configure_the_device(self):
        path = self.folder / "mine.toml"
        path.write_text("lanes = 6\n")
        file = self.json("solve", BALL, "--config", path)
        override = self.json("solve", BALL, "--set", "lanes=6")
        self.assertEqual(file["config_hash"], override["config_hash"])
        self.assertEqual(file["cycles"], override["cycles"])
        self.assertNotEqual(file["config_hash"], self.json("solve", BALL)["config_hash"])

    def test_the_last_of_two_overrides_holds_and_several_add_up(self):
        result = self.json("solve", BALL, "--set", "lanes=1", "--set", "lanes=6", "--set",
                           "fp_mul_stages=2")
        self.assertEqual(result["config_hash"],
                         self.json("solve", BALL, "--set", "fp_mul_stages=2", "--set",
                                   "lanes=6")["config_hash"])

    def test_the_answer_of_the_engine_is_compared_where_it_answers_the_same_question(self):
        # The engine's own answer: ten sweeps, warm, friction rows skipped.
        same = self.json("solve", BALL, "--friction", "skip")["reference_error"]
        self.assertGreater(same, 0)
        self.assertLess(same, 1e-6)
        self.assertIsNone(self.json("solve", BALL, "--friction", "clamp")["reference_error"])
        for other in (("--sweeps", "9"), ("--start", "cold"), ("--order", "colour")):
            self.assertIsNone(self.json("solve", BALL, "--friction", "skip", *other)
                              ["reference_error"], other)
        self.assertIsNone(self.json("solve", self.edited("delete", "/reference", source=BALL),
                                    "--friction", "skip")["reference_error"])
        out = self.ppu("solve", BALL, "--friction", "skip").stdout
        self.assertRegex(out, r"reference error +\d\.\d\de-\d\d of max\|x\|")

    def test_stderr_stays_empty(self):
        self.assertEqual(self.ppu("solve", BALL, "--backend", "functional").stderr, "")


def number(text):
    return int(text.replace(",", ""))


class Profile(CliTest):
    def test_the_histogram_and_the_kinds_count_every_row(self):
        result = self.json("profile", WALL)
        self.assertEqual(sum(b["rows"] for b in result["cycle_histogram"]), 1566)
        self.assertEqual({k: v["rows"] for k, v in result["kinds"].items()},
                         {"contact": 522, "friction": 1044})

    def test_cycles_by_kind_add_up_to_nearly_all_cycles(self):
        # Rows are charged for their issue and the stalls before it; drain and control belong to none.
        result = self.json("profile", WALL, "--order", "engine")
        charged = 10 * sum(k["rows"] * k["cycles_per_row"] for k in result["kinds"].values())
        others = result["stalls"]["drain"] + result["stalls"]["control"]
        self.assertAlmostEqual(charged, result["cycles"] - others, delta=0.5)

    def test_the_slowest_rows_come_first(self):
        rows = self.json("profile", WALL)["slowest_rows"]
        cycles = [row["cycles_per_visit"] for row in rows]
        self.assertEqual(len(rows), 10)
        self.assertEqual(cycles, sorted(cycles, reverse=True))

    def test_the_text_sums_to_100_percent(self):
        out = self.ppu("profile", WALL).stdout
        classes = re.findall(r"^(\w[\w ]*?) +([\d,]+) +(\d+\.\d) %", out, re.MULTILINE)
        name, total, share = classes.pop()
        self.assertEqual((name, share), ("sum", "100.0"))
        self.assertEqual(sum(number(cycles) for _, cycles, _ in classes), number(total))
        self.assertEqual(number(total), number(re.search(r"^cycles +([\d,]+)$", out, re.M)[1]))
        for title in ("cycles by reason", "cycles per visit", "kind of row", "slowest row"):
            self.assertIn(title, out)
        self.assertIn("bound by body hazard", out)

    def test_slots_are_those_of_the_run(self):
        # The driver names row and slot of a fault; a fault does not change the schedule.
        for lanes in ("12", "3", "1"):
            options = ("--set", f"lanes={lanes}")
            for slow in self.json("profile", WALL, *options)["slowest_rows"][:5]:
                row = slow["row"]
                broken = self.edited("set", "/rows/rate_bias", row, -3e38)
                broken = self.edited("set", "/rows/inv_diagonal", row, 3e38, source=broken)
                message = self.refused("solve", broken, *options, expect=1)
                self.assertIn(f"row {row} (slot {slow['slot']})", message)

    def test_a_program_that_sends_no_row_has_no_slowest_row(self):
        path = self.folder / "halt.s"
        path.write_text("        halt\n")
        self.assertEqual(self.json("profile", BALL, "--program", path)["slowest_rows"], [])
        out = self.ppu("profile", BALL, "--program", path).stdout
        self.assertNotIn("slowest", out)
        self.assertIn("no row went through", out)
        self.assertRegex(out, r"sum +\d+ +100\.0 %")

    def test_cycles_per_visit_are_cycles_over_updates(self):
        # `threshold` visits every row once more than it sweeps.
        result = self.json("profile", WALL, "--program", "threshold", "--sweeps", "3", "--order",
                           "engine")
        self.assertEqual(result["row_updates"], 4 * result["rows"])
        charged = 4 * sum(k["rows"] * k["cycles_per_row"] for k in result["kinds"].values())
        others = result["stalls"]["drain"] + result["stalls"]["control"]
        self.assertAlmostEqual(charged, result["cycles"] - others, delta=0.5)

    def test_what_bounds_a_run_follows_its_configuration(self):
        self.assertIn("lanes", self.json("profile", WALL, "--set", "lanes=1")["bound"])
        self.assertIn("row fetch", self.json("profile", WALL, "--set", "row_memory_rows=64", "--set",
                                             "dram_bytes_per_cycle=1")["bound"])
        self.assertIn("--order scheduled", self.json("profile", WALL, "--order", "engine")["bound"])
