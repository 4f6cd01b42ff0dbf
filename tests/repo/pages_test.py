# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What pages show of source files is what stands in them. Before such a block a page has
    <!-- shows FILE -->       the file after the comment at its head
    <!-- compares A B -->     the lines that differ, without the comments at the head
Timing diagrams are drawn from the JSON beside them, and the pages on the site are all of them.

usage: pages_test.py [--update]      --update: writes the files into the pages, draws the diagrams
"""
import difflib
import fnmatch
import re
import sys
import unittest

import source_tree as tree
import waves

SHOWN = re.compile(r"(<!-- (shows|compares) ([^>]+) -->\n```\w*\n)(.*?)(?=```\n)", re.DOTALL)
HEAD = re.compile(r"\A(?:/\*.*?\*/\n|(?:(?://|# )[^\n]*\n)+)\n?", re.DOTALL)


# A way from the root of the tree; the bare name of a file of code.
FOLDER = "|".join(folder for folder in tree.FOLDERS if folder.isalpha())
WAY = re.compile(rf"(?<![\w./<{{}}\"$-])(?:{FOLDER})/[\w/.-]*\w(?![\w*{{]|/\*)")
NAME = re.compile(r"(?<![\w./*<-])[\w-]+\.(?:cpp|hpp|sv|svh|md|py|toml|csv|cmake)\b(?![\w/*.])")
PLACEHOLDER = re.compile(r"\b(?:NAME|FILE)\b")
# Written by the build.
NOT_IN_THE_TREE = {"ppu_rtl_devices.hpp", "ppu_rtl_engines.hpp", "ppu_rtl_models.hpp", "ppu_engine_models.hpp"}


def words(path):
    """A page, or the comments of a file."""
    text = path.read_text()
    if path.suffix == ".md":
        return text
    if path.suffix == ".py":
        return "\n".join(re.findall(r'"""(.*?)"""', text, re.DOTALL) + re.findall("# .*", text))
    return "\n".join(re.findall("//.*" if path.suffix in tree.CODE | {".js"} else "#.*", text))


def is_there(path):
    """It may be written without its ending, for all files of that name."""
    return path.exists() or any(path.parent.glob(path.name + ".*"))


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

    def test_files_and_folders_that_words_name_are_there(self):
        known = {path.name for path in tree.all_files()}
        missing, named = [], 0
        for path in tree.sources() + pages():
            text = words(path)
            ways = {way for way in WAY.findall(text) if not PLACEHOLDER.search(way)}
            names = {name for name in NAME.findall(text) if not PLACEHOLDER.search(name)} - NOT_IN_THE_TREE
            missing += [f"{tree.name(path)}: {way}" for way in ways if not is_there(tree.ROOT / way)]
            missing += [f"{tree.name(path)}: {name}" for name in names - known]
            named += len(ways) + len(names)
        self.assertFalse(missing, "\n".join(sorted(missing)))
        self.assertGreater(named, 300)

    def test_every_row_of_a_table_stands_below_its_head(self):
        tables, loose = 0, []
        for page in pages():
            lines = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S).splitlines() + [""]
            for above, line, below in zip([""] + lines, lines, lines[1:]):
                if re.fullmatch(r"\|.*\|", line) and not above.startswith("|"):
                    tables += 1
                    if not re.fullmatch(r"\|(?: ?:?-+:? ?\|)+", below):
                        loose.append(f"{tree.name(page)}: {line}")
        self.assertFalse(loose, "\n".join(loose))
        self.assertGreater(tables, 50)

    def test_tests_that_the_page_of_hostile_use_names_are_there(self):
        page = (tree.ROOT / "docs/inside/hostile_use.md").read_text()
        sources = [path for path in tree.sources() if tree.name(path).startswith("tests/")]
        found = {".".join(pair) for path in sources if path.suffix == ".cpp"
                 for pair in re.findall(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", path.read_text(), re.M)}
        for path in sources:
            if path.suffix == ".py":
                for part in re.split(r"^class ", path.read_text(), flags=re.M)[1:]:
                    name = re.match(r"\w+", part)[0]
                    tests = re.findall(r"def (test_\w+)", part)
                    found |= {name, *tests} | {f"{name}.{test}" for test in tests}
        for path in (tree.ROOT / "tests").rglob("CMakeLists.txt"):
            found |= set(re.findall(r"add_test\(NAME (\w+)", path.read_text()))
        named = [name for row in re.findall(r"^\|.*\| (.*?) \|$", page, re.M) for name in re.findall("`([^`]+)`", row)]
        missing = [name for name in named if not fnmatch.filter(found, name)]
        self.assertFalse(missing, "\n".join(missing))
        self.assertGreater(len(named), 50)

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
