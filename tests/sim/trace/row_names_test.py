# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Rows by name in the views of an event log, on one engine and on several."""
import collections
import csv
import json
import re

from cli import BALL, WALL, CliTest


class RowsByName(CliTest):
    """The rows of a problem in the views of a log; the profile names the same."""

    def setUp(self):
        super().setUp()
        self.profile = self.json("profile", WALL, "--trace", "events.log", "--rows", "rows.csv",
                                 "--perfetto", "own.json")
        with (self.folder / "rows.csv").open(newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.ppu("trace", "events.log", "--problem", WALL, "--config", "default", "--perfetto",
                 "out.json", "--kanata", "out.kanata")
        self.slices = [event for event in json.loads((self.folder / "out.json").read_text())["traceEvents"]
                       if event["ph"] == "X"]

    def name(self, row):
        return (f"row {row['row']} {row['kind']} {row['body_a'] or 'static'}-"
                f"{row['body_b'] or 'static'}")

    def test_every_row_has_a_slice_in_every_sweep_with_its_name(self):
        drawn = collections.Counter(event["name"] for event in self.slices)
        for row in self.rows:
            for sweep in range(1, 11):
                self.assertEqual(drawn[f"{self.name(row)} sweep {sweep}"], 1)
        self.assertEqual((self.folder / "own.json").read_text(),
                         (self.folder / "out.json").read_text())

    def test_stalls_sum_to_the_counters_and_to_the_waits_of_every_row(self):
        by_reason, by_row = collections.Counter(), collections.Counter()
        for event in self.slices:
            reason = event["name"]
            if reason not in self.profile["stalls"]:
                continue
            cycles = event["args"]["cycles"]
            by_reason[reason] += cycles
            if "row" not in event["args"]:
                continue
            number = int(event["args"]["row"].split()[1])
            side = ""
            if reason == "body hazard":
                row = self.rows[number]
                side = "a" if row["body_a"] == str(event["args"]["body"]) else "b"
                if "waits_for" in event["args"]:  # In the first sweep nobody may send the token.
                    self.assertEqual(event["args"]["waits_for"].split()[1], row[f"body_{side}_from"])
            by_row[number, reason, side] += cycles
        expected = {reason: cycles for reason, cycles in self.profile["stalls"].items()
                    if cycles and reason != "issue"}
        self.assertIn("body hazard", expected)
        self.assertEqual(by_reason, expected)
        for number, row in enumerate(self.rows):
            for reason, side, column in (("body hazard", "a", "body_a_wait"),
                                         ("body hazard", "b", "body_b_wait"),
                                         ("row fetch", "", "fetch_wait"), ("bank", "", "bank_wait"),
                                         ("lanes", "", "lane_wait")):
                self.assertEqual(by_row[number, reason, side], int(row[column]), (number, column))

    def test_rows_depend_on_those_before_them_in_kanata(self):
        label, depends = {}, collections.defaultdict(set)
        for line in (self.folder / "out.kanata").read_text().splitlines():
            words = line.split("\t")
            if words[0] == "L" and words[2] == "0":
                label[words[1]] = words[3]
            elif words[0] == "W":
                depends[words[1]].add(words[2])
        checked = 0
        for number, text in label.items():
            row = self.rows[int(text.split()[1])]
            self.assertTrue(text.startswith(self.name(row) + " sweep "), text)
            if " sweep 1 " in text:
                continue
            expected = {row["body_a_from"], row["body_b_from"], row["parent_from"]} - {""}
            self.assertEqual({label[producer].split()[1] for producer in depends[number]}, expected)
            checked += 1
        self.assertEqual(checked, 9 * len(self.rows))

    def test_another_problem_is_refused(self):
        self.assertIn("expected the problem of this log",
                      self.refused("trace", "events.log", "--problem", BALL))

    def test_a_problem_that_is_cut_into_several_runs_has_its_names_on_every_engine(self):
        self.ppu("profile", WALL, "--config", "small", "--trace", "small.log", "--rows", "rows.csv", "--perfetto",
                 "own.json")
        with (self.folder / "rows.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["slot"] for row in rows}, {""}, "several runs")
        self.ppu("trace", "small.log", "--problem", WALL, "--config", "small", "--perfetto", "out.json",
                 "--kanata", "out.kanata")
        text = (self.folder / "out.json").read_text()
        self.assertEqual((self.folder / "own.json").read_text(), text)
        drawn, cycles = collections.Counter(), collections.Counter()
        for event in json.loads(text)["traceEvents"]:
            drawn[event["name"]] += 1
            if event["ph"] == "X" and event["name"] == "body hazard":
                cycles[event["args"]["row"].split()[1]] += event["args"]["cycles"]
                if "waits_for" in event["args"]:
                    row = rows[int(event["args"]["row"].split()[1])]
                    self.assertIn(event["args"]["waits_for"].split()[1], (row["body_a_from"], row["body_b_from"]))
        for row in rows:
            self.assertEqual([drawn[f"{self.name(row)} sweep {sweep}"] for sweep in range(1, 11)], [1] * 10)
            self.assertEqual(cycles[row["row"]], int(row["body_a_wait"]) + int(row["body_b_wait"]))
        labels = re.findall(r"\t0\t(row \d+ .*) sweep 4 pipe \d engine (\d)", (self.folder / "out.kanata").read_text())
        self.assertEqual({name for name, _ in labels}, {self.name(row) for row in rows})
        self.assertEqual({engine for _, engine in labels}, {"0", "1"})
        for device in (("engines=1",), ("engines=1", "--config", "small")):
            self.assertIn("the problem makes 1 run, expected the log of one solve",
                          self.refused("trace", "small.log", "--problem", WALL, "--set", *device))
        self.ppu("solve", WALL, "--config", "small", "--set", "engines=3", "--trace", "three.log")
        self.assertIn("run 2 is on engine 2, but on this device the problem makes 2 runs",
                      self.refused("trace", "three.log", "--problem", WALL, "--config", "small"))
