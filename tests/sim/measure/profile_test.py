# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What `ppu profile` adds to sums of a run: groups of rows, waits, configurations
side by side, a timeline, and frames of scenes."""
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import time

from cli import BALL, CliTest, DATA, PROGRAMS, ROOT, WALL

JOINTS = DATA / "ragdoll_f140.h5"
# What people read, as a whole; the rest of this file looks at the JSON.
PAGE = pathlib.Path(__file__).with_name("profile_page.txt")
# Times of the host, and hashes that change with every key of the configuration.
VOLATILE = (re.compile(r"(?<=host seconds     )\S+"), re.compile(r"(?<=plan )[\d,]+ µs"),
            re.compile(r"(?<=unpacking )[\d,]+ µs"), re.compile(r"(?<=of which )[\d,]+ µs"),
            re.compile(r"(?<=config )(\S+ )?0x\w+"),
            re.compile(r"(?<=hash )0x\w+"))


class ProfileGroups(CliTest):
    """Throughput by kind, island and body."""

    def charged(self, result):
        return sum(result["stalls"].values()) - result["cycles_of_no_row"]

    def test_kinds_and_islands_are_all_rows_and_all_their_cycles(self):
        for options in ((), ("--set", "pipes=4"), ("--set", "engines=4")):
            result = self.json("profile", JOINTS, *options)
            for groups in (list(result["kinds"].values()), result["by_island"]):
                self.assertEqual(sum(group["rows"] for group in groups), result["rows"])
                self.assertEqual(sum(group["row_updates"] for group in groups),
                                 result["row_updates"])
                self.assertEqual(sum(group["cycles"] for group in groups), self.charged(result))
        self.assertEqual(len(result["by_island"]), result["islands"])
        self.assertEqual(set(result["kinds"]), {"joint", "contact", "friction"})

    def test_shares_of_kinds_and_of_no_row_sum_to_1(self):
        result = self.json("profile", JOINTS)
        engine_cycles = sum(result["stalls"].values())
        shares = sum(kind["share"] for kind in result["kinds"].values())
        self.assertAlmostEqual(shares + result["cycles_of_no_row"] / engine_cycles, 1)

    def test_cycles_of_no_row_are_those_of_drain_and_control(self):
        for options in ((), ("--order", "engine"), ("--set", "pipes=2", "--set", "lanes=3")):
            result = self.json("profile", WALL, *options)
            self.assertEqual(result["cycles_of_no_row"],
                             result["stalls"]["drain"] + result["stalls"]["control"])

    def test_throughput_is_row_updates_over_cycles(self):
        result = self.json("profile", JOINTS)
        for group in (*result["kinds"].values(), *result["by_island"], *result["by_body"]):
            self.assertEqual(group["row_updates"], 10 * group["rows"])
            self.assertAlmostEqual(group["cycles_per_row"], group["cycles"] / group["row_updates"])
            self.assertAlmostEqual(group["rows_per_cycle"], group["row_updates"] / group["cycles"])

    def test_the_most_cycles_come_first(self):
        result = self.json("profile", JOINTS)
        for groups in (result["by_island"], result["by_body"]):
            cycles = [group["cycles"] for group in groups]
            self.assertEqual(cycles, sorted(cycles, reverse=True))

    def test_bodies_stand_in_their_islands(self):
        result = self.json("profile", JOINTS)
        self.assertEqual(len({body["body"] for body in result["by_body"]}), len(result["by_body"]))
        for island in result["by_island"]:
            mine = [body for body in result["by_body"] if body["island"] == island["island"]]
            self.assertEqual(len(mine), island["bodies"])
            # A row on two bodies counts for both.
            self.assertLessEqual(island["rows"], sum(body["rows"] for body in mine))
            self.assertLessEqual(sum(body["rows"] for body in mine), 2 * island["rows"])
            # The rows of a body follow each other.
            self.assertLessEqual(max(body["rows"] for body in mine), island["longest_chain_rows"])
            self.assertLessEqual(island["longest_chain_rows"], island["rows"])

    def test_the_top_stall_is_what_rows_wait_for(self):
        streamed = self.json("profile", WALL, "--stream", "--set", "dram_bus_bits=8")
        hazards = self.json("profile", WALL, "--order", "engine", "--set", "dataflow=0")
        for result, reason in ((streamed, "row fetch"), (hazards, "body hazard")):
            self.assertEqual(result["by_island"][0]["top_stall"], reason)
            self.assertGreater(result["by_island"][0]["top_stall_share"], 0.5)
            self.assertLessEqual(result["by_island"][0]["top_stall_share"], 1)

    def test_rows_that_were_filtered_have_the_row_updates_that_were_done(self):
        options = ("--program", "filter", "--threshold", "0.05", "--sweeps", "50")
        result = self.json("profile", BALL, *options)
        self.assertGreater(result["rows_filtered"], 0)
        self.assertEqual(sum(kind["row_updates"] for kind in result["kinds"].values()),
                         result["row_updates"])


class ProfileRows(CliTest):
    """A file with every row."""
    WAITS = {"body hazard": ("body_a_wait", "body_b_wait"), "parent hazard": ("parent_wait",),
             "row fetch": ("fetch_wait",), "lanes": ("lane_wait",), "bank": ("bank_wait",),
             "filter": ("filter_wait",)}

    def rows(self, *words):
        path = self.folder / "rows.csv"
        result = self.json("profile", *words, "--rows", path)
        with path.open(newline="") as file:
            rows = [{name: cell if name == "kind" else int(cell) if cell else None
                     for name, cell in row.items()} for row in csv.DictReader(file)]
        return result, rows

    def test_all_rows_and_every_cycle_are_there(self):
        for words in ((WALL,), (JOINTS, "--set", "engines=4"), (WALL, "--set", "lanes=3"),
                      (WALL, "--set", "dataflow=0", "--set", "velocity_banks=2", "--set", "pipes=4"),
                      (WALL, "--set", "pipes=4", "--set", "velocity_banks=4"),
                      (WALL, "--stream", "--set", "dram_bus_bits=8"), (WALL, "--set", "dataflow=0"),
                      (BALL, "--program", "filter", "--threshold", "0.05", "--sweeps", "50")):
            result, rows = self.rows(*words)
            with self.subTest(words=words):
                self.assertEqual([row["row"] for row in rows], list(range(result["rows"])))
                self.assertEqual(sum(row["visits"] for row in rows), result["row_updates"])
                self.assertEqual(sum(row["cycles"] for row in rows),
                                 sum(result["stalls"].values()) - result["cycles_of_no_row"])
                self.assertEqual(sum(row["issue_cycles"] for row in rows), result["stalls"]["issue"])
                # At the end of a run rows may be passed over, and none issues that would have waited.
                of_none = dict.fromkeys(self.WAITS, 0)
                if result["rows_filtered"]:
                    of_none["filter"] = (result["cycles_of_no_row"] - result["stalls"]["drain"]
                                         - result["stalls"]["control"])
                for reason, columns in self.WAITS.items():
                    waited = sum(row[column] for row in rows for column in columns)
                    self.assertEqual(waited + of_none[reason], result["stalls"][reason], reason)

    def test_a_body_comes_from_the_row_before_it_on_that_body(self):
        _, rows = self.rows(WALL)
        for row in rows:
            for side in ("a", "b"):
                body, by = row[f"body_{side}"], row[f"body_{side}_from"]
                if body is None:
                    self.assertIsNone(by)
                    self.assertEqual(row[f"body_{side}_wait"], 0)
                    continue
                others = [other["slot"] for other in rows if body in (other["body_a"], other["body_b"])]
                before = max(others, key=lambda slot: (slot < row["slot"], slot))
                self.assertEqual(rows[by]["slot"], before)
            self.assertEqual(row["parent"], row["parent_from"])

    def test_percentiles_are_those_of_the_rows(self):
        result, rows = self.rows(WALL)
        cycles = sorted(row["cycles"] / row["visits"] for row in rows)
        for percent in (50, 95, 99):
            self.assertAlmostEqual(result["cycles_per_visit"][f"p{percent}"],
                                   cycles[math.ceil(percent / 100 * len(cycles)) - 1])
        text = self.ppu("profile", WALL).stdout
        self.assertIn(f"p95 {result['cycles_per_visit']['p95']:.1f}", text)

    def test_slowest_rows_have_all_their_waits(self):
        result, rows = self.rows(WALL, "--set", "lanes=3")
        for slow in result["slowest_rows"]:
            row = rows[slow["row"]]
            self.assertEqual(slow["cycles"], row["cycles"])
            for reason, columns in self.WAITS.items():
                self.assertEqual(slow["waits"][reason], sum(row[column] for column in columns))

    def test_other_names_are_refused(self):
        message = self.refused("profile", WALL, "--rows", self.folder / "rows.txt")
        self.assertIn("expected a name that ends in .csv or .parquet", message)

    def test_parquet_has_the_same_rows(self):
        try:
            import pyarrow.parquet
        except ImportError:
            path = self.folder / "rows.parquet"
            self.assertIn("no pyarrow", self.refused("profile", WALL, "--rows", path, expect=3))
            self.assertFalse(path.exists())
            return
        path = self.folder / "rows.parquet"
        _, rows = self.rows(WALL)
        self.ppu("profile", WALL, "--rows", path)
        self.assertEqual(pyarrow.parquet.read_table(path).to_pylist(), rows)


class ProfileText(CliTest):
    """What people read: the page beside this file. PPU_UPDATE=1 writes it anew."""
    COMMANDS = (("profile", "tests/data/ball_f110.h5"),
                ("profile", "tests/data/ball_f110.h5", "--compare", "default", "default,lanes=3,clock_mhz=150"))

    def printed(self, command):
        text = subprocess.run([os.environ["PPU_BIN"], *command], cwd=ROOT, text=True, check=True,
                              stdout=subprocess.PIPE).stdout
        for pattern in VOLATILE:
            text = pattern.sub("...", text)
        return f"$ ppu {' '.join(command)}\n{text}"

    def test_the_page_is_what_is_printed(self):
        text = "\n".join(map(self.printed, self.COMMANDS))
        if "PPU_UPDATE" in os.environ:
            PAGE.write_text(text)
        self.assertEqual(PAGE.read_text(), text)

    def test_no_line_is_wider_than_120_columns(self):
        self.assertLessEqual(max(map(len, PAGE.read_text().splitlines())), 120)


class ProfileWaits(CliTest):
    """What holds rows back."""

    def test_the_longest_waits_come_first_and_are_those_of_the_rows(self):
        result = self.json("profile", WALL, "--order", "engine")
        waits = [wait["cycles"] for wait in result["longest_waits"]]
        self.assertEqual(len(waits), 10)
        self.assertEqual(waits, sorted(waits, reverse=True))
        # Without another reason to wait, the slowest rows are those that wait longest for a body.
        self.assertEqual({wait["reason"] for wait in result["longest_waits"]}, {"body hazard"})
        self.assertEqual(result["longest_waits"][0]["row"], result["slowest_rows"][0]["row"])

    def test_in_the_engines_order_a_row_waits_for_the_row_before_it_on_its_body(self):
        result = self.json("profile", WALL, "--order", "engine")
        for wait in result["longest_waits"]:
            self.assertEqual(wait["slot"], wait["row"])
            self.assertEqual((wait["row"] - wait["by_row"]) % result["rows"], wait["slots_before"])
            self.assertGreater(len(wait["bodies"]), 0)

    def test_a_row_that_waits_the_body_latency_follows_its_writer_at_once(self):
        result = self.json("profile", WALL, "--order", "engine")
        latency = 32  # Of the configuration `default`.
        for wait in result["longest_waits"]:
            if round(wait["cycles_per_visit"]) == latency - 1:
                self.assertEqual(wait["slots_before"], 1)

    def test_streamed_rows_wait_for_their_records(self):
        # A row of 128 bytes takes longer than the body latency.
        result = self.json("profile", WALL, "--stream", "--set", "dram_bus_bits=8", "--set",
                           "dram_mega_transfers=400")
        self.assertEqual(result["longest_waits"][0]["reason"], "row fetch")
        self.assertIsNone(result["longest_waits"][0]["by_row"])

    def test_several_runs_have_no_slots_but_the_same_writers(self):
        for wait in self.json("profile", JOINTS, "--set", "engines=4")["longest_waits"]:
            self.assertIsNone(wait["slot"])
            self.assertIsNone(wait["slots_before"])
            self.assertIsNotNone(wait["by_row"])


class ProfileCompare(CliTest):
    STABLE = ("config_hash", "cycles", "rows_per_cycle", "state_hash", "stalls", "kinds", "roofline",
              "bound", "by_body")

    def test_the_columns_are_two_profiles(self):
        pair = ("default", "default+pci")
        both = self.json("profile", WALL, "--compare", *pair)
        self.assertEqual(both["configs"], list(pair))
        for name, profile in zip(pair, both["profiles"]):
            alone = self.json("profile", WALL, "--config", name)
            for key in self.STABLE:
                self.assertEqual(profile[key], alone[key], (name, key))
            self.assertEqual(profile["frame"]["device_cycles"], alone["frame"]["device_cycles"])

    def test_pairs_are_those_of_the_profiles(self):
        both = self.json("profile", WALL, "--compare", "default", "default,lanes=3")
        first, second = both["profiles"]
        for label, pair in both["comparison"]["cycles by reason"].items():
            self.assertEqual(tuple(pair["values"]),
                             (first["stalls"][label], second["stalls"][label]))
        cycles = both["comparison"]["sweeps"]["cycles"]
        self.assertEqual(cycles["ratios"], [1, second["cycles"] / first["cycles"]])
        self.assertGreater(cycles["ratios"][1], 1)
        whole = both["comparison"]["frame, cycles"]["whole"]
        self.assertEqual(whole["values"][1], second["frame"]["device_cycles"])

    def test_keys_after_a_configuration_override_it(self):
        both = self.json("profile", WALL, "--compare", "default,lanes=6,fp_mul_stages=2", "small",
                         "--set", "clock_mhz=100")
        first, second = both["profiles"]
        self.assertEqual(first["config_hash"],
                         self.json("solve", WALL, "--set", "lanes=6", "--set", "fp_mul_stages=2",
                                   "--set", "clock_mhz=100")["config_hash"])
        self.assertEqual(second["config_hash"],
                         self.json("solve", WALL, "--config", "small", "--set",
                                   "clock_mhz=100")["config_hash"])

    def test_both_have_the_same_bits_in_orders_that_promise_it(self):
        for order in ("engine", "scheduled"):
            both = self.json("profile", WALL, "--order", order, "--compare", "default", "wide")
            self.assertTrue(both["same_bits"])
        out = self.ppu("profile", WALL, "--compare", "default", "wide").stdout
        self.assertIn(f"Same bits on both: state hash {both['profiles'][0]['state_hash']}", out)

    def test_a_budget_may_end_with_other_bits(self):
        options = ("profile", WALL, "--budget-us", "50", "--sweeps", "1000", "--compare",
                   "default", "default,lanes=3")
        self.assertFalse(self.json(*options)["same_bits"])
        self.assertIn("the budget ends the run after other rows", self.ppu(*options).stdout)

    def test_other_bits_that_nothing_explains_are_a_mismatch(self):
        # A program with a deadline of its own, of which the command knows nothing.
        source = (PROGRAMS / "boxed.s").read_text()
        self.assertEqual(source.count("budget  a7"), 1)
        hasty = self.folder / "hasty.s"
        hasty.write_text(source.replace("budget  a7", "addi t3, zero, 1000\n budget t3"))
        run = self.ppu("profile", WALL, "--program", hasty, "--compare", "default",
                       "default,lanes=3", expect=1)
        self.assertIn("The bits DIFFER, which they must not", run.stdout)

    def test_a_slow_link_bounds_the_frame_and_not_the_sweeps(self):
        pair = ("default", "default+pci")
        fast, slow = self.json("profile", WALL, "--compare", *pair)["profiles"]
        self.assertEqual(fast["bound"], slow["bound"])
        share = fast["frame"]["sweep_cycles"] / fast["frame"]["device_cycles"]
        self.assertEqual(fast["frame_bound"], f"sweeps ({100 * share:.1f} % of the device's cycles)")
        self.assertIn("upload (", slow["frame_bound"])
        self.assertIn("+pcie4x8", slow["frame_bound"])

    def test_parts_that_one_has_alone_have_no_ratio(self):
        both = self.json("profile", JOINTS, "--compare", "default", "default,engines=2")
        load = both["comparison"]["frame, cycles"]["load"]
        self.assertIsNone(load["values"][1])
        self.assertIsNone(load["ratios"][1])
        self.assertIsNotNone(both["comparison"]["frame, cycles"]["loads, stores, reports"]["values"][1])

    def test_as_many_configurations_as_one_likes(self):
        names = ("default", "default,lanes=3", "default+pci", "small", "default,pipes=4")
        all_of = self.json("profile", WALL, "--compare", *names)
        self.assertEqual(all_of["configs"], list(names))
        self.assertTrue(all_of["same_bits"])
        cycles = [profile["cycles"] for profile in all_of["profiles"]]
        self.assertEqual(all_of["comparison"]["sweeps"]["cycles"],
                         {"values": cycles, "ratios": [value / cycles[0] for value in cycles]})
        self.assertEqual(len(set(cycles)), 4)  # The link is not in the sweeps.
        text = self.ppu("profile", WALL, "--compare", *names).stdout
        self.assertIn("ratio 5:1", text)
        self.assertIn("Same bits on all", text)

    def test_each_configuration_whose_clock_was_not_measured_is_told(self):
        run = self.ppu("profile", BALL, "--compare", "default", "default,pipes=4", "default,lanes=3")
        self.assertEqual(run.stderr.count("warning: times are those of a clock of"), 2, run.stderr)

    def test_one_configuration_twice_is_the_same_device(self):
        out = self.ppu("profile", BALL, "--compare", "default", "default").stdout
        self.assertIn("Both are the same device.", out)

    def test_what_does_not_go_together_is_refused(self):
        self.refused("profile", BALL, "--compare", "default", names=("--compare",))
        self.refused("profile", BALL, "--compare", "default", "wide", "--config", "small",
                     names=("--compare", "--config"))
        self.refused("profile", BALL, "--compare", "default", "wide", "--perfetto", "a.json",
                     names=("--compare", "--perfetto"))
        self.refused("profile", BALL, "--compare", "default", "none", names=("none",))
        self.refused("profile", BALL, "--compare", "default", "default,lanes=5", names=("lanes",))
        self.refused("profile", BALL, "--compare", "default", "wide", "--backend", "functional",
                     names=("functional", "time"))


class ProfilePerfetto(CliTest):
    def test_the_timeline_is_that_of_ppu_trace(self):
        self.ppu("profile", BALL, "--trace", "ball.log")
        self.ppu("trace", "ball.log", "--problem", BALL, "--perfetto", "trace.json", "--config",
                 "default")
        out = self.ppu("profile", BALL, "--perfetto", "profile.json").stdout
        self.assertIn("profile.json", out)
        self.assertEqual((self.folder / "profile.json").read_text(),
                         (self.folder / "trace.json").read_text())
        events = json.loads((self.folder / "profile.json").read_text())["traceEvents"]
        groups = {event["args"]["name"] for event in events if event["name"] == "process_name"}
        self.assertLessEqual({"command processor", "DMA", "device memory", "host link", "engine 0"},
                             groups)

    def test_only_the_timeline_stays(self):
        temporary = self.folder / "temporary"
        temporary.mkdir()
        self.ppu("profile", BALL, "--perfetto", "out.json", environment={"TMPDIR": str(temporary)})
        self.assertEqual(list(temporary.glob("ppu-?*")), [])
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"out.json", "temporary"})

    def test_a_run_that_did_not_begin_leaves_nothing(self):
        run = self.ppu("profile", BALL, "--perfetto", "out.json", "--config", "none", expect=2,
                       environment={"TMPDIR": str(self.folder)})
        self.assertIn("none", run.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_log_of_the_timeline_may_stay(self):
        self.ppu("profile", BALL, "--perfetto", "out.json", "--trace", "out.log",
                 environment={"TMPDIR": str(self.folder)})
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"out.json", "out.log"})

    def test_a_run_that_failed_leaves_nothing(self):
        endless = self.folder / "endless.s"
        endless.write_text("again: j again\n")
        run = self.ppu("profile", BALL, "--program", endless, "--perfetto", "out.json", "--timeout",
                       "0.2", expect=3, environment={"TMPDIR": str(self.folder)})
        self.assertIn("nothing was written", run.stderr)
        self.assertEqual(list(self.folder.iterdir()), [endless])

    def test_a_run_that_is_killed_leaves_nothing(self):
        run = subprocess.Popen([os.environ["PPU_BIN"], "profile", WALL, "--sweeps", "1000000",
                                "--perfetto", "out.json"], cwd=self.folder,
                               stderr=subprocess.DEVNULL,
                               env={**os.environ, "TMPDIR": str(self.folder)})
        time.sleep(0.3)  # Long enough or not: nothing may be there at any moment.
        run.kill()
        run.wait()
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_file_that_cannot_be_written_is_refused_before_the_run(self):
        self.refused("profile", BALL, "--perfetto", "no/out.json", names=("no/out.json",), expect=3)
        self.refused("profile", BALL, "--perfetto", "a", "--json", "a", names=("--perfetto",))


class ProfileScene(CliTest):
    """A frame of a scene in place of a row problem."""

    def test_the_rows_are_those_that_record_writes(self):
        self.ppu("record", "ball", "--frame", 40, "--seed", 3, "--out", "ball.h5")
        recorded = self.json("profile", "ball.h5")
        stepped = self.json("profile", "--scene", "ball", "--frame", 40, "--seed", 3)
        self.assertEqual(stepped["problem"], "ball_f040")
        for key in ("rows", "bodies", "state_hash", "cycles", "stalls", "by_body"):
            self.assertEqual(stepped[key], recorded[key], key)

    def test_the_run_of_the_demo_takes_the_time_of_the_demo(self):
        frame = self.json("demo", "ball", "--frames", 21, "--backend", "systemc")["frames"][20]
        result = self.json("profile", "--scene", "ball", "--frame", 20, "--friction", "skip",
                           "--program", "impulse-threshold", "--threshold", 0)
        self.assertEqual(result["rows"], frame["rows"])
        # A demo keeps its device: refreshes of device memory fall elsewhere.
        self.assertAlmostEqual(result["frame"]["device_cycles"], frame["device_cycles"],
                               delta=0.02 * frame["device_cycles"])

    def test_the_replay_is_that_of_the_demo(self):
        out = self.ppu("profile", "--scene", "ball", "--frame", 5, "--glb", "profile.glb").stdout
        self.assertIn("profile.glb", out)
        self.ppu("demo", "ball", "--frames", 6, "--glb", "demo.glb")
        written = (self.folder / "profile.glb").read_bytes()
        self.assertEqual(written[:4], b"glTF")
        self.assertEqual(written, (self.folder / "demo.glb").read_bytes())

    def test_two_configurations_of_a_scene(self):
        both = self.json("profile", "--scene", "topple", "--frame", 3, "--compare", "default",
                         "default+pci")
        self.assertEqual(both["problem"], "topple_f003")
        self.assertTrue(both["same_bits"])

    def test_what_does_not_go_together_is_refused(self):
        self.refused("profile", names=("PROBLEM", "--scene"))
        self.refused("profile", BALL, "--scene", "ball", "--frame", 1, names=("PROBLEM", "--scene"))
        self.refused("profile", "--scene", "ball", names=("--frame",))
        self.refused("profile", "--scene", "wall11", "--frame", 1, names=("wall11", "wall10"))
        self.refused("profile", BALL, "--frame", 1, names=("--frame", "--scene"))
        self.refused("profile", BALL, "--glb", "a.glb", names=("--glb", "--scene"))
        self.refused("profile", "--scene", "ball", "--frame", 1, "--glb", "no/a.glb",
                     names=("no/a.glb",), expect=3)
