# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The registers of the RTL, read from its text: which a reset clears, and which it does not.

usage: registers.py    lists those that none clears
"""
import dataclasses
import re

import source_tree as tree

EDGES = {"@(posedge clk_i)": False, "@(posedge clk_i or negedge rst_ni)": True}
# A process that is not combinational.
PROCESS = re.compile(r"\b(?:always_ff|always_latch|always|initial|final)\b")
CLEARS = re.compile(r"\s*(?:begin\s*)?if \(!rst_ni\)")
WORD = re.compile(r"[\w$]+(?:(?:\.|::)[\w$]+)*|<=|[^\s\w]")


class TextError(Exception):
    """A process that is not of the form in which registers are told apart."""


@dataclasses.dataclass
class Registers:
    cleared: set = dataclasses.field(default_factory=set)
    kept: set = dataclasses.field(default_factory=set)


def code(path):
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"", "", path.read_text(), flags=re.S)


def words(text):
    """The words of the text, without what stands in brackets: `a[i].b <= f(c)` is a.b, <=, f."""
    kept, depth = [], 0
    for character in text:
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif depth == 0:
            kept.append(character)
    return WORD.findall("".join(kept))


class Statement:
    """The statement at a place of a list of words: what it assigns to, and the place behind it."""

    def __init__(self, found, place):
        self.words, self.place, self.targets, self.parts = found, place, set(), []
        self.read()

    def next(self, *expected):
        word = self.words[self.place]
        if expected and word not in expected:
            raise TextError(f"expected {' or '.join(expected)}, found {word}")
        self.place += 1
        return word

    def is_next(self, *expected):
        return self.place < len(self.words) and self.words[self.place] in expected

    def part(self):
        part = Statement(self.words, self.place)
        self.place = part.place
        self.targets |= part.targets
        self.parts.append(part)

    def label(self):
        if self.is_next(":"):
            self.place += 2

    def read(self):
        word = self.next()
        if word == "begin":
            self.label()
            while not self.is_next("end"):
                self.part()
            self.next("end")
            self.label()
        elif word in ("if", "for"):
            self.part()
            if word == "if" and self.is_next("else"):
                self.next()
                self.part()
        elif word == "case":
            while not self.is_next("endcase"):
                while self.next() != ":":
                    pass
                self.part()
            self.next("endcase")
        elif word == ";":
            pass
        elif word == "{" or self.is_next("<="):
            self.targets.add(word)
            while word == "{" and not self.is_next("}"):
                self.targets.add(self.next())
            self.targets -= {"{", ","}
            while self.next() != ";":
                pass
        else:
            raise TextError(f"expected an assignment by <=, found {' '.join(self.words[self.place - 2:self.place + 3])}")


def uncleared(statement):
    """What a process assigns to, but not where it is reset."""
    whole = statement
    while whole.words and len(whole.parts) == 1:
        whole = whole.parts[0]
    if len(whole.parts) != 2:
        raise TextError("expected nothing but a reset and what happens without it")
    reset, other = (part.targets for part in whole.parts)
    return {name for name in other if not any(name == whole or name.startswith(whole + ".") for whole in reset)}


def of_text(text):
    """Its registers. All are of one clock; those that a reset clears, of one that begins when rst_ni falls."""
    found = Registers()
    for process in PROCESS.finditer(text):
        edges = re.match(r" (@\([^)]*\))", text[process.end():])
        if process[0] != "always_ff" or not edges or edges[1] not in EDGES:
            raise TextError(f"expected always_ff and one of {', '.join(EDGES)}, found {text[process.start():][:60]!r}")
        body = text[process.end() + edges.end():]
        statement = Statement(words(body), 0)
        names = {name.split(".")[0] for name in statement.targets}
        if not EDGES[edges[1]]:
            found.kept |= names
            continue
        if not CLEARS.match(body):
            raise TextError(f"expected if (!rst_ni) first, found {body[:60]!r}")
        if uncleared(statement):
            raise TextError(f"not cleared by the reset: {', '.join(sorted(uncleared(statement)))}")
        found.cleared |= names
    return found


def of_modules():
    """{module: its registers}"""
    found = {}
    for path in sorted((tree.ROOT / "rtl").rglob("*.sv")):
        try:
            found[path.stem] = of_text(code(path))
        except TextError as error:
            raise TextError(f"{tree.name(path)}: {error}") from None
    return {name: registers for name, registers in found.items() if registers.cleared or registers.kept}


if __name__ == "__main__":
    for module, registers in of_modules().items():
        if registers.kept:
            print(f"{module}: {' '.join(sorted(registers.kept))}")
