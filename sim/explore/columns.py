# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The columns of a study: numbers of a point, from what the store keeps of it."""
import json
import os

HERE = os.path.dirname(os.path.realpath(__file__))
# Installed beside this file, in the source tree where ./ppu physical records them.
FOLDERS = [os.path.join(HERE, "figures"), os.path.join(HERE, "../../hw/physical/figures")]
# The row pipe was measured with these; fp_mul_stages and fp_add_stages vary.
SHAPE = {"fp_mul_stages": 3, "fp_add_stages": 3, "fp_div_stages": 14, "lanes": 12}
STALLS = ("issue", "lanes", "body hazard", "parent hazard", "row fetch", "bank", "filter", "drain",
          "control")
BEAT_BYTES = 64


def technologies():
    for folder in FOLDERS:
        if os.path.isdir(folder):
            return sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".json"))
    return []


_figures = {}


def figures(technology):
    if technology not in _figures:
        for folder in FOLDERS:
            path = os.path.join(folder, technology + ".json")
            if os.path.isfile(path):
                with open(path) as file:
                    _figures[technology] = json.load(file)
                break
    return _figures[technology]


def row_pipe(technology, keys):
    """Figures of the row pipe of this shape; None where it was not measured."""
    shape = {key: keys.get(key, value) for key, value in SHAPE.items()}
    if any(shape[key] != SHAPE[key] for key in ("fp_div_stages", "lanes")):
        return None
    return figures(technology).get(f"row-pipe fp_mul_stages={shape['fp_mul_stages']} "
                                   f"fp_add_stages={shape['fp_add_stages']}")


def shapes(technology):
    return [name.split(" ", 1)[1] for name in figures(technology) if name.startswith("row-pipe ")]


def frame_us(point, _):
    cycles = point["result"]["frame"].get("device_cycles")
    return cycles / point["config"]["clock_mhz"] if cycles else None


def pipe_area(point, technology):
    pipe = row_pipe(technology, point["config"])
    count = point["config"]["engines"] * point["config"]["pipes"]
    return count * pipe["area_um2"] / 1e6 if pipe and "area_um2" in pipe else None


def pipe_clock(point, technology):
    pipe = row_pipe(technology, point["config"])
    return 1000 / pipe["period_ns"] if pipe else None


def of_result(name):
    return lambda point, _: point["result"].get(name)


def of_device(name, factor=1):
    return lambda point, _: factor * point["result"]["device_counters"][name]


def stall_share(name):
    def share(point, _):
        stalls = point["result"]["stalls"]
        total = sum(stalls.values())
        return stalls[name] / total if total else None
    return share


# name: (unit, what it is, function of a point and a technology)
COLUMNS = {
    "rows": ("1", "Rows of the problem", of_result("rows")),
    "bodies": ("1", "Bodies of the problem", of_result("bodies")),
    "sweeps": ("1", "Sweeps that were done", of_result("sweeps")),
    "row_updates": ("1", "Rows that went through a pipe", of_result("row_updates")),
    "cycles": ("cycles", "Of the sweeps", of_result("cycles")),
    "device_cycles": ("cycles", "From the first command to the last answer",
                      lambda point, _: point["result"]["frame"].get("device_cycles")),
    "us_per_frame": ("µs", "The same at the clock of the configuration", frame_us),
    "rows_per_cycle": ("1/cycle", "Row updates per cycle of the sweeps", of_result("rows_per_cycle")),
    "bytes_per_row": ("B", "On-chip bytes per row update", of_result("bytes_per_row")),
    "link_bytes_in": ("B", "Over the host link to the device", of_device("bytes_in")),
    "link_bytes_out": ("B", "Over the host link from the device", of_device("bytes_out")),
    "memory_bytes": ("B", "To and from device memory", of_device("memory_beats", BEAT_BYTES)),
    "max_residual": ("m/s", "Largest residual of a row at the end, of a budget at its deadline",
                     of_result("max_residual")),
    "late": ("0/1", "1: the budget cut the run", lambda point, _: int(point["result"]["late"])),
    "pipe_clock_mhz": ("MHz", "What the row pipe allows in the cells of the study", pipe_clock),
    "pipe_area_mm2": ("mm²", "All row pipes in the cells of the study; no memories", pipe_area),
    "solve_seconds": ("s", "Of the host, to simulate the point", of_result("wall_seconds")),
}
for _stall in STALLS:
    COLUMNS["stall_" + _stall.replace(" ", "_")] = (
        "share", f"Cycles of the sweeps by the reason '{_stall}'", stall_share(_stall))
MORE_IS_BETTER = ("rows_per_cycle", "pipe_clock_mhz")
OF_TECHNOLOGY = ("pipe_clock_mhz", "pipe_area_mm2")
USUAL = ["cycles", "rows_per_cycle", "us_per_frame", "max_residual", "stall_body_hazard",
         "stall_row_fetch", "memory_bytes"]


def value_of(name, point, technology):
    return COLUMNS[name][2](point, technology)
