# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The numeric contract needs the same flags on every file: read from the build's compile commands.

usage: compile_flags_test.py BUILD_DIRECTORY
"""
import json
import pathlib
import re
import shlex
import sys
import unittest

import source_tree as tree

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
FORBIDDEN = {"-ffast-math", "-Ofast", "-march=native", "-funsafe-math-optimizations",
             "-fassociative-math", "-ffp-contract=fast", "-ffp-contract=on"}


def compiled(path):
    """The file, or those that CMake compiles together in it."""
    if path.parent.name != "Unity":
        return [path]
    return [pathlib.Path(name) for name in re.findall(r'^#include "(.+)"$', path.read_text(), re.M)]


def own_commands():
    """(file, flags) of every compiled file of the tree; Verilated code lies in the build folder."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        for path in compiled(pathlib.Path(entry["file"])):
            if path.is_relative_to(tree.ROOT) and not path.is_relative_to(BUILD):
                yield tree.name(path), set(shlex.split(entry["command"]))


class CompileFlags(unittest.TestCase):
    def setUp(self):
        self.commands = list(own_commands())
        self.assertGreater(len(self.commands), 200)

    def test_no_file_contracts_multiply_and_add(self):
        for file, flags in self.commands:
            self.assertIn("-ffp-contract=off", flags, file)

    def test_no_file_uses_fast_math_or_this_machine_only(self):
        for file, flags in self.commands:
            self.assertFalse(flags & FORBIDDEN, file)

    def test_every_file_is_compiled_with_warnings_as_errors(self):
        for file, flags in self.commands:
            missing = {"-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"} - flags
            self.assertFalse(missing, f"{file} is compiled without ppu_warnings")

    def test_cpp_is_the_standard_of_systemc(self):
        for file, flags in self.commands:
            if file.endswith(".cpp"):
                self.assertIn("-std=c++17", flags, file)


if __name__ == "__main__":
    unittest.main()
