# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu fclib: friction-contact problems in the FCLIB format. The files are made here, of row problems."""
import os
import subprocess

from cli import BALL, CliTest, DATA


class Fclib(CliTest):
    def exported(self, source=BALL):
        path = self.folder / "made.hdf5"
        self.ppu("fclib", source, "--export", path)
        return path

    def edited_fclib(self, *edits):
        path = self.exported()
        subprocess.run([os.environ["PPU_BAD_PROBLEM"], path, *map(str, edits)], check=True)
        return path

    def test_rows_go_to_fclib_and_come_back_to_the_same_answer(self):
        self.ppu("fclib", self.exported(), "--rows", self.folder / "rows.h5", "--directions", 2)
        there, back = (self.json("solve", source, "--method", "explicit", "--sweeps", 50000, "--threshold", 1e-5)
                       for source in (BALL, self.folder / "rows.h5"))
        for result in there, back:
            self.assertEqual((result["rows"], result["bodies"], result["reached"]), (105, 12, True))
        # The order of the rows is another one, as friction follows its contact.
        self.assertLess(abs(there["sweeps"] - back["sweeps"]), 0.2 * there["sweeps"])

    def test_every_method_solves_what_was_exported_and_more_directions_are_nearer_to_the_cone(self):
        results = self.json("fclib", self.exported())["results"]
        self.assertEqual([(r["method"], r["directions"]) for r in results],
                         [(m, d) for m in ("pgs", "explicit", "pgs-sm", "interior-point") for d in (2, 4, 8)] +
                         [("cones", 0)])
        cones = results.pop()
        self.assertTrue(cones["reached"])
        self.assertLessEqual(cones["error"], 1e-4)
        self.assertLess(cones["cone_excess"], 1e-12)
        for two, four, eight in zip(results[::3], results[1::3], results[2::3]):
            self.assertEqual((two["rows"], four["rows"], eight["rows"]), (105, 175, 315))
            self.assertLess(eight["error"], two["error"])
            self.assertLessEqual(eight["cone_excess"], max(0, two["cone_excess"]))
            self.assertLess(eight["error"], 0.1)

    def test_a_problem_with_joints_is_not_exported(self):
        self.refused("fclib", DATA / "ragdoll_f140.h5", "--export", "out.hdf5", names=("ragdoll_f140.h5", "/rows/"))
        self.refused("fclib", DATA / "wall10cfm_f030.h5", "--export", "out.hdf5", names=("compliance", "0 in FCLIB"))
        self.assertFalse((self.folder / "out.hdf5").exists())

    def test_files_that_are_no_fclib_are_refused_in_one_sentence(self):
        self.refused("fclib", "nothing.hdf5", names=("nothing.hdf5",))
        self.refused("fclib", BALL, names=("ball_f110.h5", "/fclib_global or /fclib_local"))
        for edits, names in (
                (("set", "/fclib_global/vectors/mu", 3, -1), ("vectors/mu row 3", ">= 0")),
                (("delete", "/fclib_global/M"), ("/fclib_global/M", "a group")),
                (("delete", "/fclib_global/vectors/w"), ("/fclib_global/vectors/w",)),
                (("set", "/fclib_global/spacedim", 0, 7), ("spacedim", "found 7")),
                (("set", "/fclib_global/M/nz", 0, 10**6), ("/fclib_global/M", "1000000 entries")),
                (("set", "/fclib_global/M/nz", 0, -3), ("/fclib_global/M/nz", "found -3")),
                (("set", "/fclib_global/M/nz", 0, -1), ("/fclib_global/M",)),
                (("set", "/fclib_global/M/x", 0, -5), ("M row 0", "positive definite")),
                (("set", "/fclib_global/M/m", 0, 7), ("M", "7 x")),
                (("set", "/fclib_global/H/i", 0, -4), ("/fclib_global/H", "(-4,")),
                (("set", "/fclib_global/H/x", 0, "nan"), ("H", "a finite number")),
                (("shape", "/fclib_global/vectors/f", 1), ("vectors/f", "1 values")),
                (("set", "/fclib_global/H/x", 0, 1e101), ("H column", "at most 1e100")),
                (("equality", "/fclib_global/G", 3), ("/fclib_global/G", "equality constraints", "contacts alone")),
                (("equality", "/fclib_global/R", 1), ("/fclib_global/R", "equality constraints")),
                (("as", "/fclib_global/vectors/mu", "int32be"), ("vectors/mu", "floating-point numbers")),
                (("type", "/fclib_global/H/i"), ("/fclib_global/H/i", "integers"))):
            self.refused("fclib", self.edited_fclib(*edits), names=("made.hdf5", *names))

    def test_matrices_and_numbers_may_be_stored_as_others_do(self):
        def answer(*edits):
            path = self.exported()
            for edit in edits:
                subprocess.run([os.environ["PPU_BAD_PROBLEM"], path, *map(str, edit)], check=True)
            results = self.json("fclib", path, "--methods", "pgs,cones", "--directions", 2)["results"]
            return [(r["sweeps"], r["error"]) for r in results]

        usual = answer()
        at = "/fclib_global/"
        for edits in (
                [("store", at + "M", -1), ("store", at + "H", -1)],
                [("store", at + "M", -2), ("store", at + "H", -2)],
                [("store", at + "M", -2), ("as", at + "M/nz", "scalar"), ("as", at + "spacedim", "scalar")],
                [("as", at + "H/i", "int64"), ("as", at + "H/p", "int16"), ("as", at + "M/m", "uint32")],
                [("as", at + "H/nz", "int32be"), ("as", at + "vectors/f", "float64be"), ("delete", at + "H/nzmax")],
                [("delete", at + "M/nzmax"), ("delete", at + "H/nzmax"), ("equality", at + "G", 0)]):
            self.assertEqual(answer(*edits), usual, edits)
        single = answer(("as", at + "vectors/f", "float32"), ("as", at + "H/x", "float32"))
        self.assertAlmostEqual(single[0][1], usual[0][1], delta=1e-3 * usual[0][1])

    def test_numbers_that_no_method_can_take_are_said(self):
        self.refused("fclib", self.edited_fclib("set", "/fclib_global/vectors/f", 2, 1e60), "--methods", "pgs", "--directions", 2,
                     names=("made.hdf5: M, f: the velocity of body 0", "beyond single precision"))
        # A matrix that is none of contacts: each sweep is farther away than the one before.
        path = self.local("set", "/fclib_local/W/x", 3, -1e6)
        subprocess.run([os.environ["PPU_BAD_PROBLEM"], path, "set", "/fclib_local/W/x", "27", "-1e6"], check=True)
        run = self.ppu("fclib", path, "--methods", "cones", expect=1)
        self.assertIn("made.hdf5: method cones: found impulses beyond every number after", run.stderr)
        self.assertEqual(run.stdout, "")

    def local(self, *edits):
        """A local problem, W of one contact after the other in the order of columns."""
        path = self.exported()
        subprocess.run([os.environ["PPU_BAD_PROBLEM"], path, "local"], check=True)
        if edits:
            subprocess.run([os.environ["PPU_BAD_PROBLEM"], path, *map(str, edits)], check=True)
        return path

    def test_a_local_problem_has_the_error_of_the_global_one(self):
        there, here = (self.json("fclib", path, "--methods", "explicit,cones", "--directions", 4)["results"]
                       for path in (self.exported(), self.local()))
        for one, other in zip(there, here):
            self.assertEqual(one["method"], other["method"])
            self.assertAlmostEqual(one["error"], other["error"], delta=1e-4)

    def test_local_problems_that_are_none_are_refused_in_one_sentence(self):
        for edits, names in (
                (("set", "/fclib_local/vectors/mu", 3, -1), ("vectors/mu row 3", ">= 0")),
                (("set", "/fclib_local/vectors/mu", 0, "nan"), ("vectors/mu row 0", "a finite number")),
                (("set", "/fclib_local/vectors/q", 2, "inf"), ("vectors/q row 2", "a finite number")),
                (("shape", "/fclib_local/vectors/q", 1), ("vectors/q", "1 values")),
                (("delete", "/fclib_local/vectors/q"), ("/fclib_local/vectors/q",)),
                (("delete", "/fclib_local/W"), ("/fclib_local/W", "a group")),
                (("set", "/fclib_local/spacedim", 0, 4), ("spacedim", "found 4")),
                (("set", "/fclib_local/W/m", 0, 7), ("W", "7 x")),
                (("set", "/fclib_local/W/nz", 0, 10**6), ("/fclib_local/W", "1000000 entries")),
                (("set", "/fclib_local/W/x", 0, "nan"), ("W", "a finite number")),
                (("set", "/fclib_local/W/x", 0, 0), ("W row 0: found", "on the diagonal", "above 0")),
                (("set", "/fclib_local/W/x", 0, -5), ("W row 0: found", "on the diagonal", "above 0")),
                (("set", "/fclib_local/W/x", 1, 5), ("W column", "more than on the other side of the diagonal"))):
            self.refused("fclib", self.local(*edits), names=("made.hdf5", *names))
        self.refused("fclib", self.local("set", "/fclib_local/W/x", 0, -5), "--methods", "cones",
                     names=("made.hdf5: W of contact", "expected"))

    def test_a_local_problem_has_no_rows_and_nothing_is_written(self):
        for extra in ("--methods", "pgs"), ("--rows", "rows.h5"):
            self.refused("fclib", self.local(), *extra, names=("made.hdf5", "/fclib_local", "/fclib_global"))
        self.refused("fclib", self.edited_fclib("set", "/fclib_global/M/x", 0, -5), "--rows", "rows.h5", names=("M row 0",))
        self.assertFalse((self.folder / "rows.h5").exists())

    def test_options_that_make_no_sense_are_refused(self):
        path = self.exported()
        self.refused("fclib", path, "--directions", 1, names=("--directions", "2 to 8"))
        self.refused("fclib", path, "--methods", "lemke", names=("--methods", "'lemke'"))
        self.refused("fclib", path, "--peers", "ode", names=("--peers", "'ode'"))
        self.refused("fclib", path, "--rows", "a.h5", "--export", "b.hdf5", names=("--rows and --export",))
        self.refused("fclib", path, "--rows", "a.h5", "--directions", "2,4", names=("one number",))
        self.refused("fclib", path, "--rows", path, names=("--rows",))
