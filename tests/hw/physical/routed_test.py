# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Placing and routing: what LEF and DEF files say, what wires cost, and a small part routed by the tools.

usage: routed_test.py ROOT
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "hw/physical"))
import block  # noqa: E402
import flow  # noqa: E402
import routed_page  # noqa: E402
import silicon  # noqa: E402
import technology  # noqa: E402
from pnr import drc, grid, layout, layout_check, layout_svg, lef, parasitics, place, raster, routed, rows  # noqa: E402

LEF = """VERSION 5.4 ;
PROPERTYDEFINITIONS
  MACRO Kind STRING ;
END PROPERTYDEFINITIONS
LAYER m1
  TYPE ROUTING ; DIRECTION HORIZONTAL ; PITCH 1 ; WIDTH 0.5 ; RESISTANCE RPERSQ 2 ;
  CAPACITANCE CPERSQDIST 0.2 ; EDGECAPACITANCE 0.1 ;
END m1
LAYER v1
  TYPE CUT ;
  RESISTANCE 7 ;
END v1
LAYER m2
  TYPE ROUTING ;
  DIRECTION VERTICAL ;
  PITCH 1 ;
  WIDTH 0.5 ; # a comment
  RESISTANCE RPERSQ 1 ;
  CAPACITANCE CPERSQDIST 0.4 ;
  EDGECAPACITANCE 0.0 ;
END m2
VIA V DEFAULT
  LAYER m1 ;
    RECT -1 -1 1 1 ;
  LAYER v1 ;
    RECT -1 -1 1 1 ;
  LAYER m2 ;
    RECT -1 -1 1 1 ;
END V
MACRO GATE
  CLASS CORE ;
  SIZE 4 BY 10 ;
  PIN A
    PORT
      LAYER m1 ;
        RECT 1 2 2 3 ;
    END
  END A
  PIN Y
    PORT
      LAYER m1 ;
        RECT 3 2 3.5 8 ;
    END
  END Y
  OBS
    LAYER m1 ;
      RECT 0 0 4 1 ;
  END
END GATE
END LIBRARY
"""
DEF = """VERSION 5.6 ; DESIGN one ; UNITS DISTANCE MICRONS 100 ;
DIEAREA ( 0 0 ) ( 3000 2000 ) ;
COMPONENTS 2 ;
- GATE_1 GATE + PLACED ( 0 0 ) N ;
- GATE_2 GATE + PLACED ( 1000 0 ) FS ;
END COMPONENTS
PINS 1 ;
- in_i + NET in_i + LAYER m2 ( 0 0 ) ( 1 1 ) + PLACED ( 150 1500 ) N ;
END PINS
NETS 2 ;
- in_i ( PIN in_i ) ( GATE_1 A ) + ROUTED m2 ( 150 1500 ) ( * 250 ) V ;
- n1 ( GATE_1 Y ) ( GATE_2 A )
  + ROUTED m1 ( 320 750 ) ( 1150 * )
    NEW m2 ( 700 750 ) ( * 950 ) V
    NEW m1 ( 700 950 ) ( 600 * ) ;
END NETS
END DESIGN
"""


def read(text, name, reader):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_text(text)
        return reader(path)


def both(text=DEF):
    return read(text, "one.def", layout.read), read(LEF, "one.lef", lambda path: lef.read([path]))


class Files(unittest.TestCase):
    def test_layers_vias_and_cells_of_lef(self):
        found = both()[1]
        self.assertEqual(list(found.layers), ["m1", "m2"])
        self.assertTrue(found.layers["m1"].horizontal)
        self.assertEqual((found.cut_ohms, found.vias["V"]), ({"v1": 7.0}, ["m1", "v1", "m2"]))
        self.assertEqual(found.macros["GATE"].pins, {"A": [("m1", 1, 2, 2, 3)], "Y": [("m1", 3, 2, 3.5, 8)]})

    def test_cells_pins_and_wires_of_def(self):
        found = both()[0]
        self.assertEqual(found.die, (0, 0, 30, 20))
        self.assertEqual(found.components["GATE_2"], layout.Component("GATE", 10, 0, "FS"))
        self.assertEqual(found.pins, {"in_i": ("m2", 1.5, 15)})
        self.assertEqual(found.nets["n1"].wires, [("m1", 3.2, 7.5, 11.5, 7.5), ("m2", 7, 7.5, 7, 9.5), ("m1", 7, 9.5, 6, 9.5)])
        self.assertEqual((found.vias(), found.wire_length()), (2, {"m1": 9.3, "m2": 14.5}))

    def test_others_are_refused(self):
        for text, name, reader in (("LAYER m1 TYPE", "x.lef", lambda path: lef.read([path])), ("UNITS x ;", "x.def", layout.read)):
            with self.subTest(name), self.assertRaisesRegex(technology.UserError, name):
                read(text, name, reader)


class Wires(unittest.TestCase):
    def test_a_wire_has_the_capacitance_of_its_area_and_edges_and_the_resistance_of_its_squares(self):
        first = both()[1].layers["m1"]
        self.assertAlmostEqual(first.capacitance(10), 10 * (0.5 * 0.2 + 2 * 0.1))
        self.assertAlmostEqual(first.resistance(10), 2 * 10 / 0.5)

    def test_a_pin_of_a_mirrored_cell_lies_where_it_is_mirrored_to(self):
        found, library = both()
        self.assertEqual(parasitics.shapes(("GATE_2", "A"), found, library), [("m1", 11, 7, 12, 8)])

    def test_the_capacitance_of_a_net_is_that_of_its_wires_and_every_end_is_reached(self):
        found, library = both()
        text, opens = parasitics.spef(found, library, "one", {"GATE_1": "u1", "GATE_2": "u2"}, {"in_i": "I"}, {"GATE": {"Y"}})
        self.assertEqual(opens, {})
        self.assertIn(f"*D_NET n1 {9.3 * 0.3 + 2 * 0.2:.6g}\n*CONN\n*I u1:Y O\n*I u2:A I\n", text)
        self.assertIn("*P in_i I\n*I u1:A I\n", text)

    def test_an_end_that_no_wire_reaches_is_named(self):
        found, library = both(DEF.replace("( 320 750 ) ( 1150 * )", "( 320 750 ) ( 900 * )"))
        self.assertEqual(parasitics.tree(found.nets["n1"], found, library)[2], [("GATE_2", "A")])

    def test_an_end_on_power_needs_a_wire_of_its_own(self):
        found, library = both()
        self.assertEqual(parasitics.loose(found.nets["n1"], found, library), [])
        found.nets["n1"].wires = found.nets["n1"].wires[1:]
        self.assertEqual(parasitics.loose(found.nets["n1"], found, library), found.nets["n1"].ends)

    def test_wires_that_lie_beside_each_other_by_less_than_their_width_are_one(self):
        found, library = both(DEF.replace("( 1150 * )\n", "( 900 * )\n    NEW m1 ( 900 780 ) ( 1150 * )\n"))
        self.assertEqual(parasitics.tree(found.nets["n1"], found, library)[2], [])

    def test_wires_of_two_nets_on_each_other_are_named(self):
        for wire in ("m2 ( 700 800 ) ( * 1800 )", "m1 ( 500 200 ) ( * 1800 )", "m1 ( 0 750 ) ( 400 * )"):
            found, library = both(DEF.replace("+ ROUTED m2 ( 150 1500 )", f"+ ROUTED {wire} NEW m2 ( 150 1500 )"))
            self.assertEqual(layout_check.shorts(found, library), [("in_i", "n1")], wire)
        self.assertEqual(layout_check.shorts(*both()), [])


class Rows(unittest.TestCase):
    def test_cells_of_a_row_come_onto_sites_beside_each_other(self):
        self.assertEqual(rows.on_sites([(0.4, 2), (1.6, 3), (8.6, 2)], 10), [0, 2, 8])
        self.assertEqual(rows.on_sites([(0, 2), (9.7, 3), (10, 2)], 10), [0, 5, 8])
        with self.assertRaisesRegex(technology.UserError, "11 sites of cells do not fit a row of 10"):
            rows.on_sites([(0, 6), (4, 5)], 10)

    def test_pins_lie_around_the_core_on_tracks_of_their_own_towards_their_cells(self):
        centres = {"west": (1, 5), "east": (9, 5), "north": (5, 9), "south": (5, 1)}
        found = rows.pins_around(list(centres), centres, 0, 0, 10, 10, 1, 1)
        self.assertEqual({port: side for port, (side, _) in found.items()}, {"west": "W", "east": "E", "north": "N", "south": "S"})
        many = rows.pins_around([f"p{number}" for number in range(20)], {f"p{number}": (5, 1) for number in range(20)}, 0, 0, 10, 10, 1, 1)
        self.assertEqual(len(set(many.values())), 20)
        with self.assertRaisesRegex(technology.UserError, "41 sites of cells do not fit a row of 40"):
            rows.pins_around([f"p{number}" for number in range(41)], {f"p{number}": (5, 5) for number in range(41)}, 0, 0, 10, 10, 1, 1)

    def test_the_layout_that_is_written_is_that_which_is_read(self):
        library = both()[1]
        library.layers["m3"] = lef.Layer("m3", True, 1.0, 0.5)
        library.macros["FILL"] = lef.Macro("FILL", 1.0, 10.0)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "one.def")
            rows.write_def(path, "one", ["GATE_1", "GATE_2"], ["GATE", "GATE"],
                           {"in_i": [(0, "A")], "n1": [(0, "Y"), (1, "A")]}, ["in_i", "unused_i"], library,
                           {0: (0.2, 0.0), 1: (6.0, 10.0)}, "FILL")
            found = layout.read(path)
        self.assertEqual(found.components["GATE_1"], layout.Component("GATE", 0.5, 0.5, "N"))
        self.assertEqual(found.components["GATE_2"], layout.Component("GATE", 6.5, 10.5, "FS"))
        self.assertEqual(sum(cell.kind == "FILL" for cell in found.components.values()), 12)
        self.assertEqual(found.nets["in_i"].ends, [("PIN", "in_i"), ("GATE_1", "A")])
        self.assertEqual(found.nets["n1"].ends, [("GATE_1", "Y"), ("GATE_2", "A")])
        self.assertEqual(list(found.pins), ["in_i"])


class Tools(unittest.TestCase):
    def test_nets_without_wires_are_those_that_qrouter_lists_at_its_end(self):
        log = "Failed to route net n9\nProgress: Stage 3\nFailed net routes: 1\nFinal: {}\nQuit\n"
        self.assertEqual(place.unrouted(log.format("No failed routes!")), [])
        self.assertEqual(place.unrouted(log.format("Failed net routes: 2\nList of failed nets follows:\n n7\n n8\n")), ["n7", "n8"])
        with self.assertRaisesRegex(technology.UserError, "last stage"):
            place.unrouted("")

    def test_a_tool_that_takes_too_long_or_fails_is_an_error_with_its_words(self):
        with tempfile.TemporaryDirectory() as folder:
            for limit, code, says in ((60, "echo no more tracks; exit 3", "ended with 3: no more tracks"),
                                      (5, "echo stage 2; sleep 60", "last words: stage 2")):
                with self.assertRaisesRegex(technology.UserError, says):
                    place.run(pathlib.Path(folder), limit, "dash", "sh", "-c", code)

    def test_wires_of_nets_that_the_netlist_has_not_are_an_error(self):
        with self.assertRaisesRegex(technology.UserError, "net n7 not found"):
            flow.run("sh", "dash", "-c", "echo Warning: one.spef, line 9 net n7 not found.")

    def test_a_small_part_is_placed_routed_and_no_faster_with_its_wires(self):
        part = block.Block("delay", "ppu_delay", "", {"Width": 8, "Depth": 4})
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            library = technology.load("osu018", [], [], folder)
            measured, found, cells, parts = routed.measure(part, library, folder, 300)
            wires = (folder / "delay.spef").read_text()
            picture = layout_svg.svg("delay", found, cells, library, "FILL")
        self.assertEqual((measured.cells, measured.nets), (32, 41))
        self.assertEqual(set(parts), {name for name, cell in found.components.items() if cell.kind != "FILL"})
        self.assertGreater(measured.vias, 64)
        self.assertGreater(sum(measured.wire_um.values()), 300)
        self.assertEqual(wires.count("*D_NET"), sum(len(net.ends) > 1 for net in found.nets.values()))
        self.assertGreater(measured.period_ns, measured.period_before_ns)
        self.assertTrue(0.5 < measured.utilisation <= 1, measured.utilisation)
        self.assertIn("register", picture)
        self.assertIn("metal2", picture)

    def test_a_memory_is_registers_where_a_library_is_loaded_so(self):
        part = block.Block("ram", "ppu_ram", "", {"PartWidth": 3, "Words": 4}, memories=True)
        with tempfile.TemporaryDirectory() as scratch:
            library = technology.load("osu018", [], [], pathlib.Path(scratch), in_registers=True)
            netlist = flow.map_to_cells(part, library, pathlib.Path(scratch))
        self.assertEqual((netlist.memories(), netlist.registers()), (0, 4 * 3 + 3))


class Grid(unittest.TestCase):
    """Two layers of 5 by 5 crossings: wires of the first go up, those of the second across."""
    GRID = "5 5 2 1 1 1\n0 1\n1 1\n{}\n{}\n"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tool = pathlib.Path(cls.folder.name, "router")
        subprocess.run(("g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o", cls.tool,
                        ROOT / "hw/physical/pnr/router.cpp"), check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def routed(self, kept, nets):
        problem, ways = pathlib.Path(self.folder.name, "grid.txt"), pathlib.Path(self.folder.name, "ways.txt")
        problem.write_text(self.GRID.format("\n".join((str(len(kept)), *kept)), "\n".join((str(len(nets)), *nets))))
        done = subprocess.run((self.tool, problem, ways), capture_output=True, text=True, check=False)
        return done, ways.read_text().split("\n")[:-1] if done.returncode == 0 else []

    @staticmethod
    def crossings(way):
        """All crossings of a way, between its corners too."""
        numbers = list(map(int, way.split()[3:]))
        corners, found = list(zip(numbers[::3], numbers[1::3], numbers[2::3])), set()
        for one, other in zip(corners, corners[1:] or corners):
            found |= {(layer, x, y) for layer in (one[0], other[0]) for x in range(min(one[1], other[1]), max(one[1], other[1]) + 1)
                      for y in range(min(one[2], other[2]), max(one[2], other[2]) + 1)}
        return found

    def test_nets_that_want_the_same_crossings_get_crossings_of_their_own(self):
        nets = [f"2\n1 1 0 {x} 2\n1 1 0 {4 - x} 2" for x in (0, 1)] + ["2\n0 1 1 0 1\n0 1 1 4 1"]
        done, ways = self.routed([], nets)
        self.assertEqual((done.returncode, len(ways)), (0, 3), done.stderr)
        found = [self.crossings(way) for way in ways]
        for number, one in enumerate(found):
            self.assertTrue(all(one.isdisjoint(other) for other in found[number + 1:]), found)
        for x in (0, 1):
            self.assertLessEqual({(0, x, 2), (0, 4 - x, 2)}, found[x])

    def test_a_crossing_that_is_kept_free_is_used_by_its_net_alone(self):
        wall = [f"1 2 {y} -1" for y in (0, 1, 2, 3)] + ["1 2 4 {}"]
        net = ["2\n1 1 0 0 0\n1 1 0 4 0"]
        done, (way,) = self.routed([line.format(0) for line in wall], net)
        self.assertIn((1, 2, 4), self.crossings(way), done.stderr)
        done, _ = self.routed([line.format(1) for line in wall], net)
        self.assertEqual((done.returncode, done.stderr), (1, "1 nets have an end without a way\n"))

    def test_all_terminals_of_a_net_are_connected(self):
        done, ways = self.routed([], ["4\n1 2 0 0 0 0 0 1\n1 1 0 4 0\n1 1 0 0 4\n1 1 0 4 4"])
        self.assertEqual((done.returncode, len(ways)), (0, 3))
        found = [self.crossings(way) for way in ways]
        first = {(0, 0, 0), (0, 0, 1)}
        for _ in ways:
            first |= {place for other in found if other & first for place in other}
        self.assertLessEqual({(0, 4, 0), (0, 0, 4), (0, 4, 4)}, first)

    def test_a_file_that_is_no_grid_is_refused(self):
        done, _ = self.routed(["0 9 9 -1"], [])
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a grid with nets", done.stderr)

    def test_a_rail_is_reached_beside_other_cells_of_the_row_where_the_own_one_has_few_crossings(self):
        cells = {"own": 0, "near": 10, "far": 30, "farther": 90}
        row = mock.Mock(components={name: mock.Mock(x=x, kind=name) for name, x in cells.items()})
        places = {"own": [(0, 1)], "near": [], "far": [(30 + at, 1) for at in range(grid.ENOUGH)], "farther": [(90, 1)]}
        tracks = mock.Mock(places=lambda component, _: list(places[component.kind]))
        self.assertEqual(grid.on_rail(tracks, row, list(cells), "own", "gnd"), [*places["own"], *places["far"]])
        places = dict.fromkeys(cells, [])
        with self.assertRaisesRegex(technology.UserError, "no via fits on gnd in the row of own"):
            grid.on_rail(tracks, row, list(cells), "own", "gnd")

    def test_metal_that_is_too_close_to_that_of_another_net_is_named(self):
        found, library = both()
        library.layers["m2"].spacing = 0.5
        self.assertEqual(layout_check.too_close(found, library), [])
        found.nets["n1"].wires.append(("m2", 2.4, 3, 2.4, 9))  # half a micrometre beside the wire of in_i
        self.assertEqual(layout_check.too_close(found, library), [("in_i", "n1")])
        found.nets["n1"].wires.pop()
        library.macros["GATE"].blocked.append(("m2", 2.2, 8, 3, 9))
        self.assertEqual(layout_check.too_close(found, library), [("GATE_1", "in_i")])

    def test_a_part_is_routed_on_the_grid_and_the_checks_agree(self):
        part = block.Block("delay", "ppu_delay", "", {"Width": 8, "Depth": 4})

        def in_rows(folder, name, files, _python, cells, kinds, nets, ports, library, _spread, _limit):
            height = library.macros[kinds[0]].height
            places = {number: (12.0 * (number % 8), height * (number // 8)) for number in range(len(cells))}
            rows.write_def(folder / f"{name}.def", name, cells, kinds, nets, ports, library, places, files.filler)
            return 0.0

        with tempfile.TemporaryDirectory() as scratch, mock.patch.object(place, "place_by_etesian", in_rows):
            folder = pathlib.Path(scratch)
            library = technology.load("osu018", [], [], folder)
            measured, found, cells, _ = routed.measure(part, library, folder, 300, "python")
            text = (folder / "delay.def").read_text()
            self.assertEqual(drc.check(folder, "delay", routed.files(library), 300), {})
            wired = (folder / "delay_route.def").read_text()
            (folder / "delay_route.def").write_text(re.sub(r"\( (\d+) (\d+) \) M3_M2", lambda via: f"( {int(via[1]) + 40} {via[2]} ) M3_M2",
                                                           wired, count=1))
            self.assertTrue(drc.check(folder, "delay", routed.files(library), 300), "a via beside its wires")
        self.assertEqual((measured.cells, measured.nets, measured.router), (32, 41, "grid"))
        self.assertGreater(measured.period_ns, measured.period_before_ns)
        self.assertEqual(set(measured.wire_um) - {"metal2", "metal3", "metal4", "metal5"}, set())
        tracks = grid.Grid(text, cells)
        for name, component in found.components.items():
            if component.kind != "FILL":
                for pin in set(cells.macros[component.kind].pins) - set(lef.RAILS.values()):
                    self.assertTrue(tracks.places(component, pin), f"{name} {pin}")


class Picture(unittest.TestCase):
    """Of a die of 30 by 20 micrometres with one pixel for each."""

    def setUp(self):
        self.layout, self.lef = both()
        self.library = mock.Mock(cell=lambda _: mock.Mock(is_register=False))
        side = mock.patch.object(raster, "SIDE", 30)
        side.start()
        self.addCleanup(side.stop)
        self.pixels = raster.Pixels(self.layout.die)

    def at(self, found, x, y):
        return found[(self.pixels.height - 1 - y) * self.pixels.width + x]

    def test_a_cell_has_the_colour_of_its_part_and_a_register_the_darker_one(self):
        parts = {"GATE_1": 0, "GATE_2": 2}
        found = raster.cells(self.layout, self.lef, self.library, self.pixels, parts)
        self.assertEqual([self.at(found, x, 5) for x in (1, 7, 11)], [1, 0, 5])
        self.library.cell = lambda _: mock.Mock(is_register=True)
        found = raster.cells(self.layout, self.lef, self.library, self.pixels, parts)
        self.assertEqual([self.at(found, x, 5) for x in (1, 7, 11)], [2, 0, 6])

    def test_a_place_is_the_lighter_the_more_wires_it_has(self):
        found = raster.wires(self.layout, self.pixels)
        self.assertEqual(self.at(found, 20, 15), 0)
        self.assertGreater(self.at(found, 5, 7), 0)  # the wire of n1
        self.assertGreater(self.at(found, 7, 7), self.at(found, 5, 7))  # where another one of it meets it

    def test_an_image_has_the_pixels_of_its_palette(self):
        image = raster.png(2, 2, bytes((0, 1, 1, 0)), [(255, 255, 255), (1, 2, 3)])
        self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn(b"PLTE\xff\xff\xff\x01\x02\x03", image)
        start = image.index(b"IDAT") + 4
        self.assertEqual(zlib.decompress(image[start:start + struct.unpack(">I", image[start - 8:start - 4])[0]]), b"\0\0\1\0\1\0")

    def test_the_picture_names_the_parts(self):
        names = ["one", "none", "two"]
        picture = raster.svg("a title", self.layout, self.lef, self.library, names, {"GATE_1": 0, "GATE_2": 2})
        for text in ("a title", ">one<", ">two<", "data:image/png;base64,"):
            self.assertIn(text, picture)
        self.assertNotIn(">none<", picture)  # it has no cell


class Page(unittest.TestCase):
    def test_the_section_is_that_of_what_is_noted(self):
        self.assertIn(routed_page.section(), silicon.PAGE.read_text())
        for technology_name, parts in routed_page.load().items():
            for part in parts.values():
                self.assertGreater(part["period_ns"], part["period_before_ns"], technology_name)

    def test_the_guide_shows_the_wires_that_are_noted(self):
        found = routed_page.load()["osu018"]["fp-add"]
        wires = f"{found['nets']:,} nets, all routed; {sum(found['wire_um'].values()) / 1000:.1f} mm of wires"
        text = (ROOT / "docs/guide/physical.md").read_text()
        self.assertRegex(text, rf"{wires} \(.*\), {found['vias']:,} vias, {found['wire_pf']:.1f} pF\n")
        self.assertIn(f"clock after  {1000 / found['period_ns']:.1f} MHz", text)

    def test_readme_says_how_much_slower_wires_made_an_engine(self):
        found = next(part for name, part in routed_page.load()["osu018"].items() if name.startswith("engine"))
        self.assertIn(f"slower by {100 * (1 - found['period_before_ns'] / found['period_ns']):.0f} %", (ROOT / "README.md").read_text())

    def test_nothing_noted_is_no_section(self):
        with mock.patch.object(routed_page, "load", dict):
            self.assertEqual(routed_page.section(), "")

    def test_what_is_measured_is_noted_in_the_order_of_the_page(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(routed_page, "NOTED", pathlib.Path(folder, "noted.json")):
            for name in ("issue pipes=1", "fp-add", "other"):
                routed_page.record("osu018", name, mock.Mock(figures=lambda: {"cells": 1}))
            self.assertEqual(list(json.loads(routed_page.NOTED.read_text())["osu018"]), ["fp-add", "issue pipes=1", "other"])


class WrongUse(unittest.TestCase):
    def test_a_technology_without_parameters_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "asap7.lib")
            path.write_text("library (x) { cell (BUFx4_ASAP7_75t_R) { area : 1; } }")
            done = subprocess.run((sys.executable, "-B", ROOT / "hw/physical/physical.py", "fp-add", "--route", "--tech", "asap7",
                                   "--liberty", path), capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("expected --tech osu018", done.stderr)

    def test_cells_come_no_closer_than_they_were_placed_and_only_where_etesian_places(self):
        for spread, says in (("0.5", "--spread 0.5: expected a number of 1 or more"), ("1.5", "--spread: expected with --coriolis")):
            done = subprocess.run((sys.executable, "-B", ROOT / "hw/physical/physical.py", "fp-add", "--route", "--spread", spread),
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(says, done.stderr)

    def test_a_record_is_of_the_spread_of_the_page(self):
        done = subprocess.run((sys.executable, "-B", ROOT / "hw/physical/physical.py", "fp-add", "--route", "--record", "--coriolis",
                               "python3", "--spread", "2"), capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--record: the page has its own --spread for each part", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
