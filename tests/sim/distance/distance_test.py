# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu distance: Lemke's method on polyhedra."""
import json
import math

from cli import CliTest, DATA

BOX = {"planes": [[1, 0, 0, 1], [-1, 0, 0, 1], [0, 1, 0, 1], [0, -1, 0, 1], [0, 0, 1, 1], [0, 0, -1, 1]]}


class Distance(CliTest):
    def test_every_kind_of_pair_is_right_and_bullet_agrees_but_for_a_few_that_touch(self):
        result = self.json("distance", "--random", 500, "--peers", "bullet")
        self.assertIs(result["is_right"], True)
        kinds = [r for r in result["results"] if "placement" in r]
        self.assertEqual(len(kinds), 12)
        for kind in kinds:
            self.assertEqual((kind["pairs"], kind["unsolved"]), (500, 0))
            self.assertLess(kind["largest_error"], 1e-5)
            most = 0 if kind["placement"] in ("random", "parallel") else 10
            self.assertLessEqual(kind["peers"]["bullet"]["beyond"], most)
            if kind["placement"] != "random":
                self.assertLess(kind["gap_error"], 1e-6)
        times = [r for r in result["results"] if "set_up" in r]
        self.assertEqual([t["equations"] for t in times], [18, 30, 54])
        for time in times:
            self.assertGreater(time["queries_per_second"], 0)

    def test_the_page_has_what_was_measured(self):
        self.ppu("distance", "--random", 50, "--faces", 6, "--placed", "near", "--table", "page.md")
        page = (self.folder / "page.md").read_text()
        self.assertIn("| 6 | near | 50 |", page)
        self.assertIn("69,000 (GeForce 8800 GTX)", page)

    def test_options_that_make_no_sense_are_refused(self):
        self.refused("distance", names=("FILE", "--random"))
        self.refused("distance", DATA / "polyhedra.json", "--random", 3, names=("one of FILE and --random",))
        self.refused("distance", DATA / "polyhedra.json", "--faces", 3, names=("--faces",))
        self.refused("distance", "--random", 3, "--faces", 3, names=("--faces", "expected 4 to 256"))
        self.refused("distance", "--random", 3, "--placed", "near,far", names=("--placed", "'far'"))
        self.refused("distance", "--random", 3, "--peers", "ode", names=("--peers", "'ode'", "bullet, fcl"))

    def test_a_peer_that_is_not_built_is_said(self):
        run = self.ppu("distance", "--random", 3, environment={"PPU_PEERS": "/bin/false"})
        self.assertIn("all within", run.stdout)
        run = self.ppu("distance", "--random", 3, "--peers", "bullet", environment={"PPU_PEERS": "/bin/false"}, expect=3)
        self.assertIn("peer gjk-bullet: its process exited with status 1", run.stderr)


class Pivots(CliTest):
    def test_a_pivot_on_the_row_pipe_has_the_bits_of_the_host_on_every_back_end(self):
        cycles = {}
        for backend in "functional", "systemc", "rtl":
            results = self.json("study", "pivot", "--distances", 1, "--backend", backend)["results"]
            self.assertEqual([(r["faces"], r["equations"], r["different"]) for r in results],
                             [(6, 18, 0), (12, 30, 0), (24, 54, 0)])
            for result in results:
                # All rows of the tableau but the one that leaves, twelve cells each.
                lines = -(-(result["equations"] + 2) // 12)
                self.assertEqual(result["rows"], result["pivots"] * (result["equations"] - 1) * lines)
            cycles[backend] = [r["sweep_cycles"] for r in results]
        self.assertEqual(cycles["systemc"], cycles["rtl"])
        self.refused("study", "pivot", "--faces", 3, names=("--faces", "4 to 60"))


class DistanceFiles(CliTest):
    def file(self, content):
        path = self.folder / "pairs.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def test_a_file_gives_distances_and_nearest_points(self):
        pairs = self.json("distance", DATA / "polyhedra.json", "--peers", "bullet")["pairs"]
        self.assertEqual([(p["first"], p["second"]) for p in pairs],
                         [("box", "turned"), ("box", "wedge"), ("turned", "wedge")])
        self.assertAlmostEqual(pairs[0]["distance"], 2 - math.sqrt(2), places=12)
        self.assertAlmostEqual(pairs[1]["distance"], math.sqrt(6), places=12)
        for near, expected in zip(pairs[1]["first_point"], (1, 1, 1)):
            self.assertAlmostEqual(near, expected, places=12)
        for pair in pairs:
            self.assertAlmostEqual(pair["distance"], pair["bullet"], places=9)
            self.assertLess(pair["error"], 1e-12)

    def test_pairs_can_be_named(self):
        path = self.file({"polyhedra": [BOX, BOX, {**BOX, "position": [0, 5, 0]}], "pairs": [[2, 0]]})
        pairs = self.json("distance", path)["pairs"]
        self.assertEqual([(p["first"], p["second"]) for p in pairs], [("2", "0")])
        self.assertAlmostEqual(pairs[0]["distance"], 3, places=12)

    def test_bad_files_are_refused_in_one_sentence(self):
        self.refused("distance", "nothing.json", names=("nothing.json",))
        for content, names in (
                ("{", ("found no JSON",)),
                ({}, ("polyhedra",)),
                ({"polyhedra": [BOX]}, ("two polyhedra or more",)),
                ({"polyhedra": [BOX, 3]}, ("polyhedra 1", "an object")),
                ({"polyhedra": [BOX, {"planes": BOX["planes"][:5]}]}, ("polyhedra 1", "without end")),
                ({"polyhedra": [BOX, {"planes": BOX["planes"][:3]}]}, ("polyhedra 1", "found 3 faces")),
                ({"polyhedra": [BOX, {"planes": BOX["planes"][:5] + [[0, 0, -1, -2]]}]}, ("no volume",)),
                ({"polyhedra": [BOX, {"planes": BOX["planes"][:5] + [[0, 0, "x", 1]]}]},
                 ("planes 5", "4 finite numbers")),
                ({"polyhedra": [BOX, {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}]}, ("one plane",)),
                ({"polyhedra": [BOX, {**BOX, "vertices": []}]}, ("one of",)),
                ({"polyhedra": [BOX, {**BOX, "mass": 3}]}, ('unknown key "mass"',)),
                ({"polyhedra": [BOX, {**BOX, "rotation": [1, 1, 0, 0]}]}, ("rotation", "length 1")),
                ({"polyhedra": [BOX, BOX], "pairs": [[0, 2]]}, ("pairs 0", "below 2")),
                ({"polyhedra": [BOX, BOX], "pairs": [[0, -1]]}, ("pairs 0", "below 2")),
                ({"polyhedra": [BOX, BOX], "pairs": []}, ("pairs: found none",)),
                ("[" * 100000, ("found no JSON",))):
            self.refused("distance", self.file(content), names=("pairs.json", *names))
