# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The rooms of the tree: what CMake lets each use, what its files include, and the drawing of both."""
import dataclasses
import re

import source_tree as tree

AREAS = ("base", "hw", "model", "firmware", "driver", "sim")
ADDED = re.compile(r"^# (.*)\nppu_add_room\(([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
ROOM = re.compile(r"[a-z]+/[a-z]+")
# Folders of code that are no rooms: generated, public, or no library of the tree.
NO_ROOMS = ("hw/spec/generated", "hw/physical", "hw/physical/pnr", "driver/bullet", "driver/examples", "driver/examples/platform",
            "driver/include/ppu", "driver/python/src")
# A program uses this room by way of the shared library `ppu` and its headers.
LIBRARY_ROOM, LIBRARY_HEADERS = "driver/api", "ppu/"
SPEC_HEADERS = ("ppu_spec.hpp", "ppu/spec.h", "ppu/platform.h")
# The public header of a room that is installed.
OWN_HEADERS = {"ppu/systemc.h": "hw/systemc"}
# One end of a socket and the other: messages between processes, which no include shows.
MESSAGES = {"driver/session": "hw/server"}
PROTOCOL = "hw/contract/protocol.hpp"
KEYWORDS = ("SOURCES", "USES", "LIBRARIES", "PRIVATE")


@dataclasses.dataclass
class Room:
    """A folder and the rooms it may use: its headers and sources `uses`, its sources alone `inside`."""
    name: str
    holds: str
    uses: list
    inside: list

    @property
    def may_use(self):
        return set(self.uses) | set(self.inside)


def rooms():
    """Every room by its name, in the order of the CMake files."""
    found = {}
    for area in AREAS:
        for holds, added in ADDED.findall((tree.ROOT / area / "CMakeLists.txt").read_text()):
            name, *words = added.split()
            lists, current = {word: [] for word in KEYWORDS}, None
            for word in words:
                if word in KEYWORDS:
                    current = lists[word]
                else:
                    current.append(word)
            library = [LIBRARY_ROOM] if "ppu" in lists["LIBRARIES"] else []
            found[name] = Room(name, holds, [w for w in lists["USES"] if ROOM.fullmatch(w)] + library,
                               [w for w in lists["PRIVATE"] if ROOM.fullmatch(w)])
    return found


def included_room(room, target):
    """The room of a header that a file of the room includes, or None."""
    if target in SPEC_HEADERS:
        return "hw/spec"
    if target in OWN_HEADERS:
        return OWN_HEADERS[target] if OWN_HEADERS[target] != room else None
    # The rooms of the driver are what stands behind the headers of the library.
    if target.startswith(LIBRARY_HEADERS):
        return None if room.startswith("driver/") else LIBRARY_ROOM
    other = target.rpartition("/")[0]
    return other if ROOM.fullmatch(other) and other != room else None


def included(room):
    """The rooms that headers of the room include, and those that its sources do, each with the first
    file that does: ({room: file}, {room: file})."""
    found = {".hpp": {}, ".cpp": {}}
    for path in sorted((tree.ROOT / room).iterdir()):
        if path.suffix not in found:
            continue
        for target in INCLUDE.findall(path.read_text()):
            if other := included_room(room, target):
                found[path.suffix].setdefault(other, f"{tree.name(path)} includes {target}")
    return found[".hpp"], found[".cpp"]


def included_anywhere(room):
    """What headers or sources of the room include: {room: file}."""
    headers, sources = included(room)
    return {**sources, **headers}


# Rooms of the RTL, each of which may instantiate and import what is in itself and in those before it.
RTL = ("spec", "prim", "pipe", "rows", "state", "dataflow", "engine", "device", "trace")
NAMED = re.compile(r"\bppu_\w+\b")


def rtl_used():
    """(file, module or package, its room) of everything that the files of the RTL name."""
    where = {path.stem: room for room in RTL for path in (tree.ROOT / "rtl" / room).glob("*.sv")}
    for room in RTL:
        for path in sorted((tree.ROOT / "rtl" / room).glob("*.sv")):
            code = re.sub(r"//[^\n]*|\"[^\"\n]*\"", "", path.read_text())
            yield from ((path, name, where[name]) for name in sorted(set(NAMED.findall(code)) & set(where)))


def reachable(arrows, start):
    """What `start` uses directly or by way of others."""
    seen, open_rooms = set(), [start]
    while open_rooms:
        for room in arrows.get(open_rooms.pop(), ()):
            if room not in seen:
                seen.add(room)
                open_rooms.append(room)
    return seen


def drawn(arrows):
    """The arrows without those that follow from others: room -> rooms."""
    return {room: {other for other in others
                   if not any(other in reachable(arrows, way) for way in others - {other})}
            for room, others in arrows.items()}


def storeys(arrows):
    """Each room's height above the rooms that use nothing."""
    heights = {}

    def height(room):
        if room not in heights:
            heights[room] = 1 + max((height(other) for other in arrows.get(room, ())), default=-1)
        return heights[room]

    for room in arrows:
        height(room)
    return heights
