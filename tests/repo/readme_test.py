# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What README.md and pages of the manual show is what the commands print: every run that is shown
(an `sh` block, then a `text` block), the table of times, the picture.

usage: readme_test.py PPU [--update [PAGE ...]]      --update: writes what is printed into the pages
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import shown
import source_tree as tree

PPU = pathlib.Path(sys.argv.pop(1)).resolve()
GUIDE = ("bullet", "debugger", "distance", "fclib", "firmware", "methods", "observability", "performance", "programs", "scenes")
INSIDE = ("dataflow", "device", "numerics", "patent", "timing")
PAGES = ("README.md", "docs/start/overview.md", *(f"docs/guide/{name}.md" for name in GUIDE),
         *(f"docs/inside/{name}.md" for name in INSIDE))
TIMES = re.compile(r"^\| `[\w/]+_f\d+` \|.*\|$", re.MULTILINE)
FOUR_PIPES = ("--config", "default+resident+asap7", "--set", "pipes=4", "--set", "velocity_banks=16", "--set", "choice_stages=1")
PICTURE = tree.ROOT / "docs/images/scaling.svg"
PICTURE_OF = "tests/data/large/pile888_f172.h5"


def run(*arguments):
    return subprocess.run([PPU, *arguments], cwd=tree.ROOT, check=True, capture_output=True,
                          text=True).stdout


def times_row(line):
    """A line of the table of README.md: ten sweeps, on one pipe and on four."""
    name = re.match(r"\| `([\w/]+)`", line)[1]
    one, four = (json.loads(run("solve", f"tests/data/{name}.h5", *shape, "--json", "-"))
                 for shape in ((), FOUR_PIPES))
    assert one["state_hash"] == four["state_hash"]
    assert [result["configuration"]["clock"] for result in (one, four)] == ["ihp130", "asap7"]  # as measured
    cycles = [result["frame"]["device_cycles"] for result in (one, four)]
    khz = [1000 * result["configuration"]["keys"]["clock_mhz"] for result in (one, four)]
    return (f"| `{name}` | {one['rows']:,} | {cycles[0]:,} | {cycles[0] / khz[0]:.3f} "
            f"| {cycles[1] / khz[1]:.3f} |")


def picture():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scaling.svg"
        run("study", "scaling", PICTURE_OF, "--config", "default+resident", "--svg", path)
        return path.read_text()


class Readme(unittest.TestCase):
    maxDiff = None

    def test_the_commands_print_what_is_shown(self):
        for page in PAGES:
            self.assertGreater(shown.check(self, page, PPU), 0, page)

    def test_the_table_of_times_is_what_is_measured(self):
        found = TIMES.findall((tree.ROOT / PAGES[0]).read_text())
        self.assertGreaterEqual(len(found), 4)
        self.assertEqual(found, [times_row(line) for line in found])

    def test_the_clocks_beside_a_command_are_those_of_its_device(self):
        text = (tree.ROOT / "docs/guide/bullet.md").read_text()
        found = re.findall(r"^\| [^`|]*`(--config [^`]*)` \| (\d+) \|", text, re.MULTILINE)
        self.assertEqual(len(found), 3)
        for arguments, mhz in found:
            self.assertRegex(run("info", *arguments.split()), rf" {mhz}  (ihp130|asap7)\n")

    def test_the_picture_is_what_is_drawn(self):
        self.assertEqual(PICTURE.read_text(), picture())


def update(pages):
    for page in pages or PAGES:
        shown.update(page, PPU)
    if pages:
        return
    readme = tree.ROOT / PAGES[0]
    readme.write_text(TIMES.sub(lambda row: times_row(row[0]), readme.read_text()))
    PICTURE.write_text(picture())


if __name__ == "__main__":
    if "--update" in sys.argv:
        update(sys.argv[sys.argv.index("--update") + 1:])
    else:
        unittest.main()
