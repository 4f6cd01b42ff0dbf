# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A mapped block as a routed layout: placed, routed, checked against its netlist, and its clock with what its wires cost."""
import dataclasses
import pathlib
import time

import buffers
import flow
from netlist import part_of
from pnr import layout as layouts, layout_check, lef as lefs, parasitics, place
from technology import UserError

DEBIAN = pathlib.Path("/usr/share/qflow/tech/osu018")


@dataclasses.dataclass(frozen=True)
class Files:
    """What the tools are told of a technology: LEF files, graywolf's parameters, Magic's rules, the filler cell, and how many
    layers of wires there are."""
    lef: tuple
    parameters: pathlib.Path
    rules: pathlib.Path
    filler: str
    layers: int


@dataclasses.dataclass
class Routed:
    """Of a routed block: square micrometres, micrometres, nanoseconds, seconds."""
    block: str
    placer: str
    router: str
    cells: int
    nets: int
    cell_area_um2: float
    core_area_um2: float
    wire_um: dict
    vias: int
    wire_pf: float
    period_before_ns: float
    path_before: str
    period_ns: float
    path: str
    levels: int
    place_s: float
    route_s: float
    wall_s: float
    spread: float = 1.0
    violations: int | None = None  # of design rules; None: nobody looked

    @property
    def utilisation(self):
        return self.cell_area_um2 / self.core_area_um2

    @property
    def wire_length_mm(self):
        return sum(self.wire_um.values()) / 1000

    def text(self):
        """The figures as lines."""
        layers = ", ".join(f"{layer} {length / 1000:.1f}" for layer, length in sorted(self.wire_um.items()))
        return (f"  {self.cells:,} cells of {self.cell_area_um2 / 1e6:.4f} mm² in a core of {self.core_area_um2 / 1e6:.4f} mm²: "
                f"{100 * self.utilisation:.1f} %\n"
                f"  {self.nets:,} nets, all routed; {self.wire_length_mm:,.1f} mm of wires ({layers}), {self.vias:,} vias, "
                f"{self.wire_pf:.1f} pF\n"
                f"  clock before {1000 / self.period_before_ns:.1f} MHz, {self.period_before_ns:.3f} ns: {self.path_before}\n"
                f"  clock after  {1000 / self.period_ns:.1f} MHz, {self.period_ns:.3f} ns: {self.path}\n"
                f"  {self.place_s:.0f} s of a core to place by {self.placer}, {self.route_s:.0f} s to route by {self.router}, {self.wall_s:.0f} s by "
                "the clock" + (f"\n  Magic finds {self.violations:,} violations of design rules" if self.violations is not None else ""))

    def figures(self):
        """All but the name, rounded to what counts."""
        rounded = {"cell_area_um2": 1, "core_area_um2": 1, "wire_pf": 3, "period_before_ns": 4, "period_ns": 4,
                   "place_s": 1, "route_s": 1}
        found = dataclasses.asdict(self)
        del found["block"], found["wall_s"]
        return {name: round(value, rounded[name]) if name in rounded else value for name, value in found.items()} | {
            "wire_um": {layer: round(length, 1) for layer, length in self.wire_um.items()}}


def files(library):
    """The files of a technology."""
    if library.technology.name != "osu018":
        raise UserError(f"--route: graywolf's parameters and fillers of {library.technology.name} are not known, expected --tech osu018")
    found = Files((DEBIAN / "osu018_stdcells.lef",), DEBIAN / "osu018.par", DEBIAN / "SCN6M_SUBM.10.tech", "FILL", 6)
    for file in (*found.lef, found.parameters):
        if not file.is_file():
            raise UserError(f"{file}: no such file; install it with: apt-get install qflow-tech-osu018")
    return found


def own_nets(netlist):
    """Gives each port a net of its own: a buffer in front of an output whose net is a port already. Returns how many."""
    kind, pin_in, pin_out = netlist.library.technology.buffer
    seen, added = {bit for direction, bits in netlist.ports.values() if direction == "input" for bit in bits}, 0
    for direction, bits in netlist.ports.values():
        for index, bit in enumerate(bits):
            if direction == "input" or not isinstance(bit, int):
                continue
            if bit in seen:
                bits[index] = netlist.next_net
                netlist.cells[f"port_{added}"] = (kind, {pin_in: bit, pin_out: netlist.next_net})
                netlist.next_net, added = netlist.next_net + 1, added + 1
            seen.add(bits[index])
    return added


def nets(netlist):
    """What the layout calls the nets: by the port, else by number; and the ports with their direction, I or O."""
    names, ports = dict(lefs.RAILS), {}
    for name, (direction, bits) in netlist.ports.items():
        for index, bit in enumerate(bits):
            if not isinstance(bit, int):
                continue  # an output that is always 0 or 1 is no wire of this layout
            port = name if len(bits) == 1 else f"{name}__{index}"
            names[bit], ports[port] = port, "I" if direction == "input" else "O"
    for _, pins in netlist.cells.values():
        for net in pins.values():
            names.setdefault(net, f"n{net}" if isinstance(net, int) else lefs.RAILS["0"])
    return names, ports


def write_blif(netlist, path, block, names, ports):
    cells = [(kind, {pin: names[net] for pin, net in pins.items()}) for kind, pins in netlist.cells.values()]
    used = {net for _, pins in cells for net in pins.values()}
    place.write_blif(path, block, [port for port, way in ports.items() if way == "I" and port in used],
                     [port for port, way in ports.items() if way == "O"], cells)


def core_area(layout, lef):
    """Square micrometres of the rows: the rectangle around all cells and fillers."""
    boxes = [(cell.x, cell.y, cell.x + lef.macros[cell.kind].width, cell.y + lef.macros[cell.kind].height)
             for cell in layout.components.values()]
    return ((max(box[2] for box in boxes) - min(box[0] for box in boxes)) *
            (max(box[3] for box in boxes) - min(box[1] for box in boxes)))


def measure(block, library, folder, limit, coriolis=None, spread=1.0):
    """Places and routes a block; returns what was measured, the layout with its LEF, and for each cell of the netlist the number
    of its part of `block.drawn`. `coriolis`: a Python with coriolis-eda, which then places, and the router of this folder
    routes; `spread`: how much farther apart the cells lie than Etesian puts them."""
    began, found = time.time(), files(library)
    lef = lefs.read(found.lef)
    netlist = flow.map_to_cells(block, library, folder)
    buffers.add(netlist)
    own_nets(netlist)
    before = flow.paths(netlist, folder)[0][0]
    name = block.name.replace("-", "_")
    named, ports = nets(netlist)
    cells = place.names([kind for kind, _ in netlist.cells.values()])
    write_blif(netlist, folder / f"{name}.blif", name, named, ports)
    if coriolis:
        ends = {}
        for number, (_, pins) in enumerate(netlist.cells.values()):
            for pin, net in pins.items():
                ends.setdefault(named[net], []).append((number, pin))
        place_s = place.place_by_etesian(folder, name, found, coriolis, cells, [kind for kind, _ in netlist.cells.values()], ends,
                                         list(ports), lef, spread, limit)
        route_s = place.route_on_grid(folder, name, lef, limit)
    else:
        place_s = place.place(folder, name, found, limit)
        route_s = place.route(folder, name, found, limit)
    layout = layouts.read(folder / f"{name}_route.def")
    layout_check.check(layout, lef, netlist, named, cells)
    called = {cell: f"p{netlist.part(own)}_c{number}" for number, (cell, own) in enumerate(zip(cells, netlist.cells))}
    outputs = {kind: library.cells[kind].outputs for kind, _ in netlist.cells.values()}
    signals = layouts.Layout(components=layout.components, pins=layout.pins, nets={
        net: found for net, found in layout.nets.items() if net not in lefs.RAILS.values()})
    text, opens = parasitics.spef(signals, lef, netlist.module, called, ports, outputs)
    opens |= {net: parasitics.loose(layout.nets[net], layout, lef) for net in lefs.RAILS.values() if net in layout.nets}
    opens = {net: ends for net, ends in opens.items() if ends}
    if opens:
        raise UserError(f"{len(opens)} nets are not connected by their wires: " +
                        ", ".join(f"{net} ({end[0]} {end[1]})" for net, (end, *_) in list(opens.items())[:4]))
    wires = folder / f"{name}.spef"
    wires.write_text(text)
    after = flow.paths(netlist, folder, wires=wires)[0][0]
    picofarads = sum(sum(parasitics.wires_of(net, lef)[1].values()) for net in layout.nets.values())
    found = Routed(block.name, *(("etesian", "grid") if coriolis else ("graywolf", "qrouter")), len(netlist.cells),
                   len(layout.nets), netlist.area()[0], core_area(layout, lef), dict(layout.wire_length()), layout.vias(),
                   picofarads, before.period_ns, before.ends, after.period_ns, after.ends, after.levels, place_s, route_s,
                   time.time() - began, spread)
    return found, layout, lef, {cell: part_of(own, block.drawn) for cell, own in zip(cells, netlist.cells)}
