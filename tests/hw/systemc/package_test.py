# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The installed SystemC modules: an outside project, the example platform, and the platform as a back end.

usage: package_test.py ROOT BUILD WORK LIBDIR GENERATOR PROBLEMS [TEST...]
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT, BUILD, WORK = (pathlib.Path(word) for word in sys.argv[1:4])
LIBDIR, GENERATOR, PROBLEMS = sys.argv[4:7]
PREFIX = WORK / "prefix"
PROBLEM = ROOT / "tests/data/wall10_f012.h5"


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def of_the_device(result):
    """What is not the host's."""
    return {name: of_the_device(value) if isinstance(value, dict) else value
            for name, value in result.items() if not name.endswith("seconds") and name != "backend"}


def built(source, name):
    run("cmake", "-G", GENERATOR, "-S", source, "-B", WORK / name, f"-DCMAKE_PREFIX_PATH={PREFIX}",
        "-DCMAKE_CXX_FLAGS=-O1")
    run("cmake", "--build", WORK / name)
    return WORK / name


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    for component in ("driver", "systemc", "bullet", "command"):
        run("cmake", "--install", BUILD, "--component", component, "--prefix", PREFIX)
    os.environ.update(PKG_CONFIG_PATH=str(PREFIX / LIBDIR / "pkgconfig"),
                      SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")


class Package(unittest.TestCase):
    maxDiff = None

    def test_an_outside_project_of_few_lines_has_models_and_rtl_on_its_platform(self):
        source = ROOT / "tests/hw/systemc/consumer"
        lines = sum(len(path.read_text().splitlines()) for path in source.iterdir())
        self.assertLess(lines, 120)
        folder = built(source, "consumer")
        for program in ("with_package", "with_pkg_config"):
            words = run(folder / program).split()
            cycles = {words[1], words[3], words[-1]}
            self.assertEqual(len(cycles), 1, words)

    def test_the_example_prints_the_same_with_rtl_and_is_a_back_end(self):
        folder = built(ROOT / "driver/examples/platform", "platform")
        with_model = run(folder / "platform", PROBLEM)
        self.assertIn("ppu 1: 1566 rows", with_model)
        engine = "--rtl=gen_engine[0].u_engine"
        for rtl in ("--rtl", engine, engine + ".u_rows.gen_pipe[0].u_pipe.u_pipe"):
            self.assertEqual(run(folder / "platform", PROBLEM, rtl), with_model, rtl)
        run(folder / "platform", PROBLEM, "--waves", WORK / "waves")
        self.assertIn("ppu0_irq", (WORK / "waves.vcd").read_text())

    def test_every_problem_is_solved_on_a_platform_as_on_the_rtl(self):
        folder = built(ROOT / "driver/examples/platform", "platform")

        def solved(problem, backend):
            return of_the_device(json.loads(run(
                PREFIX / "bin/ppu", "solve", problem, "--backend", backend, "--json", "-")))
        problems = sorted(pathlib.Path(PROBLEMS).glob("*.h5"))
        self.assertTrue(problems)
        for problem in problems:
            with self.subTest(problem=problem.name):
                on_rtl = solved(problem, "rtl")
                self.assertEqual(solved(problem, "systemc"), on_rtl)
                for library in ("libone_ppu.so", "libone_ppu_at.so"):
                    self.assertEqual(solved(problem, f"platform:{folder}/{library}"), on_rtl)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[7:])
