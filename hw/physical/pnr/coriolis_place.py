# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Placement by Etesian of coriolis-eda; runs under a Python that has this package.

usage: coriolis_place.py LEF BLIF MARGIN PLACES

LEF has layers and cells, BLIF the netlist without its suffix; MARGIN is what stays free, in areas of the cells. PLACES becomes one
line a cell: its number in the netlist, its kind, left, bottom in micrometres, and 1 if it is upside down.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from pnr import lef as lefs  # noqa: E402

from coriolis import CRL, Cfg, Etesian  # noqa: E402
from coriolis.Hurricane import BasicLayer, DataBase, DbU, Library, Technology  # noqa: E402
from coriolis.helpers import u  # noqa: E402
from coriolis.helpers.overlay import CfgCache  # noqa: E402
from coriolis.helpers.technology import createBL  # noqa: E402

GRID = 0.4  # of Etesian, in micrometres; divides the site and the row
MATERIAL = {"nwell": "nWell", "nactive": "active", "pactive": "active", "poly": "poly", "cc": "cut", "via": "cut"}


def technology(lef, path):
    """The layers of the LEF file as Coriolis wants them."""
    database = DataBase.create()
    CRL.System.get()
    found = Technology.create(database, "lef")
    DbU.setPrecision(2)
    DbU.setPhysicalsPerGrid(0.005, DbU.UnitPowerMicro)
    DbU.setGridsPerLambda(10)
    DbU.setSymbolicSnapGridStep(DbU.fromGrid(1.0))
    DbU.setPolygonStep(DbU.fromGrid(1.0))
    DbU.setStringMode(DbU.StringModePhysical, DbU.UnitPowerMicro)
    for name in re.findall(r"^LAYER\s+(\S+)", path.read_text(), re.M):
        layer = lef.layers.get(name)
        kind = "metal" if layer else MATERIAL[re.sub(r"\d+$", "", name)]
        createBL(found, name, getattr(BasicLayer.Material, kind), size=u(layer.width if layer else 0.2), spacing=u(0.3))
        if layer:
            found.getLayer(name).setBlockageLayer(createBL(found, f"{name}.block", BasicLayer.Material.blockage))
    for name in ("text.cell", "text.instance", "SPL1", "AutoLayer"):
        createBL(found, name, BasicLayer.Material.other)
    for name in ("gmetalh", "gcontact", "gmetalv"):
        createBL(found, name, BasicLayer.Material.cut if name == "gcontact" else BasicLayer.Material.metal)
    return database, found


def gauges(framework, lef, layers, height):
    """The tracks of each layer, and the rows."""
    routing = CRL.RoutingGauge.create("lef")
    routing.setSymbolic(False)
    kinds = CRL.RoutingLayerGauge
    for depth, layer in enumerate(lef.layers.values()):
        routing.addLayerGauge(kinds.create(
            layers.getLayer(layer.name), kinds.Horizontal if layer.horizontal else kinds.Vertical,
            kinds.Default if depth else kinds.PinOnly, depth, 0.0, u(layer.pitch / 2), u(layer.pitch), u(layer.width),
            u(layer.width), u(0.2), u(0.0)))
    framework.addRoutingGauge(routing)
    framework.setRoutingGauge("lef")
    cells = CRL.CellGauge.create("LEF.core", next(iter(lef.layers)), u(1.0), u(height), u(GRID))
    framework.addCellGauge(cells)
    framework.setCellGauge("LEF.core")


def settings(framework, margin):
    environment = framework.getEnvironment()
    environment.setCLOCK("^clk_i$")
    environment.setPOWER(lefs.RAILS["1"])
    environment.setGROUND(lefs.RAILS["0"])
    with CfgCache(priority=Cfg.Parameter.Priority.ConfigurationFile) as chosen:
        chosen.lefImport.minTerminalWidth = 0.0
        chosen.crlcore.groundName = lefs.RAILS["0"]
        chosen.crlcore.powerName = lefs.RAILS["1"]
        chosen.etesian.bloat = "disabled"
        chosen.etesian.aspectRatio = 1.0
        chosen.etesian.spaceMargin = margin
        chosen.etesian.uniformDensity = True
        chosen.etesian.routingDriven = False
        chosen.etesian.latchUpDistance = 0
        chosen.etesian.feedNames = "FILL"
        chosen.etesian.defaultFeed = "FILL"
        chosen.etesian.effort = 2
        chosen.anabatic.routingGauge = "lef"
        chosen.anabatic.cellGauge = "LEF.core"


def main(path, netlist, margin, places):
    path = pathlib.Path(path)
    lef = lefs.read([path])
    height = next(iter(lef.macros.values())).height
    database, layers = technology(lef, path)
    framework = CRL.AllianceFramework.get()
    gauges(framework, lef, layers, height)
    settings(framework, float(margin))
    library = Library.create(database.getRootLibrary(), "cells")
    framework.wrapLibrary(library, 0)
    CRL.LefImport.setMergeLibrary(library)
    CRL.LefImport.load(path.as_posix())
    framework.wrapLibrary(library, 1)
    cell = CRL.Blif.load(netlist)
    placer = Etesian.EtesianEngine.create(cell)
    placer.setDefaultAb()
    placer.place()
    placer.toHurricane()
    lines = []
    for instance in cell.getInstances():
        own = re.fullmatch(r"subckt_(\d+)_(.*)", instance.getName())
        if own:
            placed = instance.getTransformation()
            turned = str(placed.getOrientation()) != "0"
            x, y = (DbU.toPhysical(value, DbU.UnitPowerMicro) for value in (placed.getTx(), placed.getTy()))
            lines.append(f"{own[1]} {own[2]} {x:.3f} {y - height * turned:.3f} {int(turned)}")
    pathlib.Path(places).write_text("\n".join(lines) + "\n")


main(*sys.argv[1:])
