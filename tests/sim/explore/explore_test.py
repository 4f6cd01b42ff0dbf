# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Studies: what a study file may say, what the store keeps, kills and writers side by side."""
import contextlib
import csv
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from cli import BALL, ROOT, CliTest

sys.path.append(str(ROOT / "sim/explore"))
import batches  # noqa: E402

STUDY = """
title = "Pipes and depth"
constraints = ["velocity_banks >= 4 * pipes"]
columns = ["cycles", "us_per_frame", "pipe_area_mm2", "stall_body_hazard"]
[point]
sweeps = {sweeps}
[axes]
problem = ["wall10", "ball.h5"]
pipes = [1, 2, 4]
velocity_banks = [8, 16]
"fp_mul_stages, fp_add_stages" = [[2, 2], [3, 3]]
[clock]
technology = "osu018"
"""
POINTS = 2 * 5 * 2


def result_of(text):
    """Without seconds, which the host took and which are never the same twice."""
    result = json.loads(text)
    for part in (result, result["frame"]):
        for name in [name for name in part if name.endswith("_seconds")]:
            del part[name]
    return result


class ExploreBatches(unittest.TestCase):
    """What one worker gets at a time."""

    def sizes(self, seconds, batch_seconds, at_a_time, smallest):
        points = [{"hash": str(number), "seconds": taken} for number, taken in enumerate(seconds)]
        with tempfile.TemporaryDirectory() as folder:
            names = batches.write_batches(folder, points, lambda p: p["seconds"], batch_seconds, at_a_time, smallest)
            found = [batches.read_lines(name + ".points")[0] for name in names]
        self.assertEqual([point for batch in found for point in batch], points, "each once, in their order")
        return [sum(point["seconds"] for point in batch) for batch in found]

    def test_the_last_ones_are_small_so_that_all_workers_end_together(self):
        sizes = self.sizes([0.5] * 1000, 60, 2, 4)
        self.assertEqual(sizes[:6], [60, 60, 60, 60, 60, 50])
        self.assertEqual(sorted(sizes, reverse=True), sizes)
        self.assertLessEqual(max(sizes[-3:]), 4.5)

    def test_none_is_so_small_that_its_start_counts(self):
        sizes = self.sizes([0.5] * 1000, 60, 2, 60)
        self.assertEqual(sizes[:-1], [60] * 8)

    def test_a_point_is_a_batch_where_it_takes_longer(self):
        self.assertEqual(self.sizes([100, 100, 100], 60, 2, 4), [100, 100, 100])


class ExploreTest(CliTest):
    engine = ("--engine", "plain", "--jobs", "2")

    def setUp(self):
        super().setUp()
        shutil.copy(BALL, self.folder / "ball.h5")
        self.write()

    def write(self, sweeps=2, text=STUDY):
        (self.folder / "study.toml").write_text(text.replace("{sweeps}", str(sweeps)))

    def explore(self, *options, expect=0):
        return self.ppu("explore", "study.toml", *self.engine, *options, expect=expect)

    def start(self, *options, env=None):
        return subprocess.Popen([os.environ["PPU_BIN"], "explore", "study.toml", *self.engine, *options],
                                cwd=self.folder, env={**os.environ, **(env or {})}, stderr=subprocess.PIPE, text=True)

    @staticmethod
    def device():
        beside = pathlib.Path(os.environ["PPU_BIN"]).parent / "ppu-device"
        return os.environ.get("PPU_DEVICE", str(beside))

    def query(self, text, store="study.sqlite"):
        with sqlite3.connect(self.folder / store) as base:
            return base.execute(text).fetchall()

    def results(self, store="study.sqlite"):
        return {name: (identity, result_of(result)) for name, identity, result in
                self.query("SELECT hash, identity, result FROM point WHERE state = 'ok'", store)}

    def assert_each_point_once(self, points, store="study.sqlite"):
        counts = self.query("SELECT hash, count(*) FROM run WHERE state = 'ok' GROUP BY hash", store)
        self.assertEqual(len(counts), points)
        self.assertEqual({count for _, count in counts}, {1})
        self.assertEqual(len(self.results(store)), points)

    def wait_for_lines(self, count):
        """Until so many points have been solved, in the store or not yet."""
        end = time.time() + 300
        while time.time() < end:
            files = self.folder.glob("study.sqlite.runs/*/*.results")
            with contextlib.suppress(FileNotFoundError):  # Taken into the store just now.
                if sum(path.read_bytes().count(b"\n") for path in files) >= count:
                    return
            time.sleep(0.05)
        self.fail(f"there were never {count} results")

    def wait_for_runs(self, count):
        """Until so many runs are in the store."""
        end = time.time() + 300
        while self.query("SELECT count(*) FROM run")[0][0] < count:
            self.assertLess(time.time(), end, f"there were never {count} runs")
            time.sleep(0.05)


class Explore(ExploreTest):
    def test_every_point_is_what_profile_says_of_it(self):
        self.explore("--csv", "out.csv")
        self.assert_each_point_once(POINTS)
        with open(self.folder / "out.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), POINTS)
        noted = json.loads((ROOT / "hw/physical/figures/osu018.json").read_text())
        for row in rows[::7]:
            self.assertGreaterEqual(int(row["velocity_banks"]), 4 * int(row["pipes"]))
            again = self.json(*row["command"].split()[1:])
            self.assertEqual(int(row["cycles"]), again["cycles"])
            stalls = again["stalls"]
            self.assertAlmostEqual(float(row["stall_body_hazard"]),
                                   stalls["body hazard"] / sum(stalls.values()))
            stages = row["fp_mul_stages"]
            pipe = noted[f"row-pipe fp_mul_stages={stages} fp_add_stages={stages}"]
            self.assertIn(f"clock_mhz={int(1000 / pipe['period_ns'])}", row["command"])

    def test_a_point_in_the_store_is_not_solved_again(self):
        cost = r"of solving: \d+\.\d % went into everything else"
        self.assertRegex(self.explore().stderr, cost)
        again = self.explore()
        self.assertNotRegex(again.stderr, cost)
        self.assertIn(f"{POINTS} points, {POINTS} in the store", again.stderr)
        self.assert_each_point_once(POINTS)
        self.write(sweeps=3)
        self.explore()
        self.assert_each_point_once(2 * POINTS)

    def test_check_says_how_many_and_runs_none(self):
        self.assertIn(f"Pipes and depth: {POINTS} points, 0 in the store, {POINTS} to solve",
                      self.explore("--check").stderr)
        self.assertEqual(list(self.folder.glob("study.sqlite*")), [])
        self.explore()
        self.assertIn(f"{POINTS} points, {POINTS} in the store", self.explore("--check").stderr)
        self.assert_each_point_once(POINTS)

    def test_a_run_that_begins_early_is_a_point_of_its_own(self):
        self.write(text=STUDY.replace("[axes]", "[axes]\nearly = [false, true]"))
        self.explore()
        self.assert_each_point_once(2 * POINTS)

    def test_other_words_for_the_same_point_are_the_same_point(self):
        self.explore()
        self.write(text=STUDY.replace("[axes]", 'config = "default+pcie4x8"\n[axes]'))
        self.explore()
        self.assert_each_point_once(POINTS)

    def test_a_point_that_fails_is_told_and_does_not_stop_the_others(self):
        self.write(text=STUDY.replace("[axes]", "impulse_memory_rows = 608\n[axes]"))
        run = self.explore(expect=1)
        failed = POINTS // 2
        self.assertIn(f"{POINTS - failed} of {POINTS} points, {failed} failed", run.stderr)
        self.assertIn("failed: ppu profile wall10", run.stderr)

    def test_a_device_that_dies_is_tried_again_and_reported(self):
        once = self.folder / "device"
        once.write_text(f"#!/bin/sh\nif mkdir {self.folder}/died 2>/dev/null; then kill -9 $$; fi\n"
                        f"exec {self.device()} \"$@\"\n")
        once.chmod(0o755)
        run = subprocess.run([os.environ["PPU_BIN"], "explore", "study.toml", *self.engine],
                             cwd=self.folder, env={**os.environ, "PPU_DEVICE": str(once)},
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue((self.folder / "died").exists())
        self.assert_each_point_once(POINTS)


class ExploreKilled(ExploreTest):
    def slow_device(self):
        """A device that begins a little later, so that a signal comes while there is work."""
        path = self.folder / "device"
        path.write_text(f"#!/bin/sh\nsleep 0.3\nexec {self.device()} \"$@\"\n")
        path.chmod(0o755)
        return {"PPU_DEVICE": str(path)}

    def test_killed_and_stopped_it_goes_on_and_solves_each_point_once(self):
        self.write(sweeps=60)
        device = self.slow_device()
        first = self.start(env=device)
        self.wait_for_lines(4)
        first.kill()
        first.communicate()
        second = self.start(env=device)
        self.wait_for_runs(7)
        second.send_signal(signal.SIGINT)
        self.assertIn("the same command goes on", second.communicate()[1])
        self.assertEqual(second.returncode, 130)
        self.assertLess(len(self.results()), POINTS)
        self.explore()
        self.assert_each_point_once(POINTS)
        self.explore("--store", "other.sqlite")
        self.assertEqual(self.results(), self.results("other.sqlite"))

    def test_a_killed_worker_is_started_again(self):
        self.write(sweeps=60)
        explore = self.start("--batch-seconds", "1000", env=self.slow_device())
        self.wait_for_lines(4)
        workers = subprocess.run(["pgrep", "-f", f"batches.py {self.folder}"],
                                 capture_output=True, text=True).stdout.split()
        workers = workers or subprocess.run(["pgrep", "-P", str(explore.pid)], capture_output=True,
                                            text=True).stdout.split()
        for worker in workers:
            os.kill(int(worker), signal.SIGKILL)
        said = explore.communicate()[1]
        self.assertEqual(explore.returncode, 0, said)
        self.assertTrue(workers)
        self.assert_each_point_once(POINTS)

    def test_two_at_once_share_the_work(self):
        self.write(sweeps=20)
        both = [self.start(), self.start()]
        for explore in both:
            said = explore.communicate()[1]
            self.assertEqual(explore.returncode, 0, said)
        self.assert_each_point_once(POINTS)


class ExploreBadFiles(ExploreTest):
    def refuse(self, old, new, *names):
        self.write(text=STUDY.replace(old, new))
        self.refused("explore", "study.toml", *self.engine, names=("study.toml", *names))

    def test_one_sentence_with_file_item_and_expectation(self):
        self.refuse("[axes]", "[axis]", "axis is no part of a study, expected one of")
        self.refuse("pipes = [1, 2, 4]", "pipes = 2", "axes.pipes is 2, expected an array")
        self.refuse("pipes = [1, 2, 4]", "pipes = [1, 2, 3]", "4 of 20", "pipes", "constraint")
        self.refuse("pipes = [1, 2, 4]", "pipe = [1]", "unknown key 'pipe'")
        self.refuse("ball.h5", "bell.h5", "bell.h5")
        self.refuse("4 * pipes", "4 * pips", "constraints, number 1, names 'pips', expected")
        self.refuse("4 * pipes", "4 *", "constraints, number 1, is 'velocity_banks >= 4 *', expected")
        self.refuse("4 * pipes", "f(pipes)", "constraints, number 1", "gives no answer")
        self.refuse('"cycles"', '"cycle"', "columns has 'cycle', expected columns of")
        self.refuse("osu018", "osu18", "clock.technology is 'osu18', expected one of")
        self.refuse("[[2, 2]", "[[4, 4]", "which has no figures for fp_mul_stages=4")
        self.refuse("[[2, 2]", "[[2]", "has [2], expected arrays of 2 values")
        self.refuse("[axes]", "pipes = 1\n[axes]", "point.pipes is an axis as well")
        self.refuse("[axes]", "[axes", "expected TOML")
        self.refuse('problem = ["wall10", "ball.h5"]', "", "problem is missing, expected")

    def test_a_file_that_is_not_there_and_a_store_that_is_none(self):
        self.refused("explore", "none.toml", names=("none.toml", "expected a study file"))
        (self.folder / "study.sqlite").write_text("this is no store of any kind, and long enough" * 9)
        self.refused("explore", "study.toml", names=("study.sqlite", "expected a store"), expect=3)
