# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""measured.json, which the page is made of: of each file how much was reached, and what was not."""
import collections
import json
import re

import cpp
import page
import points
import web

FILE = points.HERE / "measured.json"


def missed_lines(name, file):
    """[[number, what, source]]: lines that were not reached, and of others the branches; of C++ only lines."""
    source = (points.ROOT / name).read_text().split("\n")
    found = [[number, "line", source[number - 1].strip()] for number, times in sorted(file.lines.items()) if not times]
    lines = {number for number, *_ in found}
    for (number, _, words), times in sorted(file.branches.items()):
        if not times and number not in lines and name.startswith("rtl/"):
            found.append([number, words, source[number - 1].strip()])
    return found


def entry(name, file):
    bits = collections.Counter(re.sub(r"\[[\d:]*\]$", "", words) for (_, words), times in file.toggles.items() if not times)
    sums = {kind: of for kind, of in file.sums().items() if of[1] > 0}
    return {"sums": sums, "lines": missed_lines(name, file), "bits": dict(sorted(bits.items()))}


def read():
    return json.loads(FILE.read_text())


def joined(old, rtl, of_cpp, programs):
    """What was measured now, and before it the rest: the RTL stays if none of it was counted, a room of C++ if its own
    tests were not run."""
    def is_new(name):
        room = name.split("/")[0]
        return bool(rtl) if room == "rtl" else room in programs

    files = {name: entry(name, file) for name, file in {**rtl, **of_cpp}.items() if is_new(name)}
    files.update({name: of_file for name, of_file in old["files"].items() if not is_new(name)})
    stays = {name for name in old["programs"] if not is_new(name if name in cpp.ROOMS else "rtl")}
    rooms = ("rtl", *cpp.ROOMS)
    return {"programs": sorted(set(programs) | stays),
            "files": dict(sorted(files.items(), key=lambda item: rooms.index(item[0].split("/")[0])))}


def write(rtl, of_cpp, programs):
    if not rtl and not of_cpp:
        raise SystemExit("coverage.py: nothing was counted; coverage.py run comes first")
    rtl = {f"rtl/{name}": file for name, file in rtl.items()}
    data = joined(read(), rtl, of_cpp, programs)
    body = ",\n".join(f" {json.dumps(name)}: {json.dumps(of_file)}" for name, of_file in data["files"].items())
    FILE.write_text(f'{{"programs": {json.dumps(data["programs"])},\n"files": {{\n{body}\n}}}}\n')
    page.PAGE.write_text(page.written(page.PAGE.read_text(), data, points.Holes()))
    path = points.BUILD / "index.html"
    path.write_text(web.index({"RTL": (rtl, points.ROOMS), "C++": (of_cpp, cpp.ROOMS)}))
    for title, is_of in (("RTL", lambda name: name.startswith("rtl/")), ("C++", lambda name: not name.startswith("rtl/"))):
        sums = page.total(of_file["sums"] for name, of_file in data["files"].items() if is_of(name))
        for kind, (hit, of) in sums.items():
            if of:
                print(f"{title:4} {kind:9} {page.share(hit, of):5.1f}%  {hit:,} of {of:,}")
    print(f"{path.relative_to(points.ROOT)}, {page.PAGE.relative_to(points.ROOT)}")
