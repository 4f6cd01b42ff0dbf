# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The pages of the physical flow and the clocks of configurations are what is noted.

usage: noted_test.py ROOT
"""
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "hw/physical"))
import block  # noqa: E402
import clocks  # noqa: E402
import figures  # noqa: E402
import frames  # noqa: E402
import silicon  # noqa: E402
import technology  # noqa: E402
import treemap  # noqa: E402


class Figures(unittest.TestCase):
    def test_the_page_shows_what_is_noted(self):
        before = figures.PAGE.read_text()
        with tempfile.TemporaryDirectory() as folder:
            figures.PAGE = pathlib.Path(folder, "physical.md")
            figures.write_page()
            self.assertEqual(figures.PAGE.read_text(), before, "make it again: ./ppu physical --page")

    def test_the_first_example_of_the_guide_has_what_is_noted(self):
        noted, guide = figures.load("osu018"), (ROOT / "docs/guide/physical.md").read_text()
        example = guide[guide.index("./ppu physical fp-add fp-mul issue\n"):]
        for name, key in (("fp-add", "fp-add fp_add_stages=3"), ("fp-mul", "fp-mul fp_mul_stages=3"), ("issue", "issue pipes=1")):
            line = next(line for line in example.splitlines() if line.startswith(name + " ")).split()
            found = noted[key]
            self.assertEqual((line[1], line[2], line[3], line[6]), (f"{found['cells']:,}", f"{found['registers']:,}",
                                                                   f"{found['area_um2'] / 1e6:.4f}", f"{found['period_ns']:.3f}"))

    def test_configurations_look_up_the_clocks_that_are_noted(self):
        self.assertEqual(clocks.HEADER.read_text(), clocks.header(), "make it again: ./ppu physical --page")

    def test_a_clock_is_rounded_down_and_has_the_keys_of_its_engine(self):
        noted = {"engine": {"period_ns": 6.999}, "engine config=small": {"period_ns": 10}, "fp-div": {"period_ns": 1}}
        with mock.patch.object(figures, "load", lambda technology: noted if technology == "asap7" else {}):
            self.assertEqual([(name, values["lanes"], mhz) for name, values, mhz in clocks.engines("asap7")],
                             [("default", 12, 140), ("small", 4, 100)])
            self.assertIn('{"asap7", "small", 100,\n     {2, 4, 2, 2, 14, 8, 2048, 32768, 2048, 4, 1, 0, 0, 1024, 1}}',
                          clocks.header())

    def test_an_engine_is_called_as_one_writes_its_configuration(self):
        points = ((), ("config=small",), figures.RESIDENT, (*figures.RESIDENT, "pipes=4"))
        self.assertEqual([figures.called(keys) for keys in points],
                         ["default", "small", "default+resident", "default+resident pipes=4"])

    def test_a_record_keeps_what_is_no_point(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(figures, "FOLDER", pathlib.Path(folder)):
            for name in ("later", "issue pipes=1", "fp-div"):
                figures.record("asap7", {name: {"cells": 1}})
            self.assertEqual(list(figures.load("asap7")), ["fp-div", "issue pipes=1", "later"])

    def test_every_key_that_is_a_parameter_of_an_engine_counts_for_its_clock(self):
        default = block.values_of("default", [])
        shape = block.engine(default)
        for key, _ in clocks.KEYS:
            self.assertNotEqual(block.engine(default | {key: default[key] + 1}), shape, key)
        self.assertEqual(len(clocks.KEYS), len(shape))


class Silicon(unittest.TestCase):
    def test_page_and_pictures_show_what_is_noted(self):
        self.assertEqual(silicon.PAGE.read_text(), silicon.page(), "make it again: ./ppu physical --page")
        for path, text in silicon.pictures().items():
            self.assertEqual(path.read_text(), text, "make it again: ./ppu physical --page")

    def test_frames_were_solved_at_the_clocks_that_are_noted(self):
        clock = {name: {silicon.mhz(name)} for name in frames.technologies()}
        fpgas = {name: figures.largest(name, "engine")[1] for name in technology.FPGAS}
        clock |= {name: {clocks.mhz(found)} for name, found in fpgas.items() if found}
        self.assertEqual({name: {frame["mhz"] for frame in noted.values()} for name, noted in frames.load().items()}, clock,
                         "build the programs, and solve them again: ./ppu physical --frames --page")

    def test_parts_of_an_engine_are_together_the_engine(self):
        for name in technology.LIBRARIES:
            for found in figures.load(name).values():
                for area in ("area_um2", "memory_area_um2"):
                    self.assertAlmostEqual(sum(part[area] for part in found.get("parts", [found])), found[area], delta=1)

    def test_paths_that_read_the_same_are_one_line_and_parts_without_a_path_have_a_dash(self):
        path = {"period_ns": 2, "levels": 3, "parts": ["one"]}
        found = {"area_um2": 3e6, "memory_area_um2": 0, "period_ns": 2,
                 "parts": [{"part": "one", "area_um2": 2e6, "memory_area_um2": 0, "period_ns": 2, "path": "a -> b"},
                           {"part": "buffers", "area_um2": 1e6, "memory_area_um2": 0}],
                 "paths": [path | {"path": "u.$x$1 -> b"}, path | {"path": "u.$x$2 -> b"}]}
        text = figures.parts("engine", found)
        self.assertIn("| buffers | 1.0000 | 0.000 | - | - |\n| all | 3.0000 | 0.000 | 2.00 | |", text)
        self.assertEqual(text.count("| 2.00 | 3 | `u.(a register) -> b` | one |"), 1)

    def test_rectangles_have_the_areas_that_are_asked_for_and_do_not_overlap(self):
        sizes = [50, 20, 11, 9, 5, 3, 1, 1]
        found = treemap.squares(sizes, 10, 20, 200, 100)
        for size, (left, top, width, height) in zip(sizes, found):
            self.assertAlmostEqual(width * height, size * 200)
            self.assertTrue(10 <= left and left + width <= 210.001 and 20 <= top and top + height <= 120.001)
            self.assertLess(max(width / height, height / width), 4)
        for one, (left, top, width, height) in enumerate(found):
            for other_left, other_top, other_width, other_height in found[:one]:
                self.assertTrue(left >= other_left + other_width - 1e-6 or other_left >= left + width - 1e-6 or
                                top >= other_top + other_height - 1e-6 or other_top >= top + height - 1e-6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
