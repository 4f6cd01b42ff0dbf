# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The Python package: bits and counters are those of `ppu solve`, what is wrong is said, threads run.

    python_test.py ROOT BACKENDS [PPU]      BACKENDS with commas between; PPU: the command
"""
import copy
import csv
import faulthandler
import gc
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest

import numpy as np

import ppu

ROOT = pathlib.Path(sys.argv[1])
BACKENDS = sys.argv[2].split(",")
PPU = sys.argv[3] if len(sys.argv) > 3 else None
DATA = ROOT / "tests/data"
HANG_SECONDS = 90  # Less than ctest's limit, so that it says where.


def slide():
    """A body of 1 kg meets the ground at 1 m/s and slides at 0.3 m/s; mu is 0.5."""
    jacobian = np.zeros((2, 12), np.float32)
    jacobian[0, 1] = jacobian[1, 0] = 1
    return {
        "body": np.array([[0, -1], [0, -1]], np.int32),
        "parent": np.array([-1, 0], np.int32),
        "jacobian": jacobian,
        "inv_mass_jacobian": jacobian,
        "rate_bias": np.array([-1, 0.3], np.float32),
        "inv_diagonal": np.ones(2, np.float32),
        "lower": np.zeros(2, np.float32),
        "upper": np.array([np.inf, 0], np.float32),
        "friction": np.array([0, 0.5], np.float32),
    }


def command(problem, *options):
    run = subprocess.run([PPU, "solve", problem, "--json", "-", *options], check=True,
                         capture_output=True, text=True)
    return json.loads(run.stdout)


class Profiles(unittest.TestCase):
    """Cycles row by row, event logs and waves."""

    def test_the_rows_have_all_visits_and_all_cycles_that_are_a_rows(self):
        problem = ppu.read_problem(DATA / "wall10_f040.h5")
        with ppu.open("systemc") as device:
            solution = device.solve(problem, profile=True)
        profile = solution.profile
        self.assertEqual(profile.dtype, ppu.PROFILE)
        np.testing.assert_array_equal(profile["visits"], 10)
        counters = solution.counters
        self.assertEqual(profile["cycles"].sum(), counters["cycles"] - counters["drain_cycles"]
                         - counters["control_cycles"])
        for row, counter in (("body_stall", "body_stall_cycles"), ("fetch_stall", "fetch_stall_cycles"),
                             ("lane_stall", "lane_cycles"), ("bank_stall", "bank_stall_cycles")):
            self.assertEqual(profile[row].sum(), counters[counter], row)
        self.assertTrue((profile["body_b_stall"] <= profile["body_stall"]).all())

    @unittest.skipUnless(PPU, "no command")
    def test_waits_and_the_rows_waited_for_are_those_of_the_table_of_the_command(self):
        path = DATA / "wall10_f040.h5"
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "rows.csv"
            subprocess.run([PPU, "profile", path, "--rows", table], check=True, capture_output=True)
            with open(table, newline="") as file:
                rows = list(csv.DictReader(file))
        problem = ppu.read_problem(path)
        with ppu.open("systemc") as device:
            profile = device.solve(problem, profile=True).profile
        before = ppu.rows_before(problem.body)
        for place, row in enumerate(rows):
            self.assertEqual([str(of) if of >= 0 else "" for of in before[place]],
                             [row["body_a_from"], row["body_b_from"]])
            self.assertEqual(profile[place][["cycles", "body_b_stall", "fetch_stall"]].tolist(),
                             tuple(int(row[name]) for name in ("cycles", "body_b_wait", "fetch_wait")))
        np.testing.assert_array_equal(ppu.rows_before(slide()["body"]), [[1, -1], [0, -1]])
        self.assertEqual(ppu.rows_before(np.empty((0, 2), np.int32)).shape, (0, 2))

    def test_nobody_asked_for_a_profile_and_who_cannot_have_one(self):
        with ppu.open("functional") as device:
            self.assertIsNone(device.solve(slide()).profile)
            with self.assertRaisesRegex(ppu.Error, "keeps no cycles of rows"):
                device.solve(slide(), profile=True)

    def test_a_device_writes_the_log_of_its_events(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "events.log"
            with ppu.open("systemc", trace=log) as device:
                device.solve(slide())
            self.assertIn("row_issue", log.read_text())

    @unittest.skipUnless("cosim" in BACKENDS, "has no RTL")
    def test_a_device_writes_waves(self):
        with tempfile.TemporaryDirectory() as folder:
            wave = pathlib.Path(folder) / "waves.fst"
            with ppu.open("cosim", wave=wave) as device:
                device.solve(slide())
            self.assertGreater(wave.stat().st_size, 0)


class Answers(unittest.TestCase):
    def test_a_problem_made_of_arrays_has_the_answer_of_paper_and_pencil(self):
        with ppu.open() as device:
            solution = device.solve(slide())
        np.testing.assert_array_equal(solution.impulse, np.array([1, -0.3], np.float32))
        np.testing.assert_array_equal(solution.velocity_change,
                                      np.array([[-0.3, 1, 0, 0, 0, 0]], np.float32))
        self.assertEqual(solution.report["status"], "ok")
        self.assertEqual(solution.report["sweeps"], 10)
        self.assertEqual(solution.counters["row_updates"], 20)

    def test_what_is_left_out_is_the_same_as_its_default(self):
        full = dict(slide(), compliance=np.zeros(2, np.float32), impulse=np.zeros(2, np.float32),
                    velocity_change=np.zeros((1, 6), np.float32))
        with ppu.open() as device:
            self.assertEqual(device.solve(slide()).state_hash, device.solve(full).state_hash)

    def test_a_problem_is_read_not_changed(self):
        problem = ppu.read_problem(DATA / "ball_f110.h5")
        before = copy.deepcopy(problem)
        with ppu.open() as device:
            device.solve(problem)
        for name, array in vars(before).items():
            np.testing.assert_array_equal(getattr(problem, name), array)

    def test_arrays_of_any_layout_are_taken(self):
        problem = ppu.read_problem(DATA / "ball_f110.h5")
        turned = copy.copy(problem)
        turned.jacobian = np.asfortranarray(problem.jacobian)
        with ppu.open() as device:
            self.assertEqual(device.solve(turned).state_hash, device.solve(problem).state_hash)

    def test_all_back_ends_have_the_same_bits(self):
        problem = ppu.read_problem(DATA / "ball_f110.h5")
        hashes = set()
        for backend in BACKENDS:
            with ppu.open(backend) as device:
                self.assertEqual(device.info["backend"], backend)
                hashes.add(device.solve(problem).state_hash)
        self.assertEqual(len(hashes), 1)

    def test_the_configuration_is_the_one_asked_for(self):
        with ppu.open(config="small", overrides=["pipes=2", "velocity_banks=4"]) as device:
            self.assertEqual((device.config["pipes"], device.config["velocity_banks"]), (2, 4))
            self.assertEqual(device.solve(slide()).config, device.config)
            self.assertEqual(device.info["config"].split("+")[0], "small")

    def test_overrides_may_be_a_mapping(self):
        with ppu.open(overrides={"pipes": 4, "lanes": 6}) as device:
            self.assertEqual((device.config["pipes"], device.config["lanes"]), (4, 6))

    def test_a_forked_process_has_no_device_of_its_parent(self):
        with ppu.open() as device:
            expected = device.solve(slide()).state_hash
            child = os.fork()
            if child == 0:
                try:
                    device.solve(slide())
                except ppu.Error as error:
                    os._exit(0 if "has forked this one" in str(error) else 2)
                os._exit(1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(device.solve(slide()).state_hash, expected)

    def test_a_program_file_is_read_again_each_time(self):
        boxed = (ROOT / "firmware/programs/boxed.s").read_text()
        with tempfile.TemporaryDirectory() as folder, ppu.open() as device:
            path = pathlib.Path(folder) / "mine.s"
            path.write_text(boxed)
            self.assertEqual(device.solve(slide(), path).counters["row_updates"], 20)
            path.write_text("halt\n")
            self.assertEqual(device.solve(slide(), path).counters["row_updates"], 0)

    @unittest.skipIf("systemc" not in BACKENDS, "there is no back end with time")
    def test_the_page_runs(self):
        page = (ROOT / "docs/guide/python.md").read_text()
        program = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
        run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True,
                             capture_output=True, text=True)
        self.assertRegex(run.stdout, r"\A[\d.]+ N s\n\(888, 6\)\n\d+ \S+ 4\n\Z")

    def test_one_module_is_for_every_python_and_keeps_nothing(self):
        self.assertTrue(ppu._core.__file__.endswith("_core.abi3.so"))
        with ppu.open() as device:
            def once():
                device.solve(slide())
                device.counters, device.info, device.config
                with self.assertRaises(ppu.Error):
                    device.solve(slide(), program="nosuch")

            def kept(times):
                for _ in range(times):
                    once()
                gc.collect()
                return tracemalloc.get_traced_memory()[0]

            tracemalloc.start()
            self.addCleanup(tracemalloc.stop)
            kept(50)
            sizes = [kept(100) for _ in range(8)]
            # Tables of Python and NumPy grow in the first rounds; a reference that is lost, 16 bytes, does in each.
            self.assertLess(min(abs(b - a) for a, b in zip(sizes, sizes[1:])), 100 * 16)

    def test_names_are_listed(self):
        self.assertTrue(set(BACKENDS) <= set(ppu.BACKENDS))
        self.assertIn("boxed", ppu.PROGRAMS)


@unittest.skipIf(PPU is None, "the command was not built")
class Methods(unittest.TestCase):
    def test_every_method_has_the_answer_of_paper_and_pencil(self):
        rows = slide() | {"inv_mass": np.ones(1, np.float32), "inv_inertia": np.eye(3, dtype=np.float32)[None]}
        with ppu.open() as device:
            for method in ppu.METHODS:
                found = device.solve_by_method(rows, method)
                self.assertIs(found.report["reached"], True, method)
                self.assertEqual(found.impulse.dtype, np.float64)
                np.testing.assert_allclose(found.impulse, [1, -0.3], atol=0.01, err_msg=method)
                np.testing.assert_allclose(found.velocity_change[0, :2], [-0.3, 1], atol=0.01, err_msg=method)

    def test_sweeps_run_on_every_back_end_with_the_same_bits(self):
        problem = ppu.read_problem(DATA / "ball_f110.h5")
        found = []
        for backend in BACKENDS:
            with ppu.open(backend) as device:
                found.append(device.solve_by_method(problem, "mended", start="cold"))
                self.assertEqual(found[-1].report["device_cycles"] > 0, device.info["timed"])
        for solution in found:
            np.testing.assert_array_equal(solution.impulse, found[0].impulse)

    def test_what_is_wrong_is_said(self):
        with ppu.open() as device:
            with self.assertRaisesRegex(ppu.Error, "inv_mass is null"):
                device.solve_by_method(slide(), "interior-point")
            with self.assertRaisesRegex(ValueError, "method: 'lemke', expected one of pgs-sm"):
                device.solve_by_method(slide(), "lemke")

    def test_distances_are_those_of_geometry(self):
        cube = ppu.Polyhedron(vertices=[[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        wedge = ppu.Polyhedron(planes=[[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [1, 1, 1, 1]])
        poses = [[x, 0, 0, 0, 0, 0, 1] for x in (0.5, 1.5, 4)]
        found = ppu.distances([cube, wedge], [[0, 1]] * 3, second_poses=poses)
        np.testing.assert_allclose(found.distance, [0, 0.5, 3], atol=1e-12)
        np.testing.assert_allclose(found.first_point[1:, 0], 1, atol=1e-12)
        with self.assertRaisesRegex(ppu.Error, "pair 0 names polyhedron 7"):
            ppu.distances([cube, wedge], [[0, 7]])
        with self.assertRaisesRegex(ValueError, r"planes: shape \(1, 3\), expected float64 of shape \(any, 4\)"):
            ppu.distances([ppu.Polyhedron(planes=[[1, 0, 0]])], [[0, 0]])


class BesideTheCommand(unittest.TestCase):
    def assert_same(self, solution, printed):
        self.assertEqual(f"{solution.state_hash:#018x}", printed["state_hash"])
        report, counters = solution.report, solution.counters
        self.assertEqual(report["max_residual"], printed["max_residual"])
        for name in ("sweeps", "runs"):
            self.assertEqual(report[name], printed[name], name)
        for name in ("row_updates", "rows_skipped", "rows_filtered"):
            self.assertEqual(counters[name], printed[name], name)
        if printed["cycles"] is not None:
            for name in ("cycles", "load_cycles", "store_cycles"):
                self.assertEqual(counters[name], printed[name], name)
            self.assertEqual(report["engine_cycles"], printed["engine_cycles"])
            self.assertEqual(report["device_cycles"], printed["frame"]["device_cycles"])

    def test_every_back_end_gives_the_numbers_of_the_command(self):
        path = DATA / "ball_f110.h5"
        problem = ppu.read_problem(path)
        for backend in BACKENDS:
            with self.subTest(backend), ppu.open(backend) as device:
                self.assert_same(device.solve(problem), command(path, "--backend", backend))

    def test_every_option_means_what_it_means_to_the_command(self):
        path = DATA / "massratio_f040.h5"
        problem = ppu.read_problem(path)
        cases = (
            ({"sweeps": 3, "order": "engine", "friction": "skip", "start": "cold"},
             ("--sweeps", "3", "--order", "engine", "--friction", "skip", "--start", "cold")),
            ({"program": "threshold", "sweeps": 50, "threshold": 1e-3},
             ("--program", "threshold", "--sweeps", "50", "--threshold", "1e-3")),
            ({"relaxation": 1.25, "stream": True}, ("--relaxation", "1.25", "--stream")),
        )
        for options, words in cases:
            with self.subTest(options), ppu.open(overrides=["pipes=4"]) as device:
                printed = command(path, "--backend", "functional", "--set", "pipes=4", *words)
                self.assert_same(device.solve(problem, **options), printed)


class Refusals(unittest.TestCase):
    def refused(self, kind, *words):
        test = self

        class Expect:
            def __enter__(self):
                self.raised = test.assertRaises(kind)
                self.raised.__enter__()
                return self

            def __exit__(self, *what):
                done = self.raised.__exit__(*what)
                for word in words:
                    test.assertIn(word, str(self.raised.exception))
                self.error = self.raised.exception
                return done

        return Expect()

    def test_an_error_is_the_sentence_of_the_driver(self):
        with self.refused(ppu.Error, "no back end", "'turbo'", "functional") as found:
            ppu.open("turbo")
        self.assertIsInstance(found.error, RuntimeError)
        self.assertGreater(found.error.result, 0)
        self.assertIsNone(found.error.report)
        with self.refused(ppu.Error, "tubes"):
            ppu.open(overrides=["tubes=4"])
        with ppu.open() as device, self.refused(ppu.Error, "no program", "'boxes'", "boxed"):
            device.solve(slide(), program="boxes")

    def test_a_malformed_row_is_named(self):
        with ppu.open() as device, self.refused(ppu.Error, "row 1"):
            device.solve(dict(slide(), parent=np.array([-1, 1], np.int32)))

    def test_a_fault_comes_with_its_report(self):
        fast = dict(slide(), rate_bias=np.array([-3e38, 0], np.float32),
                    inv_diagonal=np.full(2, 3e38, np.float32))
        with ppu.open() as device:
            with self.refused(ppu.Error, "row 0") as found:
                device.solve(fast)
            self.assertEqual(found.error.report["fault_row"], 0)
            self.assertEqual(found.error.report["status"], "row_fault")
            self.assertEqual(device.solve(slide()).report["fault_row"], None)

    def test_a_file_that_cannot_be_read_is_named(self):
        with self.refused(ppu.Error, "no such file.h5"):
            ppu.read_problem("no such file.h5")

    def test_another_type_or_shape_is_refused_with_what_was_expected(self):
        wrong = (
            (TypeError, "jacobian", slide()["jacobian"].astype(float),
             "jacobian: float64 of shape (2, 12), expected float32 of shape (2, 12)"),
            (TypeError, "body", [[0.0, -1.0]] * 2, "body: float64 of shape (2, 2), expected int32"),
            (ValueError, "body", np.zeros(2, np.int32), "expected int32 of shape (any, 2)"),
            (ValueError, "lower", np.zeros(3, np.float32), "lower: shape (3,), expected float32"),
            (ValueError, "inv_mass", np.zeros(4, np.float32), "expected float32 of shape (1,)"),
            (ValueError, "friction", None, "since there are parents"),
            (TypeError, "upper", None, "upper: object"),
        )
        with ppu.open() as device:
            for kind, name, array, sentence in wrong:
                with self.subTest(name), self.refused(kind, sentence):
                    device.solve(dict(slide(), **{name: array}))
            with self.refused(TypeError, "jacobean"):
                device.solve(dict(slide(), jacobean=None))

    def test_another_option_is_refused_with_what_was_expected(self):
        with ppu.open() as device:
            with self.refused(ValueError, "order: 'fast', expected one of engine, scheduled"):
                device.solve(slide(), order="fast")
            with self.refused(ValueError, "sweeps: -1, expected 0 to 2^32 - 1"):
                device.solve(slide(), sweeps=-1)
            with self.refused(ValueError, "class_rows: 1 numbers, expected 2"):
                device.solve(slide(), class_rows=[1])
            with self.refused(ppu.Error, "relaxation"):
                device.solve(slide(), relaxation=2)
        with self.refused(TypeError, "expected a list"):
            ppu.open(overrides="pipes=4")

    def test_what_is_printed_of_a_problem_and_its_solution_is_a_line(self):
        problem = ppu.Problem(**slide())
        with ppu.open() as device:
            solution = device.solve(problem)
        self.assertEqual(repr(problem), "ppu.Problem(2 rows)")
        self.assertRegex(repr(solution), r"^ppu.Solution\(2 rows, 1 bodies, 10 sweeps, 0 cycles, state")

    def test_a_closed_device_is_refused(self):
        device = ppu.open()
        device.close()
        device.close()
        with self.refused(ppu.Error, "the device is closed"):
            device.solve(slide())

    def test_after_the_time_limit_the_device_takes_the_next_problem(self):
        with ppu.open() as device:
            with self.refused(ppu.Error, "did not end within 0.05 s"):
                device.solve(slide(), sweeps=2**32 - 1, timeout=0.05)
            self.assertEqual(device.solve(slide()).report["status"], "ok")


class Threads(unittest.TestCase):
    def setUp(self):
        faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)

    def test_other_threads_run_while_a_solve_waits(self):
        def solve():
            with self.assertRaisesRegex(ppu.Error, "did not end within 1 s"):
                device.solve(slide(), sweeps=2**32 - 1, timeout=1)

        with ppu.open() as device:
            thread = threading.Thread(target=solve)
            thread.start()
            turns = 0
            while thread.is_alive():
                turns += 1
                time.sleep(0.001)
        self.assertGreater(turns, 10, "hundreds, or two or three before the solve begins")

    def test_threads_get_the_bits_of_one_thread(self):
        problem = ppu.read_problem(DATA / "ball_f110.h5")
        with ppu.open() as first, ppu.open() as second:
            expected = first.solve(problem).state_hash
            hashes = []

            def work(device):
                for _ in range(10):
                    hashes.append(device.solve(problem).state_hash)

            # Two of them share a device and take turns.
            threads = [threading.Thread(target=work, args=(d,)) for d in (first, first, second)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(hashes, [expected] * 30)

    def test_clients_of_one_device_get_the_bits_of_a_device_of_their_own(self):
        problem = ppu.read_problem(DATA / "ball_f110.h5")
        for backend in BACKENDS:
            with self.subTest(backend=backend), ppu.open(backend) as owner:
                expected = owner.solve(problem).state_hash
                hashes = []

                def work(client):
                    with client:
                        hashes.extend(client.solve(problem).state_hash for _ in range(2))

                threads = [threading.Thread(target=work, args=(owner.client(),)) for _ in range(3)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual(hashes, [expected] * 6)

    def test_a_client_ends_at_its_quota_and_with_its_owner(self):
        with ppu.open("systemc") as owner:
            client = owner.client(quota_cycles=3000)
            with self.assertRaisesRegex(ppu.Error, "quota"):
                client.solve(slide(), sweeps=2**32 - 1)
            self.assertEqual(client.config, owner.config)
            with self.assertRaisesRegex(ppu.Error, "client"):
                client.client()
            with self.assertRaisesRegex(ppu.Error, "memory"):
                owner.client(device_bytes=2**31)
        with self.assertRaisesRegex(ppu.Error, "gone"):
            client.solve(slide())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
