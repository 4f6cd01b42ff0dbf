# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Cell libraries in the Liberty format: what the flow needs to know of their cells, and one file made of several."""
import dataclasses
import fnmatch
import gzip
import pathlib
import re


@dataclasses.dataclass
class Cell:
    """A cell: its area in the library's unit, its pins' capacitances (its unit), which of them drive, and what."""
    area: float
    capacitance: dict
    outputs: set
    is_register: bool
    functions: dict = dataclasses.field(default_factory=dict)  # Liberty's words, by output


def read_text(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)


def statements(text):
    """The text up to the library's brace, and each statement in it."""
    start = text.index("{", text.index("library")) + 1
    found, depth, quoted, last = [], 0, False, start
    for mark in re.compile(r'["{};]').finditer(text, start):
        character = mark[0]
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character == "{":
            depth += 1
        elif character == "}" and depth == 0:
            break
        else:
            depth -= character == "}"
            if depth == 0:
                found.append(text[last:mark.end()].strip())
                last = mark.end()
    return text[:start], found


def name_of_cell(statement):
    match = re.match(r'cell\s*\(\s*"?([^")\s]+)', statement)
    return match and match[1]


def merge(paths, left_out, target):
    """Writes one library with the cells of all; of what else libraries say, the first one's words count."""
    seen, parts, head = set(), [], None
    for path in map(pathlib.Path, paths):
        first, found = statements(read_text(path))
        head = head or first
        for statement in found:
            cell = name_of_cell(statement)
            if cell and any(fnmatch.fnmatch(cell, pattern) for pattern in left_out):
                continue
            key = cell or re.sub(r"[\s\"]", "", statement.split("{")[0].split(":")[0])
            if key not in seen:
                seen.add(key)
                parts.append(statement)
    target.write_text(head + "\n" + "\n".join(parts) + "\n}\n")


def groups(text, kind):
    """(name, body) of the groups of a kind in a cell, one level deep."""
    for match in re.finditer(rf'\b{kind}\s*\(\s*"?([^")]*)"?\s*\)\s*{{', text):
        depth, at = 1, match.end()
        while depth:
            mark = re.compile("[{}]").search(text, at)
            depth += 1 if mark[0] == "{" else -1
            at = mark.end()
        yield match[1], text[match.end():at - 1]


def attribute(text, name, default):
    match = re.search(rf'(?<![\w]){name}\s*:\s*"?([^;"\n]+)', text)
    return match[1].strip() if match else default


def cells(path):
    """The cells of a library, by name; the pins of a bus have names like A[3]."""
    found, widths = {}, {}
    for statement in statements(read_text(pathlib.Path(path)))[1]:
        of_type = re.match(r'type\s*\(\s*"?(\w+)', statement)
        if of_type:
            widths[of_type[1]] = int(attribute(statement, "bit_width", "1"))
        name = name_of_cell(statement)
        if not name:
            continue
        capacitance, outputs, functions = {}, set(), {}
        for pin, body in groups(statement, "pin"):
            if ":" not in pin:
                capacitance[pin] = float(attribute(body, "capacitance", "0"))
                if attribute(body, "direction", "input") == "output":
                    outputs.add(pin)
                    function = re.search(r'\bfunction\s*:\s*"([^"]*)"', body)
                    functions |= {pin: function[1]} if function else {}
        for bus, body in groups(statement, "bus"):
            for pin in (f"{bus}[{bit}]" for bit in range(widths[attribute(body, "bus_type", "")])):
                capacitance.setdefault(pin, float(attribute(body, "capacitance", "0")))
                if attribute(body, "direction", "input") == "output":
                    outputs.add(pin)
        is_register = re.search(r"\bff\s*\(", statement) is not None
        found[name] = Cell(float(attribute(statement, "area", "0")), capacitance, outputs, is_register, functions)
    return found
