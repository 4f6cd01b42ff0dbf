# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The examples of driver/examples, built over the installed driver and run: as a CMake project, and
with nothing but a compiler and pkg-config.

    examples_test.py ROOT PREFIX LIBDIR WORK GENERATOR BACKENDS     BACKENDS with commas between
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

ROOT, PREFIX = (pathlib.Path(word) for word in sys.argv[1:3])
LIBRARIES, PYTHON = PREFIX / sys.argv[3], PREFIX / "lib/python3/dist-packages"
WORK, GENERATOR, BACKENDS = pathlib.Path(sys.argv[4]), sys.argv[5], sys.argv[6].split(",")
EXAMPLES = ROOT / "driver/examples"
WARNINGS = "-Wall -Wextra -Werror"
NUMBER = r"-?0x[01](?:\.[0-9a-f]+)?p[+-]\d+"
BODIES = 32


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


def compiled_alone(compiler, source, package):
    """A program that a compiler made with what pkg-config says and the page adds."""
    flags = run("pkg-config", "--cflags", "--libs", package).split()
    run(*compiler, *WARNINGS.split(), EXAMPLES / source, *flags, f"-Wl,-rpath,{LIBRARIES}",
        "-o", WORK / "alone")
    return WORK / "alone"


def printed_by_the_page():
    page = (ROOT / "docs/guide/driver.md").read_text()
    return re.search(r"It prints\n\n```text\n(.*?)```", page, re.DOTALL)[1]


def program(name):
    """The lines of an example after the comment at its head."""
    return re.sub(r"\A(//[^\n]*\n)+", "", (EXAMPLES / name).read_text()).splitlines()


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ.update(PKG_CONFIG_PATH=str(LIBRARIES / "pkgconfig"), PYTHONPATH=str(PYTHON),
                      PYTHONDONTWRITEBYTECODE="1")
    for helper in ("LD_LIBRARY_PATH", "PPU_DEVICE"):
        os.environ.pop(helper, None)
    run("cmake", "-G", GENERATOR, "-S", EXAMPLES, "-B", WORK, f"-DCMAKE_PREFIX_PATH={PREFIX}",
        f"-DCMAKE_C_FLAGS={WARNINGS}", f"-DCMAKE_CXX_FLAGS={WARNINGS}")
    run("cmake", "--build", WORK)


class Examples(unittest.TestCase):
    def test_c_and_cpp_print_what_the_page_shows_on_every_back_end(self):
        for name in ("hello_c", "hello_cpp"):
            for backend in BACKENDS:
                with self.subTest(name, backend=backend):
                    self.assertEqual(run(WORK / name, backend), printed_by_the_page())

    def test_a_compiler_and_pkg_config_are_enough(self):
        for compiler, source in ((["cc"], "hello.c"), (["c++", "-std=c++17"], "hello.cpp")):
            with self.subTest(source):
                self.assertEqual(run(compiled_alone(compiler, source, "ppu")), printed_by_the_page())

    def test_what_cannot_be_opened_is_said(self):
        for name in ("hello_c", "hello_cpp"):
            done = subprocess.run([WORK / name, "turbo"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("'turbo'", done.stderr)


class BulletWall(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (WORK / "bullet_wall").exists():
            raise unittest.SkipTest("the plug-in was not built")

    def test_fewer_than_five_lines_put_a_program_on_the_ppu(self):
        lines = difflib.ndiff(program("bullet_wall_plain.cpp"), program("bullet_wall.cpp"))
        changed = [line for line in lines if line[0] in "+-"]
        self.assertLess(len(changed), 5, changed)
        self.assertTrue(any("ppu::" in line for line in changed), changed)

    def test_every_body_ends_in_the_same_place_bit_for_bit(self):
        places = run(WORK / "bullet_wall_plain")
        self.assertRegex(places, rf"\A({NUMBER} {NUMBER} {NUMBER}\n){{{BODIES}}}\Z")
        self.assertEqual(run(WORK / "bullet_wall"), places)
        alone = compiled_alone(["c++", "-std=c++17"], "bullet_wall.cpp", "ppu-bullet")
        self.assertEqual(run(alone), places)


class Pipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (PYTHON / "ppu").exists():
            raise unittest.SkipTest("the Python package was not built")
        if "systemc" not in BACKENDS:
            raise unittest.SkipTest("there is no back end with time")

    def test_the_table_is_the_one_of_the_page_and_the_picture_has_both_orders(self):
        page = (ROOT / "docs/guide/python.md").read_text()
        shown = re.search(r"pipes\.py --picture.*?```text\n(.*?)picture: ", page, re.DOTALL)[1]
        picture = WORK / "pipes.svg"
        done = subprocess.run([sys.executable, EXAMPLES / "pipes.py", "--picture", picture], cwd=ROOT,
                              check=True, capture_output=True, text=True)
        self.assertEqual(done.stdout, f"{shown}picture: {picture}\n")
        text = picture.read_text()
        xml.etree.ElementTree.fromstring(text)
        for legend in ("rows issue when their bodies come free", "rows issue in the order of the file"):
            self.assertIn(f"<!-- {legend} -->", text)


class Clients(unittest.TestCase):
    def test_they_come_to_the_bits_that_the_page_shows_on_every_back_end(self):
        if not (PYTHON / "ppu").exists():
            raise unittest.SkipTest("the Python package was not built")
        page = (ROOT / "docs/inside/contexts.md").read_text()
        shown = re.search(r"clients\.py\n```\n\n```text\n(.*?)```", page, re.DOTALL)[1]
        for backend in BACKENDS:
            with self.subTest(backend):
                done = subprocess.run([sys.executable, EXAMPLES / "clients.py", backend], cwd=ROOT, check=True,
                                      capture_output=True, text=True)
                self.assertEqual(done.stdout, shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
