# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The specification's generator: committed output is up to date, bad specifications are refused."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import source_tree as tree


def generate(root, *options):
    command = [sys.executable, tree.ROOT / "hw/spec/generate.py", "--root", root, *options]
    return subprocess.run(command, capture_output=True, text=True)


class Generator(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "hw/spec").mkdir(parents=True)
        for spec in (tree.ROOT / "hw/spec").glob("*.toml"):
            shutil.copy(spec, self.root / "hw/spec")
        for folder in ("hw/configs", "hw/physical/figures"):
            shutil.copytree(tree.ROOT / folder, self.root / folder)

    def replace(self, file, pattern, text):
        """Replaces the only match of `pattern`, so that a changed specification is noticed."""
        path = self.root / file
        changed, count = re.subn(pattern, text, path.read_text(), flags=re.DOTALL)
        self.assertEqual(count, 1, f"{pattern} in {file}")
        path.write_text(changed)

    def assert_refused(self, *parts):
        run = generate(self.root)
        self.assertNotEqual(run.returncode, 0)
        for part in parts:
            self.assertIn(part, run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        self.assertFalse((self.root / "rtl").exists(), "nothing may be written")

    def test_committed_files_are_up_to_date(self):
        run = generate(tree.ROOT, "--check")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_an_edit_makes_the_generated_files_out_of_date(self):
        self.assertEqual(generate(self.root).returncode, 0)
        self.assertEqual(generate(self.root, "--check").returncode, 0)
        self.replace("hw/spec/counters.toml", r'doc = "Rows that went', 'doc = "The rows that went')
        run = generate(self.root, "--check")
        self.assertEqual(run.returncode, 1)
        self.assertIn("out of date: driver/include/ppu/spec.h", run.stdout)

    def test_what_the_modules_of_an_engine_tell_each_other_is_not_in_the_hash(self):
        hash_line = re.compile(r"SpecHash = .*")
        self.assertEqual(generate(self.root).returncode, 0)
        before = hash_line.search((self.root / "rtl/spec/ppu_spec_pkg.sv").read_text()).group()
        self.replace("hw/spec/engine.toml", r'\["first", 1, "The first half is written."\]', '["first", 2, "Which halves are written."]')
        self.assertEqual(generate(self.root).returncode, 0)
        self.assertIn(before, (self.root / "rtl/spec/ppu_spec_pkg.sv").read_text())
        self.assertIn("RowWriteWidth = 1164;", (self.root / "rtl/spec/ppu_engine_pkg.sv").read_text())

    def test_a_width_that_nobody_gives_is_refused(self):
        self.replace("hw/spec/engine.toml", r'"spec row_record"(?=, )', '"spec row_recrod"')
        self.assert_refused("engine.toml, dataflow.toml: row_write.record: there is no width 'spec row_recrod'")

    def test_model_and_rtl_take_registers_and_phases_from_the_specification(self):
        self.replace("hw/spec/isa.toml", r'names = \["zero", (.*?), "t6"\]',
                     r'names = ["zero", "t6", \1]')
        self.replace("hw/spec/registers.toml", r'(\[\[engine_phase\]\]\nname = )"idle"',
                     r'\1"reset"\ndoc = "."\n\1"idle"')
        self.assertEqual(generate(self.root).returncode, 0)
        package = (self.root / "rtl/spec/ppu_spec_pkg.sv").read_text()
        header = (self.root / "hw/spec/generated/ppu_spec.hpp").read_text()
        self.assertIn(" FirstArgumentRegister = 2;", package)
        self.assertIn(" kFirstArgumentRegister = 2;", header)
        self.assertIn("  kRowCount = 0,\n", header)
        self.assertIn(" PhaseIdle = 3'h1,", package)
        self.assertIn("  kReset,", header)

    def test_model_and_rtl_take_cycles_from_the_specification(self):
        self.replace("hw/spec/timing.toml", r'name = "operand"\ncount = 2', 'name = "operand"\ncount = 3')
        self.assertEqual(generate(self.root).returncode, 0)
        package = (self.root / "rtl/spec/ppu_spec_pkg.sv").read_text()
        header = (self.root / "hw/spec/generated/ppu_spec.hpp").read_text()
        self.assertIn(" OperandCycles = 3;", package)
        self.assertIn(" kOperandCycles = 3;", header)
        self.assertNotIn("LinkerCycles", package)
        self.assertIn(" kLinkerCycles = 2;", header)

    def test_cycles_that_are_named_twice_are_refused(self):
        self.replace("hw/spec/timing.toml", r'name = "seed"', 'name = "token"')
        self.assert_refused("timing.toml")

    def test_a_duplicate_opcode_is_refused(self):
        self.replace("hw/spec/isa.toml", r'name = "li"\nopcode = 0x01', 'name = "li"\nopcode = 0x02')
        self.assert_refused("isa.toml", "opcode")

    def test_an_unknown_control_value_is_refused(self):
        self.replace("hw/spec/kernel.toml", r'set = \{ axpy = "on" \}',
                     'set = { axpy = "maybe" }')
        self.assert_refused("kernel.toml", "axpy", "'maybe'")

    def test_an_unknown_control_field_is_refused(self):
        self.replace("hw/spec/kernel.toml", r'set = \{ axpy = "on" \}', 'set = { saxpy = "on" }')
        self.assert_refused("kernel.toml", "saxpy")

    def test_overlapping_control_fields_are_refused(self):
        self.replace("hw/spec/kernel.toml", r'name = "bias"\nlsb = 1', 'name = "bias"\nlsb = 0')
        self.assert_refused("kernel.toml", "bias", "overlaps")

    def test_a_row_record_of_another_size_is_refused(self):
        self.replace("hw/spec/row.toml", r"size_bytes = 128", "size_bytes = 124")
        self.assert_refused("row.toml", "128")

    def test_an_unknown_configuration_key_is_refused(self):
        with open(self.root / "hw/configs/small.toml", "a") as file:
            file.write("lames = 3\n")
        self.assert_refused("small.toml", "'lames'")

    def test_a_configuration_may_have_the_clock_of_a_technology(self):
        self.replace("hw/configs/inorder.toml", r'\["ihp130"\]', '["hbm2", "asap7"]')
        self.assertEqual(generate(self.root).returncode, 0)
        page = (self.root / "docs/reference/config.md").read_text()
        self.assertIn("| clock_mhz | 1 to 10000 | of ihp130 | of asap7 | of ihp130 ", page)

    def test_an_unknown_part_is_refused(self):
        self.replace("hw/configs/inorder.toml", r'\["ihp130"\]', '["ihp131"]')
        self.assert_refused("inorder.toml", "'ihp131'")


if __name__ == "__main__":
    unittest.main()
