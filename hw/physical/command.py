# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The options of `./ppu physical`, and which of them are read together."""
import argparse
import itertools
import math
import os
import pathlib
import re

import block
from technology import FPGAS, TECHNOLOGIES, UserError

DEFAULT = ("fp-add", "fp-mul", "fp-div", "issue")
PART = ("BLOCK", "--config", "--set")
FILES = ("--tech", "--liberty", "--memories", "--keep")
LAYOUT = ("--coriolis", "--spread", "--drc", "--limit")
# A task is what its options ask for, the first that are all given; with each task, what it reads beside them.
TASKS = (
    (("--frames",), ("--page",)),
    (("--page",), ()),
    (("--energy",), FILES),
    (("--window",), FILES),
    (("--simulate",), PART + FILES),
    (("--route", "--record"), ("BLOCK", "--tech", "--liberty", "--keep", *LAYOUT)),
    (("--route",), (*PART, "--tech", "--liberty", "--keep", *LAYOUT, "--json")),
    (("--record",), PART + FILES),
    (("memories",), (*PART[1:], *FILES)),
    ((), (*PART, *FILES, "--grade", "--paths", "--json")),
)
GRADES = ", ".join(str(grade) for fpga in FPGAS.values() for grade in fpga.parts)
FPGA_LACKS = ("--route", *LAYOUT, "--simulate", "--energy", "--window", "--paths", "--liberty", "--memories", "memories")


def positive(option):
    """What reads the value of an option that is a whole number above 0."""
    def read(text):
        if not re.fullmatch("0*[1-9][0-9]*", text, re.A):
            raise UserError(f"{option} {text}: expected a whole number of 1 or more")
        return int(text)
    return read


def spread(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 1:
        raise UserError(f"--spread {text}: expected a number of 1 or more")
    return value


def parser(says):
    found = argparse.ArgumentParser(prog="ppu physical", description=says, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = found.add_argument
    add("blocks", nargs="*", metavar="BLOCK", help=f"parts of the device, {', '.join(DEFAULT)} where none is named; all: " +
        ", ".join(known_blocks()) + "; or memories: a table of them")
    add("--config", help="a named configuration or a .toml file, and parts: default+resident")
    add("--set", action="append", default=[], metavar="KEY=N", help="another value of a key")
    add("--tech", choices=TECHNOLOGIES, help="the technology; osu018 where none is named")
    add("--liberty", nargs="+", action="extend", default=[], metavar="FILE", help="its cell library")
    add("--memories", nargs="+", action="extend", default=[], metavar="FILE", help="its memory macros, Liberty files")
    add("--grade", type=positive("--grade"), metavar="N",
        help=f"the speed grade of an FPGA: {GRADES}; the first where none is named")
    add("--keep", metavar="DIR", help="leave scripts and netlists there")
    add("--paths", type=positive("--paths"), metavar="N", help="show the N longest paths of each part")
    add("--simulate", type=positive("--simulate"), metavar="CYCLES",
        help="compare the mapped part with its RTL, random inputs in every cycle")
    add("--route", action="store_true", help="place and route the part, and time it with its wires")
    add("--coriolis", metavar="PYTHON", help="a Python with coriolis-eda: its Etesian places, and the router on a grid routes")
    add("--spread", type=spread, metavar="FACTOR",
        help="with --coriolis: how much farther apart cells lie than Etesian puts them")
    add("--drc", action="store_true", help="with --route: let Magic look for violations of design rules")
    add("--limit", type=positive("--limit"), metavar="MINUTES", help="what a tool of --route may take; 60 where none is named")
    add("--record", action="store_true", help="measure the points of the page and note them")
    add("--frames", action="store_true", help="solve eight frames at the clocks of what is noted, and note them")
    add("--energy", action="store_true", help="measure the energy of row updates in the row pipe, and note it")
    add("--window", action="store_true", help="measure how many rows an engine needs on chip, and note it")
    add("--page", action="store_true", help="write pages, pictures and clocks of what is noted")
    add("--json", action="store_true", help="the figures as JSON")
    return found


def parse(arguments, says):
    options = parser(says).parse_args(arguments)
    if "" in itertools.chain(*(value if isinstance(value, list) else [value] for value in vars(options).values())):
        raise UserError("an argument is empty; expected a value")
    refuse_swallowed(options)
    refuse_unread(options)
    options.chosen = (() if options.config in (None, "default") else (f"config={options.config}",)) + tuple(options.set)
    options.all_points = options.config is None and not options.set
    options.config = options.config or "default"
    options.shape = " ".join((options.config, *options.set))
    options.tech, options.paths = options.tech or "osu018", options.paths or 1
    options.limit = options.limit or 60
    refuse_other_technology(options)
    return options


def refuse_other_technology(options):
    """Raises UserError where a configuration names another technology than the one that is measured in."""
    for part in options.config.split("+")[1:]:
        if part in TECHNOLOGIES and part != options.tech:
            raise UserError(f"--config {options.config}: its technology is {part}; expected --tech {part}")


def known_blocks():
    return block.blocks(block.values_of("default", []))


def refuse_swallowed(options):
    """Raises UserError for a part that was said behind an option that takes all names after it."""
    for option, files in (("--liberty", options.liberty), ("--memories", options.memories)):
        for name in files:
            if name in known_blocks() and not pathlib.Path(name).exists():
                raise UserError(f"{option} {name}: that is a BLOCK; expected it before {option}")


def given(options):
    """What was said, as one writes it."""
    found = {name for name, value in vars(options).items() if value is not None and value is not False and value != []}
    block_name = "memories" if options.blocks == ["memories"] else "BLOCK"
    return [block_name if name == "blocks" else f"--{name}" for name in vars(options) if name in found]


def refuse_unread(options):
    """Raises UserError for options that the task would not read."""
    said = given(options)
    lacks = [name for name in said if name in FPGA_LACKS]
    if options.tech in FPGAS and lacks:
        raise UserError(f"--tech {options.tech}: an FPGA has no {', no '.join(lacks)}; expected BLOCK... or --record")
    if "--grade" in said and options.tech not in FPGAS:
        raise UserError(f"--grade: cells have none; expected --tech {' or '.join(FPGAS)}")
    task, reads = next((task, reads) for task, reads in TASKS if set(task) <= set(said))
    unread = [name for name in said if name not in (*task, *reads)]
    if unread and not task:
        raise UserError(f"{', '.join(unread)}: expected with --route")
    if unread:
        raise UserError(f"{' '.join(task)}: takes no {', no '.join(unread)}; expected {', '.join(reads) or 'nothing'} beside it")


def folder(options, scratch):
    """Where scripts and netlists go. Their paths stand unquoted in scripts of tools."""
    path = pathlib.Path(options.keep or scratch).resolve()
    if re.search(r"\s", str(path)):
        raise UserError(f"{'--keep ' if options.keep else ''}{path}: tools read no path with white space; expected one without")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--keep {options.keep}: {error.strerror}; expected a folder") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise UserError(f"--keep {options.keep}: cannot be written; expected a folder")
    return path
