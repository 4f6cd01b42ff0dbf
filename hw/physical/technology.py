# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The cell libraries and FPGAs that the flow knows: where they are, their units, and what the tools must be told of them."""
import dataclasses
import fnmatch
import functools
import pathlib
import re

import liberty
import memory


class UserError(Exception):
    """What the user asked for cannot be done; the text says why."""


@dataclasses.dataclass(frozen=True)
class Technology:
    name: str
    says: str
    files: tuple  # where Debian's package puts the library; none: the user names the files
    left_out: tuple  # patterns of cells that the mapper shall not take
    nanosecond: float  # in the library's unit, as the next two
    picofarad: float
    square_micrometre: float
    target_ps: int  # what the mapper aims at: less than can be reached
    buffer: tuple  # its cell, input and output
    most_load: float  # what a buffer shall drive at most, wires and all, in picofarads
    register_bit: float  # area of a register with its multiplexer, in the library's unit
    # Where no macros are named: from clock to output of a memory macro of up to 1,024 words, and how long before the
    # clock its inputs must be there, in nanoseconds. None: the user must name macros.
    memory_access_ns: float = None
    memory_setup_ns: float = 0.0
    macros: str = None  # a pattern of its macros' names; None: it has none


LIBRARIES = {technology.name: technology for technology in (
    Technology("osu018", "180 nm, OSU cells, 1.8 V, 25 C, typical (Debian: qflow-tech-osu018)",
               ("/usr/share/qflow/tech/osu018/osu018_stdcells.lib",), ("TBUF*", "CLKBUF*", "LATCH"),
               1, 1, 1, 200, ("BUFX4", "A", "Y"), 0.30, 160, 2.5, 0.2),
    Technology("ihp130", "130 nm, IHP SG13G2, 1.2 V, 25 C, typical", (),
               ("*_dfrbp_*", "*_lgcp*", "*_slgcp*", "*_dlygate*", "*_antenna*", "*_decap*", "*_fill*", "*_sighold",
                "*_ebufn*", "*_einvn*", "*_dlh*", "*_dll*", "*_dlat*"),
               1, 1, 1, 200, ("sg13g2_buf_4", "A", "X"), 0.15, 60, macros="RM_IHPSG13_*"),
    Technology("asap7", "7 nm, ASAP7 RVT (predictive), 0.7 V, 25 C, typical", (),
               ("*x1p*", "*xp*", "SDF*", "ICG*", "DLL*", "DHL*", "DLH*"),
               1000, 1000, 1, 40, ("BUFx4_ASAP7_75t_R", "A", "Y"), 0.011, 0.4, 0.4, 0.04),
)}


@dataclasses.dataclass(frozen=True)
class Fpga:
    name: str
    process: str
    parts: dict  # by speed grade, the fastest first: which part it is, and nextpnr's option for it
    synthesis: str  # Yosys' command
    options: tuple  # of nextpnr, for all parts
    placement: tuple  # of nextpnr where it places
    tiles: frozenset  # (x, y) of those of logic
    target_mhz: int  # what the placer aims at
    chosen: int | None = None  # speed grade

    @property
    def grade(self):
        return self.chosen or next(iter(self.parts))

    @property
    def says(self):
        return f"{self.process}, {self.part}, speed grade {self.grade}"

    @property
    def part(self):
        return self.parts[self.grade][0]

    @property
    def part_options(self):
        """What tells nextpnr the part."""
        return (self.parts[self.grade][1], "--speed", str(self.grade), *self.options)

    @property
    def slowest(self):
        """The FPGA in its slowest speed grade; the fabric is the same."""
        return self.of_grade(min(self.parts))

    def of_grade(self, grade):
        """The FPGA in a speed grade; None is the fastest."""
        if grade is not None and grade not in self.parts:
            raise UserError(f"--grade {grade}: {self.name} has {', '.join(map(str, sorted(self.parts)))}")
        return dataclasses.replace(self, chosen=grade)


FPGAS = {fpga.name: fpga for fpga in (
    Fpga("ecp5", "40 nm FPGA",
         {8: ("Lattice LFE5UM5G-85F", "--um5g-85k")} | {grade: ("Lattice LFE5U-85F", "--85k") for grade in (7, 6)},
         "synth_ecp5 -nowidelut -abc9",
         ("--package", "CABGA381", "--lpf-allow-unconstrained"), ("--placer", "static"),
         frozenset((x, y) for x in range(2, 125) for y in range(2, 94) if y % 12 != 10), 100),
)}
TECHNOLOGIES = LIBRARIES | FPGAS


@dataclasses.dataclass(eq=False)
class Library:
    """A technology with its cells, in one file."""
    technology: Technology
    file: pathlib.Path
    cells: dict
    macros: dict = dataclasses.field(default_factory=dict)  # memories, by name
    wire_load: float = 0.0  # what a sink adds to the load of a net for its wire, in the library's unit
    in_registers: bool = False  # memories become registers, and no macros

    def cell(self, kind):
        """The cell of that name, be it a memory."""
        return self.macros[kind].cell if kind in self.macros else self.cells[kind]

    @functools.cache
    def variants(self, kind):
        """The cells that do what the cell does, from the same pins; none of a memory."""
        cell = self.cell(kind)
        if not cell.functions:
            return []
        return [name for name, other in self.cells.items()
                if (other.functions, other.state, other.outputs, other.capacitance.keys()) ==
                (cell.functions, cell.state, cell.outputs, cell.capacitance.keys()) and other.resistance]

    def files(self):
        return [self.file, *sorted({macro.file for macro in self.macros.values()})]


def refuse_others(technology, macros):
    """Raises UserError for macros that are not of the technology."""
    if macros and technology.macros is None:
        raise UserError(f"--memories: {technology.name} has no memory macros; expected none")
    for name, macro in macros.items():
        if not fnmatch.fnmatchcase(name, technology.macros):
            raise UserError(f"--memories {macro.file}: {name} is no macro of {technology.name}; "
                            f"expected names as {technology.macros}")


def load(name, files, macros, folder, in_registers=False):
    """The library of a technology from its own files, or from those of the user, with the memories of the files
    `macros`; made in `folder`. `in_registers`: memories become registers."""
    technology = LIBRARIES[name]
    files = [pathlib.Path(file) for file in files or technology.files]
    if not files:
        raise UserError(f"--tech {name}: its cells are not part of Debian, expected --liberty FILE...")
    for file in files:
        if not file.is_file():
            raise UserError(f"{file}: no such cell library" +
                            ("" if name != "osu018" else "; install it with: apt-get install qflow-tech-osu018"))
    merged = pathlib.Path(folder, f"{name}.lib")
    try:
        liberty.merge(files, technology.left_out, merged)
        cells = liberty.cells(merged)
    except (ValueError, OSError, AttributeError) as error:
        raise UserError(f"{files[0]}: not a library in the Liberty format ({error})") from error
    if technology.buffer[0] not in cells:
        raise UserError(f"{files[0]}: has no cell {technology.buffer[0]}, as {name} has; expected {technology.says}")
    for file in macros:
        if not pathlib.Path(file).is_file():
            raise UserError(f"{file}: no such memory library")
        if re.search(r"\s", str(pathlib.Path(file).absolute())):
            raise UserError(f"--memories {file}: tools read no path with white space; expected one without")
    try:
        found = memory.read(macros)
        refuse_others(technology, found)
        if not found and not in_registers and technology.memory_access_ns is not None:
            found = memory.stand_ins(technology, folder)
    except (ValueError, OSError, AttributeError, TypeError) as error:
        raise UserError(f"{macros[0]}: not a library of memory macros ({error})") from error
    return Library(technology, merged, cells, found, liberty.wire_load(merged), in_registers)
