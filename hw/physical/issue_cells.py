# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The cells of dataflow issue for several numbers of pipes, as a table: each module flattened by Yosys and taken apart
into cells of one bit, without its memories. Configuration `default`, with eight banks of velocity memory for each pipe.

example: python3 hw/physical/issue_cells.py --bodies 256
"""
import argparse
import re
import tempfile

import block
import flow

PIPES = (1, 2, 4, 8, 16)
MOST_BANKS = 64
STEPS = ("proc; opt_expr; opt_clean; memory -nomap; flatten; opt -fast; techmap; opt -fast; "
         "tee -q -o {count} stat")


def modules(pipes, bodies):
    """Name, parameters and number of the modules of ppu_dataflow, and of the one that keeps its faults."""
    banks = min(8 * pipes, MOST_BANKS)
    parts = block.blocks(block.values_of("default", [f"pipes={pipes}", f"velocity_banks={banks}", f"body_memory_bodies={bodies}"]))
    return (("ppu_row_station", parts["station"].parameters, pipes),
            ("ppu_token_network", {"Pipes": pipes}, 2),
            ("ppu_row_select", {"Pipes": pipes, "VelocityBanks": banks}, 1),
            ("ppu_row_linker", parts["linker"].parameters, 1),
            ("ppu_flow_passes", {"Pipes": pipes}, 1),
            ("ppu_row_feed", {"Pipes": pipes}, 1),
            ("ppu_flow_fault", {"Pipes": pipes}, 1))


def cells(module, parameters):
    """How many cells of one bit a module has; memories do not count."""
    chosen = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    with tempfile.NamedTemporaryFile("r") as count:
        flow.run("yosys", "yosys", "-q", "-p",
                 f"read_verilog -sv -Iprim {' '.join(flow.sources(module))}; chparam {chosen} {module}; "
                 f"hierarchy -check -top {module}; {STEPS.format(count=count.name)}")
        text = count.read()
    whole = int(re.findall(r"Number of cells: +(\d+)", text)[-1])
    return whole - int((re.findall(r"\$mem_v2 +(\d+)", text) or [0])[-1])


def row(pipes, bodies):
    counts = {module: number * cells(module, parameters) for module, parameters, number in modules(pipes, bodies)}
    station, network, choice, linker, *others = counts.values()
    whole = sum(counts.values())
    columns = (pipes, station, network, choice, linker, sum(others), whole, round(whole / pipes))
    return "| " + " | ".join(f"{value:,}" for value in columns) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipes", nargs="*", type=int, default=PIPES, metavar="PIPES",
                        help="1, 2, 4, 8 and 16, unless others are named")
    parser.add_argument("--bodies", type=int, default=4096, help="of the body memory, 4,096 unless it is named")
    arguments = parser.parse_args()
    print("| pipes | stations | networks | choice | linker | passes, feed, faults | all | for each pipe |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    for pipes in arguments.pipes:
        print(row(pipes, arguments.bodies), flush=True)


if __name__ == "__main__":
    main()
