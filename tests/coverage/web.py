# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What was reached as one page of HTML: rooms, files, and every line."""
import collections
import html

import page
import points

STYLE = """body { font: 14px sans-serif; margin: 2em; } table { border-collapse: collapse; margin-bottom: 1em; }
td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; } .low { color: #b00; font-weight: bold; }
pre { margin: 0; } .no { background: #fdd; } .yes { background: #efe; } details { margin: 4px 0; }
summary { cursor: pointer; } .n { color: #888; }"""


def table(entries):
    kinds = [kind for kind in page.KINDS if any(sums[kind][1] for _, sums in entries)]
    rows = ""
    for name, sums in entries:
        cells = ""
        for kind in kinds:
            part = page.share(*sums[kind])
            low = " class=low" if part < page.FLOOR[kind] else ""
            cells += f"<td{low}>{part:.1f}%</td><td class=n>{sums[kind][0]:,} of {sums[kind][1]:,}</td>"
        rows += f"<tr><td>{name}</td>{cells}</tr>\n"
    heads = "".join(f"<th colspan=2>{kind}</th>" for kind in kinds)
    return f"<table><tr><th></th>{heads}</tr>\n{rows}</table>\n"


def lines(name, file):
    branches = collections.defaultdict(list)
    for (number, _, words), times in sorted(file.branches.items()):
        if not times:
            branches[number].append(f"{words} never")
    bits = collections.Counter(number for (number, _), times in file.toggles.items() if not times)
    rows = []
    for number, line in enumerate((points.ROOT / name).read_text().split("\n"), 1):
        times = file.lines.get(number)
        notes = branches[number] + ([f"{bits[number]} bits never change"] if bits[number] else [])
        style = "no" if times == 0 or notes else "yes" if times else ""
        note = f"  <b>{', '.join(notes)}</b>" if notes else ""
        rows.append(f"<span class='{style}'><span class=n>{number:5} {'' if times is None else times:>12}</span> "
                    f"{html.escape(line)}{note}</span>")
    shares = ", ".join(f"{kind} {page.share(*of):.1f}%" for kind, of in file.sums().items() if of[1])
    body = "\n".join(rows)
    return f"<details id='{name}'><summary>{name}: {shares}</summary><pre>{body}</pre></details>\n"


def index(parts):
    """parts: {title: (files by name, names of rooms)}."""
    text = f"<!doctype html><meta charset=utf-8><title>Coverage</title><style>{STYLE}</style>\n"
    for title, (files, rooms) in parts.items():
        by_room = page.by_room(files)
        names = [name for name in by_room if name.removeprefix("rtl/") in rooms]
        entries = [(name, page.total(file.sums() for file in by_room[name].values())) for name in names]
        text += f"<h1>{title}</h1>\n" + table(entries + [("all", page.total(file.sums() for file in files.values()))])
        text += "<h2>By file</h2>\n" + table([(f"<a href='#{name}'>{name}</a>", page.total([file.sums()]))
                                              for name, file in files.items()])
        text += "<h2>Every line</h2>\n" + "".join(lines(name, file) for name, file in files.items())
    return text
