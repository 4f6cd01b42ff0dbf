# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Placement and routing by the tools of Debian's qflow: graywolf places cells and pins, scripts of qflow add filler cells and
stripes of power, qrouter draws the wires. Or by Etesian of coriolis-eda, and the router of this folder."""
import os
import pathlib
import re
import shutil
import subprocess

import processes
import units
from pnr import grid, layout as layouts, rows
from technology import UserError

HERE = pathlib.Path(__file__).resolve().parent
MARGIN = 0.35  # what Etesian leaves free, in areas of the cells
SCRIPTS = pathlib.Path("/usr/lib/qflow/scripts")
# Of width and distance in micrometres, power and ground in turn: as Debian's osu018.sh has them.
STRIPES = ("-stripe", "2.0", "50.0", "PG")
ROUTE = """verbose 1
read_lef {lef}
catch {{layers {layers}}}
via stack 1
vdd vdd
gnd gnd
{obstructions}
read_def {block}.def
qrouter::standard_route {block}_route.def false
quit
"""


def last_words(path):
    lines = [line.strip() for line in path.read_text(errors="replace").split("\n") if line.strip()]
    return " | ".join(lines[-3:]) or "nothing"


def run(folder, limit, package, *arguments, log=None):
    """Runs a tool in the folder for at most `limit` seconds; returns the seconds that a processor worked for it."""
    tool = arguments[0]
    if shutil.which(tool) is None:
        raise UserError(f"{tool} is not installed; install it with: apt-get install {package}")
    log, worked = folder / (log or f"{tool}.log"), os.times()
    with open(log, "w") as file, processes.running(arguments, cwd=folder, stdout=file, stderr=subprocess.STDOUT) as process:
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            raise UserError(f"{tool} was not done after {limit / 60:.0f} minutes; its last words: {last_words(log)}") from None
    if process.returncode != 0:
        raise UserError(f"{tool} ended with {process.returncode}: {last_words(log)}")
    return sum(os.times()[2:4]) - sum(worked[2:4])


def run_own(folder, limit, name, *arguments):
    """Compiles a program of this folder, in C++, and runs it; see run."""
    run(folder, 600, "g++", "g++", "-std=c++17", "-O2", "-ffp-contract=off", "-o", name, str(HERE / f"{name}.cpp"),
        log="compile.log")
    return run(folder, limit, "g++", str(folder / name), *arguments, log=f"{name}.log")


def interpreter(python):
    """A Python with coriolis-eda, as an absolute path. That of a virtual environment is a link, which must stay one."""
    found = shutil.which(python)
    if found is None:
        raise UserError(f"--coriolis {python}: no such program; expected a Python that has coriolis-eda")
    found = str(pathlib.Path(found).absolute())
    has = "import importlib.util, sys; sys.exit(importlib.util.find_spec('coriolis') is None)"
    if subprocess.run((found, "-c", has), stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode != 0:
        raise UserError(f"--coriolis {python}: it has no coriolis-eda; expected a Python that has it")
    return found


def script(folder, name, *arguments):
    """A script of qflow."""
    path = SCRIPTS / f"{name}.tcl"
    if not path.is_file():
        raise UserError(f"{path} is not there; install it with: apt-get install qflow")
    run(folder, 600, "tcl", "tclsh", str(path), *arguments, log=f"{name}.log")


def made(folder, name, log):
    """A file that a tool should have written."""
    if not (folder / name).is_file():
        raise UserError(f"{log} wrote no {name}: {last_words(folder / f'{log}.log')}")
    return folder / name


def names(cells):
    """What qflow's scripts call the cells, by their order: the kind, and how many of it there were by then."""
    counts, found = {}, []
    for kind in cells:
        counts[kind] = counts.get(kind, 0) + 1
        found.append(f"{kind}_{counts[kind]}")
    return found


def write_blif(path, block, inputs, outputs, cells):
    """The netlist as BLIF: cells are (kind, {pin: net})."""
    lines = [f".model {block}", ".inputs " + " ".join(inputs), ".outputs " + " ".join(outputs)]
    lines += [f".gate {kind} " + " ".join(f"{pin}={net}" for pin, net in pins.items()) for kind, pins in cells]
    path.write_text("\n".join(lines) + "\n.end\n")


def place(folder, block, files, limit):
    """Places the cells of {block}.blif; leaves {block}.def. Returns the seconds of graywolf."""
    lef, parameters, filler = files.lef[0], files.parameters, files.filler
    (folder / "layers.cfg").write_text(f"read_lef {lef}\n")
    run(folder, 60, "qrouter", "qrouter", "-i", f"{block}.info", "-c", "layers.cfg", log="layers.log")
    script(folder, "blif2cel", "--blif", f"{block}.blif", "--lef", str(lef), "--cel", f"{block}.cel")
    shutil.copy(parameters, folder / f"{block}.par")
    seconds = run(folder, limit, "graywolf", "graywolf", "-n", block)
    made(folder, f"{block}.pin", "graywolf")
    (folder / f"{block}.obs").unlink(missing_ok=True)
    script(folder, "place2def", block, filler, str(files.layers))
    script(folder, "addspacers", *STRIPES, block, str(lef), filler)
    made(folder, f"{block}_filled.def", "addspacers").replace(folder / f"{block}.def")
    if (folder / f"{block}.obsx").is_file():
        (folder / f"{block}.obsx").replace(folder / f"{block}.obs")
    script(folder, "arrangepins", block)
    made(folder, f"{block}_mod.def", "arrangepins").replace(folder / f"{block}.def")
    return seconds


def place_by_etesian(folder, block, files, python, cells, kinds, nets, ports, lef, spread, limit):
    """Places the cells of {block}.blif by coriolis-eda, which the program `python` has; leaves {block}.def. `cells` and `kinds`:
    names and kinds, `nets`: {net: [(cell's number, pin)]}; `spread`: how much farther apart the cells come to lie. Returns the
    seconds of Etesian. What was placed before is taken from the cache, and so are the seconds."""
    script = HERE / "coriolis_place.py"
    given = [path.read_text() for path in (folder / f"{block}.blif", files.lef[0], script)]
    cached = (units.folder() / units.key(*given, str(MARGIN))).with_suffix(".places")
    if not cached.is_file():
        seconds = run(folder, limit, "python3", python, "-B", str(script), str(files.lef[0]), block, str(MARGIN), "places.txt",
                      log="etesian.log")
        units.put(cached, f"{seconds}\n" + made(folder, "places.txt", "etesian").read_text())
    seconds, *lines = cached.read_text().strip().split("\n")
    placed = [line.split() for line in lines]
    places = {int(number): (float(left) * spread, float(bottom) * spread) for number, kind, left, bottom, _ in placed
              if kinds[int(number)] == kind}
    if len(places) != len(cells):
        raise UserError(f"etesian placed {len(places)} of {len(cells)} cells, see {folder / 'etesian.log'}")
    rows.write_def(folder / f"{block}.def", block, cells, kinds, nets, ports, lef, places, files.filler)
    return float(seconds)


def route_on_grid(folder, block, lef, limit):
    """Routes {block}.def to {block}_route.def by router.cpp. Returns the seconds of the router."""
    text = (folder / f"{block}.def").read_text()
    layout = layouts.parse(text)
    tracks, nets = grid.Grid(text, lef), grid.nets_of(layout)
    grid.write(folder / "grid.txt", tracks, layout, nets)
    seconds = run_own(folder, limit, "router", "grid.txt", "ways.txt")
    with open(folder / "ways.txt") as ways:
        grid.write_def(folder / f"{block}_route.def", text, tracks, layout, nets, ways)
    return seconds


def route(folder, block, files, limit):
    """Routes {block}.def to {block}_route.def. Returns the seconds of qrouter."""
    obstructions = folder / f"{block}.obs"
    (folder / "route.cfg").write_text(ROUTE.format(lef=files.lef[0], layers=files.layers, block=block, obstructions=(
        obstructions.read_text() if obstructions.is_file() else "")))
    seconds = run(folder, limit, "qrouter", "qrouter", "-nog", "-s", "route.cfg")
    failed = unrouted((folder / "qrouter.log").read_text(errors="replace"))
    made(folder, f"{block}_route.def", "qrouter")
    if failed:
        raise UserError(f"qrouter left {len(failed)} nets without wires: {', '.join(failed[:8])}; its last words: "
                        f"{last_words(folder / 'qrouter.log')}")
    return seconds


def unrouted(log):
    """The nets that qrouter lists as failed behind its last stage."""
    final = log.rpartition("Final:")[2] if "Final:" in log else ""
    if not final:
        raise UserError("qrouter said nothing of its last stage")
    count = re.search(r"Failed net routes: (\d+)", final)
    if not count:
        return []
    return final.partition("List of failed nets follows:")[2].split()[:int(count[1])]
