# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Lockstep: agreement is counted, the first difference stops the run and says where."""
import os
import re

from cli import BALL, CliTest, WALL


class Cosim(CliTest):
    def test_the_embedded_wall_is_the_default_and_every_row_is_compared(self):
        run = self.ppu("cosim")
        self.assertRegex(run.stdout, r"15,660 rows of the RTL row pipe compared .*: 0 differences")
        self.assertRegex(run.stdout, r"Eigen in double precision: error \S+ .*bound \S+: holds")

    def test_json_says_the_same(self):
        result = self.json("cosim", BALL, "--friction", "skip")
        self.assertEqual(result["backend"], "cosim")
        self.assertEqual(result["lockstep_rows"], result["row_updates"])
        self.assertEqual(result["differences"], 0)
        self.assertLess(result["error"], result["error_bound"])

    def test_every_built_configuration_and_form(self):
        for config in ("small", "default", "wide"):
            for program in ("boxed", "impulse", "pgs"):
                result = self.json("cosim", BALL, "--config", config, "--program", program)
                self.assertEqual(result["lockstep_rows"], result["row_updates"])

    def test_waves_are_written(self):
        wave = self.folder / "ball.fst"
        self.ppu("cosim", BALL, "--wave", wave, "--wave-window", "10:90")
        self.assertGreater(wave.stat().st_size, 100)

    def test_a_program_that_the_reference_does_not_know(self):
        path = self.folder / "mine.s"
        path.write_text(".kernel k\n ldrow r\n.end\n")
        self.ppu("cosim", BALL, "--program", path, expect=2)


class BrokenAdder(CliTest):
    def test_the_first_differing_row_is_named(self):
        environment = {"PPU_DEVICE": os.environ["PPU_BROKEN_DEVICE"]}
        run = self.ppu("cosim", WALL, expect=1, environment=environment)
        for word in ("cycle", "row", "lane", "signal"):
            self.assertIn(word, run.stderr)
        self.assertRegex(run.stderr, r"0x[0-9a-f]{8}.*0x[0-9a-f]{8}")
        self.assertEqual(run.stdout, "")

        # The suggested command replays it: same stop, waves on disk.
        replay = re.search(r"ppu cosim (.*--wave \S+ --wave-window \d+:\d+)", run.stderr)
        self.assertTrue(replay, run.stderr)
        again = self.ppu("cosim", *replay.group(1).split(), expect=1, environment=environment)
        self.assertEqual(again.stderr.splitlines()[0], run.stderr.splitlines()[0])
        self.assertTrue((self.folder / "mismatch.fst").exists())
