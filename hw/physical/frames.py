# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Frames of eight problems at the clocks of the engines that were measured."""
import json

import figures
import waves
from block import ROOT
from technology import FPGAS, LIBRARIES

NOTED = ROOT / "hw/physical/noted/frames.json"
PROBLEMS = ("ball_f110", "ragdoll_f140", "ragdollcfm_f070", "massratio_f040", "topple_f060", "wall10_f040",
            "large/pile888_f172", "large/wall32_f020")
# Of an FPGA's frames: a 16-bit channel of DDR3-800, which an ECP5 takes.
FPGA_MEMORY = ("dram_bus_bits=16", "dram_mega_transfers=800", "dram_cas_ns=15", "dram_activate_ns=15", "dram_precharge_ns=15",
               "dram_refresh_interval_ns=7800", "dram_refresh_ns=160")
FPGA_PROBLEMS = PROBLEMS[:6]  # an engine that fits an FPGA has impulses and bodies of these alone on chip


def technologies():
    """Those of cells in which an engine was measured, with its configuration."""
    configs = {name: figures.engine(name)[0] for name in LIBRARIES}
    return {name: config for name, config in configs.items() if config}


def engines():
    """{technology: (options of `ppu solve` for the engine that was measured in it, problems)}."""
    found = {name: (["--config", f"{config}+{name}"], PROBLEMS) for name, config in technologies().items()}
    for name in FPGAS:
        keys, measured = figures.largest(name, "engine")
        if measured:
            config, sets = figures.split(keys)
            keys = [word for key in (*sets, *FPGA_MEMORY) for word in ("--set", key)]
            found[name] = (["--config", f"{config}+{name}", *keys], FPGA_PROBLEMS)
    return found


def load():
    return json.loads(NOTED.read_text()) if NOTED.is_file() else {}


def solve(problem, options):
    """Ten sweeps, with everything that goes over the link: rows, clock, cycles of the sweeps and of the frame."""
    found = json.loads(waves.run("solve", ROOT / f"tests/data/{problem}.h5", *options, "--json", "-"))
    return {"rows": found["rows"], "row_updates": found["row_updates"],
            "mhz": found["configuration"]["keys"]["clock_mhz"], "sweep_cycles": found["cycles"],
            "device_cycles": found["frame"]["device_cycles"]}


def record():
    noted = {technology: {problem: solve(problem, options) for problem in problems}
             for technology, (options, problems) in engines().items()}
    NOTED.write_text(json.dumps(noted, indent=1) + "\n")
