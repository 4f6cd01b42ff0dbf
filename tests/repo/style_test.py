# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Rules that hold for every file of the repository."""
import re
import subprocess
import unittest

import source_tree as tree

MAX_LINES = 500
MAX_COLUMNS = 100
README_LINES = 120
SPDX = ("SPDX-License-Identifier: Apache-2.0", "SPDX-FileCopyrightText: The open PPU authors")
# Spelled in pieces so that this file does not find itself.
MARKS = re.compile(r"\b(" + "|".join(["TO" "DO", "FIX" "ME", "XX" "X"]) + r")\b")
OUTSIDE = re.compile(r"\.\./" r"shared|/work" r"/")


class Style(unittest.TestCase):
    def assert_none(self, found, rule):
        self.assertFalse(found, f"{rule}:\n  " + "\n  ".join(found))

    def test_the_tree_has_sources(self):
        self.assertGreater(len(tree.own_sources()), 30)

    def test_every_source_names_its_licence(self):
        found = []
        for path in tree.sources():
            head = "".join(path.read_text().splitlines(keepends=True)[:4])
            if not all(line in head for line in SPDX):
                found.append(tree.name(path))
        self.assert_none(found, "the two SPDX lines are missing at the head")

    def test_no_file_is_too_long(self):
        found = []
        for path in tree.own_sources():
            lines = len(path.read_text().splitlines())
            if lines > MAX_LINES:
                found.append(f"{tree.name(path)}: {lines}")
        self.assert_none(found, f"more than {MAX_LINES} lines")

    def test_no_line_is_too_long(self):
        found = []
        for path in tree.own_sources():
            if path.suffix not in tree.CODE:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if len(line) > MAX_COLUMNS:
                    found.append(f"{tree.name(path)}:{number}: {len(line)}")
        self.assert_none(found, f"more than {MAX_COLUMNS} columns")

    def test_the_readme_is_short(self):
        self.assertLessEqual(len((tree.ROOT / "README.md").read_text().splitlines()), README_LINES)

    def test_nothing_is_left_to_be_done_later(self):
        self.assert_none(self.lines_with(MARKS), "unfinished work is marked")

    def test_nothing_needs_files_outside_the_tree(self):
        self.assert_none(self.lines_with(OUTSIDE), "a path outside the tree")

    def lines_with(self, pattern):
        found = []
        for path in tree.own_sources() + [p for p in tree.all_files() if p.suffix == ".md"]:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if pattern.search(line):
                    found.append(f"{tree.name(path)}:{number}: {line.strip()}")
        return found

    def test_clang_format_changes_nothing(self):
        files = [p for p in tree.own_sources() if p.suffix in {".cpp", ".hpp", ".h", ".c"}]
        run = subprocess.run(["clang-format", "--dry-run", "-Werror", *files],
                             cwd=tree.ROOT, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_links_between_pages_lead_somewhere(self):
        found = []
        for page in (p for p in tree.all_files() if p.suffix == ".md"):
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                if not (page.parent / target).exists():
                    found.append(f"{tree.name(page)}: {target}")
        self.assert_none(found, "a link to a file that is not there")


if __name__ == "__main__":
    unittest.main()
