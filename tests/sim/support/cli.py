# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What every test of the command needs: the binary, the data, a folder of its own."""
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest

import json_schema

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "tests/data"
WALL = DATA / "wall10_f012.h5"
BALL = DATA / "ball_f110.h5"
PROGRAMS = ROOT / "firmware/programs"
BACKENDS = ("functional", "systemc", "cosim", "rtl")
TIMED = BACKENDS[1:]
# Those that take any shape of the device: no RTL of the whole is in them.
MODELS = BACKENDS[:3]
# Keys of `frame` in the JSON of a solve that are times of the host.
HOST_SECONDS = ("plan_seconds", "packing_seconds", "overlap_seconds", "device_seconds")
# What a slow machine prints on the way.
PROGRESS = re.compile(r"^ppu: .* \.\.\. \d+ s\n", re.MULTILINE)


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ppu(self, *arguments, expect=0, environment=None, memory=resource.RLIM_INFINITY, text=""):
        """Runs `ppu` in the test's folder, with `text` on stdin and `memory` bytes of addresses, and checks its exit
        status."""
        run = subprocess.run([os.environ["PPU_BIN"], *map(str, arguments)], cwd=self.folder,
                             capture_output=True, text=True, input=text,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
                             env={**os.environ, **(environment or {})}, timeout=1000)
        self.assertEqual(run.returncode, expect, f"{arguments}\n{run.stdout}{run.stderr}")
        run.stderr = PROGRESS.sub("", run.stderr)
        return run

    def json(self, *arguments):
        """What `--json -` writes, as its schema says."""
        result = json.loads(self.ppu(*arguments, "--json", "-").stdout)
        json_schema.check(result)
        return result

    def refused(self, *arguments, names=(), expect=2):
        """The command must fail with one sentence on stderr that contains all `names`."""
        run = self.ppu(*arguments, expect=expect)
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        self.assertTrue(lines[0].startswith("ppu: "), run.stderr)
        for name in names:
            self.assertIn(str(name), lines[0])
        self.assertEqual(run.stdout, "")
        return lines[0]

    def edited(self, *edits, source=WALL):
        """A copy of `source` changed by bad_problem, see there."""
        path = self.folder / "edited.h5"
        path.write_bytes(source.read_bytes())
        subprocess.run([os.environ["PPU_BAD_PROBLEM"], path, *map(str, edits)], check=True)
        return path
