# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The design rules of a layout, checked by Magic: widths, distances and areas of metal on all layers of wires. Of the cells it
knows what the LEF file has."""
import re

from pnr import place
from technology import UserError

SCRIPT = """drc off
lef read {lef}
def read {layout}
load {block}
select top cell
drc on
drc catchup
foreach {{why places}} [drc listall why] {{ puts "violation of {{$why}}: [llength $places]" }}
puts "all violations are said"
quit -noprompt
"""


def check(folder, block, files, limit):
    """What is violated in {block}_route.def, as {rule: how often}."""
    if not files.rules.is_file():
        raise UserError(f"{files.rules}: no such file; install it with: apt-get install qflow-tech-osu018")
    (folder / "drc.tcl").write_text(SCRIPT.format(lef=files.lef[0], layout=f"{block}_route.def", block=block))
    place.run(folder, limit, "magic", "magic", "-dnull", "-noconsole", "-T", str(files.rules), "drc.tcl", log="magic.log")
    said = (folder / "magic.log").read_text(errors="replace")
    found = {rule: int(count) for rule, count in re.findall(r"^violation of \{(.*)\}: (\d+)$", said, re.M)}
    if "\nall violations are said\n" not in said:
        raise UserError(f"magic said nothing of its end: {place.last_words(folder / 'magic.log')}")
    return found
