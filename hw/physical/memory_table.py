# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The memories of an engine: where they are, their bits, and what they take in macros."""
import collections
import dataclasses
import json
import re

import flow

ENGINE = "ppu_engine"
# Instances between a memory and what it is for.
INSIDE = re.compile(r"\.(u_ram|gen_plain|gen_safe|gen_\w+(\[\d+\])?)(?=\.|$)")


@dataclasses.dataclass(frozen=True)
class Memory:
    """A kind of memory; `width` is that of all parts of a word."""
    where: str
    words: tuple  # of each of the memories that it lies in
    width: int
    reads: int


def number(value):
    return int(value, 2) if isinstance(value, str) else value


def memories(parameters, folder):
    """How many memories of each kind an engine has."""
    script, target = folder / "memories.ys", folder / "memories.json"
    chosen = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    script.write_text("\n".join((
        "read_verilog -sv -Iprim " + " ".join(flow.sources(ENGINE)), f"chparam {chosen} {ENGINE}",
        f"hierarchy -check -top {ENGINE}", "delete p:*", f"write_json {target}")) + "\n")
    flow.run("yosys", "yosys", "-q", str(script))
    modules = json.loads(target.read_text())["modules"]
    found = collections.Counter()

    def walk(name, where):
        module = modules[name]
        for cell, what in module["cells"].items():
            kind = what["type"]
            path = f"{where}.{cell}"
            if re.search(r"\\?ppu_(shared_)?ram$", kind):
                values = modules[kind].get("parameter_default_values", {})
                width = (number(values["Width"]) if "Width" in values
                         else number(values["PartWidth"]) * number(values["Parts"]))
                # The parts of one memory differ in their words, its copies do not.
                words = tuple(sorted({part["size"] for part in modules[kind].get("memories", {}).values()}, reverse=True))
                found[Memory(INSIDE.sub("", path)[1:], words, width, number(values.get("Reads", 1)))] += 1
            elif kind in modules:
                walk(kind, path)

    walk(next(name for name, module in modules.items() if number(module["attributes"].get("top", 0))), "")
    return found


def tiles(memory, macros, ports):
    """(macros, area in the library's unit) of one memory with one read port."""
    return tuple(map(sum, zip(*(tiles_of(words, memory.width, macros, ports) for words in memory.words))))


def tiles_of(words, width, macros, ports):
    """The same of so many words: the smallest; narrow words share a wide one where a macro has a mask of bits."""
    best = None
    for macro in macros.values():
        if macro.ports != ports:
            continue
        folds = [1]
        if any(pin.startswith("A_BM[") for pin in macro.cell.capacitance):
            folds = [2 ** fold for fold in range(macro.width.bit_length()) if macro.width % 2 ** fold == 0]
        for fold in folds:
            count = -(-words // (macro.words * fold)) * -(-width * fold // macro.width)
            if best is None or count * macro.area < best[1]:
                best = count, count * macro.area
    return best


def show(found, library):
    """The table, and its sum."""
    ports = [count for count in (2, 1) if any(macro.ports == count for macro in library.macros.values())]
    square_mm = library.technology.square_micrometre * 1e6
    names = {2: "of two ports", 1: "of one port"}
    print(f"{'memory':46}  count   words  bits  reads     Mbit" +
          "".join(f"  macros  mm² {names[count]}" for count in ports))
    bits, sums = 0, {count: [0, 0.0] for count in ports}
    order = sorted(found.items(), key=lambda item: -sum(item[0].words) * item[0].width * item[0].reads * item[1])
    for memory, count in order:
        copies = count * memory.reads
        mbit = copies * sum(memory.words) * memory.width / 1e6
        bits += mbit
        line = f"{memory.where:46} {count:6} {sum(memory.words):7,} {memory.width:5} {memory.reads:6} {mbit:8.3f}"
        for kind in ports:
            number_of, area = tiles(memory, library.macros, kind)
            sums[kind][0] += copies * number_of
            sums[kind][1] += copies * area / square_mm
            line += f"  {copies * number_of:6} {copies * area / square_mm:16.3f}"
        print(line)
    print(f"{'all':46} {sum(found.values()):6} {'':20} {bits:8.3f}" +
          "".join(f"  {sums[kind][0]:6} {sums[kind][1]:16.3f}" for kind in ports))
