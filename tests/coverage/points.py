# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The points of the RTL that Verilator counts, merged over models, instances and processes."""
import pathlib
import re
import struct
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/coverage"
BUILD = ROOT / "build/coverage"
COUNTS = BUILD / "counts"
ROOMS = ("prim", "pipe", "rows", "state", "dataflow", "engine", "device")
# What a model says of a point: its number, file, line, column, place, kind, words and lines.
POINT = re.compile(r"__vlCoverInsert\(\s*&\(vlSymsp->__Vcoverage\[(\d+)\]\),\s*first,\s*\"([^\"]*)\",\s*(\d+),\s*(\d+),"
                   r"\s*\"[^\"]*\",\s*\"v_(\w+)/[^\"]*\",\s*\"([^\"]*)\",\s*\"([^\"]*)\"\s*\)")


class File:
    """What was counted in one file of the RTL."""

    def __init__(self):
        self.lines = {}     # line: times
        self.branches = {}  # (line, column, "if", "else", "elsif" or "case"): times
        self.toggles = {}   # (line, bit of a signal): times

    def sums(self):
        """By kind, how many points were reached, and of how many."""
        kinds = {"lines": self.lines, "branches": self.branches, "toggles": self.toggles}
        return {kind: (sum(bool(times) for times in points.values()), len(points)) for kind, points in kinds.items()}


def lines_of(text):
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def model_points(model):
    """[(number, file, line, column, kind, words, lines)] of a Verilated model."""
    found = []
    for folder in (BUILD / "rtl/verilated" / model, BUILD / "tests/rtl/verilated" / model):
        for path in folder.glob("V*.cpp"):
            text = path.read_text()
            if "__vlCoverInsert(&" in text:
                found += POINT.findall(text)
    return found


def counts():
    """{model: times of each point}, over all processes."""
    sums = {}
    for path in sorted(COUNTS.glob("*/*.counts")):
        data = path.read_bytes()
        numbers = struct.unpack(f"<{len(data) // 8}Q", data)
        model = path.name.split(".")[0]
        old = sums.get(model, (0,) * len(numbers))
        sums[model] = [a + b for a, b in zip(old, numbers, strict=True)]
    return sums


def add(times_of, key, times):
    times_of[key] = times_of.get(key, 0) + times


def files():
    """{"rows/ppu_tags.sv": File}, of everything that some model has run."""
    found = {}
    for model, times_of in sorted(counts().items()):
        for number, path, line, column, kind, words, lines in model_points(model):
            name = path.removeprefix("rtl/")
            if name.split("/")[0] not in ROOMS or name == path:
                continue
            file, times = found.setdefault(name, File()), times_of[int(number)]
            if kind == "toggle":
                add(file.toggles, (int(line), words), times)
                continue
            for covered in lines_of(lines):
                add(file.lines, covered, times)
            if words != "block":
                add(file.branches, (int(line), int(column), words), times)
    return dict(sorted(found.items(), key=lambda item: (ROOMS.index(item[0].split("/")[0]), item[0])))


def passed():
    """Programs that have run to their end."""
    return {path.parent.name for path in COUNTS.glob("*/passed")}


class Holes:
    """holes.toml: points that were not reached, and why."""

    def __init__(self):
        self.entries = tomllib.loads((HERE / "holes.toml").read_text()).get("hole", [])
        for entry in self.entries:
            entry["used"] = 0
            if not next(ROOT.glob(entry["file"]), None):
                raise ValueError(f"holes.toml: {entry['file']} is not there")

    def find(self, name, key, words):
        """The entry for a signal or for the text of a line of a file, or None."""
        for entry in self.entries:
            if key in entry and pathlib.PurePath(name).match(entry["file"]) and re.search(entry[key], words):
                entry["used"] += 1
                return entry
        return None
