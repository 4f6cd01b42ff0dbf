# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Scenes: listed, recorded as row problems, and stepped on the CPU engine and the PPU together."""
import os
import re

from cli import CliTest

SCENES = ("ball", "topple", "wall10", "wall32", "pile", "ragdoll", "massratio", "bridge")


class Scenes(CliTest):
    def test_every_scene_is_listed_with_its_size(self):
        listed = self.json("scenes", "--frames", 3)
        self.assertEqual(tuple(scene["scene"] for scene in listed["scenes"]), SCENES)
        for scene in listed["scenes"]:
            self.assertGreater(scene["moving_bodies"], 0)
            self.assertGreaterEqual(scene["most_rows"], scene["joint_rows"] + 3 * scene["contacts"])
        wall = listed["scenes"][SCENES.index("wall32")]
        self.assertEqual((wall["moving_bodies"], wall["most_rows"], wall["contacts"]),
                         (1041, 24192, 8064))


class Step(CliTest):
    def test_the_step_of_a_stirred_heap_is_compared_part_by_part(self):
        run = self.json("study", "step", "--boxes", "4,8", "--after", 40, "--frames", 6,
                        "--order", "engine")
        self.assertEqual([scene["scene"] for scene in run["scenes"]], ["heap of 4", "heap of 8"])
        for scene in run["scenes"]:
            self.assertGreater(scene["rows"], 0)
            for part in ("cpu_set_up", "cpu_iterations", "set_up", "conversion", "copying_back",
                         "upload", "run", "download"):
                self.assertGreater(scene[part + "_seconds"], 0, part)
            self.assertGreater(scene["gain"], 0)

    def test_scenes_take_the_place_of_heaps_and_orders_do_not_change_them(self):
        rows = [[scene["rows"] for scene in self.json(
                    "study", "step", "ball", "--after", 4, "--frames", 4, "--order", order,
                    "--backend", "functional")["scenes"]] for order in ("engine", "scheduled")]
        self.assertEqual(rows[0], rows[1])
        self.assertEqual(len(rows[0]), 1)

    def test_one_frame_is_not_enough_for_two_solvers(self):
        self.ppu("study", "step", "--frames", 1, expect=2)


class Record(CliTest):
    def record(self, *arguments):
        self.ppu("record", *arguments, "--out", "out.h5")
        return self.folder / "out.h5"

    def test_a_recorded_frame_is_a_problem_like_any_other(self):
        path = self.record("ball", "--frame", 40)
        run = self.json("solve", path, "--backend", "functional")
        self.assertEqual((run["bodies"], run["sweeps"]), (12, 10))
        self.assertIn("ball_f040", self.ppu("info", path).stdout)

    def test_the_same_seed_records_the_same_bytes(self):
        files = [self.record("topple", "--frame", 5, "--seed", seed).read_bytes()
                 for seed in (4, 4, 5)]
        self.assertEqual(files[0], files[1])
        self.assertNotEqual(files[0], files[2])

    def test_the_text_names_rows_bodies_and_file(self):
        out = self.ppu("record", "wall10", "--frame", 0, "--out", "w.h5").stdout
        # The ball is still in the air and has no rows.
        self.assertIn("wall10_f000: 2,280 rows on 105 bodies in 1 island, ", out)
        self.assertIn("Written: w.h5", out)

    def test_what_cannot_be_recorded_is_refused(self):
        self.refused("record", "wall11", "--frame", 0, "--out", "a.h5", names=("wall11", "wall10"))
        self.refused("record", "ball", "--out", "a.h5", names=("--frame",))
        self.refused("record", "ball", "--frame", 0, names=("--out",))
        self.refused("record", "ball", "--frame", -1, "--out", "a.h5", names=("--frame",))
        self.refused("record", "ball", "--frame", 0, "--out", "no/a.h5", names=("no/a.h5",),
                     expect=3)


class SceneDemo(CliTest):
    def test_both_worlds_are_equal_in_every_frame(self):
        out = self.ppu("demo", "wall10", "--frames", 20, "--backend", "functional").stdout
        self.assertIn("every position, rotation and velocity of 106 moving bodies equal bit for "
                      "bit in 20 frames", out)

    def test_all_kinds_of_rows_are_equal(self):
        for scene in ("ragdoll", "massratio", "bridge"):
            self.ppu("demo", scene, "--frames", 60, "--seed", 2)

    def test_lines_come_every_so_many_frames_and_at_both_ends(self):
        out = self.ppu("demo", "ball", "--frames", 8, "--every", 3).stdout
        frames = re.findall(r"^ +(\d+) .* -  +\d+\.\d+$", out, re.M)
        self.assertEqual(frames, ["0", "3", "6", "7"])

    def test_the_cycle_model_tells_the_time_of_a_frame(self):
        run = self.json("demo", "wall10", "--frames", 3, "--backend", "systemc")
        for frame in run["frames"]:
            parts = [frame[name] for name in ("upload_cycles", "run_cycles", "read_back_cycles")]
            self.assertGreater(min(parts), 0)
            self.assertGreaterEqual(frame["device_cycles"], max(parts))
        out = self.ppu("demo", "wall10", "--frames", 3, "--backend", "systemc").stdout
        most = max(frame["device_cycles"] for frame in run["frames"]) / run["clock_mhz"]
        self.assertRegex(out, rf"PPU, whole, µs +[\d.]+ +{most:.1f} ")

    def test_the_rtl_is_equal_too_and_takes_the_same_cycles(self):
        cycles = {backend: [frame["device_cycles"] for frame in
                            self.json("demo", "wall10", "--frames", 2, "--backend", backend)["frames"]]
                  for backend in ("systemc", "cosim", "rtl")}
        self.assertEqual(cycles["systemc"], cycles["cosim"])
        self.assertEqual(cycles["systemc"], cycles["rtl"])

    def test_every_frame_says_where_the_time_of_the_host_went(self):
        for backend in ("functional", "systemc"):
            for frame in self.json("demo", "ball", "--frames", 4, "--backend", backend)["frames"]:
                host = dict(frame["host"])
                whole = host.pop("whole_seconds")
                around = host.pop("set_up_seconds"), host.pop("finish_seconds")
                overlap = host.pop("overlap_seconds")
                self.assertGreaterEqual(overlap, 0)
                self.assertLess(overlap, whole)
                if backend == "functional":
                    self.assertEqual(overlap, 0)
                self.assertEqual(set(host), {"conversion_seconds", "plan_seconds",
                                             "packing_seconds", "waiting_seconds",
                                             "copying_back_seconds"})
                # The device finds out which row may issue.
                self.assertEqual(host.pop("plan_seconds"), 0)
                self.assertGreater(min(around + tuple(host.values())), 0)
                self.assertGreater(min(frame["cpu_set_up_seconds"], frame["cpu_seconds"],
                                       frame["cpu_finish_seconds"]), 0)
                self.assertLess(sum(host.values()), whole)
                self.assertLess(whole, frame["simulation_seconds"])

    def test_a_faster_link_makes_a_faster_frame(self):
        def cycles(config):
            run = self.json("demo", "ball", "--frames", 1, "--backend", "systemc", "--config", config)
            return run["frames"][0]["device_cycles"]
        self.assertGreater(cycles("default+pci"), cycles("default+pcie4x8"))

    def test_the_json_has_every_body_in_every_frame(self):
        run = self.json("demo", "ball", "--frames", 4, "--seed", 9)
        self.assertEqual((run["scene"], run["seed"], run["equal"], run["difference"]),
                         ("ball", 9, True, None))
        self.assertEqual([frame["frame"] for frame in run["frames"]], [0, 1, 2, 3])
        self.assertEqual({body["shape"] for body in run["bodies"]}, {"box", "sphere"})
        for frame in run["frames"]:
            self.assertIsNone(frame["device_cycles"])
            self.assertGreater(frame["islands"], 0)
            self.assertEqual(frame["sweeps"], 10)
            self.assertEqual(len(frame["transforms"]), len(run["bodies"]))
            for pose in frame["transforms"]:
                self.assertEqual(len(pose), 7)
                self.assertAlmostEqual(sum(q * q for q in pose[3:]), 1, delta=1e-5)
        rolling = next(i for i, body in enumerate(run["bodies"]) if body["mass"] == 5)
        ways = [frame["transforms"][rolling][0] for frame in run["frames"]]
        self.assertEqual(ways, sorted(set(ways)), "the ball rolls on")

    def test_a_broken_row_pipe_is_found_by_the_lockstep(self):
        environment = {"PPU_DEVICE": os.environ["PPU_BROKEN_DEVICE"]}
        run = self.ppu("demo", "ball", "--frames", 50, "--backend", "cosim", expect=1,
                       environment=environment)
        self.assertIn("lockstep", run.stderr)
        self.assertNotIn("equal bit for bit", run.stdout)

    def test_what_does_not_go_together_is_refused(self):
        self.refused("demo", "wall11", names=("wall11", "wall10"))
        self.refused("demo", "--frames", 5, names=("--frames", "scene"))
        self.refused("demo", "--backend", "rtl", names=("--backend", "scene"))
        self.refused("demo", "ball", "--frames", 0, names=("--frames",))
        self.refused("demo", "ball", "--config", "none", names=("none",))
        self.refused("demo", "ball", "--json", "no/a.json", names=("no/a.json",), expect=3)

    def test_an_output_without_a_name_is_refused(self):
        for option in ("--report", "--glb", "--json"):
            self.refused("demo", "ball", "--frames", 1, option, "", names=(option, "path"))
        self.refused("demo", "--report", "", names=("--report", "path"))
        self.assertEqual(list(self.folder.iterdir()), [])
