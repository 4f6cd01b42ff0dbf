# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The search for ppu-helper starts at the file that searches, never in the working directory.

    find_helper_test.py FIND_HELPER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FIND_HELPER = pathlib.Path(sys.argv.pop())


def executable(path):
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


class FindHelper(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name).resolve() / "home"
        self.elsewhere = self.home.parent / "elsewhere"
        self.home.mkdir()
        self.elsewhere.mkdir()
        self.program = shutil.copy(FIND_HELPER, self.home / "find_helper")

    def find(self, *typed, cwd=None):
        environment = {k: v for k, v in os.environ.items() if k != "PPU_HELPER"}
        return subprocess.run(typed, executable=self.program, cwd=cwd or self.elsewhere,
                              env=environment, capture_output=True, text=True)

    def test_a_program_found_on_the_path_ignores_the_working_directory(self):
        executable(self.elsewhere / "ppu-helper")
        shutil.copy(FIND_HELPER, self.elsewhere / "find_helper")
        run = self.find("find_helper")
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn(str(self.home), run.stdout)
        self.assertNotIn(str(self.elsewhere), run.stdout)

    def test_a_helper_beside_the_program_is_found(self):
        executable(self.home / "ppu-helper")
        for typed in ("find_helper", str(self.program)):
            run = self.find(typed)
            self.assertEqual(run.stdout, f"{self.home / 'ppu-helper'}\n", typed)

    def test_a_program_that_went_into_another_folder_finds_the_helper_beside_it(self):
        executable(self.home / "ppu-helper")
        run = self.find("./find_helper", str(self.elsewhere), cwd=self.home)
        self.assertEqual(run.stdout, f"{self.home / 'ppu-helper'}\n")

    def test_a_program_of_the_same_name_in_another_folder_is_not_taken_for_this_one(self):
        executable(self.home / "ppu-helper")
        executable(self.elsewhere / "ppu-helper")
        shutil.copy(FIND_HELPER, self.elsewhere / "find_helper")
        run = self.find("./find_helper", str(self.elsewhere), cwd=self.home)
        self.assertEqual(run.stdout, f"{self.home / 'ppu-helper'}\n")

    def test_a_program_whose_file_is_gone_asks_for_the_path(self):
        executable(self.home / "ppu-helper")
        run = self.find(str(self.program), str(self.home), str(self.program))
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertEqual(run.stdout, "cannot tell where this program was loaded from; "
                         "set PPU_HELPER to the path of ppu-helper\n")


if __name__ == "__main__":
    unittest.main()
