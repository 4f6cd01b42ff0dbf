# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Solve and profile: what they print, write and count."""
import json
import re

from cli import BACKENDS, BALL, CliTest, DATA, HOST_SECONDS, MODELS, TIMED, WALL

KEYS = {"problem", "backend", "config", "config_hash", "program", "order", "rows", "bodies", "sweeps",
        "row_updates", "cycles", "rows_per_cycle", "cycles_per_row", "flops_per_row",
        "bytes_per_row", "max_residual", "state_hash", "wall_seconds", "stalls", "converged", "runs",
        "engines", "pipes", "velocity_banks", "stream", "frame"}
JOINTS = DATA / "ragdoll_f140.h5"


class Solve(CliTest):
    def test_a_program_that_never_ends_is_given_up_in_time(self):
        endless = self.folder / "endless.s"
        endless.write_text("again: j again\n")
        for backend in BACKENDS:
            run = self.ppu("solve", BALL, "--program", endless, "--backend", backend,
                           "--timeout", "0.2", expect=3)
            self.assertIn("nothing was written", run.stderr)

    def test_a_run_that_failed_says_which_files_there_are(self):
        endless = self.folder / "endless.s"
        endless.write_text("again: j again\n")
        run = self.ppu("solve", BALL, "--program", endless, "--trace", "a.log", "--timeout", "0.2",
                       expect=3)
        self.assertIn("only a.log was written", run.stderr)
        self.assertTrue((self.folder / "a.log").exists())

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

    def test_the_stance_is_a_problem_that_the_command_makes(self):
        self.assertEqual(self.json("solve", "stance", "--backend", "functional")["rows"], 24)

    def test_stalls_sum_to_the_cycles(self):
        for options in ((), ("--order", "engine"), ("--set", "lanes=3"),
                        ("--set", "row_memory_rows=64"), ("--set", "pipes=4"), ("--stream",)):
            result = self.json("solve", WALL, *options)
            self.assertEqual(sum(result["stalls"].values()), result["cycles"], options)

    def test_streamed_rows_stall_on_fetch_and_give_the_same_bits(self):
        resident = self.json("solve", WALL, "--set", "dataflow=0")
        # Only the first row of all waits for row memory.
        self.assertLess(resident["stalls"]["row fetch"], 4)
        for options in (("--stream",), ("--set", "row_memory_rows=64")):
            streamed = self.json("solve", WALL, *options)
            self.assertGreater(streamed["stalls"]["row fetch"], 100)
            self.assertEqual(resident["state_hash"], streamed["state_hash"])

    def test_the_functional_back_end_has_no_time(self):
        result = self.json("solve", WALL, "--backend", "functional")
        for key in ("cycles", "engine_cycles", "rows_per_cycle", "cycles_per_row"):
            self.assertIsNone(result[key])
        self.assertEqual(result["stalls"], {})

    def test_dataflow_issue_saves_cycles_whatever_becomes_of_the_rows(self):
        for options in ((), ("--stream",), ("--program", "filter"), ("--program", "classes")):
            flows = self.json("solve", WALL, *options)
            in_order = self.json("solve", WALL, *options, "--set", "dataflow=0")
            self.assertLess(2 * flows["cycles"], in_order["cycles"], options)
            self.assertEqual(flows["state_hash"], in_order["state_hash"])

    def test_the_order_that_was_scheduled_is_the_engines(self):
        solved = [self.json("solve", WALL, "--order", order) for order in ("engine", "scheduled")]
        for key in ("cycles", "state_hash", "row_updates"):
            self.assertEqual(solved[0][key], solved[1][key])

    def test_a_threshold_stops_early(self):
        # 0 can only be reached by solving exactly, 1e6 holds at the start.
        arguments = ("solve", BALL, "--program", "threshold", "--sweeps", "7")
        for threshold, sweeps, converged in (("0", 7, False), ("1e6", 0, True)):
            result = self.json(*arguments, "--threshold", threshold)
            self.assertEqual((result["sweeps"], result["converged"]), (sweeps, converged))
        self.assertIsNone(self.json("solve", BALL)["converged"])

    def test_the_table_says_whether_the_threshold_was_reached(self):
        arguments = ("solve", BALL, "--program", "threshold", "--sweeps", "7", "--threshold")
        self.assertRegex(self.ppu(*arguments, "0").stdout,
                         r"threshold +0\S* NOT reached: last residual \S+ after 7 sweeps")
        self.assertRegex(self.ppu(*arguments, "1e6").stdout,
                         r"threshold +\S+ reached: last residual \S+ after 0 sweeps")

    def test_a_threshold_that_is_not_given_is_0(self):
        arguments = ("solve", BALL, "--program", "threshold", "--sweeps", "7")
        self.assertRegex(self.ppu(*arguments).stdout,
                         r"threshold +0\S*, as none was given, NOT reached: last residual")
        self.assertEqual((self.json(*arguments)["converged"], self.json(*arguments)["sweeps"]),
                         (False, 7))
        self.assertNotIn("threshold", self.ppu("solve", BALL).stdout)

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

    def test_the_table_says_to_which_question_the_engine_has_the_answer(self):
        for options, question in (((), "--friction skip"),
                                  (("--friction", "skip", "--order", "colour"), "--order engine"),
                                  (("--sweeps", "9", "--start", "cold"),
                                   "--sweeps 10, --start warm, --friction skip")):
            self.assertRegex(self.ppu("solve", BALL, *options).stdout,
                             rf"(?m)^reference error +-: the engine's answer is for {question}$")
        no_answer = self.edited("delete", "/reference", source=BALL)
        self.assertNotIn("reference error", self.ppu("solve", no_answer).stdout)

    def test_every_back_end_with_time_can_log_its_events(self):
        logs = []
        for backend in TIMED:
            log = self.folder / backend
            self.ppu("solve", BALL, "--backend", backend, "--trace", log)
            logs.append(sorted(log.read_text().splitlines()))
        self.assertGreater(len(logs[0]), 2 * 1050)
        self.assertEqual(logs[0], logs[1])
        # Only models tell for what rows wait.
        waits = re.compile(r"\d+ (wait_\w+|drain|control) |end ")
        self.assertTrue(any(map(waits.match, logs[0])))
        of_both, of_rtl = ([line for line in log if not waits.match(line)] for log in (logs[0], logs[2]))
        self.assertTrue(of_both == of_rtl, "the logs differ, see ppu diff-trace")
        self.assertIn("equal: ", self.ppu("diff-trace", self.folder / "systemc", self.folder / "rtl").stdout)

    def test_a_log_changes_nothing(self):
        plain, logged = (self.json("solve", BALL, *options)
                         for options in ((), ("--trace", self.folder / "log")))
        self.assertEqual(plain["frame"]["device_cycles"], logged["frame"]["device_cycles"])

    def test_stderr_stays_empty(self):
        self.assertEqual(self.ppu("solve", BALL, "--backend", "functional").stderr, "")


class FrameCost(CliTest):
    PARTS = ["upload_cycles", "load_cycles", "sweep_cycles", "store_cycles", "report_cycles",
             "read_back_cycles"]

    def frame(self, *arguments):
        """Parts of the frame, without the device's sum and the host's seconds."""
        frame = self.json("solve", *arguments)["frame"]
        for key in HOST_SECONDS:
            self.assertGreaterEqual(frame.pop(key), 0)
        self.assertEqual(sum(frame.values()), 2 * frame.pop("device_cycles"))
        return frame

    def test_the_parts_sum_to_the_device_cycles(self):
        for backend in TIMED:
            frame = self.frame(BALL, "--backend", backend)
            self.assertEqual(list(frame), self.PARTS)
            # Rows go on chip as they come.
            self.assertEqual(frame.pop("load_cycles"), 0)
            self.assertGreater(min(frame.values()), 0)

    def test_several_runs_load_and_store_beside_each_other(self):
        frame = self.frame(JOINTS, "--set", "engines=2")
        self.assertEqual(list(frame), ["upload_cycles", "load_store_report_cycles", "sweep_cycles",
                                       "read_back_cycles"])

    def test_more_sweeps_cost_sweeps_only(self):
        few, many = (self.frame(BALL, "--sweeps", n) for n in (2, 20))
        self.assertGreater(many.pop("sweep_cycles"), 5 * few.pop("sweep_cycles"))
        for part, cycles in few.items():
            # Refreshes of device memory fall elsewhere.
            self.assertAlmostEqual(many[part], cycles, delta=0.1 * cycles + 100)

    def test_without_time_there_is_only_the_host(self):
        frame = self.json("solve", BALL, "--backend", "functional")["frame"]
        self.assertEqual(set(frame), set(HOST_SECONDS))


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
        table = re.search(r"^cycles by reason .*?\n\n", out, re.M | re.DOTALL)[0]
        classes = re.findall(r"^(\w[\w ]*?) +([\d,]+) +(\d+\.\d) %", table, re.MULTILINE)
        name, total, share = classes.pop()
        self.assertEqual((name, share), ("sum", "100.0"))
        self.assertEqual(sum(number(cycles) for _, cycles, _ in classes), number(total))
        self.assertEqual(number(total), number(re.search(r"^cycles +([\d,]+)$", out, re.M)[1]))
        for title in ("cycles by reason", "cycles per visit", "kind of row", "slowest  "):
            self.assertIn(title, out)
        self.assertIn("bound by issue", out)

    def test_what_bounds_a_run_quotes_the_chain_bound(self):
        point, = self.json("study", "scaling", WALL, "--pipes", "1", "--lanes", "12")["pipes"]
        out = " ".join(self.ppu("profile", WALL).stdout.split())
        said = re.search(r"longest cycle of rows that share bodies, ([\d,]+) per sweep, takes at least "
                         r"([\d,]+) of the ([\d,]+) cycles per sweep", out)
        self.assertEqual(number(said[2]), point["chain_cycles"])
        self.assertAlmostEqual(number(said[3]), self.json("solve", WALL)["cycles"] / 10, delta=1)
        in_order = ("--set", "dataflow=0", "--order", "engine")
        self.assertNotIn("longest chain", self.ppu("profile", WALL, *in_order).stdout)

    def test_more_pipes_are_advised_where_they_help(self):
        for problem, helps in (("ragdoll_f140", False), ("large/wall32_f020", True)):
            path = DATA / f"{problem}.h5"
            on_chip = ("--config", "default+resident")
            one = self.json("profile", path, *on_chip)
            self.assertTrue(one["bound"].startswith("issue"), one["bound"])
            self.assertEqual("only more pipes (--set pipes=2 --set velocity_banks=8)" in one["bound"], helps)
            self.assertEqual("more pipes do not help" in one["bound"], not helps)
            two = self.json("solve", path, *on_chip, "--set", "pipes=2", "--set", "velocity_banks=8")
            self.assertEqual(two["cycles"] < 0.6 * one["cycles"], helps)
        # Streamed rows come no faster for it.
        streamed = self.json("profile", path)
        self.assertIn("only more pipes with rows on chip (--config default+resident)", streamed["bound"])
        two = self.json("solve", path, "--set", "pipes=2")
        self.assertGreater(two["cycles"], 0.9 * streamed["cycles"])

    def test_slots_are_those_of_the_run(self):
        # The driver names row and slot of a fault.
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
        self.assertIn("row fetch", self.json("profile", WALL, "--stream", "--set",
                                             "dram_bus_bits=8")["bound"])
        in_order = ("--set", "dataflow=0", "--order", "engine")
        self.assertIn("--set dataflow=1", self.json("profile", WALL, *in_order)["bound"])

    def test_the_device_counters_fit_the_frame(self):
        for backend in TIMED:
            result = self.json("profile", WALL, "--backend", backend)
            counters = result["device_counters"]
            self.assertEqual(counters["device_cycles"], result["frame"]["device_cycles"])
            self.assertEqual((counters["runs"], counters["commands_rejected"]), (1, 0))
            # Records, impulses and velocities in; impulses and velocities out.
            self.assertGreaterEqual(counters["bytes_in"], 1566 * 132 + 24 * 106)
            self.assertGreaterEqual(counters["bytes_out"], 1566 * 4 + 24 * 106)
            for unit, share in result["busy"].items():
                self.assertGreater(share, 0, unit)
                self.assertLessEqual(share, 1, unit)

    def test_a_slow_link_is_busier(self):
        busy = [self.json("profile", WALL, "--config", config)["busy"]["host_link"]
                for config in ("default", "default+pci")]
        self.assertLess(4 * busy[0], busy[1])

    def test_banks_are_a_class_of_stalls(self):
        few, many = (self.json("profile", WALL, "--set", "pipes=8", "--set", f"velocity_banks={n}")
                     for n in (2, 64))
        self.assertGreater(few["stalls"]["bank"], many["stalls"]["bank"])

    def test_shares_are_those_of_all_engines_together(self):
        result = self.json("profile", JOINTS, "--set", "engines=4")
        self.assertGreater(result["islands"], 4)
        self.assertEqual(result["runs"], 4)
        out = self.ppu("profile", JOINTS, "--set", "engines=4").stdout
        self.assertIn(f"{result['islands']} islands in 4 runs on 4 engines", out)
        total = number(re.search(r"^sum +([\d,]+) +100.0 %", out, re.M)[1])
        self.assertEqual(total, sum(result["stalls"].values()))
        self.assertEqual({row["slot"] for row in result["slowest_rows"]}, {None})

    def test_the_rtl_has_no_rows_one_by_one(self):
        out = self.ppu("profile", BALL, "--backend", "rtl").stdout
        self.assertIn("keeps no cycles of single rows; systemc and cosim do", out)
        model = self.ppu("profile", BALL, "--backend", "systemc").stdout
        for title in ("cycles by reason", "frame", "device counter"):
            pattern = re.compile(rf"^{title} .*?\n\n", re.M | re.DOTALL)
            self.assertEqual(pattern.search(out)[0], pattern.search(model)[0])
