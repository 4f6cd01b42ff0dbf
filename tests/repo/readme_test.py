# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What README.md shows is what the commands print: the demo and the table of cycles.

usage: readme_test.py PPU
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import source_tree as tree

PPU = pathlib.Path(sys.argv.pop(1)).resolve()
README = (tree.ROOT / "README.md").read_text()


def run(*arguments, cwd=tree.ROOT):
    return subprocess.run([PPU, *arguments], cwd=cwd, check=True, capture_output=True, text=True).stdout


def lines_without_times(text):
    """Lines without the host's seconds, which end a row of the table, and their column's width."""
    return [re.sub(r"\s+(\d+\.\d+|host s)$", "", line.rstrip()) for line in text.strip().splitlines()]


class Readme(unittest.TestCase):
    maxDiff = None

    def test_the_demo_prints_what_is_shown(self):
        shown = re.search(r"```text\n(.*?)```", README, re.DOTALL).group(1)
        with tempfile.TemporaryDirectory() as folder:
            printed = run("demo", cwd=folder)
        self.assertEqual(lines_without_times(shown), lines_without_times(printed))

    def test_the_table_of_cycles_is_what_is_measured(self):
        rows = re.findall(r"^\| `(\w+)` \|.*\|$", README, re.MULTILINE)
        self.assertGreater(len(rows), 3)
        measured = [self.table_row(name) for name in rows]
        shown = [line for line in README.splitlines() if re.match(r"\| `\w+` \|", line)]
        self.assertEqual(shown, measured)

    def table_row(self, name):
        results = [json.loads(run("solve", f"tests/data/{name}.h5", "--backend", "systemc",
                                  "--order", order, "--json", "-")) for order in ("engine", "scheduled")]
        engine, scheduled = results
        self.assertEqual(engine["state_hash"], scheduled["state_hash"])
        return (f"| `{name}` | {engine['rows']:,} | {engine['cycles']:,} | {scheduled['cycles']:,} "
                f"| {scheduled['rows_per_cycle']:.2f} |")


if __name__ == "__main__":
    unittest.main()
