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
                self.assertRegex(listed, rf": .*{name}", tests["folder"])

    def test_all_folders_of_cpp_were_run(self):
        folders = {tests["folder"] for tests in self.plan["cpp"]["tests"]}
        self.assertLessEqual(folders, set(self.data["programs"]))

    def test_the_page_is_that_of_what_was_measured(self):
        holes = points.Holes()
        text = made = page.PAGE.read_text()
        for part, of_part in (("rtl", page.rtl), ("cpp", page.cpp)):
            # measured.json may be of one of them alone.
            if any(name.startswith("rtl/") == (part == "rtl") for name in self.data["files"]):
                made = page.replaced(made, part, of_part(self.data, holes))
        self.assertEqual(text, made, "run: python3 tests/coverage/coverage.py page")

    def test_cpp_is_above_the_floor(self):
        files = {name: of_file for name, of_file in self.data["files"].items() if not name.startswith("rtl/")}
        for kind, sums in page.total(of_file["sums"] for of_file in files.values()).items():
            self.assertGreaterEqual(page.share(*sums), page.FLOOR[kind], kind)


if __name__ == "__main__":
    Coverage.ctest, Coverage.build = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
