# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A block in units: modules that are mapped once each, every one in processes of its own. A unit that these tools mapped
before, for the same library, is taken from the cache."""
import dataclasses
import hashlib
import os
import re

from block import ROOT

# Modules that are always units: flattened before they are macros, Yosys would move registers that belong to memories.
MEMORIES = ("ppu_ram", "ppu_shared_ram")
CELL = re.compile(r"^ +cell (\S+) ", re.M)
PORT = re.compile(r"^  wire .*\b(?:input|output|inout) \d+ .*$", re.M)


@dataclasses.dataclass
class Module:
    """A module in Yosys' language, its lines between `module` and `end`, and the names of those that it instantiates."""
    name: str
    body: str
    children: set

    @property
    def kind(self):
        """What the RTL calls it: parameters are part of Yosys' name."""
        return re.search(r"\\(\w+)", self.name)[1]

    def ports(self):
        return "\n".join(PORT.findall(self.body)) + "\n"


def read(path):
    """The modules of a file, by name. Without places of the source: they say nothing of the gates."""
    text = re.sub(r"^ *attribute \\(?:src|hdlname|dynports|top|cells_not_processed) .*\n", "", path.read_text(), flags=re.M)
    text = re.sub(r"\.sv:\d+(?:\.\d+-\d+\.\d+)?", ".sv", text)
    found = {}
    for name, body in re.findall(r"^module (\S+)\n(.*?)^end$", text, flags=re.M | re.S):
        found[name] = Module(name, body, set(CELL.findall(body)))
    for module in found.values():
        module.children &= found.keys()
    return found


def below(modules, top, kept):
    """The modules that become part of the unit `top`, and the units in it."""
    inside, units, rest = {top}, set(), set(modules[top].children)
    while rest:
        name = rest.pop()
        if modules[name].kind in (*kept, *MEMORIES):
            units.add(name)
        elif name not in inside:
            inside.add(name)
            rest |= modules[name].children
    return inside, units


def all_units(modules, top, kept):
    """The names of all units that the block `top` is made of, itself the last."""
    found, rest = [], [top]
    while rest:
        name = rest.pop()
        if name not in found:
            found.append(name)
            rest += sorted(below(modules, name, kept)[1])
    return found[::-1]


def text(modules, top, kept):
    """A unit as a file: its top is called `unit`, and the units in it are black boxes. Yosys' numbers in names begin anew,
    so that it does not matter what else was read."""
    inside, units = below(modules, top, kept)
    parts = [f"module {name}\n{modules[name].body}end\n" for name in sorted(inside - {top})]
    parts += [f"attribute \\blackbox 1\nmodule {name}\n{modules[name].ports()}end\n" for name in sorted(units)]
    parts.append(f"attribute \\top 1\nmodule \\unit\n{modules[top].body}end\n")
    numbers = {}
    whole = re.sub(r"(?<=\$)\d{2,}(?![0-9a-z])", lambda found: str(numbers.setdefault(found[0], len(numbers) + 10)),
                   "".join(parts))
    return f"autoidx {len(numbers) + 10}\n{whole}"


def named(unit, name):
    """The text of a mapped unit under the name that its block knows."""
    return re.sub(r"^(attribute \\top 1\n)?((?:attribute .*\n)*)module \\unit$", lambda found: f"{found[2]}module {name}", unit,
                  flags=re.M)


def folder():
    """Where mapped units stay."""
    found = ROOT / "build/physical"
    found.mkdir(parents=True, exist_ok=True)
    return found


def key(*parts):
    """The name of the file of what is made of these texts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:32] + ".il"


def put(path, text):
    """Two runs may map the same at once: the file is there as a whole, or not at all."""
    own = path.with_suffix(f".{os.getpid()}")
    own.write_text(text)
    own.replace(path)
