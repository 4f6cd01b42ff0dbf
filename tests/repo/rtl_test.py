# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Rules for the hardware: ports that say what they mean, few of them, and state that is watched."""
import re
import unittest

import source_tree as tree

MAX_PORTS = 28
# Whose ports say what they mean, and whose state is watched.
FINISHED = ("prim", "pipe", "rows", "state", "dataflow", "engine", "device", "trace")
# Checked by the module beside it, which has nothing but assertions.
WATCHED_BY = {"ppu_row_pipe": "ppu_row_pipe_checks"}
# Registers of data alone, which hold what came some cycles ago: whatever comes in any cycle is legal.
DATA_ONLY = {
    "ppu_delay": "a word of Depth cycles ago",
    "ppu_flags": "flags of any things, which all may be cleared and set at once",
    "ppu_gather": "the words of the last cycles",
    "ppu_row_bodies": "the words of the last cycles",
    "ppu_row_live": "what changes the tags, which ppu_tags watches",
    "ppu_row_read": "the rows that issued some cycles ago",
    "ppu_fp_div": "any two numbers have a quotient",
}


# How a sentence begins that goes on from another one.
FOLLOWS = re.compile(r"(It|Its|That|Those|These|This|Their|Which|The same|And|Or)\b")

# What points to something that the comment does not name.
ELSEWHERE = re.compile(r"\b(the same|those|the one or the other)\b", re.IGNORECASE)
# When a port counts, which is not yet what it means.
WITH = re.compile(r"With \w+_i\b\W*")


class Module:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        head = re.search(r"^module (\w+)(.*?)\);$", self.text, re.S | re.M)
        self.name = head and head.group(1)
        lines = head.group(2).split("\n") if head else []
        # Each port with the line before it: a comment stands there or behind the port.
        self.ports = [pair for pair in zip(lines, lines[1:]) if re.match(r"\s*(input|output)\b", pair[1])]
        # The whole text of every comment of the head, from its first line to its last.
        self.comments = re.findall(r"/// ?(?:< )?(.*(?:\n\s*///.*)*)", head.group(2)) if head else []

    def has_state(self):
        return "always_ff" in self.text

    def is_watched(self):
        return "`PPU_ASSERT(" in self.text or WATCHED_BY.get(self.name, "no module") in self.text


def comment_of(port):
    """The comment of a port and the line before it, as far as its first line goes."""
    before, line = port
    return (line if "//" in line else before).partition("///")[2].lstrip("< ")


def plain(comment):
    """The words of a comment of some lines."""
    return " ".join(re.sub(r"///<?", " ", comment).split())


def modules(folders=None):
    found = [Module(path) for path in tree.sources() if path.suffix == ".sv" and path.relative_to(tree.ROOT).parts[0] == "rtl"]
    return [m for m in found if m.name and (folders is None or m.path.parent.name in folders)]


class Rtl(unittest.TestCase):
    def assert_none(self, found, rule):
        self.assertFalse(found, f"{rule}:\n  " + "\n  ".join(found))

    def test_there_are_modules(self):
        self.assertGreater(len(modules(FINISHED)), 40)

    def test_the_engine_and_the_device_have_every_parameter_checked(self):
        for m in modules(("engine", "device")):
            if m.name not in ("ppu_engine", "ppu_top"):
                continue
            head = m.text[:m.text.index("input")]
            parameters = re.findall(r"^  parameter int unsigned (\w+) = ppu_spec_pkg::Default", head, re.M)
            check = re.search(r"ppu_shape_check #\((.*?)\n  \) u_shape", m.text, re.S)
            self.assertGreater(len(parameters), 10)
            self.assertEqual(sorted(re.findall(r"\.(\w+)\(\1\)", check.group(1))), sorted(parameters), m.name)

    def test_every_port_has_a_comment(self):
        found = [f"{m.name}: {port.strip()}" for m in modules(FINISHED) for before, port in m.ports
                 if "//" not in port and not before.strip().startswith("///")]
        self.assert_none(found, "a port does not say what it means")

    def test_the_comment_of_a_port_can_be_read_alone(self):
        found = [f"{m.name}: {comment}" for m in modules(FINISHED) for comment in map(comment_of, m.ports)
                 if FOLLOWS.match(comment)]
        self.assert_none(found, "the comment of a port needs that of another one")

    def test_the_comment_of_a_port_says_something_alone(self):
        found = [f"{m.name}: {comment}" for m in modules(FINISHED) for comment in map(plain, m.comments)
                 if ELSEWHERE.search(comment) or (WITH.match(comment) and len(WITH.sub("", comment).split()) < 4)]
        self.assert_none(found, "the comment of a port says what it means by way of another one")

    def test_no_sentence_goes_on_in_another_comment(self):
        found = [f"{m.name}: {line.strip()}" for m in modules(FINISHED) for line in m.text.split("\n") if re.search(r"//.*\.\.\.", line)]
        self.assert_none(found, "a comment needs the one before or behind it")

    def test_no_module_has_many_ports(self):
        found = [f"{m.name}: {len(m.ports)}" for m in modules() if len(m.ports) > MAX_PORTS]
        self.assert_none(found, f"more than {MAX_PORTS} ports")

    def test_every_module_with_state_has_an_assertion(self):
        unwatched = [m.name for m in modules(FINISHED) if m.has_state() and not m.is_watched()]
        self.assertEqual(sorted(unwatched), sorted(DATA_ONLY), "state without an assertion")

    def test_every_assertion_is_broken_by_a_test(self):
        tests = "".join(p.read_text() for p in tree.sources() if p.name.endswith("assertions_test.cpp"))
        names = {name for m in modules() for name in re.findall(r"`PPU_ASSERT\((\w+)", m.text)}
        self.assertGreater(len(names), 40)
        self.assert_none(sorted(name for name in names if f'"{name}"' not in tests), "no test breaks the assertion")


if __name__ == "__main__":
    unittest.main()
