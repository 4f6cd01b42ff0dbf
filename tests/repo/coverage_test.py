# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What tests/coverage names is there, was run to its end, and is on its page."""
import re
import subprocess
import sys
import unittest

import source_tree as tree

sys.path.insert(0, str(tree.ROOT / "tests/coverage"))
import coverage  # noqa: E402
import measured  # noqa: E402
import page  # noqa: E402
import points  # noqa: E402


class Coverage(unittest.TestCase):
    ctest, build = None, None

    def setUp(self):
        self.plan = coverage.plan()
        self.data = measured.read()
        self.lists = "\n".join(path.read_text() for path in tree.ROOT.glob("*/**/CMakeLists.txt")
                               if not path.is_relative_to(tree.ROOT / "build"))

    def test_every_program_is_there(self):
        names = [program["name"] for program in self.plan["rtl"]["program"]]
        names += [name for tests in self.plan["cpp"]["tests"] for name in tests["programs"]]
        for name in names:
            self.assertRegex(self.lists, rf"\((NAME )?{re.escape(name)}\b")

    def test_every_shape_is_there(self):
        numbers = (tree.ROOT / "rtl/spec/ppu_spec_pkg.sv").read_text()
        for shape in {*self.plan["rtl"]["shapes"], *self.plan["cpp"]["shapes"]}:
            self.assertTrue(f" {shape.capitalize()}Lanes = " in numbers or re.search(rf"\s{shape}/\d", self.lists), shape)

    def test_every_test_that_is_left_out_is_there(self):
        for tests in self.plan["cpp"]["tests"]:
            listed = subprocess.run([self.ctest, "--test-dir", f"{self.build}/tests/{tests['folder']}", "-N"], check=True,
                                    capture_output=True, text=True).stdout
            for name in tests.get("without", []):
                self.assertRegex(listed, rf"(?m): .*{name}", tests["folder"])

    def test_all_of_it_was_run(self):
        names = {program["name"] for program in self.plan["rtl"]["program"]}
        names |= {tests["folder"] for tests in self.plan["cpp"]["tests"]}
        self.assertEqual(names, set(self.data["programs"]))

    def test_the_page_is_that_of_what_was_measured(self):
        text = page.PAGE.read_text()
        made = page.written(text, self.data, points.Holes())
        self.assertEqual(text, made, "run: python3 tests/coverage/coverage.py page")

    def test_every_room_of_the_rtl_and_all_of_cpp_are_above_the_floor(self):
        def of_rtl(name):
            return name.startswith("rtl/")

        rooms = page.by_room({name: of_file for name, of_file in self.data["files"].items() if of_rtl(name)})
        rooms["C++"] = {name: of_file for name, of_file in self.data["files"].items() if not of_rtl(name)}
        for room, files in rooms.items():
            for kind, sums in page.total(of_file["sums"] for of_file in files.values()).items():
                self.assertGreaterEqual(page.share(*sums), page.FLOOR[kind], f"{room}: {kind}")


if __name__ == "__main__":
    Coverage.ctest, Coverage.build = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
