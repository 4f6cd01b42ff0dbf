# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""One clock and one reset: every register is cleared by it, or named in registers.toml with what says when it is read."""
import re
import tomllib
import unittest

import registers
import source_tree as tree

TABLE = tomllib.loads((tree.ROOT / "tests/repo/registers.toml").read_text())
EXAMPLE = """
module example;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      list_q[8*i +: 8] <= '0;
    end else if (a <= b) begin : gen_taken
      valid_q <= (c <= d);
      case (e[f(1)])
        pkg::One, pkg::Two: list_q.field[1] <= g <= h;
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk_i) {first_q, second_q} <= i;
  always_ff @(posedge clk_i) for (int n = 0; n < 4; n++) if (valid_q) word_q[n] <= j; else word_q[n] <= '0;
endmodule
"""


def under():
    """(module, register) of each that is cleared: {(module, register), ...} of those that are read under it."""
    return {(module, name): {tuple(word.split(".")) if "." in word else (module, word) for word in text.split()}
            for module, names in TABLE["under"].items() for name, text in names.items()}


def because():
    return {sentence: {tuple(word.split(".")) for word in text.split()} for sentence, text in TABLE["because"].items()}


class Registers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        found = registers.of_modules()
        cls.kept = {(module, name) for module, which in found.items() for name in which.kept}
        cls.cleared = {(module, name) for module, which in found.items() for name in which.cleared}

    def assert_none(self, found, rule):
        self.assertEqual(sorted(".".join(one) for one in found), [], rule)

    def test_there_are_registers(self):
        self.assertGreater(len(self.cleared), 150)
        self.assertGreater(len(self.kept), 150)

    def test_every_register_that_no_reset_clears_is_named(self):
        named = set().union(*under().values(), *because().values())
        self.assert_none(self.kept - named, "no reset clears it, and registers.toml does not say when it is read")
        self.assert_none(named - self.kept, "registers.toml names what is no register, or one that a reset clears")

    def test_none_is_named_twice(self):
        named = [one for group in (under(), because()) for names in group.values() for one in names]
        self.assert_none({one for one in named if named.count(one) > 1}, "named twice")

    def test_what_says_when_they_are_read_is_cleared_by_the_reset(self):
        self.assert_none(set(under()) - self.cleared, "no register that a reset clears")

    def test_a_register_is_cleared_everywhere_or_nowhere(self):
        self.assert_none(self.cleared & self.kept, "cleared in one process, but not in another")

    def test_clock_and_reset_are_those_of_the_device_everywhere(self):
        for path in sorted((tree.ROOT / "rtl").rglob("*.sv")):
            text = registers.code(path)
            for name in ("clk_i", "rst_ni"):
                rest = re.sub(rf"input +logic +{name}\b|[(,]\s*\.{name}(?=\s*[,)])|\bunused_\w+ = [^;]*;", "", text)
                rest = re.sub(r"always_ff @\([^)]*\)|if \(!rst_ni\)", "", rest)
                other = re.search(rf".*\b{name}\b.*", rest)
                self.assertFalse(other, f"{tree.name(path)}: {name} is used in another way: {other and other[0].strip()}")

    def test_registers_are_told_apart(self):
        found = registers.of_text(EXAMPLE)
        self.assertEqual(found.cleared, {"valid_q", "list_q"})
        self.assertEqual(found.kept, {"first_q", "second_q", "word_q"})

    def test_other_processes_are_refused(self):
        for was, becomes in (("or negedge rst_ni", "or posedge rst_i"), ("posedge clk_i)", "negedge clk_i)"),
                             ("      valid_q <= 1'b0;\n", ""), ("(!rst_ni)", "(reset)"), ("always_ff", "always"),
                             ("valid_q <= (c", "valid_q = (c"), ("  end\n  always_ff", "  flag_q <= k; end\n  always_ff")):
            self.assertIn(was, EXAMPLE)
            with self.assertRaises(registers.TextError, msg=becomes):
                registers.of_text(EXAMPLE.replace(was, becomes, 1))


if __name__ == "__main__":
    unittest.main()
