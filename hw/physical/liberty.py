# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Cell libraries in the Liberty format: what the flow needs to know of their cells, and one file made of several."""
import dataclasses
import fnmatch
import gzip
import pathlib
import re

SLEW = 2  # which slew of a table counts: the third of five or seven


@dataclasses.dataclass
class Cell:
    """A cell: its area in the library's unit, its pins' capacitances (its unit), which of them drive, and what."""
    area: float
    capacitance: dict
    outputs: set
    state: str = ""  # of a register: what it keeps and when, in Liberty's words
    # By output: Liberty's words of what it is; time to the output at the smallest load, and what more load adds to it,
    # in the library's units, of the slowest edge.
    functions: dict = dataclasses.field(default_factory=dict)
    delay: dict = dataclasses.field(default_factory=dict)
    resistance: dict = dataclasses.field(default_factory=dict)

    @property
    def is_register(self):
        return self.state != ""


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


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?", text)]


def templates(found):
    """The templates of tables among the statements of a library, by name: which of their indices are loads (1, 2 or None),
    and the loads."""
    result = {}
    for statement in found:
        name = re.match(r'(?:lu_table|power_lut)_template\s*\(\s*"?([^")\s]+)', statement)
        if name:
            axis = next((axis for axis in (1, 2)
                         if attribute(statement, f"variable_{axis}", "") == "total_output_net_capacitance"), None)
            result[name[1]] = axis, index(statement, axis)
    return result


def index(text, axis):
    found = re.search(rf'index_{axis}\s*\(\s*"([^"]*)"', text)
    return numbers(found[1]) if found else []


def by_load(template, body, known):
    """(loads, values) of a table at SLEW, given the templates of its library; one value, of load 0, if it has no loads."""
    values = re.search(r"values\s*\((.*?)\)\s*;", body, re.S)[1]
    rows = [numbers(row) for row in re.findall(r'"([^"]*)"', values) or [values]]
    axis, loads = known.get(template, (None, []))
    if axis is None:
        flat = [number for row in rows for number in row]
        return [0.0], [flat[min(SLEW, len(flat) - 1)]]
    by_slew = list(zip(*rows)) if axis == 1 and len(rows) > 1 else rows
    return index(body, axis) or loads, list(by_slew[min(SLEW, len(by_slew) - 1)])


def driven(pin, known):
    """(delay, resistance) of an output, from its timing tables; None if it has none that tell of loads."""
    tables = [by_load(template, body, known) for _, arc in groups(pin, "timing")
              for edge in ("cell_rise", "cell_fall") for template, body in groups(arc, edge)]
    tables = [(loads, times) for loads, times in tables if len(loads) > 1]
    if not tables:
        return None
    return (max(times[0] for _, times in tables),
            max((times[-1] - times[0]) / (loads[-1] - loads[0]) for loads, times in tables))


def wire_load(path):
    """What a sink adds to the load of a net for its wire, by the library's default wire load: none if there is none. The
    timing tool takes it too."""
    found = statements(read_text(pathlib.Path(path)))[1]
    name = next((match[1] for match in (re.match(r'default_wire_load\s*:\s*"?([^";\s]+)', statement) for statement in found)
                 if match), None)
    for statement in found:
        if name and re.match(rf'wire_load\s*\(\s*"?{re.escape(name)}"?\s*\)', statement):
            lengths = sorted(tuple(numbers(pair)) for pair in re.findall(r"fanout_length\s*\(([^)]*)\)", statement))
            (least, shortest), (most, longest) = lengths[0], lengths[-1]
            each = (longest - shortest) / (most - least) if most > least else shortest / least
            return each * float(attribute(statement, "capacitance", "0"))
    return 0.0


def cells(path):
    """The cells of a library, by name; the pins of a bus have names like A[3]."""
    found, widths = {}, {}
    library = statements(read_text(pathlib.Path(path)))[1]
    known = templates(library)
    for statement in library:
        of_type = re.match(r'type\s*\(\s*"?(\w+)', statement)
        if of_type:
            widths[of_type[1]] = int(attribute(statement, "bit_width", "1"))
        name = name_of_cell(statement)
        if not name:
            continue
        state = next((" ".join(f"({names}) {body}".split()) for names, body in groups(statement, "ff")), "")
        cell = found[name] = Cell(float(attribute(statement, "area", "0")), {}, set(), state)
        for pin, body in groups(statement, "pin"):
            if ":" not in pin:
                cell.capacitance[pin] = float(attribute(body, "capacitance", "0"))
                if attribute(body, "direction", "input") == "output":
                    cell.outputs.add(pin)
                    function = re.search(r'\bfunction\s*:\s*"([^"]*)"', body)
                    cell.functions |= {pin: function[1]} if function else {}
                    times = driven(body, known)
                    if times:
                        cell.delay[pin], cell.resistance[pin] = times
        for bus, body in groups(statement, "bus"):
            for pin in (f"{bus}[{bit}]" for bit in range(widths[attribute(body, "bus_type", "")])):
                cell.capacitance.setdefault(pin, float(attribute(body, "capacitance", "0")))
                if attribute(body, "direction", "input") == "output":
                    cell.outputs.add(pin)
    return found
