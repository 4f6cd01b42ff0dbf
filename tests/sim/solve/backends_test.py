# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The same bits from every back end, in every order that keeps them, under every configuration,
and the same cycles from the model and the RTL."""
from cli import BACKENDS, BALL, CliTest, DATA, HOST_SECONDS, PROGRAMS, TIMED, WALL

JOINTS = DATA / "ragdoll_f140.h5"
LANES = (12, 6, 4, 3, 2, 1)


class EqualBits(CliTest):
    def state_hash(self, problem, **options):
        words = [word for name, value in options.items() for word in ("--" + name, value)]
        return self.json("solve", problem, "--sweeps", "2", *words)["state_hash"]

    def test_every_problem_order_and_friction_rule(self):
        problems = sorted(DATA.glob("*.h5"))
        self.assertGreaterEqual(len(problems), 6)
        for problem in problems:
            for friction in ("clamp", "skip"):
                hashes = {(backend, order): self.state_hash(problem, friction=friction,
                                                            backend=backend, order=order)
                          for backend in BACKENDS for order in ("engine", "scheduled")}
                with self.subTest(problem=problem.name, friction=friction):
                    self.assertEqual(len(set(hashes.values())), 1, hashes)

    def test_every_program(self):
        for program in ("pgs", "boxed", "threshold", "impulse"):
            hashes = {self.state_hash(BALL, program=program, backend=b) for b in BACKENDS}
            self.assertEqual(len(hashes), 1, program)

    def test_what_must_change_the_result_does(self):
        usual = self.state_hash(WALL)
        for option, value in (("friction", "skip"), ("start", "cold"), ("order", "colour"),
                              ("program", "pgs"), ("program", "impulse")):
            self.assertNotEqual(self.state_hash(WALL, **{option: value}), usual, option)


class EqualCycles(CliTest):
    """One solve each; `ppu study parity` compares many workloads, and events one by one."""

    def assert_equal_cycles(self, *arguments):
        results = [self.json("solve", *arguments, "--backend", backend) for backend in TIMED]
        for result in results:
            for key in HOST_SECONDS:
                result["frame"].pop(key)
        for key in ("cycles", "runs", "stalls", "frame", "state_hash"):
            self.assertEqual(*(result[key] for result in results[:2]), (key, arguments))
            self.assertEqual(*(result[key] for result in results[1:]), (key, arguments))

    def test_on_every_built_configuration(self):
        for config in ("small", "default", "wide"):
            self.assert_equal_cycles(BALL, "--config", config)

    def test_over_other_memories_and_links(self):
        self.assert_equal_cycles(BALL, "--config", "default+p1_gddr3+pci")
        self.assert_equal_cycles(BALL, "--set", "dram_stall_percent=40")

    def test_with_streamed_rows_and_many_islands(self):
        self.assert_equal_cycles(WALL, "--stream", "--sweeps", "2")
        self.assert_equal_cycles(JOINTS, "--config", "small", "--sweeps", "2")


class Shapes(CliTest):
    def test_pipes_engines_and_banks_keep_the_bits(self):
        usual = self.json("solve", JOINTS)
        for shape in ("pipes=4", "pipes=16", "engines=4", "velocity_banks=2", "velocity_banks=64"):
            result = self.json("solve", JOINTS, "--set", shape, "--set", "fp_add_stages=2")
            self.assertEqual(result["state_hash"], usual["state_hash"], shape)

    def test_more_pipes_take_fewer_cycles(self):
        # With one lane the pipes set the pace, not the chains of rows.
        cycles = [self.json("solve", WALL, "--set", "lanes=1", "--set", f"pipes={pipes}")["cycles"]
                  for pipes in (1, 2, 4)]
        self.assertEqual(cycles, sorted(set(cycles), reverse=True))

    def test_islands_are_spread_over_engines(self):
        one, four = (self.json("solve", JOINTS, "--set", "lanes=1", "--set", f"engines={n}")
                     for n in (1, 4))
        self.assertEqual((one["runs"], four["runs"]), (1, 4))
        self.assertLess(four["cycles"], one["cycles"])
        # The engines work at the same time.
        self.assertEqual(sum(four["stalls"].values()), four["engine_cycles"])
        self.assertGreater(four["engine_cycles"], four["cycles"])
        self.assertEqual(one["engine_cycles"], one["cycles"])

    def test_a_link_moves_the_same_bits_in_another_time(self):
        usual, slow = (self.json("solve", WALL, "--config", config)
                       for config in ("default", "default+pci"))
        self.assertEqual(usual["state_hash"], slow["state_hash"])
        self.assertEqual(usual["cycles"], slow["cycles"])
        self.assertGreater(slow["frame"]["upload_cycles"], 4 * usual["frame"]["upload_cycles"])


class Lanes(CliTest):
    def test_fewer_lanes_give_the_same_bits_in_more_cycles(self):
        results = [self.json("solve", WALL, "--set", f"lanes={lanes}") for lanes in LANES]
        self.assertEqual(len({result["state_hash"] for result in results}), 1)
        cycles = [result["cycles"] for result in results]
        self.assertEqual(cycles, sorted(set(cycles)), "cycles rise as lanes fall")

    def test_a_row_takes_twelve_over_lanes_cycles_to_enter(self):
        for lanes in LANES:
            result = self.json("solve", WALL, "--set", f"lanes={lanes}", "--set", "dataflow=0")
            # After the last row none waits.
            self.assertEqual(result["stalls"]["lanes"],
                             (12 // lanes - 1) * (result["stalls"]["issue"] - 1))


class ChangedFirmware(CliTest):
    def test_one_changed_line_changes_every_back_end_alike(self):
        text = (PROGRAMS / "boxed.s").read_text()
        line = "med     x, lo, t, hi"
        self.assertEqual(text.count(line), 2)
        path = self.folder / "mine.s"
        path.write_text(text.replace(line, "max     x, 0, t"))
        usual = self.json("solve", WALL)["state_hash"]
        changed = {self.json("solve", WALL, "--backend", backend, "--program", path)["state_hash"]
                   for backend in BACKENDS}
        self.assertEqual(len(changed), 1)
        self.assertNotIn(usual, changed)

    def test_the_line_changed_back_gives_the_old_bits(self):
        path = self.folder / "mine.s"
        path.write_text((PROGRAMS / "boxed.s").read_text())
        self.assertEqual(self.json("solve", WALL, "--program", path)["state_hash"],
                         self.json("solve", WALL)["state_hash"])

    def test_max_changed_to_med_in_example_4_changes_every_back_end_alike(self):
        text = (PROGRAMS / "pgs.s").read_text()
        line = "max     x, 0, t"
        self.assertEqual(text.count(line), 1)
        path = self.folder / "mine.s"
        path.write_text(text.replace(line, "med     x, r.lo, t, r.hi"))
        usual = self.json("solve", JOINTS, "--program", "pgs")["state_hash"]
        changed = {self.json("solve", JOINTS, "--backend", backend, "--program", path)["state_hash"]
                   for backend in BACKENDS}
        self.assertEqual(len(changed), 1)
        self.assertNotIn(usual, changed)
