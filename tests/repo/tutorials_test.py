# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The tutorials work: every command of them, in their order, prints what they show.

usage: tutorials_test.py PPU [PAGE ...] [--update]      --update: writes what is printed into them
"""
import pathlib
import sys
import unittest

import shown
import source_tree as tree

PPU = pathlib.Path(sys.argv.pop(1)).resolve()
TUTORIALS = ("wall", "hardware", "firmware", "engine", "platform")


class Tutorials(unittest.TestCase):
    maxDiff = None

    def test_all_of_them_are_tried(self):
        pages = {path.stem for path in (tree.ROOT / "docs/start").glob("*.md")}
        self.assertEqual(pages, {*TUTORIALS, "overview"})


def tried(name):
    def test(self):
        if name == "engine" and not list(PPU.parents[1].glob("lib/libppu_bullet.*")):
            self.skipTest("the plug-in was not built")
        self.assertGreater(shown.check(self, f"docs/start/{name}.md", PPU, every=True), 3)
    return test


for tutorial in TUTORIALS:
    setattr(Tutorials, f"test_{tutorial}", tried(tutorial))

if __name__ == "__main__":
    if "--update" in sys.argv:
        for tutorial in [name for name in sys.argv[1:] if name in TUTORIALS] or TUTORIALS:
            shown.update(f"docs/start/{tutorial}.md", PPU, every=True)
    else:
        unittest.main()
