# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The replay as binary glTF 2.0: the structure that the specification asks for, and the paths."""
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
FORMAT = {5123: "H", 5126: "f"}
FRAMES, BODIES, SPHERE = 60, 7, 6


class Glb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([os.environ["PPU_REPLAY_FIXTURE"], folder / "a.html", folder / "a.glb"],
                           check=True)
            cls.bytes = (folder / "a.glb").read_bytes()
        cls.chunks = []
        place = 12
        while place < len(cls.bytes):
            size, kind = struct.unpack_from("<I4s", cls.bytes, place)
            cls.chunks.append((kind, cls.bytes[place + 8:place + 8 + size]))
            place += 8 + size
        cls.end = place
        cls.gltf = json.loads(cls.chunks[0][1])

    def numbers(self, index):
        """The elements of an accessor, as tuples."""
        accessor = self.gltf["accessors"][index]
        view = self.gltf["bufferViews"][accessor["bufferView"]]
        width, letter = WIDTH[accessor["type"]], FORMAT[accessor["componentType"]]
        size = struct.calcsize(letter) * width * accessor["count"]
        self.assertLessEqual(size, view["byteLength"])
        data = self.chunks[1][1][view["byteOffset"]:view["byteOffset"] + size]
        return list(struct.iter_unpack(f"<{width}{letter}", data))

    def test_header_and_chunks_fill_the_file(self):
        self.assertEqual(struct.unpack_from("<4sII", self.bytes), (b"glTF", 2, len(self.bytes)))
        self.assertEqual([kind for kind, _ in self.chunks], [b"JSON", b"BIN\0"])
        self.assertEqual(self.end, len(self.bytes))
        for _, content in self.chunks:
            self.assertEqual(len(content) % 4, 0)

    def test_views_and_accessors_stay_in_the_buffer(self):
        size = self.gltf["buffers"][0]["byteLength"]
        self.assertEqual(size, len(self.chunks[1][1]))
        for view in self.gltf["bufferViews"]:
            self.assertEqual(view["byteOffset"] % 4, 0)
            self.assertLessEqual(view["byteOffset"] + view["byteLength"], size)
        for index, accessor in enumerate(self.gltf["accessors"]):
            columns = list(zip(*self.numbers(index)))
            if "min" in accessor:
                self.assertEqual([min(column) for column in columns], accessor["min"])
                self.assertEqual([max(column) for column in columns], accessor["max"])

    def test_triangles_name_vertices_and_face_outwards(self):
        for mesh in self.gltf["meshes"]:
            primitive, = mesh["primitives"]
            self.assertLess(primitive["material"], len(self.gltf["materials"]))
            position = self.numbers(primitive["attributes"]["POSITION"])
            normal = self.numbers(primitive["attributes"]["NORMAL"])
            index = [one for one, in self.numbers(primitive["indices"])]
            self.assertEqual(len(position), len(normal))
            self.assertIn("min", self.gltf["accessors"][primitive["attributes"]["POSITION"]])
            for corners in zip(*[iter(index)] * 3):
                a, b, c = (position[corner] for corner in corners)
                u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
                cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0])
                outwards = sum(x * n for x, n in zip(cross, normal[corners[2]]))
                self.assertGreaterEqual(outwards, -1e-9)

    def test_nodes_are_the_bodies(self):
        self.assertEqual(len(self.gltf["nodes"]), BODIES)
        self.assertEqual(self.gltf["scenes"][0]["nodes"], list(range(BODIES)))
        for node in self.gltf["nodes"]:
            self.assertLess(node["mesh"], len(self.gltf["meshes"]))

    def test_samplers_move_every_body_but_the_floor(self):
        animation, = self.gltf["animations"]
        moved = [(channel["target"]["node"], channel["target"]["path"])
                 for channel in animation["channels"]]
        self.assertEqual(sorted(moved), [(body, path) for body in range(1, BODIES)
                                         for path in ("rotation", "translation")])
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = [time for time, in self.numbers(sampler["input"])]
            self.assertEqual(times, sorted(set(times)))
            self.assertEqual(len(self.numbers(sampler["output"])), len(times))
            self.assertIn("min", self.gltf["accessors"][sampler["input"]])

    def test_the_sphere_turns_as_in_the_frames(self):
        animation, = self.gltf["animations"]
        channel, = [one for one in animation["channels"]
                    if one["target"] == {"node": SPHERE, "path": "rotation"}]
        turns = self.numbers(animation["samplers"][channel["sampler"]]["output"])
        self.assertEqual(len(turns), FRAMES)
        for frame, (x, y, z, w) in enumerate(turns):
            self.assertEqual((x, z), (0, 0))
            self.assertAlmostEqual(2 * math.atan2(y, w), 0.1 * frame, places=5)


if __name__ == "__main__":
    unittest.main()
