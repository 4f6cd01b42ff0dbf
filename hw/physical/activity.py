# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""How often the nets of a mapped netlist change, from the ports of its RTL cycle by cycle. Many windows of the record are
simulated at once: a bit of a Python integer each. Nets settle without time, so that glitches do not count."""
import collections
import re

import gates
import liberty


def functions(cell):
    """The functions of a cell's outputs, and of a register its state and next state, as Python expressions of pins."""
    register = cell.state and (re.findall(r"\w+", cell.state)[:2], python(liberty.attribute(cell.state, "next_state", "")))
    return {pin: python(function) for pin, function in cell.functions.items()}, register


def python(function):
    return gates.verilog(function).replace("1'b0", "0").replace("1'b1", "~0")


def substituted(expression, values):
    return re.sub(r"[A-Za-z_]\w*", lambda name: values[name[0]], expression)


class Simulation:
    """Compiles the netlist to Python: list `n` has the nets."""

    def __init__(self, netlist):
        self.netlist = netlist
        of = {kind: functions(netlist.library.cell(kind)) for kind in {kind for kind, _ in netlist.cells.values()}}
        drivers, waiting, users = {}, {}, collections.defaultdict(list)
        first, clocked, logic = [], [], []
        for kind, pins in netlist.cells.values():
            outputs, register = of[kind]
            text = {pin: f"n[{net}]" if isinstance(net, int) else ("M" if net == "1" else "0") for pin, net in pins.items()}
            if register:
                (state, inverse), next_state = register
                place = pins[next(pin for pin in outputs if pin in pins)]
                clocked.append((place, f"({substituted(next_state, text)}) & M"))
                shown = {state: f"s[{place}]", inverse: f"~s[{place}]"}
                first += [f"n[{pins[pin]}] = ({substituted(function, shown | text)}) & M"
                          for pin, function in outputs.items() if pin in pins]
                continue
            needs = {net for pin, net in pins.items() if pin not in outputs and isinstance(net, int)}
            for pin, function in outputs.items():
                if pin in pins:
                    number = len(logic)
                    logic.append(f"n[{pins[pin]}] = ({substituted(function, text)}) & M")
                    drivers[pins[pin]] = number
                    waiting[number] = needs
        counts = {}
        for number, needs in waiting.items():
            behind = [net for net in needs if net in drivers]
            counts[number] = len(behind)
            for net in behind:
                users[drivers[net]].append(number)
        ready, order = [number for number, count in counts.items() if not count], []
        while ready:
            number = ready.pop()
            order.append(number)
            for user in users[number]:
                counts[user] -= 1
                if not counts[user]:
                    ready.append(user)
        if len(order) != len(logic):
            raise ValueError("the netlist has a loop")
        self.first, self.logic = compiled(first), compiled([logic[number] for number in order])
        self.clock = compiled([f"t[{place}] = {text}" for place, text in clocked])
        self.places = [place for place, _ in clocked]

    def run(self, names, cycles, windows, warm, measured, compared):
        """Toggles of each net, cycles they were counted in, the numbers of cycles with a difference in the outputs
        `compared`, and rows that entered."""
        distance = (len(cycles) - warm - measured) // windows
        if distance < 1:
            raise ValueError(f"{len(cycles)} cycles are too few for {windows} windows")
        mask, size = (1 << windows) - 1, self.netlist.next_net
        n, s = [0] * size, [0] * size
        before, toggles, differ, rows = [0] * size, [0] * size, 0, 0
        ports = self.netlist.ports
        inputs = [(at, ports[name][1][::-1]) for at, name in enumerate(names) if name in ports and ports[name][0] == "input"]
        outputs = [(at, ports[name][1][::-1]) for at, name in enumerate(names) if name in compared]
        valid = names.index("in_valid_i")
        for step in range(warm + measured):
            lanes = [cycles[window * distance + step] for window in range(windows)]
            for at, bits in inputs:
                for bit, values in zip(bits, zip(*(lane[at] for lane in lanes))):
                    if isinstance(bit, int):
                        n[bit] = int("".join(values), 2)
            for code in (self.first, self.logic):
                for part in code:
                    exec(part, {"n": n, "s": s, "M": mask})
            if step >= warm:
                wrong = 0
                for at, bits in outputs:
                    for bit, values in zip(bits, zip(*(lane[at] for lane in lanes))):
                        wrong |= int("".join(values), 2) ^ (n[bit] if isinstance(bit, int) else mask * int(bit == "1"))
                differ += wrong.bit_count()
                rows += sum(lane[valid] == "1" for lane in lanes)
                for net, (value, last) in enumerate(zip(n, before)):
                    if value != last:
                        toggles[net] += (value ^ last).bit_count()
            before = list(n)
            t = dict.fromkeys(self.places, 0)
            for part in self.clock:
                exec(part, {"n": n, "s": s, "t": t, "M": mask})
            for place, value in t.items():
                s[place] = value
        return toggles, windows * measured, differ, rows


def compiled(lines):
    """In pieces: Python's compiler does not like long texts."""
    return [compile("\n".join(lines[at:at + 2000]), "netlist", "exec") for at in range(0, len(lines), 2000)]
