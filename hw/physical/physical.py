# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Area and clock of a part of the device in cells of a library, after synthesis, with an ideal clock; with --route placed and
routed. With --tech ecp5 in an FPGA: LUTs, multipliers, block RAMs, and the clock after place and route.

example: ./ppu physical fp-mul row-pipe
example: ./ppu physical fp-add --set fp_add_stages=4 --tech ihp130 --liberty sg13g2_typ.lib
example: ./ppu physical fp-add --route --keep layout
example: ./ppu physical fp-add fp-mul --tech ecp5
"""
import argparse
import json
import pathlib
import sys
import tempfile

import block
import clocks
import energy
import figures
import flow
import fpga
import frames
import memory_table
import routed_page
import silicon
import simulate
import technology
import window
from pnr import drc, layout_svg, raster, routed

DEFAULT = ("fp-add", "fp-mul", "fp-div", "issue")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="ppu physical", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help="parts of the device; all: " +
                        ", ".join(block.blocks(block.values_of("default", []))))
    parser.add_argument("--config", help="a named configuration or a .toml file, and parts: default+resident")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=N", help="another value of a key")
    parser.add_argument("--tech", default="osu018", choices=technology.TECHNOLOGIES, help="the technology")
    parser.add_argument("--liberty", nargs="+", action="extend", default=[], metavar="FILE", help="its cell library")
    parser.add_argument("--memories", nargs="+", action="extend", default=[], metavar="FILE",
                        help="its memory macros, Liberty files")
    parser.add_argument("--keep", metavar="DIR", help="leave scripts and netlists there")
    parser.add_argument("--paths", type=int, default=1, metavar="N", help="show the N longest paths of each part")
    parser.add_argument("--simulate", type=int, metavar="CYCLES",
                        help="compare the mapped part with its RTL, random inputs in every cycle")
    parser.add_argument("--route", action="store_true", help="place and route the part, and time it with its wires")
    parser.add_argument("--coriolis", metavar="PYTHON", help="a Python with coriolis-eda: its Etesian places, and the router on a "
                        "grid routes")
    parser.add_argument("--spread", type=float, default=1.0, metavar="FACTOR", help="with --coriolis: how much farther apart cells "
                        "lie than Etesian puts them")
    parser.add_argument("--drc", action="store_true", help="with --route: let Magic look for violations of design rules")
    parser.add_argument("--limit", type=float, default=60, metavar="MINUTES", help="what a tool of --route may take")
    parser.add_argument("--record", action="store_true", help="measure the points of the page and note them")
    parser.add_argument("--frames", action="store_true", help="solve eight frames at the clocks of what is noted, and note them")
    parser.add_argument("--energy", action="store_true", help="measure the energy of row updates in the row pipe, and note it")
    parser.add_argument("--window", action="store_true", help="measure how many rows an engine needs on chip, and note it")
    parser.add_argument("--page", action="store_true", help="write pages, pictures and clocks of what is noted")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    options = parser.parse_args(arguments)
    options.chosen = (() if options.config in (None, "default") else (f"config={options.config}",)) + tuple(options.set)
    options.all_points = options.config is None and not options.set
    options.config = options.config or "default"
    return options


def show(measured, config, library):
    print(f"{library.technology.says}; configuration {config}; after synthesis, ideal clock, "
          f"{'wires as the library estimates them' if library.wire_load else 'no wires'}\n")
    print("block       cells  registers    area mm²  of it registers  buffers  period ns  clock MHz  cells on the path")
    for part in measured:
        share = 100 * part.register_area_um2 / part.area_um2
        print(f"{part.block:9} {part.cells:7,} {part.registers:10,} {part.area_um2 / 1e6:11.4f} {share:15.1f}% "
              f"{part.buffers:8,} {part.period_ns:10.3f} {part.mhz:10.1f} {part.levels:18}", flush=True)
    print()
    for part in measured:
        if part.macros:
            print(f"{part.block} has {part.macros:,} memory macros of {part.memory_area_um2 / 1e6:.3f} mm² beside its cells")
        for piece in part.parts:
            print(f"  {piece.name:12} {piece.area_um2 / 1e6:9.4f} mm², memories {piece.memory_area_um2 / 1e6:9.3f} mm²" +
                  (f", {piece.path.period_ns:7.3f} ns  {piece.path.levels:3} cells  {piece.path.ends}" if piece.path else ""))
        if len(part.paths) == 1:
            print(f"longest path of {part.block}: {part.path}")
            continue
        print(f"longest paths of {part.block}:")
        for path in part.paths:
            print(f"  {path.period_ns:7.3f} ns  {path.levels:3} cells  {path.ends}\n"
                  f"        through {', '.join(path.through[1:-1]) or '(no name)'}")


def same(values, others):
    """A clock is what is measured, so that of a configuration does not count."""
    return values | {"clock_mhz": 0} == others | {"clock_mhz": 0}


def record(options, library, folder):
    """Measures the points of the page; with blocks named, only theirs, with a configuration or keys only those that are the same
    by all keys."""
    points, wanted = figures.points(options.tech), block.values_of(options.config, options.set)
    chosen = [(name, overrides) for name, overrides in points if
              (not options.blocks or name in options.blocks) and (options.all_points or same(figures.values(overrides), wanted))]
    if not chosen:
        raise technology.UserError(f"--record: {' '.join((*options.blocks, *options.chosen))} is no point of the page; expected "
                                   "one of " + "; ".join(figures.key(*point) for point in points))
    for name, overrides in chosen:
        known = block.blocks(figures.values(overrides))[name]
        key = figures.key(name, overrides)
        try:
            if options.tech in technology.FPGAS:
                part = fpga.measure(known, technology.FPGAS[options.tech], folder)
            else:
                part = flow.measure(known, library, folder, figures.PATHS if known.parts else 1)
            says = f"{part.says}, {part.mhz:.1f} MHz"
        except fpga.TooLarge as error:
            part, says = error, str(error)
        print(f"{key}: {says}", flush=True)
        figures.record(options.tech, {key: part.figures()})


def route(options, library, folder, known):
    """Places and routes the named parts, or with --record those of the page."""
    if options.tech not in routed_page.POINTS:
        raise technology.UserError(f"--route: no parameters of graywolf are known for {options.tech}, expected --tech osu018")
    if options.spread < 1 or (options.spread > 1 and not options.coriolis):
        raise technology.UserError(f"--spread {options.spread}: expected 1 or more, with --coriolis")
    if options.record and options.spread != 1:
        raise technology.UserError("--record: the page has its own --spread for each part")
    points = [(name, options.chosen) for name in options.blocks or DEFAULT]
    if options.record:
        wanted = options.blocks or [name for name, _ in routed_page.POINTS[options.tech]
                                    if options.coriolis or name not in routed_page.LARGE]
        points = [(name, overrides) for name, overrides in routed_page.POINTS[options.tech] if name in wanted]
        if not points:
            raise technology.UserError(f"--route --record: {' '.join(wanted)} is not on the page; expected some of " +
                                       ", ".join(name for name, _ in routed_page.POINTS[options.tech]))
    for name, overrides in points:
        part = block.blocks(figures.values(overrides))[name] if options.record else known[name]
        spread = routed_page.SPREAD.get(name, 1.0) if options.record and options.coriolis else options.spread
        measured, layout, lef, part_of = routed.measure(part, library, folder, options.limit * 60, options.coriolis, spread)
        if options.drc:
            found = drc.check(folder, name.replace("-", "_"), routed.files(library), options.limit * 60)
            measured.violations = sum(found.values())
            print("".join(f"{name}: {count:,} violations of {rule}\n" for rule, count in found.items()), end="", file=sys.stderr)
        key = figures.key(name, overrides)
        if options.json:
            print(json.dumps({"technology": options.tech, "block": key} | measured.figures(), indent=1))
        else:
            print(f"{key} on {options.tech}, placed and routed:\n{measured.text()}", flush=True)
        title = (f"{key} on {options.tech}, routed: {measured.cells:,} cells, {measured.core_area_um2 / 1e6:.3f} mm², "
                 f"{measured.wire_length_mm:.0f} mm of wires")
        picture = (raster.svg(title, layout, lef, library, [name for name, _ in part.drawn], part_of)
                   if len(part_of) > raster.CELLS else
                   layout_svg.svg(title, layout, lef, library, routed.files(library).filler))
        (folder / f"{name}.svg").write_text(picture)
        if options.record:
            routed_page.record(options.tech, key, measured)
            if name in routed_page.DRAWN:
                routed_page.picture_of(options.tech, name).write_text(picture)


def in_fpga(options, folder, known):
    """Measures the named parts in an FPGA, or with --record those of the page."""
    if options.route or options.simulate or options.energy or options.window or options.blocks == ["memories"]:
        raise technology.UserError(f"--tech {options.tech}: an FPGA has no --route, --simulate, --energy, --window and no "
                                   "memories; expected BLOCK... or --record")
    fpga.nextpnr()
    if options.record:
        record(options, None, folder)
        return
    chip = technology.FPGAS[options.tech]
    measured = [fpga.measure(known[name], chip, folder) for name in options.blocks or DEFAULT]
    if options.json:
        show_json(options, measured)
    else:
        fpga.show(measured, options.config, chip)


def show_json(options, measured):
    parts = [{"block": part.block, "mhz": round(1000 / part.period_ns, 1)} | part.figures() for part in measured]
    print(json.dumps({"technology": options.tech, "config": options.config, "set": options.set, "blocks": parts}, indent=1))


def main(arguments):
    options = parse(arguments)
    if options.frames:
        frames.record()
    if options.page:
        figures.write_page()
        clocks.write_header()
        silicon.write()
    if options.page or options.frames:
        return
    known = block.blocks(block.values_of(options.config, options.set))
    for name in options.blocks:
        if name not in known and options.blocks != ["memories"]:
            raise technology.UserError(f"{name}: no such block, expected one of {', '.join(known)}, or memories alone")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if options.tech in technology.FPGAS:
            in_fpga(options, folder, known)
            return
        library = technology.load(options.tech, options.liberty, options.memories, folder,
                                  options.route and not options.memories)
        if options.energy:
            energy.record(library, folder)
            return
        if options.window or options.blocks == ["memories"]:
            if not any(macro.area for macro in library.macros.values()):
                raise technology.UserError("memories: expected --memories FILE...: Liberty files of macros with an area")
            if options.window:
                window.record(library, folder)
                return
            engine = block.engine(block.values_of(options.config, options.set))
            memory_table.show(memory_table.memories(engine, folder), library)
            return
        if options.simulate:
            different = 0
            for name in options.blocks or DEFAULT:
                differ, changed = simulate.differing(known[name], library, folder, options.simulate)
                print(f"{name}: {differ:,} of {options.simulate:,} cycles differ; outputs changed in {changed:,}", flush=True)
                different += differ
            sys.exit(1 if different else 0)
        if options.route:
            route(options, library, folder, known)
            return
        if options.record:
            record(options, library, folder)
            return
        measured = [flow.measure(known[name], library, folder, options.paths) for name in options.blocks or DEFAULT]
    if options.json:
        show_json(options, measured)
    else:
        show(measured, options.config, library)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except technology.UserError as error:
        print(f"ppu physical: {error}", file=sys.stderr)
        sys.exit(2)
