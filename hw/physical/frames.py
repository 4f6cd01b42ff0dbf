# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Frames of eight problems at the clocks of the engines that were measured."""
import json

import clocks
import waves
from block import ROOT
from technology import TECHNOLOGIES

NOTED = ROOT / "hw/physical/frames.json"
PROBLEMS = ("ball_f110", "ragdoll_f140", "ragdollcfm_f070", "massratio_f040", "topple_f060", "wall10_f040",
            "large/pile888_f172", "large/wall32_f020")


def technologies():
    """Those in which an engine of `default` was measured, with its clock."""
    return {name: mhz for name in TECHNOLOGIES for engine, _, mhz in clocks.engines(name) if engine == "default"}


def load():
    return json.loads(NOTED.read_text()) if NOTED.is_file() else {}


def solve(problem, technology):
    """Ten sweeps, with everything that goes over the link: rows, clock, cycles of the sweeps and of the frame."""
    found = json.loads(waves.run("solve", ROOT / f"tests/data/{problem}.h5", "--config", f"default+{technology}", "--json", "-"))
    return {"rows": found["rows"], "row_updates": found["row_updates"],
            "mhz": found["configuration"]["keys"]["clock_mhz"], "sweep_cycles": found["cycles"],
            "device_cycles": found["frame"]["device_cycles"]}


def record():
    noted = {technology: {problem: solve(problem, technology) for problem in PROBLEMS} for technology in technologies()}
    NOTED.write_text(json.dumps(noted, indent=1) + "\n")
