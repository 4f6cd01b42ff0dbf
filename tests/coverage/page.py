# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The two forms of what was reached: tables for docs/, and every line in HTML."""
import collections
import html
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/inside/coverage.md"
STYLE = """body { font: 14px sans-serif; margin: 2em; } table { border-collapse: collapse; }
td, th { padding: 2px 10px; text-align: right; } td:first-child, th:first-child { text-align: left; }
pre { margin: 0; } .no { background: #fdd; } .yes { background: #efe; } details { margin: 4px 0; }"""


def share(hit, all_of):
    return f"{100 * hit / all_of:.1f}%" if all_of else "-"


class Sums:
    """Numbers reached and numbers of all, by kind."""

    def __init__(self):
        self.hit, self.all = collections.Counter(), collections.Counter()

    def add(self, kind, hits):
        hits = list(hits)
        self.all[kind] += len(hits)
        self.hit[kind] += sum(bool(hit) for hit in hits)

    def cells(self, kinds):
        return [share(self.hit[kind], self.all[kind]) for kind in kinds]


def rows(files, kinds, hits):
    """Tables by folder, and the sum."""
    by_room, whole = {}, Sums()
    for name, entry in sorted(files.items()):
        room = by_room.setdefault(name.rsplit("/", 1)[0], Sums())
        for kind in kinds:
            for sums in (room, whole):
                sums.add(kind, hits(entry, kind))
    return by_room, whole


def rtl_hits(entry, kind):
    return entry["line"].values() if kind == "line" else [hit for *_, hit in entry[kind]]


def cpp_hits(entry, kind):
    return entry[kind].values()


def table(first, by_room, whole, kinds, titles):
    text = f"| {first} | {' | '.join(titles)} |\n|---{'|---' * len(titles)}|\n"
    for room, sums in by_room.items():
        text += f"| `{room}` | {' | '.join(sums.cells(kinds))} |\n"
    counted = [f"{cell} of {whole.all[kind]:,}" for cell, kind in zip(whole.cells(kinds), kinds)]
    return text + f"| all | {' | '.join(counted)} |\n"


def markdown(rtl, cpp):
    kinds = ("line", "branch", "toggle")
    text = table("RTL", *rows(rtl, kinds, rtl_hits), kinds, ("lines", "branches", "toggles"))
    if cpp:
        text += "\n" + table("C++", *rows(cpp, kinds[:2], cpp_hits), kinds[:2], ("lines", "branches"))
    text += "\n## Lines and branches of the RTL that no test reaches\n\n| file | line | source |\n|---|---|---|\n"
    for name, entry in sorted(rtl.items()):
        source = (ROOT / name).read_text().split("\n")
        missed = {number for number, hit in entry["line"].items() if not hit}
        missed |= {line for line, _, hit in entry["branch"] if not hit}
        for number in sorted(missed):
            words = source[number - 1].strip().replace("|", "\\|")
            text += f"| `{name}` | {number} | `{words}` |\n"
    text += "\n## Signals with bits that never change\n\n| file | signals |\n|---|---|\n"
    for name, entry in sorted(rtl.items()):
        bits = collections.Counter(words.split("[")[0] for _, words, hit in entry["toggle"] if not hit)
        if bits:
            text += f"| `{name}` | {', '.join(f'{signal} {count}' for signal, count in sorted(bits.items()))} |\n"
    text += "\n## Bits that cannot change\n\n| reason | bits |\n|---|---|\n"
    reasons = collections.Counter()
    for entry in rtl.values():
        for why, bits in entry["holes"].items():
            reasons[why] += len(bits)
    for why, count in reasons.most_common():
        text += f"| {why} | {count:,} |\n"
    return text


def write(rtl, cpp, build):
    head = PAGE.read_text().split("<!-- measured -->")[0]
    PAGE.write_text(f"{head}<!-- measured -->\n{markdown(rtl, cpp)}")
    body = ""
    for name, entry in sorted({**rtl, **cpp}.items()):
        hits = list(entry["line"].values())
        lines = []
        for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
            hit = entry["line"].get(number)
            style = "" if hit is None else " class=yes" if hit else " class=no"
            lines.append(f"<span{style}>{number:5} {'' if hit is None else hit:>12} {html.escape(line)}</span>")
        body += (f"<details><summary>{name} {share(sum(bool(hit) for hit in hits), len(hits))}</summary>"
                 f"<pre>{chr(10).join(lines)}</pre></details>\n")
    path = build / "index.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>Coverage</title><style>{STYLE}</style>\n"
                    f"<h1>Coverage</h1>\n{body}")
    print(f"{path.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")
