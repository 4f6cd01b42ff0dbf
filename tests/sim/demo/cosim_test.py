# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Lockstep: agreement is counted, the first difference stops the run and says where. Waves."""
import csv
import os
import re
import shlex
import struct
import subprocess

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


def hierarchy(content):
    """The names of an FST file, which LZ4 has packed."""
    at = 0
    while content[at] not in (6, 7):
        at += 1 + struct.unpack_from(">Q", content, at + 1)[0]
    packed = content[at + 17:]
    if content[at] == 7:  # Twice; the size of the first is a number of 7 bits a byte.
        while packed[0] & 0x80:
            packed = packed[1:]
        packed = unpacked(packed[1:])
    return unpacked(packed)


def unpacked(packed):
    """LZ4: bytes as they are, then a place to repeat bytes from, in turn."""
    out, at = bytearray(), 0

    def length(value):
        nonlocal at
        more = 255 if value == 15 else 0
        while more == 255:
            more = packed[at]
            value += more
            at += 1
        return value

    while at < len(packed):
        token = packed[at]
        at += 1
        plain = length(token >> 4)
        out += packed[at:at + plain]
        at += plain
        if at >= len(packed):
            break
        back = struct.unpack_from("<H", packed, at)[0]
        at += 2
        for _ in range(length(token & 15) + 4):
            out.append(out[-back])
    return bytes(out)


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
            compared += [path.stem] if re.search(r"bound \S+: holds", out) else []
        self.assertEqual(sorted(compared), ["boxed", "classes", "impulse", "impulse-threshold",
                                            "pgs", "reduced", "threshold"])

    def test_a_kernel_of_ones_own_is_checked_row_by_row(self):
        text = (PROGRAMS / "boxed.s").read_text()
        own = re.sub(r"med +x, lo, t, hi", "med     x, r.lo, t, r.hi", re.sub(r".*\bcone\b.*\n", "", text))
        self.assertNotEqual(own, text)
        (self.folder / "mine.s").write_text(own)
        words = ("cosim", BALL, "--program", self.folder / "mine.s", "--require-reference")
        out = self.ppu(*words).stdout
        self.assertIn("Eigen in double precision: not compared", out)
        self.assertRegex(out, r"row by row in double precision: 1,050 row updates, the worst at "
                              r"[01]\.\d\d of what rounding allows \(.* of row \d+ in pass \d+\): holds")
        rows = self.json(*words)["rows_in_double"]
        self.assertEqual(rows["updates"], 1050)
        self.assertLessEqual(rows["share_of_bound"], 1)
        self.assertGreater(rows["share_of_bound"], 0.1)

    def test_every_row_of_every_program_is_beside_its_double(self):
        for path in PROGRAMS.glob("*.s"):
            ends = path.stem not in ("pgs", "boxed", "classes", "reduced", "impulse")
            has_budget = re.search(r"^ +budget ", path.read_text(), re.MULTILINE)
            budget = ("--budget-us", "25") if has_budget else ()
            for words in (("--threshold", "0.01") if ends else (), ("--set", "pipes=4", "--stream"),
                          ("--sweeps", "50", "--relaxation", "1.2", *budget)):
                result = self.json("cosim", BALL, "--program", path.stem, *words, "--require-reference")
                self.assertEqual(result["rows_in_double"]["updates"],
                                 result["row_updates"], (path.stem, words))

    def test_no_reference_stands_beside_a_part_of_a_sweep(self):
        cut = ("cosim", BALL, "--sweeps", 100, "--budget-us", 25)
        self.assertIn("not compared; the reference has whole sweeps", self.ppu(*cut).stdout)
        self.assertIsNone(self.json(*cut)["error"])
        enough = self.ppu("cosim", BALL, "--sweeps", 3, "--budget-us", 1000).stdout
        self.assertRegex(enough, r"bound \S+: holds")


class Waves(WaveTest):
    COMMANDS = (("cosim", BALL, "--sweeps", "1"), ("solve", BALL, "--sweeps", "1", "--backend", "rtl"))

    def wave(self, *arguments):
        """The wave file that the command writes."""
        wave = self.folder / "ball.fst"
        self.ppu(*arguments, "--wave", wave)
        self.assert_waves(wave)
        content = wave.read_bytes()
        wave.unlink()
        return content

    def span(self, *arguments):
        """For how long the waves go on."""
        start, end = struct.unpack_from(">QQ", self.wave(*arguments), 9)
        return end - start

    def test_a_wider_window_holds_more(self):
        for command in self.COMMANDS:
            spans = [self.span(*command, *window) for window in
                     (("--wave-window", "10:1300"), ("--wave-window", "10:2000"),
                      ("--wave-window", "10:999999999"), ())]
            self.assertEqual(spans[:3], sorted(set(spans[:3])))
            self.assertLessEqual(spans[2], spans[3])

    def test_a_window_after_the_end_is_warned_of(self):
        for command in self.COMMANDS:
            run = self.ppu(*command, "--wave", "a.fst", "--wave-window", "999999998:999999999")
            self.assertIn("ppu: warning: a.fst holds no values", run.stderr)
        for window in ("5:9", "0:0"):
            run = self.ppu(*self.COMMANDS[1], "--wave", "a.fst", "--wave-window", window)
            self.assertEqual(run.stderr, "")

    def test_a_row_is_found_by_its_number(self):
        self.ppu("profile", BALL, "--rows", "rows.csv")
        with (self.folder / "rows.csv").open(newline="") as file:
            slot = list(csv.DictReader(file))[17]["slot"]
        for command in (("cosim", BALL), ("solve", BALL, "--backend", "rtl")):
            out = self.ppu(*command, "--wave", "a.fst", "--trace", "a.log", "--wave-row", "17:3").stdout
            events = [line.split() for line in (self.folder / "a.log").read_text().splitlines()]
            issue, retire = ([int(words[0]) for words in events
                              if words[1:4] == [kind, "0", slot]][2] for kind in ("row_issue", "row_retire"))
            self.assertIn(f"row 17, sweep 3, in slot {slot}, issues in cycle {issue:,}", out)
            times = struct.unpack_from(">QQ", (self.folder / "a.fst").read_bytes(), 9)
            self.assertEqual(times, (10 * (issue - 8), 10 * (retire + 8) + 5))
            view = (self.folder / "a.gtkw").read_text()
            self.assertIn(f"[timestart] {1000 * (issue - 8)}\n", view)

    def test_rows_that_are_not_there_are_refused(self):
        for row in ("105:1", "17:11", "17:0", "17", "x:1"):
            self.refused("cosim", BALL, "--wave", "a.fst", "--wave-row", row, names=("--wave-row", "row"))
        self.refused("cosim", BALL, "--wave-row", "17:1", names=("--wave",))
        self.refused("cosim", BALL, "--wave", "a.fst", "--wave-row", "17:1", "--wave-window", "0:9",
                     names=("--wave-window",))
        rows = [self.refuse_or_pass("cosim", BALL, "--set", "pipes=2", "--wave", "a.fst", "--wave-row", f"{row}:1")
                for row in range(4)]
        self.assertTrue(any("goes through pipe 1" in text for text in rows))
        self.assertIn("", rows)

    def refuse_or_pass(self, *arguments):
        run = subprocess.run([os.environ["PPU_BIN"], *map(str, arguments)], cwd=self.folder, text=True,
                             capture_output=True)
        return run.stderr if run.returncode else ""

    def test_a_view_names_signals_of_the_waves(self):
        for command, scope, some in ((self.COMMANDS[0], (), ("TOP.clk_i", "TOP.in_tag_i[31:0]")),
                                     (self.COMMANDS[1], (), ("TOP.clk_i", ".u_engine.u_trace.issue_slot[31:0]")),
                                     (self.COMMANDS[1], ("--wave-scope", "u_dma"), (".u_dma.clk_i",))):
            self.ppu(*command, "--wave", "a.fst", "--wave-window", "900:1200", *scope)
            lines = (self.folder / "a.gtkw").read_text().splitlines()
            self.assertIn(f'[dumpfile] "{self.folder / "a.fst"}"', lines)
            signals = [line for line in lines if line[0] not in "[*@"]
            for name in some:
                self.assertTrue(any(signal.endswith(name) for signal in signals), (name, signals))
            names = hierarchy((self.folder / "a.fst").read_bytes())
            for signal in signals:
                variable = re.search(r"(\w+)(\[[\d:]+\])?$", signal).group(1)
                self.assertRegex(names, rb"(?<!\w)" + variable.encode() + rb"[ \0]", signal)

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
        self.assertLess(len(part), len(whole) / 2)

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
        short, long, other = (hierarchy(self.wave(*self.COMMANDS[1], *window, "--wave-scope", scope))
                              for scope in ("u_dma", "ppu_top.u_dma", "u_commands"))
        self.assertEqual(short, long)
        self.assertNotEqual(short, other)


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
