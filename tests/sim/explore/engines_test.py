# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Studies by Snakemake, here and through a Slurm of one machine, with kills: every point exactly once.

What is not there is skipped; `./ppu extras` installs it. The Snakemakes of PPU_SNAKEMAKES are tried, else
all that are found: Debian's, and that of the folder that `./ppu extras` makes.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import one_slurm
from cli import ROOT
from explore_test import ExploreTest, POINTS, STUDY

EXTRAS = ROOT / "build/extras/bin/python3"


def snakemakes():
    named = os.environ.get("PPU_SNAKEMAKES")
    if named is not None:
        return named.split()
    here = [str(EXTRAS.parent / "snakemake"), shutil.which("snakemake", path="/usr/bin")]
    return [path for path in here if path and os.access(path, os.X_OK)]


def has_module(name):
    return subprocess.run([python(), "-c", f"import {name}"], capture_output=True).returncode == 0


def python():
    return str(EXTRAS) if EXTRAS.exists() else sys.executable


class ExploreSnakemake(ExploreTest):
    @unittest.skipUnless(snakemakes(), "no snakemake: ./ppu extras")
    def test_its_store_equals_that_of_plain_workers(self):
        self.explore("--store", "plain.sqlite")
        for number, snakemake in enumerate(snakemakes()):
            with self.subTest(snakemake):
                store = f"snakemake{number}.sqlite"
                run = self.ppu("explore", "study.toml", "--snakemake", snakemake, "--jobs", 2,
                               "--store", store)
                self.assertIn("batches by Snakemake", run.stderr)
                self.assert_each_point_once(POINTS, store)
                self.assertEqual(self.results("plain.sqlite"), self.results(store))


    def test_a_snakemake_that_does_not_start_is_refused(self):
        run = self.ppu("explore", "study.toml", "--snakemake", "/bin/false", expect=3)
        self.assertIn("ppu: /bin/false: ended with status 1, expected Snakemake", run.stderr)
        self.assertEqual(list(self.folder.glob("study.sqlite.runs/*/")), [])


class ExploreSlurm(ExploreTest):
    """Long enough to be killed: some 10 s of work in batches of 3 s."""
    sweeps = 300

    def setUp(self):
        reason = one_slurm.reason_to_skip() or ("" if snakemakes() else "no snakemake: ./ppu extras")
        if reason:
            self.skipTest(reason)
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="ppu-slurm-")
        self.addCleanup(folder.cleanup)
        self.slurm = one_slurm.OneSlurm(folder.name)
        self.addCleanup(self.slurm.stop)
        self.slurm.start()

    def words(self, snakemake):
        return [os.environ["PPU_BIN"], "explore", "study.toml", "--slurm", "--snakemake", snakemake,
                "--jobs", "2", "--batch-seconds", "3"]

    def begin(self, snakemake):
        return subprocess.Popen(self.words(snakemake), cwd=self.folder, env=self.slurm.environment,
                                stderr=subprocess.PIPE, text=True)

    def workers(self):
        """Processes that solve a batch of this test."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(word.endswith(b"/batches.py") for word in words) and any(str(self.folder).encode() in word for word in words):
                found.append(int(path.name))
        return found

    def test_killed_restarted_and_stopped_it_solves_each_point_once(self):
        self.write(self.sweeps)
        self.explore("--store", "plain.sqlite")
        for snakemake in snakemakes():
            with self.subTest(snakemake):
                for path in self.folder.glob("study.sqlite*"):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                self.kill_restart_stop(snakemake)
                self.assert_each_point_once(POINTS)
                self.assertEqual(self.results("plain.sqlite"), self.results())

    def kill_restart_stop(self, snakemake):
        explore = self.begin(snakemake)
        self.addCleanup(lambda: explore.poll() is None and explore.kill())
        self.slurm.wait(self.workers, "worker of Slurm", 120)
        # The workers of Slurm, not those that explore itself has tried the first points with.
        self.wait_for_runs(3)
        self.slurm.wait(self.workers, "worker of Slurm", 120)
        os.kill(self.workers()[0], signal.SIGKILL)
        self.slurm.kill_controller()
        time.sleep(1)
        self.slurm.start_controller()
        self.wait_for_runs(6)
        explore.send_signal(signal.SIGINT)
        said = explore.communicate(timeout=300)[1]
        self.assertEqual(explore.returncode, 130, said)
        self.assertIn("by Snakemake", said)
        self.assertLess(len(self.results()), POINTS)
        again = subprocess.run(self.words(snakemake), cwd=self.folder, env=self.slurm.environment,
                               capture_output=True, text=True, timeout=600)
        self.assertEqual(again.returncode, 0, again.stderr)


class ExploreExtras(ExploreTest):
    def setUp(self):
        super().setUp()
        os.environ["PPU_PYTHON"] = python()
        self.addCleanup(os.environ.pop, "PPU_PYTHON")

    @unittest.skipUnless(has_module("pyarrow"), "no pyarrow: ./ppu extras")
    def test_parquet_has_the_columns_of_csv(self):
        self.explore("--parquet", "out.parquet", "--csv", "out.csv")
        words = ("import csv, pyarrow.parquet as p; t = p.read_table('out.parquet');"
                 "rows = list(csv.reader(open('out.csv'))); assert t.column_names == rows[0];"
                 "assert [str(v) for v in t['cycles'].to_pylist()] == "
                 "[row[rows[0].index('cycles')] for row in rows[1:]]")
        subprocess.run([python(), "-c", words], cwd=self.folder, check=True)

    @unittest.skipUnless(has_module("optuna"), "no optuna: ./ppu extras")
    def test_what_a_search_tries_has_the_numbers_of_the_grid(self):
        goals = '[search]\nminimize = ["us_per_frame", "pipe_area_mm2"]\ntrials = 60\n'
        self.write(text=STUDY + goals)
        run = self.explore("--search", "--store", "search.sqlite")
        self.assertIn("60 of 60 devices", run.stderr)
        self.explore()
        every, searched = self.results(), self.results("search.sqlite")
        self.assertLessEqual(set(searched), set(every))
        self.assertEqual(searched, {name: every[name] for name in searched})

    @unittest.skipIf(has_module("pyarrow"), "pyarrow is there")
    def test_without_pyarrow_it_says_what_to_install(self):
        self.refused("explore", "study.toml", "--parquet", "x.parquet", names=("pip install pyarrow",),
                     expect=3)
