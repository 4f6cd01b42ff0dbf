# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Lockstep: agreement is counted, the first difference stops the run and says where. Waves."""
import os
import shlex
import struct

from cli import BALL, PROGRAMS, CliTest, WALL

# Kinds of FST blocks that hold changes of values.
VALUE_CHANGES = {1, 5, 8}


def fst_blocks(content):
    """Kinds of the blocks of an FST file: each has a byte of kind and 8 bytes of length."""
    kinds, at = [], 0
    while at < len(content):
        kind, length = struct.unpack_from(">BQ", content, at)
        kinds.append(kind)
        at += 1 + length
    return kinds, at


def float32(text):
    return struct.pack("f", float(text))


class WaveTest(CliTest):
    def assert_waves(self, path):
        """A finished FST file with values in it, and nothing left beside it."""
        content = path.read_bytes()
        kinds, end = fst_blocks(content)
        self.assertEqual(end, len(content), "the last block is cut short")
        self.assertTrue(VALUE_CHANGES & set(kinds), f"no values, only blocks {kinds}")
        self.assertEqual([p.name for p in path.parent.glob(path.name + "*")], [path.name])


class Cosim(WaveTest):
    def test_the_embedded_wall_is_the_default_and_every_row_is_compared(self):
        run = self.ppu("cosim")
        self.assertRegex(run.stdout, r"15,660 rows of the RTL row pipe compared .*: 0 differences")
        self.assertRegex(run.stdout, r"Eigen in double precision: error \S+ .*bound \S+: holds")

    def test_json_says_the_same(self):
        result = self.json("cosim", BALL, "--friction", "skip")
        self.assertEqual(result["backend"], "cosim")
        self.assertEqual(result["lockstep_rows"], result["row_updates"])
        self.assertEqual(result["differences"], 0)
        self.assertLess(result["error"], result["error_bound"])

    def test_every_built_configuration_and_form(self):
        for config in ("small", "default", "wide"):
            for program in ("boxed", "impulse", "pgs"):
                result = self.json("cosim", BALL, "--config", config, "--program", program)
                self.assertEqual(result["lockstep_rows"], result["row_updates"])

    def test_every_program_has_a_reference_or_says_why_not(self):
        compared = []
        for path in PROGRAMS.glob("*.s"):
            limit = () if path.stem in ("pgs", "boxed", "classes", "reduced", "impulse") else (
                "--threshold", "0.01")
            out = self.ppu("cosim", BALL, "--program", path.stem, *limit).stdout
            self.assertRegex(out, r"bound \S+: holds|not compared; the reference has plain sweeps")
            compared += [path.stem] if "holds" in out else []
        self.assertEqual(sorted(compared), ["boxed", "classes", "impulse", "impulse-threshold",
                                            "pgs", "reduced", "threshold"])

    def test_no_reference_stands_beside_a_part_of_a_sweep(self):
        cut = ("cosim", BALL, "--sweeps", 100, "--budget-us", 25)
        self.assertIn("not compared; the reference has whole sweeps", self.ppu(*cut).stdout)
        self.assertIsNone(self.json(*cut)["error"])
        enough = self.ppu("cosim", BALL, "--sweeps", 3, "--budget-us", 1000).stdout
        self.assertRegex(enough, r"bound \S+: holds")


class Waves(WaveTest):
    COMMANDS = (("cosim", BALL, "--sweeps", "1"), ("solve", BALL, "--sweeps", "1", "--backend", "rtl"))

    def wave(self, *arguments):
        """Size of the wave file that the command writes."""
        wave = self.folder / "ball.fst"
        self.ppu(*arguments, "--wave", wave)
        self.assert_waves(wave)
        size = wave.stat().st_size
        wave.unlink()
        return size

    def test_a_wider_window_holds_more(self):
        for command in self.COMMANDS:
            sizes = [self.wave(*command, *window) for window in
                     (("--wave-window", "10:1300"), ("--wave-window", "10:2000"),
                      ("--wave-window", "10:999999999"), ())]
            self.assertEqual(sizes[:3], sorted(set(sizes[:3])))
            self.assertLessEqual(sizes[2], sizes[3])

    def test_a_window_after_the_end_is_warned_of(self):
        for command in self.COMMANDS:
            run = self.ppu(*command, "--wave", "a.fst", "--wave-window", "999999998:999999999")
            self.assertIn("ppu: warning: a.fst holds no values", run.stderr)
        for window in ("5:9", "0:0"):
            run = self.ppu(*self.COMMANDS[1], "--wave", "a.fst", "--wave-window", window)
            self.assertEqual(run.stderr, "")

    def test_the_cycles_of_cosim_are_those_of_the_device(self):
        self.ppu(*self.COMMANDS[0], "--wave", "a.fst", "--trace", "a.log")
        phases = {words[3]: int(words[0]) for words in map(str.split, open(self.folder / "a.log"))
                  if words[1:3] == ["engine_phase", "0"]}
        run, store = phases["2"], phases["3"]
        # Ten times of the file are a cycle.
        start, end = struct.unpack_from(">QQ", (self.folder / "a.fst").read_bytes(), 9)
        self.assertEqual(start, 10 * run)
        self.assertTrue(10 * run < end < 10 * store, (run, end, store))
        middle = (run + store) // 2
        self.ppu(*self.COMMANDS[0], "--wave", "b.fst", "--wave-window", f"{middle}:{middle + 9}")
        part = struct.unpack_from(">QQ", (self.folder / "b.fst").read_bytes(), 9)
        self.assertEqual(part, (10 * middle, 10 * (middle + 9) + 5))

    def test_a_scope_holds_less_than_the_whole_device(self):
        whole, part = (self.wave(*self.COMMANDS[1], "--wave-window", "0:900", *scope)
                       for scope in ((), ("--wave-scope", "u_dma")))
        self.assertLess(part, whole)

    def test_an_unknown_scope_is_refused(self):
        for scope, parent, child in (("u_dm", "ppu_top", "u_dma"),
                                     ("ppu_top.u_dm", "ppu_top", "gen_engine[0]"),
                                     ("gen_engine[0].u_nothing", "ppu_top.gen_engine[0]",
                                      "u_engine"),
                                     ("u_dma.u_nothing.more", "ppu_top.u_dma", "u_")):
            self.refused(*self.COMMANDS[1], "--wave", "ball.fst", "--wave-scope", scope,
                         names=(f"'{scope}'", f"{parent} has ", child))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_refused_device_leaves_waves_and_logs_as_they_were(self):
        wave, log = self.folder / "keep.fst", self.folder / "keep.log"
        for path in (wave, log):
            path.write_text("of an earlier run")
        solve = (*self.COMMANDS[1], "--wave", wave, "--trace", log)
        self.refused(*solve, "--wave-scope", "nosuch", names=("nosuch",))
        self.refused(*solve, "--set", "pipes=2", names=("pipes",))
        self.refused("cosim", BALL, "--set", "fp_add_stages=4", "--trace", log, names=("built",))
        for path in (wave, log):
            self.assertEqual(path.read_text(), "of an earlier run")

    def test_a_scope_may_begin_with_the_top_module(self):
        window = ("--wave-window", "0:900")
        short, long = (self.wave(*self.COMMANDS[1], *window, "--wave-scope", scope)
                       for scope in ("u_dma", "ppu_top.u_dma"))
        self.assertEqual(short, long)


class BrokenAdder(WaveTest):
    def broken(self, *arguments):
        environment = {"PPU_DEVICE": os.environ["PPU_BROKEN_DEVICE"]}
        return self.ppu(*arguments, expect=1, environment=environment)

    def difference(self, run):
        return run.stderr.split(";")[0]

    def replay(self, run):
        """The arguments of the printed command, as a shell would take them apart."""
        line = run.stderr.splitlines()[-1]
        self.assertTrue(line.startswith("replay it with waves: ppu cosim "), run.stderr)
        return shlex.split(line)[5:]

    def test_the_first_differing_row_is_named_and_replayed_with_waves(self):
        run = self.broken("cosim", WALL)
        for word in ("cycle", "row", "lane", "signal"):
            self.assertIn(word, run.stderr)
        self.assertRegex(run.stderr, r"0x[0-9a-f]{8}.*0x[0-9a-f]{8}")
        self.assertEqual(run.stdout, "")
        again = self.broken(*self.replay(run))
        self.assertEqual(self.difference(again), self.difference(run))
        self.assertIn("only mismatch.fst was written", again.stderr)
        self.assert_waves(self.folder / "mismatch.fst")

    def test_every_command_that_runs_in_lockstep_says_how_to_replay(self):
        runs = [self.broken("demo"), self.broken("solve", WALL, "--backend", "cosim"),
                self.broken("profile", WALL, "--backend", "cosim")]
        for run in runs:
            self.assertIn("--wave", self.replay(run))

    def test_the_replay_repeats_every_option_exactly(self):
        folder = self.folder / "a 'folder' with blanks"
        folder.mkdir()
        problem = folder / "wall.h5"
        problem.write_bytes(WALL.read_bytes())
        config = folder / "slow.toml"
        config.write_text("clock_mhz = 50\n")
        options = ["--program", "threshold", "--sweeps", "7", "--threshold", "1e-08", "--order",
                   "colour", "--friction", "skip", "--start", "cold", "--config", str(config),
                   "--set", "clock_mhz=100"]
        run = self.broken("solve", problem, "--backend", "cosim", *options)
        replay = self.replay(run)
        self.assertEqual(replay[:2], ["cosim", str(problem)])
        threshold = replay.index("--threshold") + 1
        self.assertEqual(float32(replay[threshold]), float32("1e-08"))
        replay[threshold] = "1e-08"
        self.assertEqual(replay[2:-4], options)
        self.assertEqual(self.difference(self.broken(*replay)), self.difference(run))
