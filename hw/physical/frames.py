# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Frames of eight problems at the clocks of the engines that were measured."""
import json

import figures
import waves
from block import ROOT
from technology import LIBRARIES

NOTED = ROOT / "hw/physical/frames.json"
PROBLEMS = ("ball_f110", "ragdoll_f140", "ragdollcfm_f070", "massratio_f040", "topple_f060", "wall10_f040",
            "large/pile888_f172", "large/wall32_f020")


def technologies():
    """Those of cells in which an engine was measured, with its configuration."""
    configs = {name: figures.engine(name)[0] for name in LIBRARIES}
    return {name: config for name, config in configs.items() if config}


def load():
    return json.loads(NOTED.read_text()) if NOTED.is_file() else {}


def solve(problem, technology, config):
    """Ten sweeps, with everything that goes over the link: rows, clock, cycles of the sweeps and of the frame."""
    found = json.loads(waves.run("solve", ROOT / f"tests/data/{problem}.h5", "--config", f"{config}+{technology}", "--json", "-"))
    return {"rows": found["rows"], "row_updates": found["row_updates"],
            "mhz": found["configuration"]["keys"]["clock_mhz"], "sweep_cycles": found["cycles"],
            "device_cycles": found["frame"]["device_cycles"]}


def record():
    noted = {technology: {problem: solve(problem, technology, config) for problem in PROBLEMS}
             for technology, config in technologies().items()}
    NOTED.write_text(json.dumps(noted, indent=1) + "\n")
