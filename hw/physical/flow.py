# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""From SystemVerilog to a slack: Yosys and ABC map a block to a library, OpenSTA finds its longest path."""
import dataclasses
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import buffers
import memory
import processes
import units
from block import ROOT
from netlist import Netlist
from technology import UserError

HERE = pathlib.Path(__file__).resolve().parent
RTL = ROOT / "rtl"
PERIOD_NS = 100
# Units of multiplexers and decoders, and of banks between ports: nothing is gained by looking for other forms of them. Flags
# that are read are not among them, since they lie on the longest path. Nets of thousands of sinks, as ports of many banks have,
# end ABC's `buffer -c` with an assertion; so these are buffered without.
REGULAR = (*units.MEMORIES, "ppu_flags", "ppu_tags", "ppu_velocity_memory")
# From an elaborated module to one of cells.
MAP = ("synth -flatten -top {top} -run begin:fine", "synth -noabc -top {top} -run fine:check",
       "select -assert-none t:$_DLATCH* t:$dlatch*", "opt_clean -purge", "dfflibmap -liberty {liberty}", "opt_clean",
       "tee -o {folder}/abc.log abc -liberty {liberty} -script {folder}/map.abc")
# Paths from register to register; ports stand for registers of the neighbours. Reset is released long before the first
# cycle (docs/inside/device_clocking.md).
TIMING = """{libraries}
read_verilog {netlist}
link_design {module}
{wires}
create_clock -name clk -period {period} [get_ports clk_i]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
{exceptions}
report_checks -path_delay max -format full -digits 4 -group_count {most} -endpoint_count 1
"""
READ_WIRES = "read_spef {wires}"
# Yosys 0.23 reads an array of a packed structure as one word, and says nothing.
ARRAY_OF_STRUCTURES = re.compile(r"^\s*(?:\w+::)?\w+_t\s+\w+\s*\[.*", re.M)
# Registers without a clock, loops of gates, and ends of no path.
CHECK = """puts "Setup"
check_setup -verbose -no_clock -loops -unconstrained_endpoints
"""
# The longest path that ends in a register or a memory of a part.
PART_TIMING = """puts "Part {number}"
report_checks -path_delay max -format full -digits 4 -to [get_cells p{number}_c*]
"""


@dataclasses.dataclass
class Measured:
    """Of a mapped block: square micrometres, nanoseconds, and the longest path in words."""
    block: str
    cells: int
    registers: int
    area_um2: float
    register_area_um2: float
    buffers: int
    paths: list
    macros: int
    memory_area_um2: float
    parts: list

    @property
    def period_ns(self):
        return self.paths[0].period_ns

    @property
    def path(self):
        return self.paths[0].ends

    @property
    def levels(self):
        return self.paths[0].levels

    @property
    def mhz(self):
        return 1000 / self.period_ns

    @property
    def says(self):
        return f"{self.area_um2 / 1e6:.5f} mm²"

    def figures(self):
        """All but the name, rounded to what counts."""
        return {"cells": self.cells, "registers": self.registers, "area_um2": round(self.area_um2, 3),
                "register_area_um2": round(self.register_area_um2, 3), "buffers": self.buffers,
                "period_ns": round(self.period_ns, 4), "levels": self.levels, "macros": self.macros, "proven": True,
                "memory_area_um2": round(self.memory_area_um2, 3), "path": self.path} | (
                    {"parts": [part.figures() for part in self.parts],
                     "paths": [path.figures() for path in self.paths]} if self.parts else {})


@dataclasses.dataclass
class Part:
    """A part of a block: square micrometres, and the longest path that ends in it, if any does."""
    name: str
    area_um2: float
    memory_area_um2: float
    path: object

    def figures(self):
        found = {"part": self.name, "area_um2": round(self.area_um2, 3), "memory_area_um2": round(self.memory_area_um2, 3)}
        if self.path:
            found |= {"period_ns": round(self.path.period_ns, 4), "levels": self.path.levels, "path": self.path.ends}
        return found


def need(tool, package):
    """Raises UserError where a tool is missing."""
    if shutil.which(tool) is None:
        raise UserError(f"{tool} is not installed; install it with: apt-get install {package}")


def run(tool, package, *arguments):
    """What the tool prints; raises UserError with its last words when it fails."""
    need(tool, package)
    with processes.running((tool, *arguments), cwd=RTL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        said, complaint = process.communicate()
    text = said + complaint
    # OpenSTA goes on where wires are of nets that the netlist has not.
    unknown = re.search(r"^Warning: .*not found.*", text, re.M)
    if unknown:
        raise UserError(f"{tool} says: {unknown[0]}")
    if process.returncode != 0 or "Error:" in text:
        raise UserError(f"{tool} ended with {process.returncode}: " + " | ".join(text.strip().split("\n")[-3:]))
    return said


def sources(module):
    """The files of rtl/ that a module needs, in the order of ppu.f. The others stay out: the mapper's results depend on
    everything that was read."""
    texts = {pathlib.Path(name).stem: (name, re.sub("//.*", "", (RTL / name).read_text()))
             for name in (RTL / "ppu.f").read_text().split("\n") if name and name[0] != "/"}
    needed, rest = set(), {module}
    while rest:
        stem = rest.pop()
        needed.add(stem)
        rest |= texts.keys() & set(re.findall(r"\w+", texts[stem][1])) - needed
    return [name for stem, (name, _) in texts.items() if stem in needed]


def refuse_arrays(file, text):
    found = ARRAY_OF_STRUCTURES.search(text)
    if found:
        raise UserError(f"{file}: {found[0].strip()} is an array of structures, which Yosys reads as one of them; "
                        "make it one of vectors")


def yosys(lines, script):
    script.write_text("\n".join(lines) + "\n")
    run("yosys", "yosys", "-q", str(script))


def yosys_mapping(lines, script):
    """Runs Yosys where ABC maps. The last command of its scripts proves that the cells compute what their gates did."""
    log = script.with_name("abc.log")
    log.unlink(missing_ok=True)
    yosys(lines, script)
    refuse_unproven(log.read_text())


def refuse_unproven(log):
    """Raises UserError where ABC says of a mapped module something else than that it is equivalent."""
    said = re.findall(r"^ABC: Networks are (.*?)\.? *(?:Time.*)?$", log, re.M)
    mapped = len(re.findall(r"^ABC: \+ source ", log, re.M))
    wrong = [words for words in said if not words.startswith("equivalent")]
    if wrong or len(said) != mapped:
        raise UserError(f"ABC proves {len(said) - len(wrong)} of {mapped} mapped modules" +
                        (f"; it says: networks are {wrong[0]}" if wrong else ""))


def map_to_cells(block, library, folder):
    """The flat netlist of a block in cells of the library: mapped at once, or unit by unit and joined then."""
    for file in sources(block.module):
        refuse_arrays(file, (RTL / file).read_text())
    files = " ".join(sources(block.module))
    chosen = " ".join(f"-set {name} {value}" for name, value in block.parameters.items())
    source, target = folder / f"{block.name}_rtl.il", folder / f"{block.name}.json"
    elaborate = ["read_verilog -sv -Iprim " + files, f"chparam {chosen} {block.module}",
                 f"hierarchy -check -top {block.module}", f"rename -top {block.module}"]
    join = ["setattr -mod -unset keep_hierarchy *", "flatten", "setundef -zero", "opt_clean -purge",
            f"rename -top {block.module}", "check -assert", f"write_json {target}"]
    script = folder / f"{block.name}.ys"
    if not block.in_units:
        (folder / "map.abc").write_text((HERE / "map.abc").read_text().format(target=library.technology.target_ps))
        yosys_mapping([f"read_liberty -lib -ignore_miss_func {library.file}", *elaborate,
                       *(f"setattr -mod -set keep_hierarchy 1 *{kept}*" for kept in block.kept),
                       *(line.format(top=block.module, liberty=library.file, folder=folder) for line in MAP), *join], script)
        return Netlist(target, block.module, library, block.parts)
    yosys([*elaborate, f"write_rtlil {source}"], folder / f"{block.name}_rtl.ys")
    modules = units.read(source)
    mapped = []
    for number, name in enumerate(units.all_units(modules, f"\\{block.module}", block.kept)):
        mapped.append(folder / f"{block.name}_{number}.il")
        mapped[-1].write_text(units.named(mapped_unit(units.text(modules, name, block.kept), modules[name].kind, library,
                                                      folder), name))
    yosys([*(f"read_liberty -lib -ignore_miss_func {file}" for file in library.files()),
           *(f"read_rtlil {file}" for file in mapped), f"hierarchy -check -top {block.module}", *join], script)
    return Netlist(target, block.module, library, block.parts)


def mapped_unit(source, kind, library, folder):
    """A unit in cells of the library. What was mapped before is taken from the cache."""
    recipe = (HERE / ("map_regular.abc" if kind in REGULAR else "map.abc")).read_text()
    lines = ["read_liberty -lib -ignore_miss_func {liberty}", "read_rtlil {folder}/unit.il",
             *(line.replace("{top}", "unit") for line in MAP), "write_rtlil {folder}/unit_mapped.il"]
    given = {"unit.il": source, "map.abc": recipe.format(target=library.technology.target_ps)}
    if kind in units.MEMORIES and not library.in_registers:
        if not library.macros:
            raise UserError("it has memories, expected --memories FILE...: Liberty files of macros")
        lines[3:3] = ["memory_libmap -lib {folder}/memories.txt", "techmap -map {folder}/memories.v", "read_macros"]
        given |= {"memories.txt": memory.rules(library.macros, library.technology.register_bit),
                  "memories.v": memory.modules(library.macros)}
    cached = units.folder() / units.key(*lines, *given.values(), library.file.read_text(), run("yosys", "yosys", "-V"))
    if not cached.is_file():
        began, worked = time.time(), os.times()
        for file, text in given.items():
            (folder / file).write_text(text)
        macros = [f"read_liberty -lib -ignore_miss_func {file}" for file in library.files()[1:]]
        yosys_mapping([other for line in lines for other in (macros if line == "read_macros" else
                                                             [line.format(liberty=library.file, folder=folder)])],
                      folder / "unit.ys")
        units.put(cached, (folder / "unit_mapped.il").read_text())
        took = sum(os.times()[2:4]) - sum(worked[2:4])
        if took >= 10:
            print(f"{kind}: {time.time() - began:.0f} s, of which a processor worked {took:.0f} s", file=sys.stderr, flush=True)
    return cached.read_text()


@dataclasses.dataclass
class Path:
    """A path between registers: nanoseconds, what its ends are called in the RTL, cells and names on the way."""
    period_ns: float
    start: str
    end: str
    levels: int
    through: list
    parts: list  # the parts of the block that it goes through, in their order

    def figures(self):
        return {"period_ns": round(self.period_ns, 4), "levels": self.levels, "path": self.ends, "parts": self.parts}

    @property
    def ends(self):
        return f"{self.start} -> {self.end}"


def paths(netlist, folder, most=1, wires=None):
    """The longest paths, one for each pair of registers; bits of a register count as one, as do its copies by pipe. Behind
    them, for each part, the longest one that ends in it, or None. `wires`: a SPEF file, with the names of the netlist."""
    technology = netlist.library.technology
    verilog, script = folder / f"{netlist.module}.v", folder / f"{netlist.module}.tcl"
    netlist.write_verilog(verilog)
    period = PERIOD_NS * technology.nanosecond
    exceptions = "set_false_path -from [get_ports rst_ni]" if "rst_ni" in netlist.ports else ""
    libraries = "\n".join(f"read_liberty {file}" for file in netlist.library.files())
    ends_there = {netlist.part(name) for name, (kind, _) in netlist.cells.items()
                  if netlist.library.cell(kind).is_register or kind in netlist.library.macros}
    script.write_text(TIMING.format(libraries=libraries, netlist=verilog, module=netlist.module, period=period,
                                    wires=READ_WIRES.format(wires=wires) if wires else "", exceptions=exceptions,
                                    most=1 if most == 1 else 400 * most) +
                      "".join(PART_TIMING.format(number=number) for number in range(len(netlist.parts))
                              if number in ends_there) + CHECK)
    report, setup = run("sta", "opensta", "-no_splash", "-exit", str(script)).split("Setup\n")
    refuse_unchecked(netlist, list(netlist.cells), setup)
    sections = re.split(r"^Part (\d+)$", report, flags=re.M)
    cells = list(netlist.cells)
    found = read_paths(netlist, cells, sections[0], period)
    if not found:
        raise UserError(f"sta found no path in {netlist.module}: " + " | ".join(report.strip().split("\n")[-3:]))
    by_part = {int(number): next(iter(read_paths(netlist, cells, text, period)), None)
               for number, text in zip(sections[1::2], sections[2::2])}
    return found[:most], [by_part.get(number) for number in range(len(netlist.parts))]


def refuse_unchecked(netlist, cells, setup):
    """Raises UserError where OpenSTA found a register without a clock, a loop of gates, or an end of no path that is not
    always 0 or always 1."""
    for warning in setup.split("Warning: ")[1:]:
        first, *ends = warning.strip().split("\n")
        if "unconstrained endpoint" not in first:
            raise UserError(f"{netlist.module}: sta says: {first} {', '.join(end.strip() for end in ends[:3])}")
        for end in map(str.strip, ends):
            pin = re.fullmatch(r"p\d+_c(\d+)/(\S+)", end)
            port = re.fullmatch(r"(.*?)(?:__(\d+))?", end)
            net = (netlist.cells[cells[int(pin[1])]][1].get(pin[2]) if pin else
                   netlist.ports[port[1]][1][int(port[2] or 0)])
            if netlist.constant(net) is None:
                raise UserError(f"{netlist.module}: no path is checked to {name(netlist, cells, end.split('/')[0], True)}")


def read_paths(netlist, cells, report, period):
    """The paths of a report, the longest first."""
    found = {}
    for text in report.split("Startpoint: ")[1:]:
        slack = re.search(r"(-?[\d.]+)\s+slack", text)
        ends = [name(netlist, cells, end, last) for end, last in
                ((text.split()[0], False), (re.search(r"Endpoint: (\S+)", text)[1], True))]
        way = re.findall(r"[\^v] p(\d+)_c(\d+)/(\w+)", text.split("data arrival")[0])
        pair = tuple(re.sub(r"\[\d+\]", "", end) for end in ends)
        if slack and pair not in found:
            nets = (netlist.names.get(netlist.cells[cells[int(number)]][1].get(pin), "$") for _, number, pin in way)
            parts = [name for name, _ in itertools.groupby(
                netlist.parts[int(part)][0] for part, _, _ in way if netlist.parts and netlist.parts[int(part)][0] != "buffers")]
            found[pair] = Path((period - float(slack[1])) / netlist.library.technology.nanosecond, *ends, len(way) - 1,
                               [net for net in nets if "$" not in net], parts)
    return list(found.values())


def plain(name):
    """Without what Yosys puts between the names of instances."""
    return re.sub(r"\$abc\$\d+|\$flatten|\\", "", name)


def name(netlist, cells, end, last):
    """A register, a memory or a port as the RTL calls it."""
    found = re.fullmatch(r"p\d+_c(\d+)", end)
    if found:
        cell = cells[int(found[1])]
        if netlist.cells[cell][0] in netlist.library.macros:
            return re.sub(r"\.gen_plain|\.u_ram|\.gen_part\[\d+\]|\.\w+_q(\.\d+)*\.macro$", "", plain(cell)) + (
                " (in)" if last else " (out)")
        return plain(netlist.name_of_register(cell))
    return re.sub(r"__(\d+)$", r"[\1]", end)


def measure(block, library, folder, most=1):
    netlist = map_to_cells(block, library, folder)
    added = buffers.add(netlist)
    area, register_area, memory_area = netlist.area()
    longest, ends = paths(netlist, folder, most)
    parts = [Part(part, *netlist.area(number)[::2], ends[number]) for number, (part, _) in enumerate(netlist.parts)]
    return Measured(block.name, len(netlist.cells), netlist.registers(), area, register_area,
                    added, longest, netlist.memories(), memory_area, parts)
