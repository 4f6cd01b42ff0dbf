# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The roofline of `ppu profile`: what each level allows, and what was reached."""
import csv

from cli import CliTest, DATA, WALL

JOINTS = DATA / "ragdoll_f140.h5"


class ProfileRoofline(CliTest):
    def levels(self, result):
        return {level["level"]: level for level in result["roofline"]["levels"]}

    def test_ceilings_follow_from_the_configuration(self):
        result = self.json("profile", WALL, "--set", "clock_mhz=200", "--set", "pipes=2", "--set",
                           "lanes=6", "--set", "dram_bus_bits=32", "--set",
                           "dram_mega_transfers=800")
        roofline = result["roofline"]
        # Two pipes, each a row in two cycles of 5 ns.
        self.assertAlmostEqual(roofline["pipes_mrows_per_s"], 200)
        self.assertAlmostEqual(self.levels(result)["device memory"]["gb_per_s"], 3.2)
        self.assertAlmostEqual(self.levels(result)["on-chip memory"]["ceiling_mrows_per_s"], 200)

    def test_the_port_of_device_memory_takes_a_beat_or_two_per_cycle(self):
        for beats in (1, 2):
            result = self.json("profile", WALL, "--set", "dram_mega_transfers=20000",
                               "--set", f"memory_port_beats={beats}")
            self.assertAlmostEqual(self.levels(result)["device memory"]["gb_per_s"], 0.15 * 64 * beats)

    def test_a_link_for_both_ways_moves_the_sum(self):
        result = self.json("profile", WALL, "--config", "default+pci")
        counters = result["device_counters"]
        beats = counters["host_read_beats"] + counters["host_write_beats"]
        self.assertAlmostEqual(self.levels(result)["host link"]["bytes_per_row"],
                               64 * beats / result["row_updates"])
        # As much of the link was used as of its ceiling was reached.
        self.assertAlmostEqual(self.levels(result)["host link"]["share"],
                               result["busy"]["host_link"])

    def test_what_was_reached_is_that_of_the_run(self):
        result = self.json("profile", WALL)
        roofline = result["roofline"]
        self.assertAlmostEqual(roofline["sweeps_mrows_per_s"], result["rows_per_cycle"] * 150)
        self.assertAlmostEqual(roofline["frame_mrows_per_s"],
                               150 * result["row_updates"] / result["frame"]["device_cycles"])
        counters = result["device_counters"]
        bytes_of = {"on-chip memory": result["bytes_per_row"] * result["row_updates"],
                    "device memory": 64 * counters["memory_beats"],
                    # PCIe moves both ways at once.
                    "host link": 64 * max(counters["host_read_beats"], counters["host_write_beats"])}
        for name, level in self.levels(result).items():
            self.assertAlmostEqual(level["bytes_per_row"], bytes_of[name] / result["row_updates"])
            self.assertAlmostEqual(level["flop_per_byte"],
                                   result["flops_per_row"] / level["bytes_per_row"])
            self.assertGreater(level["share"], 0)
            self.assertLessEqual(level["share"], 1)

    def test_several_engines_have_the_ceilings_of_all(self):
        one, four = (self.json("profile", JOINTS, "--set", f"engines={n}")["roofline"]
                     for n in (1, 4))
        self.assertAlmostEqual(four["pipes_mrows_per_s"], 4 * one["pipes_mrows_per_s"])
        self.assertLessEqual(four["sweeps_mrows_per_s"], four["pipes_mrows_per_s"])

    def test_bytes_and_operations_are_those_of_the_listing(self):
        program = self.json("asm", "boxed", "--listing")
        kernel = next(k for k in program["kernels"] if k["name"] == "boxed_clamp")
        lines = [line for line in program["listing"] if kernel["address"] <= line["address"]
                 < kernel["address"] + kernel["words"]]

        def of_listing(*columns):
            return {when: sum(line[column][when] for column in columns for line in lines if column in line)
                    for when in ("always", "with_parent")}
        moved, flops = of_listing("bytes_read", "bytes_written"), of_listing("flops")
        self.assertEqual(moved, {"always": 232, "with_parent": 4})
        for problem in (WALL, JOINTS):
            result = self.json("profile", problem, "--rows", "rows.csv")
            with (self.folder / "rows.csv").open(newline="") as file:
                rows = list(csv.DictReader(file))
            parents = sum(row["parent"] != "" for row in rows)
            # The static world is not in velocity memory: it is neither read nor written.
            static = sum(row[body] == "" for row in rows for body in ("body_a", "body_b"))
            expected = moved["always"] + (moved["with_parent"] * parents - 48 * static) / len(rows)
            self.assertAlmostEqual(result["bytes_per_row"], expected)
            self.assertAlmostEqual(self.levels(result)["on-chip memory"]["bytes_per_row"], expected)
            if problem == WALL:  # It has no row with compliance.
                self.assertAlmostEqual(result["flops_per_row"],
                                       flops["always"] + flops["with_parent"] * parents / len(rows))
