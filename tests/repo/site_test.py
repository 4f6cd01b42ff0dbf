# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The site of the books can be made, has every page, and needs no network.

usage: site_test.py MKDOCS
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import source_tree as tree

MKDOCS = sys.argv.pop(1)
OUTSIDE = re.compile(r'<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?//[^"]*"')


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.site = pathlib.Path(cls.place.name)
        done = subprocess.run([MKDOCS, "build", "--strict", "--quiet", "-d", cls.site, "-f",
                               tree.ROOT / "docs/site/mkdocs.yml"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def test_every_page_can_be_reached_from_the_menu(self):
        menu = (tree.ROOT / "docs/site/mkdocs.yml").read_text()
        pages = [tree.name(path) for path in tree.all_files()
                 if path.suffix == ".md" and tree.name(path).startswith("docs/")]
        self.assertGreater(len(pages), 20)
        self.assertEqual([page for page in pages if f": {page}\n" not in menu], [])

    def test_a_search_finds_what_stands_on_a_page(self):
        index = json.loads((self.site / "search/search_index.json").read_text())
        found = [entry["location"] for entry in index["docs"] if "initiation interval" in entry["text"]]
        self.assertIn("docs/reference/glossary.html#the-device", found)

    def test_no_page_asks_for_anything_on_a_network(self):
        pages = list(self.site.rglob("*.html"))
        self.assertGreater(len(pages), 20)
        for page in pages:
            self.assertEqual(OUTSIDE.findall(page.read_text()), [], page.name)
        for style in self.site.rglob("*.css"):
            self.assertNotRegex(style.read_text(), r"(url\(|@import )[\"']?(https?:)?//", style.name)

    def test_lists_are_lists(self):
        # Markdown of the forge takes a list behind a line of text, that of the site does not.
        for page in self.site.rglob("*.html"):
            for text in re.findall(r"<p>(.*?)</p>", page.read_text(), re.DOTALL):
                self.assertNotRegex(text, r"\n\s*(\*|-|\d+\.) \w", page.name)


if __name__ == "__main__":
    unittest.main()
