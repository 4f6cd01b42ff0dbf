# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The command `ppu` of a wheel: the program that lies in the package."""
import os
import sys


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ppu")
    os.environ.setdefault("PPU_PYTHON", sys.executable)
    program = os.path.join(folder, "bin", "ppu")
    os.execv(program, [program, *sys.argv[1:]])
