# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What README.md and docs/guide/performance.md show is what the commands print: every run that is shown
(a `sh` block with one command, then a `text` block), the tables of cycles, the picture.

usage: readme_test.py PPU [--update]      --update: writes what is printed into the pages
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import source_tree as tree

PPU = pathlib.Path(sys.argv.pop(1)).resolve()
PAGES = ("README.md", "docs/guide/performance.md", "docs/guide/debugger.md", "docs/guide/scenes.md")
SHOWN = re.compile(r"```sh\n\./ppu ([^\n]*)\n```\n\n```text\n(.*?)```", re.DOTALL)
BLOCKS = "```sh\n./ppu {}\n```\n\n```text\n{}```"
CYCLES = re.compile(r"^\| `\w+` \|.*\|$", re.MULTILINE)
SCALING = re.compile(r"^\| `large/\w+` \|.*\|$", re.MULTILINE)
PICTURE = tree.ROOT / "docs/images/scaling.svg"
PICTURE_OF = "tests/data/large/pile888_f172.h5"


def run(*arguments):
    return subprocess.run([PPU, *arguments], cwd=tree.ROOT, check=True, capture_output=True,
                          text=True).stdout


def printed(command):
    """What a command of a page prints; its report goes elsewhere, with the name of the default."""
    words = shlex.split(command)
    with tempfile.TemporaryDirectory() as folder:
        if words[0] != "demo":
            return run(*words)
        return run(*words, "--report", folder).replace(folder, "out")


def stable(command, text):
    """Lines without what another machine measures: host seconds, and the CPU beside a frame."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if command.startswith("demo"):
        return [re.sub(r"\s+(\d+\.\d+|host s)$", "", line) for line in lines]
    if command.startswith("frame"):
        return [re.sub(r"\s+(\d+\.\d+|CPU)\s+(\d+\.\d+|CPU/frame)$", "", line) for line in lines
                if not line.startswith("Over ")]
    return lines


def cycles_row(line):
    name = re.match(r"\| `(\w+)`", line)[1]
    engine, scheduled = (json.loads(run("solve", f"tests/data/{name}.h5", "--backend", "systemc",
                                        "--order", order, "--json", "-"))
                         for order in ("engine", "scheduled"))
    assert engine["state_hash"] == scheduled["state_hash"]
    return (f"| `{name}` | {engine['rows']:,} | {engine['cycles']:,} | {scheduled['cycles']:,} "
            f"| {scheduled['rows_per_cycle']:.2f} |")


def scaling_row(line):
    name = re.match(r"\| `([\w/]+)`", line)[1]
    result = json.loads(run("scaling", f"tests/data/{name}.h5", "--lanes", "12", "--json", "-"))
    cells = (f"{point['cycles_per_sweep']:,.0f}" for point in result["pipes"])
    return f"| `{name}` | {result['rows']:,} | {' | '.join(cells)} |"


def picture():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scaling.svg"
        run("scaling", PICTURE_OF, "--svg", path)
        return path.read_text()


class Readme(unittest.TestCase):
    maxDiff = None

    def test_the_commands_print_what_is_shown(self):
        shown = [match for page in PAGES for match in SHOWN.findall((tree.ROOT / page).read_text())]
        self.assertGreater(len(shown), 3)
        self.assertIn("demo", [command for command, _ in shown])
        for command, text in shown:
            with self.subTest(command=command):
                self.assertEqual(stable(command, text), stable(command, printed(command)))

    def test_the_tables_of_cycles_are_what_is_measured(self):
        readme = (tree.ROOT / PAGES[0]).read_text()
        for pattern, row, least in ((CYCLES, cycles_row, 4), (SCALING, scaling_row, 2)):
            shown = pattern.findall(readme)
            self.assertGreaterEqual(len(shown), least)
            self.assertEqual(shown, [row(line) for line in shown])

    def test_the_picture_is_what_is_drawn(self):
        self.assertEqual(PICTURE.read_text(), picture())


def update():
    for page in PAGES:
        path = tree.ROOT / page
        text = path.read_text()
        path.write_text(SHOWN.sub(lambda shown: BLOCKS.format(shown[1], printed(shown[1])), text))
    readme = tree.ROOT / PAGES[0]
    text = CYCLES.sub(lambda row: cycles_row(row[0]), readme.read_text())
    readme.write_text(SCALING.sub(lambda row: scaling_row(row[0]), text))
    PICTURE.write_text(picture())


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    else:
        unittest.main()
