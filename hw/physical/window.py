# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""How many rows an engine needs on chip: the area of its memories, and the pace of problems that are larger than it."""
import json

import block
import clocks
import figures
import memory_table
import waves
from block import ROOT

NOTED = ROOT / "hw/physical/noted/window.json"
ROWS = (512, 1024, 2048, 4096, 8192, 16384, 32768)
PORTS = (1, 2)
FORMS = ("boxed", "reduced")
ROW_BYTES = 128  # of the full form
PROBLEMS = ("large/pile888_f172", "large/wall32_f020")


def load():
    return json.loads(NOTED.read_text()) if NOTED.is_file() else {}


def area(rows, library, folder):
    """Square millimetres of the memories of an engine of `default` with so many rows on chip, in macros of two ports."""
    found = memory_table.memories(block.engine(block.values_of("default", [f"row_memory_rows={rows}"])), folder)
    return sum(count * memory.reads * memory_table.tiles(memory, library.macros, 2)[1] for memory, count in found.items()) / \
        library.technology.square_micrometre


def default_mhz(technology):
    """The clock of an engine of `default`: that of all sizes, since memory brings the fewer bytes in a cycle the faster it is."""
    return clocks.mhz(figures.load(technology)[figures.key("engine", ())])


def bound(mhz):
    """Rows of the full form that the memory of `default` brings in a cycle, at most."""
    keys = block.values_of("default", [])
    refreshed = keys["dram_refresh_ns"] / keys["dram_refresh_interval_ns"]
    return keys["dram_bus_bits"] / 8 * keys["dram_mega_transfers"] / mhz / ROW_BYTES * (1 - refreshed)


def pace(problem, form, rows, port, mhz):
    """Rows a cycle in ten sweeps."""
    found = json.loads(waves.run("solve", ROOT / f"tests/data/{problem}.h5", "--program", form, "--set", f"clock_mhz={mhz}",
                                 "--set", f"row_memory_rows={rows}", "--set", f"memory_port_beats={port}", "--json", "-"))
    return round(found["row_updates"] / found["cycles"], 4)


def record(library, folder):
    waves.need_program()
    noted, technology = load(), library.technology.name
    mhz = default_mhz(technology)
    noted[technology] = {"mhz": mhz, "sizes": [{"rows": rows, "memory_area_um2": round(area(rows, library, folder)), "pace": {
        problem: {form: {str(port): pace(problem, form, rows, port, mhz) for port in PORTS} for form in FORMS}
        for problem in PROBLEMS}} for rows in ROWS]}
    NOTED.write_text(json.dumps(noted, indent=1) + "\n")


def columns():
    return [(problem, form, port) for problem in PROBLEMS for form in FORMS for port in PORTS]


def table(technology):
    """Of the page: rows on chip, area, pace of each problem, form and port."""
    noted = load()[technology]
    names = {"boxed": "full", "reduced": "reduced"}
    heads = " | ".join(f"`{problem.rsplit('/', 1)[-1]}` {names[form]}, {64 * port} B" for problem, form, port in columns())
    text = (f"{technology} at {noted['mhz']} MHz, where memory brings at most {bound(noted['mhz']):.3f} rows of the full form in a "
            "cycle:\n\n")
    text += f"| rows on chip | memories, mm² | {heads} |\n|--:|--:|{'--:|' * len(columns())}\n"
    for line in noted["sizes"]:
        paces = " | ".join(f"{line['pace'][problem][form][str(port)]:.3f}" for problem, form, port in columns())
        text += f"| {line['rows']:,} | {line['memory_area_um2'] / 1e6:.1f} | {paces} |\n"
    return text
