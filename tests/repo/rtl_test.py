# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Rules for the hardware: ports that say what they mean, few of them, and state that is watched."""
import re
import unittest

import source_tree as tree

MAX_PORTS = 28
# Whose ports say what they mean, and whose state is watched.
FINISHED = ("prim", "pipe", "engine", "device", "trace")
# Checked by the module beside it, which has nothing but assertions.
WATCHED_BY = {"ppu_row_pipe": "ppu_row_pipe_checks"}


class Module:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        head = re.search(r"^module (\w+)(.*?)\);$", self.text, re.S | re.M)
        self.name = head and head.group(1)
        lines = head.group(2).split("\n") if head else []
        # Each port with the line before it: a comment stands there or behind the port.
        self.ports = [pair for pair in zip(lines, lines[1:]) if re.match(r"\s*(input|output)\b", pair[1])]

    def has_state(self):
        return "negedge rst_ni" in self.text

    def is_watched(self):
        return "`PPU_ASSERT(" in self.text or WATCHED_BY.get(self.name, "no module") in self.text


def modules(folders=None):
    found = [Module(path) for path in tree.sources() if path.suffix == ".sv" and path.relative_to(tree.ROOT).parts[0] == "rtl"]
    return [m for m in found if m.name and (folders is None or m.path.parent.name in folders)]


class Rtl(unittest.TestCase):
    def assert_none(self, found, rule):
        self.assertFalse(found, f"{rule}:\n  " + "\n  ".join(found))

    def test_there_are_modules(self):
        self.assertGreater(len(modules(FINISHED)), 40)

    def test_every_port_has_a_comment(self):
        found = [f"{m.name}: {port.strip()}" for m in modules(FINISHED) for before, port in m.ports
                 if "//" not in port and not before.strip().startswith("///")]
        self.assert_none(found, "a port does not say what it means")

    def test_no_module_has_many_ports(self):
        found = [f"{m.name}: {len(m.ports)}" for m in modules() if len(m.ports) > MAX_PORTS]
        self.assert_none(found, f"more than {MAX_PORTS} ports")

    def test_every_module_with_state_has_an_assertion(self):
        found = [m.name for m in modules(FINISHED) if m.has_state() and not m.is_watched()]
        self.assert_none(found, "state without an assertion")

    def test_every_assertion_is_broken_by_a_test(self):
        tests = "".join(p.read_text() for p in tree.sources() if p.name.endswith("assertions_test.cpp"))
        names = {name for m in modules() for name in re.findall(r"`PPU_ASSERT\((\w+)", m.text)}
        self.assertGreater(len(names), 40)
        self.assert_none(sorted(name for name in names if f'"{name}"' not in tests), "no test breaks the assertion")


if __name__ == "__main__":
    unittest.main()
