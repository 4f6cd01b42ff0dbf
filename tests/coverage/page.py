# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Parts of docs/inside/coverage.md: what was measured, with its holes, and cover points."""
import collections
import re

import points

PAGE = points.ROOT / "docs/inside/coverage.md"
KINDS = ("lines", "branches", "toggles")
FLOOR = {"lines": 95, "branches": 90, "toggles": 90}  # percent


def share(hit, of):
    return 100 * hit / of if of else 100.0


def total(all_sums):
    """The sum of what files hold: {kind: [reached, of]}."""
    sums = {kind: [0, 0] for kind in KINDS}
    for of_file in all_sums:
        for kind, (hit, of) in of_file.items():
            sums[kind][0] += hit
            sums[kind][1] += of
    return sums


def room_of(name):
    """That of rtl/rows/ppu_tags.sv is rtl/rows, that of driver/api/api_job.cpp is driver."""
    first, second, *_ = name.split("/")
    return f"rtl/{second}" if first == "rtl" else first


def by_room(files):
    rooms = collections.defaultdict(dict)
    for name, of_file in files.items():
        rooms[room_of(name)][name] = of_file
    return rooms


def table(first, kinds, files):
    """Of each room, and of all of them."""
    entries = [(f"`{room}`", total(file["sums"] for file in of_room.values())) for room, of_room in by_room(files).items()]
    entries.append(("all", total(file["sums"] for file in files.values())))
    text = f"| {first} | {' | '.join(kinds)} |\n|---|{'---|' * len(kinds)}\n"
    for name, sums in entries:
        text += f"| {name} | {' | '.join(f'{share(*sums[kind]):.1f}% of {sums[kind][1]:,}' for kind in kinds)} |\n"
    return text


def cut(text):
    text = re.sub(r"\s*//.*", "", text).replace("|", "\\|")
    return text if len(text) < 90 else text[:87] + "..."


def put(part, text):
    """Writes a part of the page, between its two comments."""
    PAGE.write_text(replaced(PAGE.read_text(), part, text))


def replaced(page, part, text):
    head, rest = page.split(f"<!-- {part} -->")
    return f"{head}<!-- {part} -->\n{text}<!-- /{part} -->{rest.split(f'<!-- /{part} -->')[1]}"


def points_table(command, result):
    """Cover points, from what `ppu fuzz --json` prints: by state, how many operations of a kernel were met."""
    ended, failed, points_of = {}, {}, result["points"]
    for name, operations in points_of["states"].items():
        end, place, *wait = name.split("; ")
        (ended if wait else failed).setdefault((place, *wait), {})[end] = operations
    met, of = points_of["met"], points_of["of"]
    text = f"```sh\n{command}\n```\n\n{met:,} of {of:,} points were met, {share(met, of):.1f}%.\n"
    for heads, states in (("rows | wait", ended), ("rows", failed)):
        ends = list(next(iter(states.values())))
        text += f"\n| {heads} | {' | '.join(ends)} |\n|{'---|' * (heads.count('|') + 1 + len(ends))}\n"
        for state, operations in states.items():
            text += f"| {' | '.join(state)} | {' | '.join(str(operations[end]) for end in ends)} |\n"
    return text


def table_or_none(heads, rows):
    return f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n{''.join(rows)}" if rows else "None.\n"


def rtl_holes(files, holes):
    whys = collections.defaultdict(lambda: [0, []])
    open_lines, open_signals = [], []
    for name, of_file in files.items():
        for number, words, source in of_file["lines"]:
            if hole := holes.find(name, "line", source):
                whys[hole["why"]][0] += 1
                whys[hole["why"]][1].append(f"`{name}`")
            else:
                open_lines.append(f"| `{name}` | {number} | {words} | `{cut(source)}` |\n")
        rest = []
        for signal, bits in of_file["bits"].items():
            if hole := holes.find(name, "signal", signal):
                whys[hole["why"]][0] += bits
                whys[hole["why"]][1].append(f"`{name}`")
            else:
                rest.append(f"`{signal}` {bits}")
        if rest:
            open_signals.append(f"| `{name}` | {', '.join(rest)} |\n")
    rows = [f"| {why} | {count:,} | {', '.join(dict.fromkeys(where))} |\n"
            for why, (count, where) in sorted(whys.items(), key=lambda item: -item[1][0])]
    text = "\n## Holes of the RTL with a reason\n\n" + table_or_none(["reason", "lines, branches, bits", "where"], rows)
    text += "\n## Lines and branches of the RTL that no test reaches\n\n"
    text += table_or_none(["file", "line", "what", "source"], open_lines)
    text += "\n## Bits that never change\n\n"
    return text + table_or_none(["file", "signals, and how many of their bits"], open_signals)


def cpp_holes(files, holes):
    """By room and reason, how many lines; the rest by file."""
    rows, rest = [], []
    for room, of_room in by_room(files).items():
        whys = collections.Counter()
        for name, of_file in of_room.items():
            numbers = []
            for number, _, source in of_file["lines"]:
                hole = holes.find(name, "line", source)
                if hole:
                    whys[hole["why"]] += 1
                else:
                    numbers.append(number)
            if numbers:
                rest.append(f"| `{name}` | {len(numbers)} |\n")
        rows += [f"| `{room}` | {why} | {count:,} |\n" for why, count in whys.most_common()]
    text = "\n## Lines of C++ that no test reaches\n\n" + table_or_none(["room", "reason", "lines"], rows)
    return text + "\nOthers, which `build/coverage/index.html` shows:\n\n" + table_or_none(["file", "lines"], rest)


def rtl(data, holes):
    """The part of the page about the RTL that measured.json and holes.toml make."""
    files = {name: of_file for name, of_file in data["files"].items() if name.startswith("rtl/")}
    floors = ", ".join(f"{FLOOR[kind]}% of the {kind}" for kind in KINDS)
    text = "\n## The RTL\n\n" + table("RTL", KINDS, files)
    return text + f"\nThe floor is {floors}, in every room.\n" + rtl_holes(files, holes)


def cpp(data, holes):
    """The same of C++."""
    files = {name: of_file for name, of_file in data["files"].items() if not name.startswith("rtl/")}
    return "\n## C++\n\n" + table("C++", KINDS[:2], files) + cpp_holes(files, holes)


def written(text, data, holes):
    """The page with both parts."""
    return replaced(replaced(text, "rtl", rtl(data, holes)), "cpp", cpp(data, holes))
