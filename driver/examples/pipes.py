# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""How many row updates a cycle an engine makes with 1 to 16 pipes: a table, and with --picture FILE a
plot (needs matplotlib). Cell by cell, for a notebook or an editor that runs the parts between `# %%`.
From the root of the repository:

    PYTHONPATH=build/release/python python3 driver/examples/pipes.py [PROBLEM] [--picture FILE.svg]
"""
# %% What to solve
import argparse
import pathlib
import sys

import ppu

parser = argparse.ArgumentParser(description="Row updates per cycle against pipes")
parser.add_argument("problem", nargs="?", default="tests/data/large/pile888_f172.h5")
parser.add_argument("--picture", metavar="FILE", help="plot into this SVG file")
arguments = parser.parse_args([] if hasattr(sys, "ps1") else None)  # A notebook has none.
problem = ppu.read_problem(arguments.problem)
print(f"{arguments.problem}: {len(problem.body):,} rows, {len(problem.velocity_change):,} bodies")

# %% Solve it on devices with more and more pipes, eight banks of velocity memory for each, all rows on chip
SWEEPS = 10
PIPES = (1, 2, 4, 8, 16)
BANKS_PER_PIPE, MOST_BANKS = 8, 64
ISSUE = {"by dataflow": "dataflow=1", "in slot order": "dataflow=0"}
rates = {issue: [] for issue in ISSUE}
hashes = set()
print("pipes  by dataflow  in slot order   (row updates per cycle)")
for pipes in PIPES:
    banks = min(BANKS_PER_PIPE * pipes, MOST_BANKS)
    for issue, key in ISSUE.items():
        overrides = [f"pipes={pipes}", f"velocity_banks={banks}", key]
        with ppu.open("systemc", "default+resident", overrides) as device:
            solution = device.solve(problem, sweeps=SWEEPS, order="engine")
        rates[issue].append(solution.counters["row_updates"] / solution.counters["cycles"])
        hashes.add(solution.state_hash)
    print(f"{pipes:5}  {rates['by dataflow'][-1]:11.3f}  {rates['in slot order'][-1]:13.3f}")

# %% The answer has the same bits with any number of pipes, issued either way
assert len(hashes) == 1, hashes
print(f"state hash of all: {hashes.pop():#018x}")

# %% Plot it
if arguments.picture:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "ppu"  # The same picture has the same bytes.
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.6), layout="constrained")
    axes.plot(PIPES, PIPES, "--", color="0.7", label="one row per pipe and cycle")
    axes.plot(PIPES, rates["by dataflow"], "o-", label="rows issue when their bodies come free")
    axes.plot(PIPES, rates["in slot order"], "s-", label="rows issue in the order of the file")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(PIPES, PIPES)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("row pipes")
    axes.set_ylabel("row updates per cycle")
    axes.set_title(pathlib.Path(arguments.problem).stem)
    axes.legend()
    figure.savefig(arguments.picture, format="svg", metadata={"Date": None})
    print(f"picture: {arguments.picture}")
