# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The search for ppu-device starts at the driver's own file, never in the working directory.

    find_device_test.py FIND_DEVICE
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FIND_DEVICE = pathlib.Path(sys.argv.pop())


def executable(path):
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


class FindDevice(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name).resolve() / "home"
        self.elsewhere = self.home.parent / "elsewhere"
        self.home.mkdir()
        self.elsewhere.mkdir()
        self.program = shutil.copy(FIND_DEVICE, self.home / "find_device")

    def find(self, *typed, cwd=None):
        environment = {k: v for k, v in os.environ.items() if k != "PPU_DEVICE"}
        return subprocess.run(typed, executable=self.program, cwd=cwd or self.elsewhere,
                              env=environment, capture_output=True, text=True)

    def test_a_program_found_on_the_path_ignores_the_working_directory(self):
        executable(self.elsewhere / "ppu-device")
        shutil.copy(FIND_DEVICE, self.elsewhere / "find_device")
        run = self.find("find_device")
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn(str(self.home), run.stdout)
        self.assertNotIn(str(self.elsewhere), run.stdout)

    def test_a_device_beside_the_program_is_found(self):
        executable(self.home / "ppu-device")
        for typed in ("find_device", str(self.program)):
            run = self.find(typed)
            self.assertEqual(run.stdout, f"{self.home / 'ppu-device'}\n", typed)

    def test_a_program_that_went_into_another_folder_finds_the_device_beside_it(self):
        executable(self.home / "ppu-device")
        run = self.find("./find_device", str(self.elsewhere), cwd=self.home)
        self.assertEqual(run.stdout, f"{self.home / 'ppu-device'}\n")


if __name__ == "__main__":
    unittest.main()
