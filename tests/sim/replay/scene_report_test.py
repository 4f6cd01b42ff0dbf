# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The report of a scene holds what the demo measured: its data blocks, read here."""
import base64
import json
import os
import re
import struct
import subprocess
import zlib

from cli import CliTest

BLOCK = re.compile(r"<script type='text/plain' id='([^']+)'>([^<]*)</script>")


def unpack(text):
    """Head and columns of a block, as packed_columns.hpp writes them."""
    data = zlib.decompress(base64.b64decode(text, validate=True))
    size, = struct.unpack_from("<I", data)
    head, place, columns = json.loads(data[4:4 + size]), 4 + size, {}
    for column in head["columns"]:
        count, width, stride = column["count"], column["bytes"], column["stride"]
        planes = [data[place + k * count:place + (k + 1) * count] for k in range(width)]
        numbers = [sum(byte << 8 * k for k, byte in enumerate(parts)) for parts in zip(*planes)]
        for i in range(stride, count) if stride else ():
            numbers[i] = (numbers[i] + numbers[i - stride]) % (1 << 8 * width)
        columns[column["name"]] = numbers
        place += count * width
    assert place == len(data)
    return head, columns


def frames_with_rows(blocks):
    return [int(name[len("rows-"):]) for name in blocks if name.startswith("rows-")]


class SceneReport(CliTest):
    frames = 40

    def run_scene(self, *more):
        """The demo's JSON and the blocks of its report."""
        result = self.json("demo", "ball", "--frames", self.frames, "--report", "out", *more)
        page = (self.folder / "out/report.html").read_text()
        self.assertLess(len(page), 3000000)
        return result, dict(BLOCK.findall(page))

    def test_frames_have_the_cycles_of_the_demo(self):
        result, blocks = self.run_scene("--backend", "systemc")
        head, _ = unpack(blocks["replay"])
        self.assertEqual(len(head["frames"]), self.frames)
        for told, shown in zip(result["frames"], head["frames"]):
            for key in ("rows", "islands", "sweeps", "device_cycles"):
                self.assertEqual(shown[key], told[key], (told["frame"], key))
            self.assertEqual(sum(shown["stalls"]), shown["engine_cycles"])
            parts = {part["name"]: part["cycles"] for part in shown["parts"]}
            self.assertEqual(parts.pop("upload"), told["upload_cycles"])
            self.assertEqual(parts.pop("read-back"), told["read_back_cycles"])
            self.assertEqual(sum(parts.values()), told["run_cycles"])
            self.assertTrue(shown["same"])

    def test_a_report_does_not_change_the_cycles(self):
        with_report, _ = self.run_scene("--backend", "systemc")
        without = self.json("demo", "ball", "--frames", self.frames, "--backend", "systemc")
        for one, other in zip(with_report["frames"], without["frames"]):
            for key in ("device_cycles", "upload_cycles", "run_cycles", "read_back_cycles"):
                self.assertEqual(one[key], other[key])

    def test_rows_have_the_cycles_of_the_frame_but_those_without_a_row(self):
        _, blocks = self.run_scene("--backend", "systemc")
        head, _ = unpack(blocks["replay"])
        outside = [head["stall_labels"].index(label) for label in ("drain", "control")]
        for f in frames_with_rows(blocks):
            _, rows = unpack(blocks[f"rows-{f}"])
            cycles = sum(sum(rows[name]) for name in ("other_cycles", "body_stall", "parent_stall",
                                                      "fetch_stall"))
            frame = head["frames"][f]
            self.assertEqual(cycles + sum(frame["stalls"][i] for i in outside),
                             frame["engine_cycles"])

    def test_positions_are_those_of_the_demo_to_a_part_in_65535_of_the_box(self):
        result, blocks = self.run_scene()
        head, columns = unpack(blocks["replay"])
        low, high = head["box"]["low"], head["box"]["high"]
        bodies = len(head["bodies"])
        for f, told in enumerate(result["frames"]):
            for body, pose in enumerate(told["transforms"]):
                for axis in range(3):
                    share = columns["positions"][(3 * f + axis) * bodies + body] / 65535
                    self.assertAlmostEqual(low[axis] + share * (high[axis] - low[axis]), pose[axis],
                                           delta=(high[axis] - low[axis]) / 65535)

    def test_bodies_have_the_cycles_of_their_rows(self):
        _, blocks = self.run_scene("--backend", "systemc")
        head, columns = unpack(blocks["replay"])
        bodies = len(head["bodies"])
        most = max(range(self.frames), key=lambda f: head["frames"][f]["rows"])
        self.assertIn(most, frames_with_rows(blocks))
        _, rows = unpack(blocks[f"rows-{most}"])
        self.assertEqual(len(rows["kind"]), head["frames"][most]["rows"])
        sums = [0] * bodies
        for i in range(len(rows["kind"])):
            cycles = sum(rows[name][i] for name in ("other_cycles", "body_stall", "parent_stall",
                                                    "fetch_stall"))
            for body in (rows["body_a"][i], rows["body_b"][i]):
                if body < bodies:
                    sums[body] += cycles
        self.assertEqual(columns["body_cycles"][most * bodies:(most + 1) * bodies], sums)

    def test_rows_wait_for_the_row_before_them_on_one_of_their_bodies(self):
        _, blocks = self.run_scene("--backend", "systemc")
        head, _ = unpack(blocks["replay"])
        _, rows = unpack(blocks[f"rows-{frames_with_rows(blocks)[-1]}"])
        bodies = [{body for body in pair if body < len(head["bodies"])}
                  for pair in zip(rows["body_a"], rows["body_b"])]
        order = rows["row_of_slot"]
        self.assertGreater(len(order), 0)
        waits = 0
        for slot, row in enumerate(order):
            sender = rows["held_by"][row]
            if rows["body_stall"][row] == 0:
                self.assertEqual(sender, 2**32 - 1)
                continue
            waits += 1
            before = [order[slot - 1 - back] for back in range(len(order))]
            self.assertIn(sender, [next(other for other in before if body in bodies[other])
                                   for body in bodies[row]])
        self.assertGreater(waits, 0)

    def test_the_roofline_is_that_of_the_profile(self):
        _, blocks = self.run_scene("--backend", "systemc")
        head, _ = unpack(blocks["replay"])
        profile = self.json("profile", "--scene", "ball", "--frame", 20, "--friction", "skip",
                            "--program", "impulse-threshold", "--threshold", 0, "--early")
        shown, told = head["frames"][20]["roofline"], profile["roofline"]
        for key in ("flop_per_row", "pipes_gflops", "sweeps_mrows_per_s"):
            self.assertEqual(shown[key], told[key], key)
        for mine, other in zip(shown["levels"], told["levels"], strict=True):
            self.assertEqual((mine["level"], mine["gb_per_s"]), (other["level"], other["gb_per_s"]))
            # The frame of a device that has solved others before: refreshes fall elsewhere.
            self.assertAlmostEqual(mine["share"], other["share"], delta=0.05 * other["share"])

    def test_the_gltf_file_has_a_node_per_body(self):
        result = self.json("demo", "ball", "--frames", 3, "--glb", "ball.glb")
        glb = (self.folder / "ball.glb").read_bytes()
        magic, version, size = struct.unpack_from("<4sII", glb)
        self.assertEqual((magic, version, size), (b"glTF", 2, len(glb)))
        length, = struct.unpack_from("<I", glb, 12)
        gltf = json.loads(glb[20:20 + length])
        self.assertEqual(len(gltf["nodes"]), len(result["frames"][0]["transforms"]))

    def test_without_the_option_there_is_no_report(self):
        self.ppu("demo", "ball", "--frames", 2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_report_and_gltf_cannot_be_one_file(self):
        self.refused("demo", "ball", "--frames", 2, "--report", ".", "--glb", "report.html",
                     names=("--glb",))


class WorldsApart(CliTest):
    """A ball that is rougher on the PPU: see nudged_demo.cpp."""
    def demo(self, frames, expect):
        run = subprocess.run([os.environ["PPU_NUDGED_DEMO"], str(frames), "out"], cwd=self.folder,
                             capture_output=True, text=True, timeout=1000)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        blocks = dict(BLOCK.findall((self.folder / "out/report.html").read_text()))
        return run.stdout, *unpack(blocks["replay"])

    def test_they_are_equal_before_the_ball_hits_the_wall(self):
        out, head, columns = self.demo(5, expect=0)
        self.assertIn("equal bit for bit in 5 frames", out)
        self.assertTrue(all(frame["same"] for frame in head["frames"]))
        self.assertNotIn("cpu_positions", columns)

    def test_the_first_difference_ends_the_demo(self):
        out, head, columns = self.demo(60, expect=1)
        told = re.search(r"CPU engine and PPU DIFFER after frame (\d+): body \d+", out)
        self.assertIsNotNone(told, out)
        self.assertNotIn("equal bit for bit", out)
        last = int(told[1])
        self.assertGreater(last, 5)
        self.assertLess(last, 59)
        self.assertEqual([frame["same"] for frame in head["frames"]], [True] * last + [False])
        # The CPU engine's path, as a difference from the PPU's.
        bodies = 3 * len(head["bodies"])
        apart = columns["cpu_positions"]
        self.assertEqual(len(apart), bodies * (last + 1))
        self.assertEqual(set(apart[:bodies * last]), {0})
        self.assertIn("cpu_rotations", columns)
