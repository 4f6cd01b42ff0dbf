# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The ports of the row pipe, cycle by cycle, while it solves a problem: of the waves that co-simulation writes."""
import re
import subprocess

import flow
import processes
from block import ROOT
from technology import UserError

PROGRAM = ROOT / "build/release/bin/ppu"


def need_program():
    """Raises UserError where the product is not built."""
    if not PROGRAM.is_file():
        raise UserError(f"{PROGRAM} is not built; build it with: ./ppu info")


def need():
    """Raises UserError where something is missing that `record` takes."""
    need_program()
    flow.need("fst2vcd", "gtkwave")


def run(program, *arguments):
    """What a program of the product prints."""
    need_program()
    with processes.running((PROGRAM, program, *map(str, arguments)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True) as process:
        said, complaint = process.communicate()
    if process.returncode != 0:
        raise UserError(complaint.strip())
    return said


def record(problem, sweeps, folder):
    """The ports of the first row pipe of `default` in every cycle from the first row on: names, and for each cycle the
    texts of their bits. A cycle has the inputs and outputs before its edge."""
    waves = folder / "pipe.fst"
    run("solve", problem, "--backend", "cosim", "--sweeps", str(sweeps), "--wave", str(waves))
    text = flow.run("fst2vcd", "gtkwave", str(waves))
    head, changes = text.split("$enddefinitions $end", 1)
    names, widths = {}, {}
    for width, mark, name in re.findall(r"\$var \w+ (\d+) (\S+) (\w+)", head.split("$scope module ppu_row_pipe")[0]):
        names[mark], widths[mark] = name, int(width)
    now, cycles = {mark: "0" * width for mark, width in widths.items()}, []
    clock, valid = (next(mark for mark, name in names.items() if name == wanted) for wanted in ("clk_i", "in_valid_i"))
    rose = False
    for line in changes.split("\n"):
        if line[:1] == "#":
            if rose and (cycles or now[valid] == "1"):
                cycles.append(tuple(now.values()))
            rose = False
        elif line[:1] == "b":
            value, mark = line[1:].split(" ")
            if mark in names:
                now[mark] = value.replace("x", "0").zfill(widths[mark])
        elif line[1:] in names and line[0] in "01x":
            now[line[1:]] = line[0].replace("x", "0")
            rose = rose or (line[1:] == clock and line[0] == "1")
    return list(names.values()), cycles
