# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What pages show of source files is what stands in them. Before such a block a page has
    <!-- shows FILE -->       the file after the comment at its head
    <!-- compares A B -->     the lines that differ, without the comments at the head
Timing diagrams are drawn from the JSON beside them, and the pages on the site are all of them.

usage: pages_test.py [--update]      --update: writes the files into the pages, draws the diagrams
"""
import difflib
import re
import sys
import unittest

import source_tree as tree
import waves

SHOWN = re.compile(r"(<!-- (shows|compares) ([^>]+) -->\n```\w*\n)(.*?)(?=```\n)", re.DOTALL)
HEAD = re.compile(r"\A(?:/\*.*?\*/\n|(?:(?://|# )[^\n]*\n)+)\n?", re.DOTALL)


def body(name):
    return HEAD.sub("", (tree.ROOT / name).read_text())


def differing(first, second):
    lines = difflib.unified_diff(*(body(name).splitlines() for name in (first, second)), n=0)
    return "".join(f"{line}\n" for line in list(lines)[2:] if not line.startswith("@@"))


def filled(page_text):
    """The page with every block as the files have it."""
    def block(match):
        names = match[3].split()
        return match[1] + (body(*names) if match[2] == "shows" else differing(*names))

    return SHOWN.sub(block, page_text)


def pages():
    return [path for path in tree.all_files() if path.suffix == ".md"]


def sections(page):
    """The names by which links know the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S),
                          re.M)
    plain = (re.sub(r"\]\([^)]*\)|[`*\[]", "", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain}


def diagrams():
    return sorted((tree.ROOT / "docs/images").glob("*.json"))


class Pages(unittest.TestCase):
    maxDiff = None

    def test_pages_show_files_as_they_are(self):
        shown = 0
        for page in pages():
            text = page.read_text()
            shown += len(SHOWN.findall(text))
            self.assertEqual(len(SHOWN.findall(text)), len(re.findall("^<!-- (?:shows|compares) ", text, re.M)))
            self.assertEqual(filled(text), text, tree.name(page))
        self.assertGreater(shown, 0)

    def test_links_to_sections_lead_somewhere(self):
        links = 0
        for page in pages():
            for target, section in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", page.read_text()):
                there = page.parent / target if target else page
                self.assertIn(section, sections(there), f"{tree.name(page)}: {target}#{section}")
                links += 1
        self.assertGreater(links, 5)

    def test_pages_that_sources_name_are_there(self):
        named = 0
        for path in tree.sources():
            for name in re.findall(r"docs/[\w/]+\.md", path.read_text()):
                self.assertTrue((tree.ROOT / name).exists(), f"{tree.name(path)}: {name}")
                named += 1
        self.assertGreater(named, 30)

    def test_each_term_of_the_glossary_stands_once(self):
        page = (tree.ROOT / "docs/reference/glossary.md").read_text()
        cells = re.findall(r"^\| (.+?) \| .* \|$", page, re.M)
        terms = [term for cell in cells if cell != "term" for term in re.split(", (?![^(]*\\))", cell)]
        self.assertGreater(len(terms), 80)
        self.assertEqual(sorted(terms), sorted(set(terms)))

    def test_timing_diagrams_are_drawn_from_their_json(self):
        self.assertGreater(len(diagrams()), 1)
        for path in diagrams():
            self.assertEqual(path.with_suffix(".svg").read_text(), waves.drawn(path), path.name)


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        for path in pages():
            if SHOWN.search(path.read_text()):
                path.write_text(filled(path.read_text()))
        for path in diagrams():
            path.with_suffix(".svg").write_text(waves.drawn(path))
    else:
        unittest.main()
