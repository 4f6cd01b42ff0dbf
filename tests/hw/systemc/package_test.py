# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The installed SystemC modules: an outside project, the example platform, and the platform as a back end.

usage: package_test.py ROOT BUILD WORK LIBDIR GENERATOR
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT, BUILD, WORK = (pathlib.Path(word) for word in sys.argv[1:4])
LIBDIR, GENERATOR = sys.argv[4:6]
PREFIX = WORK / "prefix"
PROBLEM = ROOT / "tests/data/wall10_f012.h5"


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


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

    def test_an_outside_project_of_few_lines_has_model_and_rtl_on_its_platform(self):
        source = ROOT / "tests/hw/systemc/consumer"
        lines = sum(len(path.read_text().splitlines()) for path in source.iterdir())
        self.assertLess(lines, 120)
        folder = built(source, "consumer")
        for program in ("with_package", "with_pkg_config"):
            words = run(folder / program).split()
            self.assertEqual(words[1], words[-1], "the same cycles")

    def test_the_example_prints_the_same_with_rtl_and_is_a_back_end(self):
        folder = built(ROOT / "driver/examples/platform", "platform")
        with_model = run(folder / "platform", PROBLEM)
        self.assertIn("ppu 1: 1566 rows", with_model)
        self.assertEqual(run(folder / "platform", PROBLEM, "--rtl-row-pipes"), with_model)
        self.assertEqual(run(folder / "platform", PROBLEM, "--rtl"), with_model)
        run(folder / "platform", PROBLEM, "--waves", WORK / "waves")
        self.assertIn("ppu0_irq", (WORK / "waves.vcd").read_text())

        def solved(backend):
            return json.loads(run(PREFIX / "bin/ppu", "solve", PROBLEM, "--backend", backend,
                                  "--json", "-"))
        platform, systemc = solved(f"platform:{folder}/libone_ppu.so"), solved("systemc")
        for name in ("state_hash", "cycles", "stalls", "max_residual"):
            self.assertEqual(platform[name], systemc[name], name)
        self.assertIn(f"{systemc['cycles']}", json.dumps(platform))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
