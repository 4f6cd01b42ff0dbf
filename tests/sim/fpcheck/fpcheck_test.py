# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu fpcheck: the floating-point units of the RTL alone, by pairs from outside and against the CPU."""
import struct

from cli import CliTest


def bits(value):
    return struct.pack(">f", value).hex()


class Fpcheck(CliTest):
    def test_every_pair_of_exponents_is_right_in_every_unit(self):
        for operation in ("add", "mul", "div"):
            result = self.json("fpcheck", operation, "--exponents")
            self.assertEqual(result["pairs"], 256 * 256 * 6 * 6 * 2)
            self.assertEqual(result["differences"], 0, result["lines"])

    def test_random_pairs_are_right_with_the_stages_of_every_built_configuration(self):
        stages = set()
        for config in ("default", "small", "wide"):
            for operation in ("add", "mul", "div"):
                result = self.json("fpcheck", operation, "--random", "20000", "--config", config,
                                   "--seed", "5")
                self.assertEqual((result["pairs"], result["differences"]), (20000, 0))
                stages.add(result["stages"])
        self.assertGreater(len(stages), 2)

    def test_pairs_from_outside_are_answered_in_order(self):
        values = [(i + 1.0, 3.0 - i) for i in range(10000)]
        lines = "".join(f"{bits(a)} {bits(b)}\n" for a, b in values)
        out = self.ppu("fpcheck", "add", text=lines).stdout
        self.assertEqual(out.split(), [bits(4.0)] * len(values))
        out = self.ppu("fpcheck", "mul", text="40000000 40400000\n\n3f000000  3F000000").stdout
        self.assertEqual(out, f"{bits(6.0)}\n{bits(0.25)}\n")
        out = self.ppu("fpcheck", "div", text="3f800000 40400000\n0 0\n").stdout
        self.assertEqual(out, "3eaaaaab\n7fc00000\n")
        self.assertEqual(self.ppu("fpcheck", "div", text="").stdout, "")

    def test_an_expected_result_is_compared_and_flags_are_left_alone(self):
        right = "3f800000 3f800000 40000000 00\n7f800000 ff800000 ffc00000 10\n"
        self.assertEqual(self.ppu("fpcheck", "add", text=right).stderr, "")
        wrong = self.ppu("fpcheck", "add", text=right + "3f800000 0 3f800001 00\n", expect=1)
        self.assertEqual(wrong.stdout.split(), ["40000000", "7fc00000", "3f800000"])
        self.assertIn("3 pairs, 1 differences", wrong.stderr)
        self.assertIn("3f800000 + 00000000 = 3f800000, expected 3f800001", wrong.stderr)

    def test_what_is_no_pair_is_refused_by_its_line(self):
        for bad in ("3f800000", "3f800000 xyz", "123456789 0", "-1 0", "0 0 q"):
            run = self.ppu("fpcheck", "add", text=f"0 0\n{bad}\n", expect=2)
            self.assertIn("line 2", run.stderr)
            self.assertIn(bad, run.stderr)
        self.refused("fpcheck", "root", names=("root",))
        self.refused("fpcheck", "add", "--seed", "3", names=("--random",))
        self.refused("fpcheck", "add", "--set", "fp_add_stages=4", names=("4 stages", "default (3)"))
