# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Stronger cells and buffers for nets that are heavy for what drives them. The mapper sizes cells unit by unit: it knows
neither what hangs on a net of another unit, nor memories, nor wires."""
import collections
import heapq


def add(netlist, clocks=("clk_i", "rst_ni")):
    """Gives each driver no more to charge than takes as long as the technology's buffer needs for its `most_load`: by a
    stronger cell of the same function, or else by buffers between it and its sinks. From the ends of paths to their
    starts, so that sinks with a long way ahead stay near their driver. The clock and the reset stay as they are: a clock
    tree is not estimated. Returns the number of buffers."""
    return _Netlist(netlist, clocks).add()


class _Netlist:
    def __init__(self, netlist, clocks):
        self.netlist, self.library = netlist, netlist.library
        technology = self.library.technology
        self.kind, self.pin_in, self.pin_out = technology.buffer
        self.most = technology.most_load * technology.picofarad
        self.longest = self.most * self.library.cell(self.kind).resistance[self.pin_out]
        self.wire = self.library.wire_load
        self.ideal = {bit for name in clocks if name in netlist.ports for bit in netlist.ports[name][1]}
        self.drivers, self.sinks, self.count = {}, collections.defaultdict(list), 0
        # How many sinks of a net, and how many nets of a gate, are not settled yet.
        self.open_sinks, self.open_nets = collections.Counter(), collections.Counter()
        # By gate and output: how long it takes from its inputs to the end of the path behind it.
        self.ahead = collections.defaultdict(float)
        for name, (kind, pins) in netlist.cells.items():
            cell = self.library.cell(kind)
            for pin, net in pins.items():
                if not isinstance(net, int):
                    continue
                if pin in cell.outputs:
                    self.drivers[net] = name, pin
                    self.open_nets[name] += 1
                elif net not in self.ideal:
                    self.sinks[net].append((name, pin))
                    self.open_sinks[net] += self.passes(kind)

    def passes(self, kind):
        """Paths go on behind it."""
        return not self.library.cell(kind).is_register and kind not in self.library.macros

    def add(self):
        ready = [net for net in [*self.drivers, *self.sinks] if not self.open_sinks[net]]
        settled = set()
        while ready:
            net = ready.pop()
            if net in settled:
                continue
            settled.add(net)
            name = self.settle(net)
            if name is None:
                continue
            self.open_nets[name] -= 1
            kind, pins = self.netlist.cells[name]
            if self.open_nets[name] or not self.passes(kind):
                continue
            for pin, other in pins.items():
                if pin not in self.library.cell(kind).outputs and isinstance(other, int) and other not in self.ideal:
                    self.open_sinks[other] -= 1
                    if not self.open_sinks[other]:
                        ready.append(other)
        return self.count

    def settle(self, net):
        """Gives the net its driver and buffers; returns the cell that drives it, or None."""
        sinks = [(self.ahead[name], self.weight(name, pin), name, pin) for name, pin in self.sinks[net]]
        name, pin = self.drivers.get(net, (None, None))
        load = sum(sink[1] for sink in sinks)
        resistance = self.strong_enough(name, pin, load)
        limit = self.longest / resistance if resistance else self.most
        if load > limit:
            sinks = self.put_buffers(net, sinks, limit)
            load = sum(sink[1] for sink in sinks)
        if name is not None:
            delay = self.library.cell(self.netlist.cells[name][0]).delay.get(pin, 0.0)
            last = max((sink[0] for sink in sinks), default=0.0)
            if self.passes(self.netlist.cells[name][0]):
                self.ahead[name] = max(self.ahead[name], delay + resistance * load + last)
        return name

    def weight(self, name, pin):
        return self.library.cell(self.netlist.cells[name][0]).capacitance[pin] + self.wire

    def strong_enough(self, name, pin, load):
        """Exchanges the cell for the smallest one of its function that drives the load in time, or for the strongest one; a
        register, whose inputs weigh the same, for the fastest one. Returns its resistance: 0 of what has none, as ports."""
        if name is None:
            return 0.0
        kind, pins = self.netlist.cells[name]
        cells = {other: self.library.cells[other] for other in self.library.variants(kind)}

        def late(other):
            return load * cells[other].resistance[pin] > self.longest

        if kind in cells and cells[kind].is_register:
            kind = min(cells, key=lambda other: cells[other].delay[pin] + load * cells[other].resistance[pin])
        elif kind in cells and late(kind):
            kind = min(cells, key=lambda other: (late(other), cells[other].resistance[pin] if late(other) else cells[other].area))
        self.netlist.cells[name] = kind, pins
        return self.library.cell(kind).resistance.get(pin, 0.0)

    def put_buffers(self, net, sinks, limit):
        """Buffers between the net and its sinks, those with the shortest way ahead behind the most of them, until the load
        is below the limit or no buffer makes it less. Returns what the net drives then."""
        heapq.heapify(sinks)
        load = sum(sink[1] for sink in sinks)
        buffer = self.library.cell(self.kind)
        own = buffer.capacitance[self.pin_in] + self.wire
        while load > limit:
            group, weight = [], 0.0
            while sinks and load - weight + own > limit and (not group or weight + sinks[0][1] <= self.most):
                group.append(heapq.heappop(sinks))
                weight += group[-1][1]
            if weight <= own * 1.0001:
                return sinks + group
            name, out = f"buffer_{self.count}", self.netlist.next_net
            self.count, self.netlist.next_net = self.count + 1, out + 1
            for _, _, sink, pin in group:
                self.netlist.cells[sink][1][pin] = out
            self.netlist.cells[name] = self.kind, {self.pin_in: net, self.pin_out: out}
            ahead = group[-1][0] + buffer.delay[self.pin_out] + buffer.resistance[self.pin_out] * weight
            heapq.heappush(sinks, (ahead, own, name, self.pin_in))
            load += own - weight
        return sinks
