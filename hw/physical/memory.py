# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Memories as macros: those of the user's Liberty files, or a stand-in where a technology has none. Yosys'
`memory_libmap` tiles the memories of the RTL with them."""
import dataclasses
import pathlib
import re

import liberty

# A macro's words and bits are in its name, as IHP's RM_IHPSG13_2P_1024x32_c2_bm_bist.
SIZE = re.compile(r"_([12])P_(\d+)x(\d+)")
SIZES = ((1024, 32), (1024, 16), (512, 32), (512, 16), (256, 32), (256, 16), (64, 32))


@dataclasses.dataclass
class Macro:
    """A memory macro; port A writes and port B reads."""
    name: str
    ports: int
    words: int
    width: int
    area: float      # in the library's unit; 0: unknown
    cell: liberty.Cell
    file: pathlib.Path

    @property
    def bits(self):
        return self.words * self.width


def read(files):
    """The macros of Liberty files, by name."""
    found = {}
    for file in (pathlib.Path(file).absolute() for file in files):  # tools run elsewhere
        for name, cell in liberty.cells(file).items():
            size = SIZE.search(name)
            if not size:
                raise ValueError(f"{name} has no size in its name")
            ports, words, width = map(int, size.groups())
            found[name] = Macro(name, ports, words, width, cell.area, cell, file)
    return found


def stand_ins(technology, folder):
    """Macros for a technology that has none: no area, and an access of the time that the technology states. Address,
    data and enables are taken by registers at the macro's ports."""
    nanosecond, picofarad = technology.nanosecond, technology.picofarad
    cells, types = [], set()
    for words, width in SIZES:
        address = (words - 1).bit_length()
        types |= {address, width}
        pins = []
        for port, ends in (("A", (("WEN", 1), ("ADDR", address), ("DIN", width), ("BM", width))),
                           ("B", (("REN", 1), ("ADDR", address)))):
            pins.append(f"pin ({port}_CLK) {{ direction : input; clock : true; capacitance : {0.01 * picofarad}; }}")
            for end, bits in ends:
                pins.append(pin(f"{port}_{end}", bits, f"direction : input; capacitance : {0.004 * picofarad}; " +
                                constraint(f"{port}_CLK", technology.memory_setup_ns * nanosecond)))
        pins.append(pin("B_DOUT", width, "direction : output; " + delay(
            "B_CLK", technology.memory_access_ns * nanosecond, 0.05 * technology.memory_access_ns * nanosecond)))
        cells.append(f"  cell (STANDIN_2P_{words}x{width}) {{ area : 0;\n    " + "\n    ".join(pins) + "\n  }\n")
    units = {1: '"1ns"', 1000: '"1ps"'}[nanosecond], {1: "1, pf", 1000: "1, ff"}[picofarad]
    text = (f"library (stand_in) {{\n  delay_model : table_lookup; time_unit : {units[0]}; voltage_unit : \"1V\";\n"
            f"  current_unit : \"1mA\"; capacitive_load_unit ({units[1]}); pulling_resistance_unit : \"1kohm\";\n"
            "  leakage_power_unit : \"1nW\"; nom_voltage : 1; nom_temperature : 25; nom_process : 1;\n")
    text += "".join(f"  {side}put_threshold_pct_{edge} : 50;\n" for side in ("in", "out") for edge in ("rise", "fall"))
    text += "".join(f"  slew_{side}_threshold_pct_{edge} : {percent};\n" for side, percent in (("lower", 20), ("upper", 80))
                    for edge in ("rise", "fall"))
    text += "".join(f"  type (b{bits}) {{ base_type : array; data_type : bit; bit_width : {bits}; bit_from : {bits - 1}; "
                    "bit_to : 0; downto : true; }\n" for bits in sorted(types))
    path = pathlib.Path(folder, f"{technology.name}_memories.lib")
    path.write_text(text + "".join(cells) + "}\n")
    return read([path])


def pin(name, bits, body):
    return f"pin ({name}) {{ {body} }}" if bits == 1 else f"bus ({name}) {{ bus_type : b{bits}; {body} }}"


def constraint(clock, setup):
    scalars = "".join(f'{edge}_constraint (scalar) {{ values ("{setup}"); }} ' for edge in ("rise", "fall"))
    return f'timing () {{ related_pin : "{clock}"; timing_type : setup_rising; {scalars}}}'


def delay(clock, access, slew):
    scalars = "".join(f'cell_{edge} (scalar) {{ values ("{access}"); }} {edge}_transition (scalar) '
                      f'{{ values ("{slew}"); }} ' for edge in ("rise", "fall"))
    return f'timing () {{ related_pin : "{clock}"; timing_type : rising_edge; {scalars}}}'


def rules(macros, bit_area):
    """What `memory_libmap` needs to know: one block a macro of two ports. Costs are in bits of registers: smaller
    memories than pay as a macro stay registers."""
    text = ""
    for macro in macros.values():
        if macro.ports != 2:
            continue
        cost = macro.area / bit_area if macro.area else 64 + macro.bits / 8
        masks = "A_BM[0]" in macro.cell.capacitance
        text += (f"ram block \\MEMORY_{macro.name} {{\n  cost {cost:.0f};\n  abits {(macro.words - 1).bit_length()};\n"
                 f"  width {macro.width};\n  init none;\n" + ("  byte 1;\n" if masks else "") +
                 "  port sw \"W\" { clock posedge; " + ("wrbe_separate; " if masks else "") + "wrtrans all old; }\n"
                 "  port sr \"R\" { clock posedge; rden; }\n}\n")
    return text


def modules(macros):
    """Verilog: what the blocks of `rules` are in macros."""
    text = ""
    for macro in macros.values():
        if macro.ports != 2:
            continue
        last, bits = macro.width - 1, (macro.words - 1).bit_length()
        wanted = {"A_CLK": "PORT_W_CLK", "A_MEN": "PORT_W_WR_EN", "A_WEN": "PORT_W_WR_EN", "A_ADDR": "PORT_W_ADDR",
                  "A_DIN": "PORT_W_WR_DATA", "A_BM": "PORT_W_WR_BE", "B_CLK": "PORT_R_CLK", "B_MEN": "PORT_R_RD_EN",
                  "B_REN": "PORT_R_RD_EN", "B_ADDR": "PORT_R_ADDR"}
        inputs = {re.sub(r"\[\d+\]$", "", pin): pin.endswith("]") for pin in macro.cell.capacitance
                  if pin not in macro.cell.outputs}
        pins = [f".{name}({wanted.get(name, {False: chr(49) + chr(39) + 'b0', True: chr(39) + '0'}[bus])})"
                for name, bus in inputs.items()]
        masks = "A_BM" in inputs
        text += (f"module \\MEMORY_{macro.name} (input PORT_W_CLK, PORT_W_WR_EN, " +
                 (f"input [{last}:0] PORT_W_WR_BE, " if masks else "") +
                 f"input [{bits - 1}:0] PORT_W_ADDR, input [{last}:0] PORT_W_WR_DATA,\n"
                 f"  input PORT_R_CLK, PORT_R_RD_EN, input [{bits - 1}:0] PORT_R_ADDR, "
                 f"output [{last}:0] PORT_R_RD_DATA);\n"
                 f"  {macro.name} macro ({', '.join(pins)}, .B_DOUT(PORT_R_RD_DATA));\nendmodule\n")
    return text
