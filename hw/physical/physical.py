# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Area and clock of a part of the device in cells of a library, after synthesis, with an ideal clock; with --route placed and
routed. With --tech ecp5 in an FPGA: LUTs, multipliers, block RAMs, and the clock after place and route.

example: ./ppu physical fp-mul row-pipe
example: ./ppu physical fp-add --set fp_add_stages=4 --tech ihp130 --liberty sg13g2_typ.lib
example: ./ppu physical fp-add --route --keep layout
example: ./ppu physical fp-add fp-mul --tech ecp5
"""
import json
import pathlib
import sys
import tempfile

import block
import clocks
import command
import energy
import figures
import flow
import fpga
import frames
import memory_table
import processes
import routed_page
import silicon
import simulate
import technology
import window
from pnr import drc, layout_svg, place, raster, routed


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
            area = f"of {part.memory_area_um2 / 1e6:.3f} mm²" if part.memory_area_um2 else "of no known area"
            print(f"{part.block} has {part.macros:,} memory macros {area} beside its cells")
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
    for name in (*(set(options.blocks) - {name for name, _ in chosen}), *(() if chosen else ("nothing",))):
        raise technology.UserError(f"--record: {' '.join((name, *options.chosen))} is no point of the page; expected "
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


def routed_points(options):
    """What --route measures: the named parts, or with --record those of the page."""
    if not options.record:
        return [(name, options.chosen) for name in options.blocks or command.DEFAULT]
    known = routed_page.POINTS[options.tech]
    unknown = [name for name in options.blocks if name not in dict(known)]
    if unknown:
        raise technology.UserError(f"--route --record: {' '.join(unknown)} is not on the page; expected some of " +
                                   ", ".join(name for name, _ in known))
    points = [(name, overrides) for name, overrides in known if not options.blocks or name in options.blocks]
    for name, overrides in points:
        noted = routed_page.load().get(options.tech, {}).get(figures.key(name, overrides), {})
        if noted.get("violations") is not None and not options.drc:
            raise technology.UserError(f"--route --record: {name} is noted with its violations of design rules; expected --drc")
    return points


def check_route(options):
    """Raises UserError for what --route cannot do."""
    if options.tech not in routed_page.POINTS:
        raise technology.UserError(f"--route: expected --tech {' or '.join(routed_page.POINTS)}, not {options.tech}: only its rules "
                                   "of layout are known")
    if options.record and not options.coriolis:
        raise technology.UserError("--route --record: the page has what Etesian places; expected --coriolis PYTHON")
    if options.spread is not None and not options.coriolis:
        raise technology.UserError("--spread: expected with --coriolis")
    if options.record and options.spread is not None:
        raise technology.UserError("--record: the page has its own --spread for each part")


def route(options, library, folder, known):
    """Places and routes parts; says, draws and with --record notes what was measured. Returns the exit status: 1 where Magic finds
    a violation of the design rules."""
    check_route(options)
    points = routed_points(options)
    python = place.interpreter(options.coriolis) if options.coriolis else None
    found = []
    for name, overrides in points:
        part = block.blocks(figures.values(overrides))[name] if options.record else known[name]
        spread = routed_page.SPREAD.get(name, 1.0) if options.record else options.spread or 1.0
        measured, layout, lef, part_of = routed.measure(part, library, folder, options.limit * 60, python, spread)
        if options.drc:
            count_violations(measured, folder, name, library, options.limit * 60)
        key = figures.key(name, overrides)
        found.append({"technology": options.tech, "block": key} | measured.figures())
        if not options.json:
            print(f"{key} on {options.tech}, placed and routed:\n{measured.text()}", flush=True)
        picture = drawn(f"{key} on {options.tech}, routed", part, measured, layout, lef, library, part_of)
        (folder / f"{name}.svg").write_text(picture)
        if options.record:
            routed_page.record(options.tech, key, measured)
            if name in routed_page.DRAWN:
                routed_page.picture_of(options.tech, name).write_text(picture)
    if options.json:
        print(json.dumps(found, indent=1))
    return int(any(part.get("violations") for part in found))


def count_violations(measured, folder, name, library, limit):
    """Puts what Magic finds to what was measured."""
    found = drc.check(folder, name.replace("-", "_"), routed.files(library), limit)
    measured.violations = sum(found.values())
    print("".join(f"{name}: {count:,} violations of {rule}\n" for rule, count in found.items()), end="", file=sys.stderr)


def drawn(title, part, measured, layout, lef, library, part_of):
    """The picture of a layout."""
    title += (f": {measured.cells:,} cells, {measured.core_area_um2 / 1e6:.3f} mm², {measured.wire_length_mm:.0f} mm of wires")
    if len(part_of) > raster.CELLS:
        return raster.svg(title, layout, lef, library, [name for name, _ in part.drawn], part_of)
    return layout_svg.svg(title, layout, lef, library, routed.files(library).filler)


def in_fpga(options, folder, known):
    """Measures the named parts in an FPGA, or with --record those of the page."""
    fpga.nextpnr()
    if options.record:
        record(options, None, folder)
        return
    chip = technology.FPGAS[options.tech].of_grade(options.grade)
    measured = [fpga.measure(known[name], chip, folder) for name in options.blocks or command.DEFAULT]
    if options.json:
        show_json(options, measured, part=chip.part, grade=chip.grade)
    else:
        fpga.show(measured, options.shape, chip)


def show_json(options, measured, **chip):
    parts = [{"block": part.block, "mhz": round(1000 / part.period_ns, 1)} | part.figures() for part in measured]
    print(json.dumps({"technology": options.tech, **chip, "config": options.config, "set": options.set, "blocks": parts}, indent=1))


def simulated(options, library, folder, known):
    """Compares the named parts with their RTL; 1 where an output differs or none of a part ever changed, else 0."""
    wrong = 0
    for name in options.blocks or command.DEFAULT:
        differ, changed = simulate.differing(known[name], library, folder, options.simulate)
        print(f"{name}: {differ:,} of {options.simulate:,} cycles differ; outputs changed in {changed:,}", flush=True)
        wrong |= differ > 0 or changed == 0
    return int(wrong)


def with_macros(options, library, folder):
    """What needs memory macros with an area: --window, or the table of memories."""
    if not any(macro.area for macro in library.macros.values()):
        task = "--window" if options.window else "memories"
        raise technology.UserError(f"{task}: expected --memories FILE...: Liberty files of macros with an area, of ihp130")
    if options.window:
        window.record(library, folder)
    else:
        memory_table.show(memory_table.memories(block.engine(block.values_of(options.config, options.set)), folder), library)


def in_cells(options, folder, known):
    """Does in cells of a library what the options ask for; returns the exit status."""
    library = technology.load(options.tech, options.liberty, options.memories, folder, options.route)
    if options.energy:
        energy.record(library, folder)
    elif options.window or options.blocks == ["memories"]:
        with_macros(options, library, folder)
    elif options.simulate:
        return simulated(options, library, folder, known)
    elif options.route:
        return route(options, library, folder, known)
    elif options.record:
        record(options, library, folder)
    else:
        measured = [flow.measure(known[name], library, folder, options.paths) for name in options.blocks or command.DEFAULT]
        if options.json:
            show_json(options, measured)
        else:
            show(measured, options.shape, library)
    return 0


def write_page():
    figures.write_page()
    clocks.write_header()
    silicon.write()


def main(arguments):
    processes.end_when_asked()
    options = command.parse(arguments, __doc__)
    if options.frames:
        frames.record()
    if options.page:
        write_page()
    if options.page or options.frames:
        return 0
    known = block.blocks(block.values_of(options.config, options.set))
    for name in options.blocks:
        if name not in known and options.blocks != ["memories"]:
            raise technology.UserError(f"{name}: no such block, expected one of {', '.join(known)}, or memories alone")
    with tempfile.TemporaryDirectory() as scratch:
        folder = command.folder(options, scratch)
        if options.tech in technology.FPGAS:
            in_fpga(options, folder, known)
            return 0
        return in_cells(options, folder, known)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except technology.UserError as error:
        print(f"ppu physical: {error}", file=sys.stderr)
        sys.exit(2)
