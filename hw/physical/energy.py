# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Energy of a row update: how often nets of the mapped row pipe change on real rows, times what Liberty states of a change;
and what the memories' macros state of a read and a write."""
import dataclasses
import json
import re

import activity
import block
import buffers
import figures
import flow
import liberty
import waves
from block import ROOT
from technology import UserError

NOTED = ROOT / "hw/physical/noted/energy.json"
PROBLEMS = (("wall10_f040", 10), ("large/pile888_f172", 2))  # with the sweeps of the record
COMPARED = ("out_valid_o", "out_tag_o", "out_control_o", "out_o", "axpy_jm_valid_o", "axpy_jm_o", "axpy_v_valid_o", "axpy_v_o")
WARM = 64      # cycles after which what was in the pipe before has left it, and its divider
WINDOWS, MEASURED = 1280, 8


@dataclasses.dataclass
class Power:
    """Of a cell, in the library's unit of energy, capacitance times square volts."""
    outputs: dict    # pin -> (loads, energy of a change of the pin at each)
    inputs: dict     # pin -> energy of a change
    leakage: float   # in the library's unit of power


def at_load(tables, load):
    """The mean of the tables at a load."""
    found = []
    for loads, energies in tables:
        above = next((number for number, limit in enumerate(loads) if limit >= load), len(loads) - 1)
        below = max(above - 1, 0)
        share = 0 if loads[above] == loads[below] else (load - loads[below]) / (loads[above] - loads[below])
        share = min(max(share, 0), 1)
        found.append(energies[below] + share * (energies[above] - energies[below]))
    return sum(found) / len(found) if found else 0.0


def powers(file, used):
    """Power of the cells `used`. Of supplies that a library tells apart, the first one counts."""
    found = {}
    statements = liberty.statements(liberty.read_text(file))[1]
    known = liberty.templates(statements)
    for statement in statements:
        name = liberty.name_of_cell(statement)
        if name not in used:
            continue
        outputs, inputs = {}, {}
        for pin, body in liberty.groups(statement, "pin"):
            tables = [liberty.by_load(template, edge, known) for _, group in liberty.groups(body, "internal_power")
                      if liberty.attribute(group, "related_pg_pin", "VDD") == "VDD"
                      for kind in ("rise_power", "fall_power") for template, edge in liberty.groups(group, kind)]
            if liberty.attribute(body, "direction", "input") == "output":
                outputs[pin] = tables
            else:
                inputs[pin] = at_load(tables, 0)
        states = [float(liberty.attribute(group, "value", "0")) for _, group in liberty.groups(statement, "leakage_power")
                  if liberty.attribute(group, "related_pg_pin", "VDD") == "VDD"]
        leakage = float(liberty.attribute(statement, "cell_leakage_power", "0")) or sum(states) / max(len(states), 1)
        found[name] = Power(outputs, inputs, leakage)
    return found


def units(file):
    """Volts, joules of the library's unit of energy, watts of its unit of leakage."""
    head = liberty.statements(liberty.read_text(file))[1]
    text = "\n".join(statement for statement in head if not liberty.name_of_cell(statement))
    scale = {"p": 1e-12, "f": 1e-15, "n": 1e-9, "u": 1e-6, "m": 1e-3}
    capacitance = re.search(r"capacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*([a-zA-Z])", text)
    leakage = re.search(r'leakage_power_unit\s*:\s*"?([\d.]+)\s*([a-zA-Z])W', text)
    return (float(liberty.attribute(text, "nom_voltage", "1")), float(capacitance[1]) * scale[capacitance[2].lower()],
            float(leakage[1]) * scale[leakage[2].lower()] if leakage else 1e-9)


def of_cells(netlist, toggles, cycles, period_ns):
    """Joules a cycle by part: nets (loads that are charged), cells (their own), clock pins, leakage."""
    library = netlist.library
    known = powers(library.file, {kind for kind, _ in netlist.cells.values()})
    volts, joules, watts = units(library.file)
    load = {}
    for kind, pins in netlist.cells.values():
        for pin, net in pins.items():
            if pin not in library.cell(kind).outputs and isinstance(net, int):
                load[net] = load.get(net, 0) + library.cell(kind).capacitance[pin] + library.wire_load
    clock, found = netlist.ports["clk_i"][1][0], {}
    for name, (kind, pins) in netlist.cells.items():
        of = found.setdefault(netlist.part(name), [0.0, 0.0, 0.0, 0.0])
        for pin, net in pins.items():
            if not isinstance(net, int):
                continue
            rate = toggles[net] / cycles
            if pin in known[kind].outputs:
                of[0] += rate * load.get(net, 0) * volts ** 2 / 2 * joules
                of[1] += rate * at_load(known[kind].outputs[pin], load.get(net, 0)) * joules
            elif net == clock:
                of[2] += ((library.cell(kind).capacitance[pin] + library.wire_load) * volts ** 2 + 2 * known[kind].inputs.get(pin, 0)) * joules
            else:
                of[1] += rate * known[kind].inputs.get(pin, 0) * joules
        of[3] += known[kind].leakage * watts * period_ns * 1e-9
    return found, clock_tree(library, load.get(clock, 0), volts, joules)


def clock_tree(library, load, volts, joules):
    """Joules a cycle of an estimated clock tree: buffers of the technology, each with as much load as the flow allows."""
    kind, pin_in, pin_out = library.technology.buffer
    buffer = powers(library.file, {kind})[kind]
    capacitance, most = library.cells[kind].capacitance[pin_in] + library.wire_load, library.technology.most_load * library.technology.picofarad
    if 2 * capacitance > most:
        raise UserError(f"the input of a {kind} and its wire are as much load as it may have")
    total = 0.0
    while load > most:
        count = -(-load // most)
        total += count * (capacitance * volts ** 2 + 2 * at_load(buffer.outputs[pin_out], load / count)) * joules
        load = count * capacitance
    return total


def measure(netlist, simulation, folder, problem, sweeps, period_ns):
    """Energy of a row update on a problem: {part: [nets, cells, clock, leakage] in picojoules}, and the clock tree."""
    file = ROOT / f"tests/data/{problem}.h5"
    names, cycles = waves.record(file, sweeps, folder)
    if len(cycles) < WINDOWS + WARM + MEASURED:
        raise UserError(f"{problem}: {len(cycles)} cycles of the row pipe are too few, expected more sweeps")
    toggles, counted, differ, rows = simulation.run(names, cycles, WINDOWS, WARM, MEASURED, COMPARED)
    if differ:
        raise UserError(f"{problem}: the mapped row pipe differs from the RTL in {differ:,} of {counted:,} cycles")
    parts, tree = of_cells(netlist, toggles, counted, period_ns)
    row = counted / rows * 1e12
    text = {netlist.parts[number][0]: [round(value * row, 4) for value in values] for number, values in sorted(parts.items())}
    on_chip = json.loads(waves.run("solve", file, "--sweeps", str(sweeps), "--json", "-"))["bytes_per_row"]
    return {"rows": rows, "cycles": counted, "parts": text, "clock_tree": round(tree * row, 4), "bytes_per_row": round(on_chip, 2),
            "memories": round(8 * on_chip * of_memories(netlist.library), 2)}


def of_memories(library):
    """Picojoules a bit that is read, of the largest macro of two ports; 0 where there are none."""
    macros = [macro for macro in library.macros.values() if macro.ports == 2 and macro.area]
    if not macros:
        return 0.0
    macro = max(macros, key=lambda macro: (macro.bits, macro.width))
    joules = units(macro.file)[1]
    text = liberty.read_text(macro.file)
    clock = dict(liberty.groups(text, "pin"))["B_CLK"]
    known = liberty.templates(liberty.statements(text)[1])
    read = next(group for _, group in liberty.groups(clock, "internal_power")
                if re.sub(r"\s", "", liberty.attribute(group, "when", "")) == "B_MEN&!B_WEN&B_REN")
    return at_load([liberty.by_load(template, edge, known) for kind in ("rise_power", "fall_power")
                    for template, edge in liberty.groups(read, kind)], 0) * 2 * joules * 1e12 / macro.width


def load():
    return json.loads(NOTED.read_text()) if NOTED.is_file() else {}


def record(library, folder):
    """Notes the energy of rows in a technology, at the clock of its engine."""
    waves.need()
    _, engine = figures.engine(library.technology.name)
    if not engine:
        raise UserError(f"{library.technology.name}: its engine was not measured, expected ./ppu physical --record engine before")
    pipe = block.blocks(block.values_of("default", []))["row-pipe"]
    netlist = flow.map_to_cells(dataclasses.replace(pipe, parts=block.PIPE_PARTS), library, folder)
    buffers.add(netlist)
    simulation, noted = activity.Simulation(netlist), load()
    noted[library.technology.name] = {problem: measure(netlist, simulation, folder, problem, sweeps, engine["period_ns"])
                                      for problem, sweeps in PROBLEMS}
    NOTED.write_text(json.dumps(noted, indent=1) + "\n")


def clock_pins(found):
    """Picojoules of a row update in the clock pins of the row pipe."""
    return sum(kinds[2] for kinds in found["parts"].values())


def of_pipe(found):
    """Picojoules of a row update in the row pipe."""
    return sum(map(sum, found["parts"].values())) + found["clock_tree"]


def of_other_registers(found, technology):
    """Picojoules of a row update in the clock pins of an engine's registers outside of the row pipe, and in their part of the
    clock tree: as much for each as in the row pipe."""
    pipe = figures.load(technology)[figures.key(*figures.PIPE)]["registers"]
    return (clock_pins(found) + found["clock_tree"]) * (figures.engine(technology)[1]["registers"] / pipe - 1)


def of_row(found, technology):
    """Picojoules of a row update, as far as they are measured or estimated."""
    return of_pipe(found) + of_other_registers(found, technology) + found["memories"]
