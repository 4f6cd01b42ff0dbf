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

# One file of every folder that a build reads: of all but hidden ones.
SOURCES = ["CMakeLists.txt", "CMakePresets.json", "cmake/packages.txt",
           *(f"{folder}/a" for folder in tree.FOLDERS if folder.isalpha())]
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
        command.parent.mkdir(parents=True, exist_ok=True)
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
        for name in SOURCES:
            with self.subTest(name):
                self.build()
                (self.root / name).touch()
                run = self.run_launcher("info")
                self.assertEqual(run.returncode, 3)
                self.assertIn("this failed: cmake --preset release", run.stderr)

    def test_a_store_beside_its_study_builds_nothing(self):
        (self.root / "sim/explore").mkdir()
        self.build()
        for name in ("study.sqlite", "study.sqlite-wal", "study.sqlite.runs/plan"):
            path = self.root / "sim/explore" / name
            path.parent.mkdir(exist_ok=True)
            path.touch()
        self.assertEqual(self.run_launcher("info").returncode, 7)

    def test_every_command_has_the_python_of_the_extras(self):
        self.build()
        command = self.root / "build/release/bin/ppu"
        command.write_text('#!/bin/bash\nprintf "%s" "$PPU_PYTHON"\n')
        self.assertEqual(self.run_launcher("profile").stdout, "")
        python = self.root / "build/extras/bin/python3"
        python.parent.mkdir(parents=True)
        python.touch()
        python.chmod(0o755)
        self.assertEqual(self.run_launcher("profile").stdout, str(python))

    def test_nextpnr_is_installed_for_an_fpga_alone(self):
        (self.root / "cmake/packages.txt").write_text("fpga for-fpga program no-such-program x\n")
        for arguments in (("--tech", "ecp5"), ("--tech=ecp5",)):
            run = self.run_launcher("physical", "fp-add", *arguments)
            self.assertEqual(run.returncode, 3)
            self.assertIn("missing: for-fpga\n", run.stderr)
        for tool, arguments in ((None, ("--tech", "osu018")), (None, ("--tech", "ecp5", "--help")),
                                ("nextpnr-ecp5", ("--tech", "ecp5"))):
            for name in (tool,) * bool(tool) + ("python3",):
                (self.bin / name).write_text(COMMAND)
                (self.bin / name).chmod(0o755)
            run = self.run_launcher("physical", "fp-add", *arguments)
            self.assertEqual((run.returncode, run.stderr), (7, ""))
            self.assertTrue(run.stdout.endswith("|fp-add|" + "|".join(arguments) + "|"), run.stdout)

    def test_a_clean_clone_installs_what_a_command_needs_that_builds_nothing(self):
        (self.root / "cmake/packages.txt").write_text("physical for-physical program no-such-program x\n")
        for name, text in (("apt-get", "#!/bin/bash\n"), ("sudo", '#!/bin/bash\nexec "${@#-n}"\n'), ("python3", COMMAND)):
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        (self.bin / "env").symlink_to(shutil.which("env"))
        self.assertFalse((self.root / "build").exists())
        run = self.run_launcher("physical", "fp-add")
        self.assertEqual(run.returncode, 7, run.stderr)
        self.assertIn("install for-physical\n", run.stderr)

    def test_tasks_of_physical_that_run_the_simulator_build_it_first(self):
        self.build()
        (self.root / "hw/a").unlink()
        for option in ("--frames", "--energy", "--window"):
            self.assertIn("this failed: cmake", self.run_launcher("physical", option).stderr)
        self.assertNotIn("cmake", self.run_launcher("physical", "fp-add").stderr)

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

    def test_the_served_site_says_its_address(self):
        for tool in ("mkdocs", "python3"):
            (self.bin / tool).write_text("#!/bin/bash\n")
            (self.bin / tool).chmod(0o755)
        run = self.run_launcher("docs", "serve")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("open http://localhost:8000 ", run.stderr)
        self.assertNotIn("index.html", run.stderr)

    def test_help_needs_no_build_and_no_install(self):
        for words in ((), ("-h",), ("--help",), ("test", "--help"), ("test", "-h"),
                      ("docs", "--help"), ("docs", "-h")):
            run = self.run_launcher(*words)
            self.assertEqual((run.returncode, run.stderr), (0, ""), words)
            for command in ("demo", "test", "docs [serve]", "COMMAND"):
                self.assertIn(f"./ppu {command} ", run.stdout, words)
            self.assertNotRegex(run.stdout, "SPDX|pipefail|#", words)
        (self.bin / "env").symlink_to(shutil.which("env"))
        self.assertFalse((self.root / "build").exists())

    def test_help_of_a_changed_tree_is_that_of_the_built_command(self):
        self.build()
        (self.root / "hw/a").touch()
        for words in ((), ("-h",), ("--help",)):
            self.assertEqual(self.run_launcher(*words).stdout, "/|--help|", words)

    def test_docs_refuses_what_it_does_not_know(self):
        for words in (("sevre",), ("serve", "9000"), ("--serve",)):
            run = self.run_launcher("docs", *words)
            self.assertEqual(run.returncode, 2, words)
            self.assertIn(f"unknown argument '{' '.join(words)}'", run.stderr)
        (self.bin / "env").symlink_to(shutil.which("env"))
        self.assertFalse((self.root / "build").exists())

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

    def write_cache(self, *options, home=None):
        """A build folder without the Python package, with these options, and no program for Python."""
        cache = self.root / "build/release/CMakeCache.txt"
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text("\n".join((f"CMAKE_HOME_DIRECTORY:INTERNAL={home or self.root}",
                                    "PPU_BUILD_PYTHON:BOOL=OFF", *options, "")))
        (self.root / "cmake/packages.txt").write_text("python for-python program no-such-program x\n")

    def test_what_the_user_has_left_out_stays_out(self):
        self.write_cache("PPU_DEMO_ONLY:BOOL=OFF")
        configure, _ = self.built("info")
        self.assertNotRegex(configure, "PYTHON|RTL_CONFIGS|--fresh")

    def test_the_tests_have_the_rtl_of_every_configuration(self):
        self.write_cache("PPU_DEMO_ONLY:BOOL=OFF", "PPU_RTL_CONFIGS:STRING=Default")
        (self.bin / "ctest").write_text(COMMAND)
        (self.bin / "ctest").chmod(0o755)
        (self.bin / "nproc").symlink_to(shutil.which("nproc"))
        configure, _ = self.built("test")
        self.assertIn("-UPPU_RTL_CONFIGS", configure.split())
        self.assertNotIn("PYTHON", configure)

    def test_what_an_older_demo_has_left_out_comes_back_once(self):
        self.write_cache("PPU_RTL_CONFIGS:STRING=Default")
        self.assertIn("missing: for-python\n", self.run_launcher("info").stderr)
        (self.root / "cmake/packages.txt").write_text("")
        configure, _ = self.built("info")
        for option in ("-UPPU_BUILD_PYTHON", "-UPPU_RTL_CONFIGS", "-DPPU_DEMO_ONLY=OFF"):
            self.assertIn(option, configure.split())

    def test_options_of_a_build_in_another_place_are_forgotten(self):
        self.write_cache("PPU_DEMO_ONLY:BOOL=OFF", home="/elsewhere")
        self.assertIn("missing: for-python\n", self.run_launcher("info").stderr)
        (self.root / "cmake/packages.txt").write_text("")
        configure, _ = self.built("info")
        self.assertIn("--fresh", configure.split())


if __name__ == "__main__":
    unittest.main()
