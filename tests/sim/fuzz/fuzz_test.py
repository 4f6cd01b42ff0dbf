# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu fuzz: random programs make the same on every back end, and a back end that is broken is found."""
import json
import os
import shlex

from cli import BACKENDS, CliTest


POINTS_MET = 3455


class Fuzz(CliTest):
    def test_every_back_end_makes_the_same_of_random_programs_on_every_named_configuration(self):
        result = self.json("fuzz", "--programs", "25")
        self.assertTrue(result["equal"])
        self.assertEqual(result["backends"], list(BACKENDS))
        self.assertEqual(result["configs"], ["default", "inorder", "protected", "small", "wide"])
        self.assertEqual(result["programs"], 125)
        self.assertGreater(result["endings"]["ok"], 50)
        self.assertGreater(result["kernels"], 90)
        self.assertGreater(result["rows"], 3000)
        self.assertGreater(result["lockstep_rows"], 3000)

    def test_everything_that_the_specification_lists_is_met(self):
        # Only rows in slot order wait for a parent.
        result = self.json("fuzz", "--programs", "740", "--config", "small,inorder", "--backends",
                           "functional,systemc,cosim")
        self.assertTrue(result["equal"])
        for group, seen in result["coverage"].items():
            self.assertEqual([name for name, times in seen.items() if times == 0], [], group)
        self.assertTrue(result["complete"])
        for status in ("ok", "row_fault", "bad_row", "illegal_instruction"):
            self.assertGreater(result["endings"][status], 5, status)
        self.check_points(result["points"])

    def check_points(self, points):
        """What these programs have met when this was written: none of it may be lost. See docs/inside/coverage.md."""
        self.assertGreaterEqual(points["met"], POINTS_MET)
        self.assertEqual([state for state, operations in points["states"].items() if operations == 0], [])

    def test_shapes_that_no_configuration_has_are_equal_too(self):
        result = self.json("fuzz", "--cases", "4000", "--backends", "functional,systemc,cosim",
                           "--config", "small", "--set", "pipes=4", "--set", "row_memory_rows=16",
                           "--set", "velocity_banks=2", "--set", "dram_stall_percent=30",
                           "--set", "instruction_memory_words=64")
        self.assertTrue(result["equal"])
        self.assertGreaterEqual(result["rows"], 4000)

    def test_a_seed_tells_everything(self):
        arguments = ("fuzz", "--programs", "40", "--seed", "9", "--backends", "functional,systemc")
        first, second = (self.json(*arguments) for _ in range(2))
        for result in (first, second):
            del result["seconds"]
        self.assertEqual(first, second)
        other = self.json("fuzz", "--programs", "40", "--seed", "10", "--backends",
                          "functional,systemc")
        self.assertNotEqual(first["rows"], other["rows"])

    def test_the_row_pipe_gets_many_kernels_and_rows_of_any_bits(self):
        result = self.json("fuzz", "--type", "row-pipe", "--programs", "12", "--config", "default",
                           "--backends", "functional,systemc,cosim")
        self.assertTrue(result["equal"])
        self.assertGreater(result["lockstep_rows"], 4000)
        self.assertLessEqual(set(result["endings"]), {"ok", "row_fault"})

    def test_the_summary_names_programs_kernels_rows_endings_and_what_was_never_seen(self):
        out = self.ppu("fuzz", "--programs", "3", "--config", "default", "--backends",
                       "functional,systemc").stdout
        self.assertRegex(out, r"\n3 programs, [\d,]+ kernels, [\d,]+ rows \(cases\); ")
        self.assertRegex(out, r"\nok +\d\n")
        for group in ("instructions", "kernel operations", "control values", "faults"):
            self.assertRegex(out, rf"\n{group} +\d+ +\d+ ")
        self.assertRegex(out, r"\nnever seen: .*same_body")
        self.assertTrue(out.endswith("\n0 differences\n"), out)

    def test_what_cannot_be_compared_is_refused(self):
        self.refused("fuzz", "--backends", "rtl", names=("--backends", "two"))
        self.refused("fuzz", "--backends", "rtl,none", names=("none", "systemc"))
        self.refused("fuzz", "--config", "none", names=("none",))
        for option in ("--cases", "--programs", "--seed"):
            self.refused("fuzz", option, -1, names=(option, "-1"))
        self.refused("fuzz", "--replay", "nothing.json", names=("nothing.json",))
        (self.folder / "bad.json").write_text("{}")
        self.refused("fuzz", "--replay", "bad.json", names=("bad.json", "no case"))
        self.refused("fuzz", "--save", "bad.json", names=("--save", "bad.json"))


class FuzzFinds(CliTest):
    def setUp(self):
        super().setUp()
        self.broken = {"PPU_DEVICE": os.environ["PPU_BROKEN_DEVICE"]}

    def find(self, *arguments):
        return self.ppu("fuzz", "--config", "default", "--backends", "functional,cosim",
                        *arguments, expect=1, environment=self.broken).stdout

    def again(self, command, expect, environment=None):
        """Runs a command that was printed."""
        words = shlex.split(command)
        self.assertEqual(words[0], "ppu")
        return self.ppu(*words[1:], expect=expect, environment=environment).stdout

    def test_a_broken_adder_is_found_and_the_seed_repeats_it(self):
        out = self.find()
        self.assertRegex(out, r"\nDIFFERENCE: seed \d+ on default\n  outcome: .*lockstep: cycle")
        command = out.split("repeat it: ")[1].splitlines()[0]
        self.assertRegex(command, r"^ppu fuzz --replay \d+ --config default ")
        self.assertIn("DIFFERENCE", self.again(command, 1, self.broken))
        self.assertIn("0 differences", self.again(command, 0))

    def test_the_case_is_made_as_small_as_it_can_be_and_its_files_repeat_it(self):
        out = self.find("--type", "row-pipe", "--save", "case")
        self.assertIn("made smaller", out)
        saved = json.loads((self.folder / "case/case.json").read_text())
        program = (self.folder / "case/program.s").read_text()
        self.assertEqual(saved["program"], program)
        self.assertLessEqual(len(saved["rows"]), 2)
        self.assertLessEqual(len(program.splitlines()), 14)
        self.ppu("asm", "case/program.s")
        command = out.split("run it: ")[1].splitlines()[0]
        self.assertIn("DIFFERENCE", self.again(command, 1, self.broken))
        self.assertIn("0 differences", self.again(command, 0))
