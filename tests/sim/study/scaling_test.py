# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Scaling and frames: what they print follows from solves that anybody can repeat."""
import xml.etree.ElementTree

from cli import BALL, CliTest, DATA, WALL

PILE = DATA / "large/pile888_f172.h5"


class Scaling(CliTest):
    def scaling(self, *options):
        return self.json("study", "scaling", WALL, *options)

    def test_a_steady_sweep_is_the_difference_of_two_solves(self):
        point, = self.scaling("--pipes", "2", "--lanes", "12")["pipes"]
        shape = ("--set", "pipes=2", "--set", "velocity_banks=16")
        for key, options in (("cycles_per_sweep", ()),
                             ("slot_order_cycles_per_sweep", ("--set", "dataflow=0"))):
            few, more = (self.json("solve", WALL, *shape, *options, "--sweeps", n)["cycles"]
                         for n in (10, 20))
            self.assertEqual(point[key], (more - few) / 10)

    def test_no_point_beats_the_bound(self):
        result = self.scaling("--engines", "1,2")
        self.assertEqual([len(result[key]) for key in ("pipes", "lanes", "engines")], [5, 6, 2])
        for key in ("pipes", "lanes", "engines"):
            for point in result[key]:
                self.assertGreaterEqual(point["cycles_per_sweep"], point["bound_cycles"])
                self.assertLess(point["cycles_per_sweep"], point["slot_order_cycles_per_sweep"])

    def test_the_bound_is_the_largest_of_pipes_body_and_chain(self):
        result = self.scaling("--lanes", "12,3")
        for point in result["pipes"] + result["lanes"]:
            pipes = -(-result["rows"] * 12 // (point["pipes"] * point["lanes"]))
            self.assertEqual(point["pipe_cycles"], pipes)
            body = result["body_rows"] * point["body_latency_cycles"]
            self.assertEqual(point["body_cycles"], body)
            # Rows of the longest cycle per sweep are no whole number.
            rows = point["chain_cycles"] / point["body_latency_cycles"]
            self.assertAlmostEqual(rows, result["chain_rows"], delta=1)
            self.assertEqual(point["bound_cycles"], max(pipes, body, point["chain_cycles"]))

    def test_with_many_pipes_the_longest_chain_sets_the_pace(self):
        point, = self.json("study", "scaling", PILE, "--config", "default+resident", "--pipes", "16",
                           "--lanes", "12")["pipes"]
        self.assertLess(point["pipe_cycles"], point["chain_cycles"])
        self.assertLess(point["cycles_per_sweep"], 1.02 * point["chain_cycles"])

    def test_an_island_does_not_share_its_rows_out_among_engines(self):
        one, two = self.scaling("--pipes", "1", "--lanes", "12", "--engines", "1,16")["engines"]
        self.assertGreater(two["pipe_cycles"], one["pipe_cycles"] / 16)
        self.assertLess(two["pipe_cycles"], one["pipe_cycles"])
        self.assertLess(two["cycles_per_sweep"], one["cycles_per_sweep"] * 1.01)

    def test_a_program_that_reads_a_residual_is_bound_by_one_engine(self):
        one, two = self.scaling("--pipes", "1", "--lanes", "12", "--engines", "1,2",
                                "--program", "threshold")["engines"]
        self.assertEqual(two["pipe_cycles"], one["pipe_cycles"])
        self.assertEqual(two["cycles_per_sweep"], one["cycles_per_sweep"])

    def test_pipes_bring_their_banks_unless_they_are_given(self):
        banks = [point["velocity_banks"] for point in self.scaling("--pipes", "1,4,16")["pipes"]]
        self.assertEqual(banks, [8, 32, 64])
        given = self.scaling("--pipes", "1,4", "--set", "velocity_banks=4")["pipes"]
        self.assertEqual([point["velocity_banks"] for point in given], [4, 4])

    def test_the_picture_is_well_formed_and_has_every_point(self):
        picture = self.folder / "wall.svg"
        self.ppu("study", "scaling", WALL, "--pipes", "1,2", "--lanes", "3,12", "--svg", picture)
        root = xml.etree.ElementTree.parse(picture).getroot()
        circles = root.findall(".//{http://www.w3.org/2000/svg}circle")
        self.assertEqual(len(circles), 2 * 4 * 2)

    def test_the_table_shows_the_same_numbers(self):
        point, = self.scaling("--pipes", "4", "--lanes", "12")["pipes"]
        out = self.ppu("study", "scaling", WALL, "--pipes", "4", "--lanes", "12").stdout
        for key in ("cycles_per_sweep", "chain_cycles", "slot_order_cycles_per_sweep"):
            self.assertIn(f"{int(point[key] + 0.5):,}", out)

    def test_a_program_that_stops_by_itself(self):
        path = self.folder / "halt.s"
        path.write_text("        halt\n")
        self.refused("study", "scaling", BALL, "--program", path, names=(path, "sweeps"))


PARTS = ("upload_us", "sweeps_us", "store_us", "read_back_us", "fixed_us")


class Frame(CliTest):
    def test_a_frame_is_what_a_solve_takes(self):
        result = self.json("study", "frame", WALL, "--link", "pci", "--sweeps", "4")
        frame, = result["frames"]
        solve = self.json("solve", WALL, "--config", "default+pci", "--sweeps", "4", "--friction",
                          "skip")
        device = solve["frame"]["device_cycles"] / result["clock_mhz"]
        # A frame came before it on the device; refreshes of the memory fall elsewhere.
        self.assertAlmostEqual(frame["frame_us"] / device, 1, delta=0.01)
        self.assertAlmostEqual(frame["frame_us"], sum(frame[part] for part in PARTS), places=6)
        self.assertGreater(min(frame[part] for part in PARTS), 0)

    def test_the_slow_link_costs_upload_and_nothing_else(self):
        frames = {frame["link"]: frame for frame in self.json("study", "frame", WALL)["frames"]}
        self.assertEqual(list(frames), ["pci", "pcie4x8"])
        self.assertGreater(frames["pci"]["upload_us"], 5 * frames["pcie4x8"]["upload_us"])
        self.assertAlmostEqual(frames["pci"]["sweeps_us"] / frames["pcie4x8"]["sweeps_us"], 1,
                               delta=0.01)

    def test_the_cross_over_follows_from_the_frames(self):
        result = self.json("study", "frame", WALL, BALL)
        self.assertEqual(set(result["cross_over"]), {"pci", "pcie4x8"})
        for link, said in result["cross_over"].items():
            frames = sorted((frame for frame in result["frames"] if frame["link"] == link),
                            key=lambda frame: -frame["rows"])
            first = None
            for frame in frames:
                if frame["frame_us"] >= frame["cpu_us"]:
                    break
                first = {"rows": frame["rows"], "problem": frame["problem"]}
            self.assertEqual(said, first)

    def test_the_table_has_every_problem_and_a_sentence_per_link(self):
        out = self.ppu("study", "frame", WALL, BALL).stdout
        for name in ("wall10_f012", "ball_f110"):
            self.assertEqual(sum(line.startswith(name) for line in out.splitlines()), 2)
        for link in ("pci", "pcie4x8"):
            self.assertRegex(out, rf"Over {link} the frame is (slower than the CPU on|faster than the CPU (on|from)) ")
