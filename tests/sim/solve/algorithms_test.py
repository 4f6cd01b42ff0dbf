# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Budgets, classes of rows, relaxation, filters and reduced rows from the command line."""
from cli import BALL, CliTest, DATA, WALL

JOINTS = DATA / "ragdollcfm_f070.h5"


class Budget(CliTest):
    def test_a_budget_that_is_spent_says_what_was_reached(self):
        result = self.json("solve", WALL, "--budget-us", 50)
        self.assertIs(result["late"], True)
        self.assertEqual(result["budget_cycles"], 50 * 150)
        self.assertEqual(result["sweeps"], result["row_updates"] // result["rows"])
        self.assertLess(result["sweeps"], 10)
        self.assertGreaterEqual(result["cycles"], result["budget_cycles"])
        self.assertLess(result["cycles"], result["budget_cycles"] + 60)
        text = self.ppu("solve", WALL, "--budget-us", 50).stdout
        self.assertIn("50.000 µs = 7,500 cycles: SPENT after "
                      f"{result['row_updates']:,} row updates and {result['sweeps']} whole sweeps, "
                      f"true residual {result['max_residual']:.2e}", text)

    def test_more_budget_leaves_more_done_and_enough_leaves_all(self):
        updates = [self.json("solve", WALL, "--budget-us", budget)["row_updates"]
                   for budget in (10, 50, 100)]
        self.assertEqual(updates, sorted(set(updates)))
        whole = self.json("solve", WALL, "--budget-us", 1000)
        self.assertIs(whole["late"], False)
        self.assertEqual(whole["state_hash"], self.json("solve", WALL)["state_hash"])
        self.assertIn(": enough for ", self.ppu("solve", WALL, "--budget-us", 1000).stdout)

    def test_a_residual_of_a_cut_pass_is_no_convergence(self):
        result = self.json("solve", WALL, "--program", "threshold", "--threshold", 100,
                           "--budget-us", 1)
        self.assertEqual((result["late"], result["converged"]), (True, False))

    def test_without_time_there_is_no_budget(self):
        self.refused("solve", WALL, "--backend", "functional", "--budget-us", 50,
                     names=("functional", "has no time"))


class Classes(CliTest):
    def test_kinds_take_their_own_sweeps(self):
        plain = self.json("solve", JOINTS)
        same = self.json("solve", JOINTS, "--program", "classes",
                         "--sweeps-of", "joint=10,contact=10,friction=10")
        self.assertEqual(same["state_hash"], plain["state_hash"])
        left_out = self.json("solve", JOINTS, "--program", "classes", "--sweeps-of", "joint=20")
        self.assertEqual(left_out["sweeps"], 20)
        self.assertEqual(left_out["sweeps_of"], "joint=20")
        self.assertGreater(left_out["row_updates"], plain["row_updates"])
        self.assertLess(left_out["row_updates"], 2 * plain["row_updates"])
        engine = self.json("solve", JOINTS, "--program", "classes", "--sweeps-of", "joint=20",
                           "--order", "engine", "--backend", "functional")
        self.assertEqual(engine["state_hash"], left_out["state_hash"])

    def test_what_is_no_class_is_refused(self):
        for text in ("joint", "joint=", "joint=-1", "joint=1x", "hinge=3", "joint=1,joint=2",
                     "joint=1000001", ""):
            arguments = ("solve", JOINTS, "--program", "classes", "--sweeps-of", f"{text},friction=3")
            self.refused(*arguments, names=("--sweeps-of", "expected joint=N"))

    def test_a_program_without_classes_is_refused(self):
        self.refused("solve", JOINTS, "--sweeps-of", "joint=20", names=("has no `rows`",))


class Relaxation(CliTest):
    def test_it_changes_the_step_alone(self):
        plain = self.json("solve", WALL)
        self.assertEqual(self.json("solve", WALL, "--relaxation", 1)["state_hash"],
                         plain["state_hash"])
        relaxed = self.json("solve", WALL, "--relaxation", 1.3)
        self.assertNotEqual(relaxed["state_hash"], plain["state_hash"])
        self.assertEqual(relaxed["cycles"], plain["cycles"])

    def test_it_is_checked_against_the_reference_with_the_same_steps(self):
        self.ppu("cosim", BALL, "--relaxation", 1.3)

    def test_two_is_too_much(self):
        for relaxation in (0, 2, -1):
            self.refused("solve", BALL, "--relaxation", relaxation,
                         names=("expected more than 0 and less than 2",))


class Filters(CliTest):
    def test_the_printed_filter_stops_falsely_and_is_marked_as_unsafe(self):
        options = ("--threshold", 0.02, "--sweeps", 3000, "--backend", "functional")
        literal = self.json("solve", WALL, "--program", "filter-literal", *options)
        verified = self.json("solve", WALL, "--program", "filter", *options)
        self.assertGreater(literal["max_residual"], 0.04)
        self.assertIs(literal["converged"], True)
        self.assertIs(literal["stops_above"], True)
        self.assertLessEqual(literal["last_residual"], literal["threshold"])
        self.assertIn("by the program's own test only: the true residual is", self.ppu(
            "solve", WALL, "--program", "filter-literal", *options).stdout)
        self.assertLess(verified["max_residual"], 0.02002)
        self.assertGreater(verified["rows_filtered"], 0)
        words = self.ppu("solve", "--help").stdout.split()
        self.assertIn("filter-literal is UNSAFE", " ".join(words))

    def test_reduced_rows_are_fewer_bytes_and_the_same_answer(self):
        full = self.json("solve", WALL, "--stream")
        reduced = self.json("solve", WALL, "--stream", "--program", "reduced")
        self.assertAlmostEqual(reduced["max_residual"], full["max_residual"], places=5)
        self.assertLess(reduced["frame"]["upload_cycles"],
                        0.7 * full["frame"]["upload_cycles"])
