# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The launcher in a small copy of the tree, with only the programs that a test gives it."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import source_tree as tree

SOURCES = ("CMakeLists.txt", "CMakePresets.json", "cmake/packages.txt", "hw/a", "rtl/a", "model/a",
           "firmware/a", "driver/a", "sim/a", "tests/a",
           "docs/a", "lint/a")
TOOLS = ("bash", "dirname", "readlink", "find", "grep", "mkdir", "flock", "tee", "sed", "tail",
         "cp", "mv", "cat", "chmod")
COMMAND = '#!/bin/bash\nprintf "%s|" "$PWD" "$@"\nexit 7\n'
# Tools that only write down how they were called; the last one also "builds" the command.
NOTED = '#!/bin/bash\necho "${0##*/} $*" >>"$NOTES"\n'
NOTED_BUILD = (NOTED + 'mkdir -p "$2/bin"\ncat >"$2/bin/ppu" <<"EOF"\n' + COMMAND +
               'EOF\nchmod +x "$2/bin/ppu"\n')


class Launcher(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name).resolve() / "tree"
        for name in SOURCES:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).touch()
        shutil.copy(tree.ROOT / "ppu", self.root)
        self.bin = self.root.parent / "bin"
        self.bin.mkdir()
        self.notes = self.root.parent / "notes"
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))

    def build(self):
        """What a build leaves behind: the command and the stamp."""
        command = self.root / "build/release/bin/ppu"
        command.parent.mkdir(parents=True)
        command.write_text(COMMAND)
        command.chmod(0o755)
        (self.root / "build/release/.done-build").write_text(f"{self.root}\n")
        time.sleep(0.05)  # File times advance in ticks of the kernel's clock.

    def run_launcher(self, *arguments):
        return subprocess.run([self.root / "ppu", *arguments], cwd="/", capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=600,
                              env={"PATH": str(self.bin), "NOTES": str(self.notes)})

    def test_scripts_are_well_formed(self):
        for script in ("ppu", ".ci/run"):
            run = subprocess.run(["bash", "-n", tree.ROOT / script], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(os.access(tree.ROOT / script, os.X_OK), script)

    def test_an_unchanged_tree_starts_the_command_where_the_user_is(self):
        self.build()
        run = self.run_launcher("solve", "a file.h5")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (7, "/|solve|a file.h5|", ""))

    def test_a_changed_source_is_built_first(self):
        self.build()
        (self.root / "hw/a").touch()
        run = self.run_launcher("info")
        self.assertEqual(run.returncode, 3)
        self.assertIn("this failed: cmake --preset release", run.stderr)

    def test_a_removed_source_is_built_first(self):
        self.build()
        (self.root / "hw/a").unlink()
        self.assertIn("this failed: cmake", self.run_launcher("info").stderr)

    def test_a_tree_that_was_moved_is_built_first(self):
        self.build()
        self.root = self.root.rename(self.root.with_name("elsewhere"))
        self.assertIn("this failed: cmake", self.run_launcher("info").stderr)

    def test_missing_packages_are_named_where_there_is_no_apt(self):
        (self.root / "cmake/packages.txt").write_text(
            "# comment\nbuild a-program program no-such-program x\nbuild a-header header no/such.h x\n"
            "build present program bash x\nbuild a-file file /no/such/file x\n"
            "build present-file file /dev/null x\npython for-python program no-such-program x\n"
            "test for-tests program no-such-program x\ndocs for-docs program no-such-program x\n")
        run = self.run_launcher("demo")
        self.assertEqual(run.returncode, 3)
        self.assertIn("missing: a-program a-header a-file\n", run.stderr)
        self.assertIn("missing: a-program a-header a-file for-python\n",
                      self.run_launcher("info").stderr)
        self.assertIn("missing: a-program a-header a-file for-python for-tests for-docs\n",
                      self.run_launcher("test").stderr)
        self.assertIn("missing: for-docs\n", self.run_launcher("docs").stderr)

    def test_the_site_is_made_without_a_build(self):
        (self.bin / "mkdocs").write_text('#!/bin/bash\nprintf "%s|" "$@" >"$0.said"\n')
        (self.bin / "mkdocs").chmod(0o755)
        run = self.run_launcher("docs")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"open {self.root}/build/docs/index.html", run.stderr)
        self.assertIn(f"--strict|--quiet|-f|{self.root}/docs/site/mkdocs.yml|-d|{self.root}/build/docs|",
                      (self.bin / "mkdocs.said").read_text())
        self.assertFalse((self.root / "build/release").exists())

    def test_a_site_that_cannot_be_made_is_said(self):
        (self.bin / "mkdocs").write_text("#!/bin/bash\necho WARNING no such link\nexit 1\n")
        (self.bin / "mkdocs").chmod(0o755)
        run = self.run_launcher("docs")
        self.assertEqual(run.returncode, 3)
        self.assertIn("no such link", run.stderr)

    def built(self, *arguments):
        """How cmake and ninja were called before the command was started."""
        for name, text in (("cmake", NOTED), ("ninja", NOTED_BUILD)):
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        self.notes.write_text("")
        run = self.run_launcher(*arguments)
        self.assertEqual(run.returncode, 7, run.stderr)
        return self.notes.read_text().splitlines()

    def test_the_demo_alone_builds_only_what_it_needs(self):
        configure, build = self.built("demo")
        for option in ("-DPPU_BUILD_TESTS=OFF", "-DPPU_DEMO_ONLY=ON"):
            self.assertIn(option, configure.split())
        self.assertEqual(build.split()[3:], ["ppu_cli", "ppu-device"])
        self.assertEqual(self.built("demo"), [])

    def test_another_command_builds_the_rest(self):
        self.built("demo")
        configure, build = self.built("demo", "wall")
        self.assertTrue(configure.endswith(" -DPPU_DEMO_ONLY=OFF"), configure)
        self.assertEqual(build.split()[3:], ["products"])
        self.assertEqual(self.built("demo"), [])
        self.assertEqual(self.built("info"), [])

    def test_what_the_user_has_left_out_stays_out(self):
        cache = self.root / "build/release/CMakeCache.txt"
        cache.parent.mkdir(parents=True)
        cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.root}\nPPU_BUILD_PYTHON:BOOL=OFF\n")
        (self.root / "cmake/packages.txt").write_text("python for-python program no-such-program x\n")
        configure, _ = self.built("info")
        self.assertNotRegex(configure, "PYTHON|RTL_CONFIGS|--fresh")


if __name__ == "__main__":
    unittest.main()
