# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What was noted of routed blocks, and its section of the page of the whole device."""
import json

import figures
from block import ROOT

NOTED = ROOT / "hw/physical/noted/routed.json"
PICTURES = "docs/images"
# What is routed for the page, by technology.
POINTS = {"osu018": (("fp-add", ()), ("fp-mul", ()), ("issue", ("pipes=1",)), ("row-pipe", ()), ("engine", (
    # The smallest engine that computes as those of `small`.
    "config=small", "pipes=1", "lanes=1", "dataflow=0", "velocity_banks=2", "filter_window=1", "row_memory_rows=16",
    "impulse_memory_rows=16", "body_memory_bodies=64", "instruction_memory_words=32")))}
SPREAD = {"engine": 1.4}  # of those that need it
LARGE = ("row-pipe", "engine")  # more than Debian's tools can
DRAWN = ("fp-add", *LARGE)
TEXT = """
## Placed and routed

Parts that were placed and routed: Etesian of coriolis-eda places the cells, and the project's own router draws the wires on four
layers. `./ppu physical PART --route --drc --record --coriolis PYTHON` measures a part again
([how](guide/physical.md#place-and-route)). Every net of the netlist is connected by its wires, no centre lines of two
nets meet, and above the first layer wires and vias keep the distances that the LEF file states. The clock is a wire like any other and counts as ideal:
no tree of buffers was made for it. Wires have the capacitance to ground and the resistance that the LEF file states; coupling
between wires, which it does not state, is not in it. No cell was made stronger for its wires after placement. Where Magic was not
run, `--drc` was not said.
"""


def load():
    return json.loads(NOTED.read_text()) if NOTED.is_file() else {}


def picture_of(technology, name):
    return ROOT / PICTURES / f"routed_{name.replace('-', '_')}_{technology}.svg"


def record(technology, key, routed):
    """Notes the figures of a routed block."""
    noted = load()
    noted[technology] = figures.in_order(noted.get(technology, {}) | {key: routed.figures()}, POINTS[technology])
    NOTED.write_text(json.dumps(noted, indent=1) + "\n")


def section():
    """The section of the page, or nothing."""
    noted = load()
    if not noted:
        return ""
    text = TEXT
    for technology, parts in noted.items():
        rows = (("cells", lambda part: f"{part['cells']:,}"),
                ("area of the cells, mm²", lambda part: f"{part['cell_area_um2'] / 1e6:.4f}"),
                ("core, mm²", lambda part: f"{part['core_area_um2'] / 1e6:.4f}"),
                ("cells farther apart than placed, times", lambda part: f"{part['spread']:.1f}"),
                ("of it cells", lambda part: f"{100 * part['cell_area_um2'] / part['core_area_um2']:.1f} %"),
                ("nets", lambda part: f"{part['nets']:,}"),
                ("wires, mm", lambda part: f"{sum(part['wire_um'].values()) / 1000:,.1f}"),
                ("vias", lambda part: f"{part['vias']:,}"),
                ("capacitance of the wires, pF", lambda part: f"{part['wire_pf']:,.1f}"),
                ("period before, ns", lambda part: f"{part['period_before_ns']:.2f}"),
                ("period after, ns", lambda part: f"{part['period_ns']:.2f}"),
                ("clock before, MHz", lambda part: f"{1000 / part['period_before_ns']:.0f}"),
                ("clock after, MHz", lambda part: f"{1000 / part['period_ns']:.0f}"),
                ("violations of design rules, by Magic", lambda part: "not checked" if part["violations"] is None else
                 f"{part['violations']:,}"),
                ("placed by", lambda part: part["placer"]),
                ("routed by", lambda part: part["router"]),
                ("placement, s of a core", lambda part: f"{part['place_s']:,.0f}"),
                ("routing, s of a core", lambda part: f"{part['route_s']:,.0f}"))
        text += f"\n| {technology} | {' | '.join(f'`{name.split()[0]}`' for name in parts)} |\n|---|{'--:|' * len(parts)}\n"
        for title, value in rows:
            text += f"| {title} | {' | '.join(value(part) for part in parts.values())} |\n"
        for name, part in parts.items():
            block, *keys = name.split()
            text += (f"\n`{block}`{' with `' + ' '.join(keys) + '`' if keys else ''} after routing: {part['levels']} cells from "
                     f"`{figures.named(part['path']).replace(' -> ', '` to `')}`.\n")
        for name in DRAWN:
            if picture_of(technology, name).is_file():
                text += f"\n![The routed layout of {name}](images/{picture_of(technology, name).name})\n"
    return text
