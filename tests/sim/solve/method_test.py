# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu solve --method: the other methods of the source papers."""
import json
import re

from cli import BALL, CliTest, DATA, ROOT, WALL

ALL = ("pgs-sm", "interior-point", "crossover", "explicit")
TO_10_PPM = ("--sweeps", 50000, "--threshold", 1e-5)


class Methods(CliTest):
    def test_each_solves_the_ball_with_friction_that_stands(self):
        for method, residual in ("pgs-sm", 2e-6), ("interior-point", 1e-3), ("crossover", 2e-6), ("explicit", 1.1e-5):
            extra = TO_10_PPM if method == "explicit" else ()
            result = self.json("solve", BALL, "--method", method, "--frozen", *extra)
            self.assertEqual((result["method"], result["friction"]), (method, "frozen"))
            self.assertIs(result["reached"], True)
            self.assertLessEqual(result["max_residual"], residual, method)

    def test_friction_follows_the_contacts_unless_it_is_frozen(self):
        for method in "pgs-sm", "interior-point", "crossover":
            result = self.json("solve", BALL, "--method", method)
            self.assertEqual(result["friction"], "coupled")
            self.assertGreater(result["friction_rounds"], 1)
            self.assertIs(result["reached"], True)

    def test_sweeps_of_subspace_minimization_run_on_the_device_and_the_rest_on_the_host(self):
        results = [self.json("solve", BALL, "--method", "pgs-sm", "--frozen", "--backend", backend)
                   for backend in ("functional", "systemc", "rtl")]
        for result in results:
            device = result.pop("device")
            result.pop("host_seconds")
            self.assertEqual(device["calls"], result["iterations"])
            self.assertEqual(result["sweeps"], 5 * result["iterations"])
            self.assertEqual(device["cycles"] is None, device["backend"] == "functional")
            self.assertEqual(result, results[0])
        self.assertIsNone(self.json("solve", BALL, "--method", "interior-point")["device"])

    def test_a_mended_answer_is_at_the_threshold_by_its_impulses_not_by_drifted_velocities(self):
        for friction in ("--frozen",), ():
            for start in "cold", "warm":
                result = self.json("solve", WALL, "--method", "mended", "--start", start, "--threshold", 1e-3,
                                   "--program", "threshold", *friction)
                self.assertIs(result["reached"], True)
                self.assertLessEqual(result["max_residual"], 1e-3 if friction else 1e-2)
                self.assertGreaterEqual(result["iterations"], 1)
                self.assertEqual(result["device"]["calls"], result["iterations"])
        few = self.ppu("solve", WALL, "--method", "mended", "--frozen", "--sweeps", 3, expect=1)
        self.assertIn("mended, NOT at its end", few.stdout)

    def test_an_interior_point_takes_at_most_22_iterations_on_every_problem(self):
        for path in sorted(DATA.glob("*.h5")):
            result = self.json("solve", path, "--method", "interior-point", "--frozen")
            self.assertIs(result["reached"], True, path)
            self.assertLessEqual(result["iterations"], 22, path)

    def test_examples_of_the_patent_give_the_same(self):
        results = [self.json("solve", BALL, "--method", method, *TO_10_PPM)
                   for method in ("explicit", "explicit-2", "explicit-3")]
        for result in results:
            self.assertIs(result["reached"], True)
            self.assertLess(abs(result["sweeps"] - results[0]["sweeps"]), 5)

    def test_the_output_has_the_solution(self):
        self.ppu("solve", BALL, "--method", "pgs-sm", "--frozen", "--output", "a.h5")
        self.ppu("solve", BALL, "--method", "explicit", "--frozen", *TO_10_PPM, "--output", "b.h5")
        # Impulses of a box on four corners are not unique, velocities are.
        said = self.ppu("diff", "a.h5", "b.h5", expect=1).stdout
        moved = re.search(r"velocity_change: .*; max abs difference (\S+)", said)
        self.assertLess(float(moved.group(1)), 1e-3)

    def test_what_is_not_at_its_end_says_so_and_exits_with_1(self):
        run = self.ppu("solve", BALL, "--method", "explicit", "--sweeps", 3, expect=1)
        self.assertIn("explicit, NOT at its end", run.stdout)

    def test_options_that_mean_nothing_to_a_method_are_refused(self):
        for method in ALL:
            self.refused("solve", BALL, "--method", method, "--program", "boxed",
                         names=("--program means nothing to method", method))
        self.refused("solve", BALL, "--method", "interior-point", "--backend", "rtl", names=("--backend",))
        self.refused("solve", BALL, "--method", "pgs-sm", "--threshold", 1, names=("--threshold",))
        self.refused("solve", BALL, "--method", "crossover", "--start", "cold", names=("--start", "crossover"))
        self.refused("solve", BALL, "--method", "mended", "--budget-us", 1, names=("--budget-us",))
        self.refused("solve", BALL, "--frozen", names=("--frozen", "expected --method"))
        self.refused("solve", BALL, "--method", "lemke", names=("'lemke'", "pgs-sm", "explicit"))

    def test_a_problem_without_masses_is_refused(self):
        bad = self.edited("delete", "/bodies/inv_mass", source=BALL)
        for method in ALL:
            self.refused("solve", bad, "--method", method, names=("mass",))


class MethodRefusals(CliTest):
    """Files that are malformed are refused with 2, numbers that no method can solve with 1."""

    TABLE = (
        (("set", "/bodies/inv_mass", 0, -1), 2, ("/bodies/inv_mass row 0", "found -1", "at least 0")),
        (("set", "/bodies/inv_inertia", 0, -5), 2, ("/bodies/inv_inertia row 0", "eigenvalue -5", "positive semidefinite")),
        (("set", "/bodies/inv_inertia", 1, 1e6), 2, ("/bodies/inv_inertia row 0", "eigenvalue", "positive semidefinite")),
        (("set", "/rows/compliance", 3, -1), 2, ("/rows/compliance row 3", "found -1", "expected a number >= 0")),
        (("set", "/rows/jacobian", 1, "nan"), 2, ("/rows/jacobian row 0", "found nan", "a finite number")),
        (("set", "/rows/parent", 0, 10**6), 2, ("/rows/parent row 0", "found row 1000000")),
        (("delete", "/rows/rate_bias"), 2, ("/rows/rate_bias",)),
        (("shape", "/rows/lower", 3), 2, ("/rows/lower", "3")),
    )

    def test_matrices_and_rows_that_are_none(self):
        for edits, status, names in self.TABLE:
            bad = self.edited(*edits, source=BALL)
            for method in *ALL, "mended":
                said = self.refused("solve", bad, "--method", method, "--frozen", "--output", "out.h5", expect=status,
                                    names=(bad.name, *names))
                self.assertNotIn("the problem:", said)
                self.assertFalse((self.folder / "out.h5").exists(), said)

    def test_rates_beyond_every_impulse_fail_in_every_method_and_nothing_is_written(self):
        for rate in 3e38, -3e38, -2e37, 1e12:
            bad = self.edited("set", "/rows/rate_bias", 0, rate, source=BALL)
            for method in *ALL, "explicit-2", "explicit-3", "mended":
                self.refused("solve", bad, "--method", method, "--frozen", "--output", "out.h5", expect=1,
                             names=(bad.name + ": row 0: ", "expected less than 1e+10 N s", "nothing was written"))
                self.assertFalse((self.folder / "out.h5").exists())

    def test_a_singular_matrix_is_solved(self):
        # Boxes on four corners: twelve rows between two bodies, which have six directions.
        for method in "pgs-sm", "interior-point":
            self.assertIs(self.json("solve", WALL, "--method", method, "--frozen")["reached"], True)


class MethodStudy(CliTest):
    def test_the_page_is_what_the_command_writes(self):
        page = (ROOT / "docs/reference/measured/methods.md").read_text().splitlines()
        self.ppu("study", "methods", "--problems", BALL, DATA / "massratio_f040.h5", "--table", "page.md")
        lines = [line for line in (self.folder / "page.md").read_text().splitlines() if "_f" in line and line[0] == "|"]
        self.assertEqual(len(lines), 8)
        for line in lines:
            self.assertIn(line, page)

    def test_methods_can_be_chosen(self):
        results = self.json("study", "methods", "--problems", BALL, "--methods", "interior-point", "--coupled")["results"]
        self.assertEqual([(r["method"], r["friction"]) for r in results], [("interior-point", "coupled")])
        self.refused("study", "methods", "--methods", "pgs", names=("--methods", "'pgs'", "pgs-sm"))


class Papers(CliTest):
    def test_walls_and_problems_come_to_their_end_within_the_counts_of_the_papers(self):
        results = self.json("study", "papers", "--problems", BALL, "--walls", "1x2,3x3")["results"]
        self.assertEqual([(r["problem"], r["rows"]) for r in results],
                         [("ball_f110", 105), ("wall1x2", 24), ("wall3x3", 12 * (3 + 5 + 5))])
        for result in results:
            self.assertIs(result["interior_point_reached"], True)
            self.assertLessEqual(result["interior_point_iterations"], 22)
            self.assertLessEqual(result["pgs_sm_residual"], 1e-8)
            self.assertLessEqual(max(result["active_found"]), result["active"])
            coarse, fine, _ = result["plain_sweeps"]
            self.assertLessEqual(coarse, fine)
            self.assertLessEqual(result["smaller_ordered"], max(result["primal"], result["dual"]))
            self.assertGreater(result["pgs_sm_device_ms"], 5 * result["sweep_device_ms"])
            self.assertGreater(result["pgs_sm_host_seconds"], 0)

    def test_a_wall_without_bounds_on_friction_takes_the_factorizations_of_the_paper(self):
        wall, = self.json("study", "papers", "--walls", "5x10", "--sweeps", 100)["results"]
        self.assertLessEqual(wall["factorizations_as_in_paper"], 9)
        self.assertLessEqual(wall["pgs_sm_factorizations"], 12)
        self.assertLessEqual(wall["pgs_sm_residual"], 1e-8)

    def test_the_page_is_what_the_command_writes(self):
        page = (ROOT / "docs/reference/measured/papers.md").read_text()
        self.ppu("study", "papers", "--walls", "1x2", "--table", "page.md")
        mine = (self.folder / "page.md").read_text()
        # Device time is simulated; that of the host is not the same twice.
        for heading, exact in (("Sweeps alone", (0, 1, 2, 3, 4, 5, 6, 8, 9, 10)), ("Active sets", range(3)),
                               ("Interior point / PGS(5)-SM(3)", (0, 2, 3, 4, 5)),
                               ("Why more factorizations than in [M]", range(5)),
                               ("Memory of exact factors", range(8))):
            there, here = (self.cells_of_wall(text, heading) for text in (page, mine))
            self.assertEqual([there[k] for k in exact], [here[k] for k in exact], heading)

    @staticmethod
    def cells_of_wall(page, heading):
        section = page.split(f"## {heading}\n")[1].split("\n## ")[0]
        line, = (line for line in section.splitlines() if line.startswith("| wall1x2 |"))
        return [cell.strip() for cell in line.strip("|").split("|")]

    def test_sweeps_that_are_too_few_are_shown_as_more(self):
        self.ppu("study", "papers", "--walls", "1x2", "--sweeps", 3, "--table", "page.md")
        page = (self.folder / "page.md").read_text()
        self.assertIn("--walls 1x2 --sweeps 3 --table page.md", page)
        self.assertIn(">3", page)
        self.assertIn("| nb977_nc9534 | 9,534 | 1,246 | >50,000 |", page)

    def test_a_wall_that_is_none_is_refused(self):
        for word in "3", "0x2", "3x", "3x4x5", "axb", "1000x1":
            self.refused("study", "papers", "--walls", word, names=("--walls", word))


class WhichMethod(CliTest):
    def test_errors_fall_with_time_and_profiles_are_of_the_same_curves(self):
        result = self.ppu("study", "which", "--problems", BALL, "--start", "cold", "--table", "page.md", "--svg", "which.svg",
                          "--json", "which.json")
        results = json.loads((self.folder / "which.json").read_text())["results"]
        self.assertEqual([r["friction"] for r in results], ["frozen", "coupled"])
        for case in results:
            self.assertEqual(list(case["methods"]), ["pgs", "sor", "filter", "nesterov", "pgs-sm", "interior-point"])
            for method, points in case["methods"].items():
                errors = [point["error"] for point in points]
                self.assertEqual(errors, sorted(errors, reverse=True), method)
                self.assertLess(errors[-1], 1e-2, method)
            # Sweeps alone stop at what float32 has; Newton steps on the host do not.
            self.assertLess(case["methods"]["pgs-sm"][-1]["error"], 1e-6)
        page = (self.folder / "page.md").read_text()
        self.assertIn("| ball_f110 | frozen | 105 | 16 |", page)
        self.assertIn("which.svg", page)
        self.assertIn("<svg", (self.folder / "which.svg").read_text())
        self.assertIn("100 x best", result.stdout)

    def test_device_times_on_the_page_are_what_is_measured(self):
        page = (ROOT / "docs/reference/measured/which.md").read_text()
        lines = self.ppu("study", "which", "--problems", BALL, "--start", "cold", "--methods", "pgs,sor,filter,nesterov",
                         "--table", "page.md") and (self.folder / "page.md").read_text().splitlines()
        rows = [line for line in lines if line.startswith("| ball_f110 |")]
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertIn(row.rstrip("| "), page)

    def test_options_that_make_no_sense_are_refused(self):
        self.refused("study", "which", "--methods", "explicit", names=("--methods", "'explicit'"))
        self.refused("study", "which", "--problems", BALL, "--backend", "functional", "--methods", "pgs",
                     names=("--backend", "has no time"))


class WarmStarts(CliTest):
    def test_the_frame_before_is_a_nearer_start_than_zero(self):
        result = self.json("study", "warm", "wall10", "--at", 90, "--calm-from", 60, "--iterations", 200, "--frames", 3,
                           "--threshold", 0.003)
        self.assertEqual([frame["frame"] for frame in result["frames"]], [91, 92])
        for frame in result["frames"]:
            self.assertEqual(frame["iterations"], 200)
            self.assertLessEqual(frame["matched"], frame["contacts"])
            for start in "cold", "engine", "mapped":
                self.assertIs(frame[start]["reached"], True)
                self.assertLessEqual(frame[start]["max_residual"], 0.003)
            self.assertGreater(frame["mapped"]["device_ms"], 0)
        self.assertLess(sum(frame["mapped"]["sweeps"] for frame in result["frames"]),
                        0.75 * sum(frame["cold"]["sweeps"] for frame in result["frames"]))

    def test_a_row_of_the_page(self):
        self.ppu("study", "warm", "topple", "--at", 20, "--frames", 2, "--backend", "functional", "--config", "small", "--set", "pipes=1",
                 "--table", "page.md")
        page = (self.folder / "page.md").read_text()
        self.assertIn("Generated by ppu study warm topple --at 20 --frames 2 --config small --set pipes=1 --table page.md", page)
        self.assertRegex(page, r"\n\| 21 \| [0-9]+ \| 10 \| ")

    def test_frames_that_go_back_are_refused(self):
        self.refused("study", "warm", "topple", "--at", "20,21", "--frames", 3, "--backend", "functional",
                     names=("--at", "frame 21", "smallest first"))
        self.refused("study", "warm", "topple", "--at", "x", names=("--at", "'x'"))
        self.refused("study", "warm", "heaps", names=("'heaps'",))
        self.refused("study", "warm", "topple", "--iterations", 0, names=("--iterations",))


class Peers(CliTest):
    def test_solvers_of_others_and_the_methods_here_agree_on_the_ball(self):
        results = {r["solver"]: r for r in self.json("study", "peers", "--problems", BALL)["results"]}
        for solver, error in (("Bullet sequential impulse, 10 sweeps", 1e-2), ("Bullet btDantzigSolver (ODE's)", 1e-5),
                              ("Bullet btLemkeSolver", 1e-5), ("PPU pgs-sm", 1e-6), ("PPU interior-point", 1e-3)):
            self.assertLess(results[solver]["error"], error, solver)
        # More sweeps are nearer, and none as near as what ends.
        self.assertLess(results["Bullet btSolveProjectedGaussSeidel, 100 sweeps"]["error"],
                        results["Bullet sequential impulse, 10 sweeps"]["error"])

    def test_a_world_of_ode_has_the_rows_of_a_wall(self):
        solvers = self.json("study", "peers", "--problems", BALL, "--walls", "1x2", "--all")["results"]
        ball, wall = ({r["solver"]: r for r in solvers if r["problem"] == name} for name in ("ball_f110", "wall1x2"))
        # Bullet has a point on either body to a contact, ODE one for both.
        self.assertTrue(any(name.startswith("ODE, no world: contacts at two points, up to 1.75e-04 m apart") for name in ball))
        self.assertEqual(wall["PPU pgs-sm"]["rows"], 24)
        if "ODE step, Dantzig" not in wall:
            self.skipTest("this build has no ODE")
        # Exact, so the rows of its world are those of the problem.
        self.assertLess(wall["ODE step, Dantzig"]["error"], 1e-12)
        self.assertLess(wall["ODE quickstep, 1,000 sweeps"]["error"], wall["ODE quickstep, 20 sweeps"]["error"])
        self.refused("study", "peers", "--problems", BALL, "--walls", "2", names=("--walls", "'2'", "WIDTHxHEIGHT"))

    def test_the_page_has_what_cannot_be_had(self):
        self.ppu("study", "peers", "--problems", BALL, "--table", "page.md")
        page = (self.folder / "page.md").read_text()
        self.assertIn("| PATH | [F] 2007 | topple | 0.01/0.13 | 70/355 |", page)
        self.assertIn("| ball_f110 | 105 | PPU pgs-sm | yes |", page)

    def test_a_process_that_is_not_there_is_said(self):
        run = self.ppu("study", "peers", "--problems", BALL, environment={"PPU_PEERS": "/bin/false"}, expect=3)
        self.assertIn("peer pgs-bullet: its process exited with status 1", run.stderr)
