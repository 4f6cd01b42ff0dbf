# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The two forms of what was reached: tables and holes for docs/, and every line in HTML."""
import collections
import html
import re

import points

PAGE = points.ROOT / "docs/inside/coverage.md"
KINDS = ("lines", "branches", "toggles")
FLOOR = {"lines": 95, "branches": 90, "toggles": 90}  # percent, of the RTL as a whole
STYLE = """body { font: 14px sans-serif; margin: 2em; } table { border-collapse: collapse; margin-bottom: 1em; }
td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; } .low { color: #b00; font-weight: bold; }
pre { margin: 0; } .no { background: #fdd; } .yes { background: #efe; } details { margin: 4px 0; }
summary { cursor: pointer; } .n { color: #888; }"""


def share(hit, of):
    return 100 * hit / of if of else 100.0


def total(files):
    sums = {kind: [0, 0] for kind in KINDS}
    for file in files:
        for kind, (hit, of) in file.sums().items():
            sums[kind][0] += hit
            sums[kind][1] += of
    return sums


def by_room(files):
    rooms = collections.defaultdict(list)
    for name, file in files.items():
        rooms[name.split("/")[0]].append(file)
    return rooms


def missed(name, file, source):
    """[(kind, key, words)]: lines, branches and signals that were not reached."""
    found = [("line", number, source[number - 1]) for number, times in sorted(file.lines.items()) if not times]
    lines = {number for _, number, _ in found}
    for (number, _, words), times in sorted(file.branches.items()):
        if not times and number not in lines:
            found.append((words, number, source[number - 1]))
    bits = collections.Counter(re.sub(r"\[[\d:]*\]$", "", words) for (_, words), times in file.toggles.items() if not times)
    return found, sorted(bits.items())


def table(first, entries):
    text = f"| {first} | lines | branches | toggles |\n|---|---|---|---|\n"
    for name, sums in entries:
        cells = [f"{share(*sums[kind]):.1f}% of {sums[kind][1]:,}" for kind in KINDS]
        text += f"| {name} | {' | '.join(cells)} |\n"
    return text


def cut(text):
    text = re.sub(r"\s*//.*", "", text.strip()).replace("|", "\\|")
    return text if len(text) < 90 else text[:87] + "..."


def put(part, text):
    """Writes a part of the page, between its two comments."""
    head, rest = PAGE.read_text().split(f"<!-- {part} -->")
    PAGE.write_text(f"{head}<!-- {part} -->\n{text}<!-- /{part} -->{rest.split(f'<!-- /{part} -->')[1]}")


def put_points(command, result):
    """Cover points, from what `ppu fuzz --json` prints: by state, how many operations of a kernel were met."""
    ended, failed, points_of = {}, {}, result["points"]
    for name, operations in points_of["states"].items():
        end, place, *wait = name.split("; ")
        (ended if wait else failed).setdefault((place, *wait), {})[end] = operations
    text = f"```sh\n{command}\n```\n\n{points_of['met']:,} of {points_of['of']:,} points were met.\n"
    for heads, states in (("rows | wait", ended), ("rows", failed)):
        ends = list(next(iter(states.values())))
        text += f"\n| {heads} | {' | '.join(ends)} |\n|{'---|' * (heads.count('|') + 1 + len(ends))}\n"
        for state, operations in states.items():
            text += f"| {' | '.join(state)} | {' | '.join(str(operations[end]) for end in ends)} |\n"
    put("points", text)


def markdown(files, holes, programs):
    rooms = by_room(files)
    entries = [(f"`rtl/{room}`", total(rooms[room])) for room in points.ROOMS if room in rooms]
    text = "\n## Measured\n\n" + table("RTL", entries + [("all", total(files.values()))])
    floors = ", ".join(f"{FLOOR[kind]}% of the {kind}" for kind in KINDS)
    text += f"\nCounted by {', '.join(f'`{program}`' for program in programs)}. The floor is {floors}.\n"
    whys = collections.defaultdict(lambda: [0, []])
    open_lines, open_signals = [], []
    for name, file in files.items():
        lines, signals = missed(name, file, (points.ROOT / "rtl" / name).read_text().split("\n"))
        for words, number, source in lines:
            if hole := holes.find(name, "line", source):
                whys[hole["why"]][0] += 1
                whys[hole["why"]][1].append(f"`{name}`:{number}")
            else:
                open_lines.append(f"| `{name}` | {number} | {words} | `{cut(source)}` |\n")
        rest = []
        for signal, bits in signals:
            if hole := holes.find(name, "signal", signal):
                whys[hole["why"]][0] += bits
                whys[hole["why"]][1].append(f"`{name}`")
            else:
                rest.append(f"`{signal}` {bits}")
        if rest:
            open_signals.append(f"| `{name}` | {', '.join(rest)} |\n")
    text += "\n## Holes with a reason\n\n| reason | lines, branches, bits | where |\n|---|---|---|\n"
    for why, (count, where) in sorted(whys.items(), key=lambda item: -item[1][0]):
        text += f"| {why} | {count:,} | {', '.join(dict.fromkeys(where))} |\n"
    text += "\n## Lines and branches that no test reaches\n\nTests of these are to be written.\n\n"
    text += ("| file | line | what | source |\n|---|---|---|---|\n" + "".join(open_lines)) if open_lines else "None.\n"
    text += "\n## Bits that never change\n\n"
    text += ("| file | signals, and how many of their bits |\n|---|---|\n" + "".join(open_signals)) if open_signals else "None.\n"
    return text


def html_table(entries):
    rows = ""
    for name, sums in entries:
        cells = ""
        for kind in KINDS:
            part = share(*sums[kind])
            low = " class=low" if part < FLOOR[kind] else ""
            cells += f"<td{low}>{part:.1f}%</td><td class=n>{sums[kind][0]:,} of {sums[kind][1]:,}</td>"
        rows += f"<tr><td>{name}</td>{cells}</tr>\n"
    heads = "".join(f"<th colspan=2>{kind}</th>" for kind in KINDS)
    return f"<table><tr><th></th>{heads}</tr>\n{rows}</table>\n"


def html_file(name, file):
    source = (points.ROOT / "rtl" / name).read_text().split("\n")
    branches = collections.defaultdict(list)
    for (number, _, words), times in sorted(file.branches.items()):
        if not times:
            branches[number].append(f"{words} never")
    bits = collections.Counter(number for (number, _), times in file.toggles.items() if not times)
    rows = []
    for number, line in enumerate(source, 1):
        times = file.lines.get(number)
        notes = branches[number] + ([f"{bits[number]} bits never change"] if bits[number] else [])
        style = "no" if times == 0 or notes else "yes" if times else ""
        note = f"  <b>{', '.join(notes)}</b>" if notes else ""
        rows.append(f"<span class='{style}'><span class=n>{number:5} {'' if times is None else times:>12}</span> "
                    f"{html.escape(line)}{note}</span>")
    shares = ", ".join(f"{kind} {share(*file.sums()[kind]):.1f}%" for kind in KINDS)
    body = "\n".join(rows)
    return f"<details id='{name}'><summary>{name}: {shares}</summary><pre>{body}</pre></details>\n"


def write(files, holes, programs):
    if not files:
        raise SystemExit("coverage.py: nothing was counted; coverage.py run comes first")
    put("measured", markdown(files, holes, programs))
    for entry in holes.entries:
        if not entry["used"]:
            print(f"holes.toml: of {entry['file']} '{entry.get('signal', entry.get('line'))}' was reached")
    rooms = by_room(files)
    text = f"<!doctype html><meta charset=utf-8><title>Coverage</title><style>{STYLE}</style>\n<h1>Coverage of the RTL</h1>\n"
    text += html_table([(f"rtl/{room}", total(rooms[room])) for room in points.ROOMS if room in rooms]
                       + [("all", total(files.values()))])
    text += "<h2>By file</h2>\n" + html_table([(f"<a href='#{name}'>{name}</a>", total([file]))
                                               for name, file in files.items()])
    text += "<h2>Every line</h2>\n" + "".join(html_file(name, file) for name, file in files.items())
    path = points.BUILD / "index.html"
    path.write_text(text)
    for kind, (hit, of) in total(files.values()).items():
        print(f"{kind:9} {share(hit, of):5.1f}%  {hit:,} of {of:,}")
    print(f"{path.relative_to(points.ROOT)}, {PAGE.relative_to(points.ROOT)}")
