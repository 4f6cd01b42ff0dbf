# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu trace and ppu diff-trace on logs made by hand; logs and waves that a full disk cuts off."""
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

from cli import BALL, PROGRESS, WALL, CliTest

LATENCY = 33  # From issue to retirement in the configuration `default`.
LOAD, RUN, STORE, DONE, IDLE = 1, 2, 3, 4, 0
COPY_IN, RUN_COMMAND, FENCE = 1, 5, 7


def rows(issues, engine=0, latency=LATENCY):
    """Events of rows given as (cycle, slot, pipe)."""
    for cycle, slot, pipe in issues:
        yield cycle, "row_issue", engine, slot, pipe
        yield cycle + latency, "row_retire", engine, slot, pipe


def one_run():
    """A copy, then a run of two sweeps over three rows, then a fence."""
    events = [(10, "command_begin", 0, 0, COPY_IN), (11, "dma_phase", 0, 1, 0),
              (60, "dma_phase", 0, 0, 0), (61, "command_begin", 0, 1, RUN_COMMAND),
              (62, "command_begin", 0, 2, FENCE), (62, "engine_phase", 0, LOAD, 0),
              (100, "engine_phase", 0, RUN, 0), (300, "engine_phase", 0, STORE, 0),
              (320, "engine_phase", 0, DONE, 0), (340, "engine_phase", 0, IDLE, 0),
              (339, "report_written", 0, 0, 0), (350, "fence_written", 0, 7, 0)]
    events += [(12 + beat, "host_read", 0, 64 * beat, 0) for beat in range(20)]
    events += [(20 + beat, "memory_accept", 1, 64 * beat, 1) for beat in range(20)]
    events += [(62 + beat, "memory_accept", 0, 64 * beat, 0) for beat in range(20)]
    events += rows([(103, 0, 0), (104, 1, 0), (140, 2, 0), (180, 0, 0), (181, 1, 0), (220, 2, 0)])
    return events


class LogTest(CliTest):
    def log(self, events, name="events.log"):
        path = self.folder / name
        lines = [" ".join(map(str, event)) for event in events]
        path.write_text("".join(f"{line}\n" for line in (*lines, f"end {len(lines)}")))
        return path


class Perfetto(LogTest):
    def timeline(self, events, *options):
        self.ppu("trace", self.log(events), "--perfetto", "out.json", *options)
        self.events = json.loads((self.folder / "out.json").read_text())["traceEvents"]
        self.groups = {e["pid"]: e["args"]["name"] for e in self.events
                       if e["name"] == "process_name"}
        self.tracks = {e["tid"]: e["args"]["name"] for e in self.events
                       if e["name"] == "thread_name"}

    def slices(self, group, track):
        return [(e["name"], e["ts"], e["dur"]) for e in self.events if e["ph"] == "X" and
                self.groups[e["pid"]] == group and self.tracks[e["tid"]] == track]

    def counters(self, group):
        return [(e["name"], e["ts"], e["args"]) for e in self.events if e["ph"] == "C" and
                self.groups[e["pid"]] == group]

    def test_a_command_lasts_until_the_next_or_the_fence(self):
        self.timeline(one_run())
        self.assertEqual(self.slices("command processor", "commands"),
                         [("copy_in", 10, 51), ("run", 61, 1), ("fence", 62, 288)])

    def test_the_dma_and_engine_phases_are_slices(self):
        self.timeline(one_run())
        self.assertEqual(self.slices("DMA", "state"), [("move", 11, 49)])
        self.assertEqual(self.slices("engine 0", "phase"),
                         [("load", 62, 38), ("run", 100, 200), ("store", 300, 20),
                          ("done", 320, 20)])

    def test_stalls_are_the_cycles_of_a_run_in_which_no_row_issues(self):
        self.timeline(one_run())
        stalls = self.slices("engine 0", "stalls")
        self.assertEqual([(at, length) for _, at, length in stalls],
                         [(100, 3), (105, 35), (141, 39), (182, 38), (221, 79)])
        self.assertEqual(sum(length for _, _, length in stalls), 200 - 6)

    def test_rows_last_from_issue_to_retirement_and_never_overlap_on_a_track(self):
        self.timeline(one_run())
        places = sorted(name for name in self.tracks.values() if name.startswith("pipe"))
        self.assertEqual(places, ["pipe 0 place 1", "pipe 0 place 2"])
        drawn = []
        for place in places:
            slices = self.slices("engine 0", place)
            drawn += slices
            for (_, at, length), (_, after, _) in zip(slices, slices[1:]):
                self.assertLessEqual(at + length, after)
        self.assertEqual(sorted(drawn, key=lambda s: s[1])[0], ("slot 0 sweep 1", 103, LATENCY))
        self.assertEqual(len(drawn), 6)

    def test_memory_beats_are_counted_by_requester(self):
        self.timeline(one_run())
        self.assertEqual(sum(c[2]["engine 0"] for c in self.counters("device memory")), 20)
        self.assertEqual(sum(c[2]["DMA"] for c in self.counters("device memory")), 20)
        self.assertEqual(sum(c[2]["reads"] for c in self.counters("host link")), 20)
        self.assertEqual(self.counters("host link")[-1][2], {"reads": 0, "writes": 0})

    def test_the_rows_in_flight_go_up_and_down_to_none(self):
        self.timeline(one_run())
        flight = [c[2]["rows"] for c in self.counters("engine 0")]
        self.assertEqual((max(flight), flight[-1]), (2, 0))

    def test_the_clock_of_the_configuration_makes_microseconds(self):
        self.timeline(one_run(), "--config", "default", "--set", "clock_mhz=200")
        self.assertEqual(self.slices("DMA", "state"), [("move", 0.055, 0.245)])

    def test_a_window_cuts_what_reaches_over_its_edges(self):
        self.timeline(one_run(), "--from", 50, "--to", 69)
        self.assertEqual(self.slices("DMA", "state"), [("move", 50, 10)])
        self.assertEqual(self.slices("engine 0", "phase"), [("load", 62, 8)])
        self.assertEqual(self.slices("engine 0", "stalls"), [])

    def test_two_engines_have_tracks_of_their_own(self):
        events = one_run() + [(100, "engine_phase", 1, RUN, 0), (200, "engine_phase", 1, STORE, 0),
                              *rows([(110, 0, 0), (110, 1, 1)], engine=1)]
        self.timeline(events)
        self.assertEqual(self.slices("engine 1", "pipe 1 place 1"), [("slot 1 sweep 1", 110, LATENCY)])
        self.assertEqual(self.slices("engine 1", "phase")[0], ("run", 100, 100))


class Kanata(LogTest):
    def view(self, events, *options):
        """Rows as {number: (label, {stage: (begin, end)}, how it ended, cycle)}."""
        self.ppu("trace", self.log(events), "--kanata", "out.kanata", *options)
        head, *lines = (self.folder / "out.kanata").read_text().splitlines()
        self.assertEqual(head, "Kanata\t0004")
        cycle, found, open_stages = 0, {}, {}
        for line in lines:
            command, *words = line.split("\t")
            if command == "C=":
                cycle = int(words[0])
            elif command == "C":
                self.assertGreater(int(words[0]), 0)
                cycle += int(words[0])
            elif command == "I":
                self.assertEqual(int(words[0]), len(found))
                found[int(words[0])] = [None, {}, None, None]
            elif command == "L":
                found[int(words[0])][0] = words[2]
            elif command == "S":
                open_stages[words[0], words[2]] = cycle
            elif command == "E":
                begin = open_stages.pop((words[0], words[2]))
                found[int(words[0])][1][words[2]] = (begin, cycle)
            elif command == "R":
                found[int(words[0])][2:] = ["retired" if words[2] == "0" else "flushed", cycle]
        self.assertEqual(open_stages, {})
        return found

    def test_a_row_goes_through_the_stages_of_the_row_pipe(self):
        # default: 3 stages each; dot 3 + 4*3, step and what follows 3 + 3 + 1 + 3, scaled add 3 + 3.
        label, stages, end, cycle = self.view(one_run())[0]
        self.assertEqual(label, "slot 0 sweep 1 pipe 0 engine 0")
        self.assertEqual(stages, {"F": (100, 103), "I": (103, 104), "D": (104, 119),
                                  "S": (119, 129), "A": (129, 135), "W": (135, 136)})
        self.assertEqual((end, cycle), ("retired", 137))

    def test_every_update_of_a_row_is_an_instruction(self):
        labels = [row[0] for row in self.view(one_run()).values()]
        self.assertEqual(labels, [f"slot {slot} sweep {sweep} pipe 0 engine 0"
                                  for sweep in (1, 2) for slot in (0, 1, 2)])

    def test_a_row_waits_at_the_head_of_its_pipe_from_the_issue_before_it(self):
        view = self.view(one_run())
        self.assertNotIn("F", view[1][1])
        self.assertEqual(view[2][1]["F"], (105, 140))

    def test_fewer_lanes_lengthen_dot_product_and_scaled_add(self):
        # II = 12/4: two cycles more each.
        events = [(100, "engine_phase", 0, RUN, 0), *rows([(103, 0, 0)], latency=LATENCY + 4)]
        stages = self.view(events, "--set", "lanes=4")[0][1]
        self.assertEqual((stages["D"], stages["A"]), ((104, 121), (131, 139)))

    def test_a_row_that_the_log_does_not_retire_is_flushed_at_its_end(self):
        events = [(100, "engine_phase", 0, RUN, 0), (103, "row_issue", 0, 5, 0),
                  (110, "dma_phase", 0, 0, 0)]
        _, stages, end, cycle = self.view(events)[0]
        self.assertEqual((stages["D"], end, cycle), ((104, 111), "flushed", 111))

    def test_a_window_picks_the_rows_that_issue_in_it(self):
        view = self.view(one_run(), "--from", 104, "--to", 140)
        self.assertEqual([row[0][:6] for row in view.values()], ["slot 1", "slot 2"])

    def test_the_order_of_the_lines_does_not_matter(self):
        self.view(one_run())
        first = (self.folder / "out.kanata").read_bytes()
        self.view(reversed(one_run()))
        self.assertEqual((self.folder / "out.kanata").read_bytes(), first)

    def test_another_configuration_is_refused(self):
        self.refused("trace", self.log(one_run()), "--kanata", "out.kanata", "--config", "small",
                     names=("slot 0", LATENCY, "--config"))
        self.assertFalse((self.folder / "out.kanata").exists())


class Summary(LogTest):
    def test_a_window_counts_what_is_in_it(self):
        out = self.ppu("trace", self.log(one_run()), "--from", 104, "--to", 140).stdout
        self.assertRegex(out, r"^cycles 104 to 140, 4 events, 2 row updates\n")
        self.assertRegex(out, r"row_issue +2\n")
        self.assertRegex(out, r"host_read +0\n")

    def test_a_window_outside_the_log_is_warned_of(self):
        log = self.log(one_run())
        for window in (("--from", 351), ("--to", 9)):
            run = self.ppu("trace", log, *window)
            self.assertIn("ppu: warning: no cycle of the log is in the window", run.stderr)
            self.assertIn("10 to 350", run.stderr)
            self.assertEqual(run.stdout, "no event is in the window\n")
        for window in (("--from", 350), ("--to", 10)):
            self.assertEqual(self.ppu("trace", log, *window).stderr, "")

    def test_it_says_that_a_device_is_opened_first(self):
        self.ppu("solve", BALL, "--trace", "ball.log")
        out = self.ppu("trace", "ball.log").stdout
        fence = int(re.search(r"up to cycle (\d+), the first fence: the opening of the device and "
                              "the loading of its program", out)[1])
        lines = (self.folder / "ball.log").read_text().splitlines()
        self.assertIn(f"{fence} fence_written", "\n".join(lines))
        self.assertNotIn("opening", self.ppu("trace", self.log(one_run())).stdout)


class CutOffLogs(LogTest):
    """Logs without their end, as those of interrupted runs."""
    def cut(self, size):
        """The log without its last `size` bytes."""
        whole = self.log(sorted(one_run()))
        path = self.folder / "cut.log"
        path.write_bytes(whole.read_bytes()[:-size])
        return path, whole

    def test_the_views_show_the_whole_lines_and_warn(self):
        # The last two lines are `350 fence_written 0 7 0` and `end 84`.
        for size, cycle in ((1, 350), (len("end 84\n"), 350), (len("end 84\n") + 1, 340)):
            path, _ = self.cut(size)
            run = self.ppu("trace", path, "--perfetto", "out.json", "--kanata", "out.kanata")
            self.assertEqual(run.stderr,
                             f"ppu: warning: {path}: the log ends early, at cycle {cycle}\n")
            self.assertIn(f"cycles 10 to {cycle}, ", run.stdout)
            json.loads((self.folder / "out.json").read_text())

    def test_two_logs_are_not_equal_if_one_has_no_end(self):
        path, whole = self.cut(len("end 84\n"))
        for pair in ((path, whole), (whole, path), (path, path)):
            run = self.ppu("diff-trace", *pair, expect=1)
            self.assertIn("equal as far as they go, but not both to their end: 84 events", run.stdout)
            self.assertIn("the log ends early", run.stderr)
        path, whole = self.cut(60)
        self.assertIn("  B: ends here\n", self.ppu("diff-trace", whole, path, expect=1).stdout)

    def has_nameless_file(self, session):
        """Whether a process of it writes to a file in the folder of the test that has no name there."""
        for path in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
            with contextlib.suppress(OSError):  # The process has ended.
                found = os.readlink(path)
                if (found.startswith(f"{self.folder}/") and found.endswith("(deleted)") and
                        os.getsid(int(path.parts[2])) == session):
                    return not list(self.folder.glob(".ppu-*"))
        return False

    def test_an_interrupted_run_leaves_what_was_there_and_nothing_else(self):
        endless = self.folder / "endless.s"
        endless.write_text("again: j again\n")
        log = self.folder / "a.log"
        log.write_text("of an earlier run")
        for option, path, backend in (("--trace", log, "systemc"), ("--wave", "a.fst", "rtl")):
            for number in (signal.SIGINT, signal.SIGKILL):
                run = subprocess.Popen([os.environ["PPU_BIN"], "solve", WALL, "--program", endless,
                                        "--backend", backend, option, path], cwd=self.folder,
                                       start_new_session=True, stderr=subprocess.DEVNULL)
                # From then on nothing may be there at any moment; the writer of waves opens them by a name.
                while not self.has_nameless_file(run.pid):
                    self.assertIsNone(run.poll())
                    time.sleep(0.02)
                (os.killpg if number == signal.SIGINT else os.kill)(run.pid, number)
                run.wait()
                self.assertEqual(log.read_text(), "of an earlier run")
                self.assertEqual({path.name for path in self.folder.iterdir()},
                                 {"a.log", "endless.s"})


class BadLogs(LogTest):
    def refused_log(self, text, *names):
        path = self.folder / "bad.log"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        good = self.log(one_run())
        for command in (("trace", path), ("diff-trace", path, good), ("diff-trace", good, path)):
            self.refused(*command, names=(path, *names))

    def test_a_log_that_is_not_there(self):
        self.refused("trace", self.folder / "none", names=("none",))
        self.refused("trace", self.folder, names=(self.folder,))

    def test_an_empty_log(self):
        self.refused_log("", "no event")
        self.refused_log("end 0\n", "no event")

    def test_ends_that_are_not_those_of_the_log(self):
        text = "5 dma_phase 0 1 0\n9 dma_phase 0 0 0\n"
        for end in ("end 1", "end 3", "end 2\nend 2", "end 2\n9 dma_phase 0 0 0"):
            self.refused_log(f"{text}{end}\n", "end")

    def test_lines_that_are_no_events(self):
        for line in ("", " ", "5", "5 dma_phase 0 1", "5 dma_phase 0 1 0 0", "5  dma_phase 0 1 0",
                     "5 dma_phase 0 1 0 ", "5 dma_phase 0 1 0\r", "\0", "x" * 100000):
            self.refused_log(f"4 dma_phase 0 1 0\n{line}\n", ":2:")

    def test_words_that_are_no_numbers(self):
        for line in ("-5 dma_phase 0 1 0", "5 dma_phase 256 1 0", "5 dma_phase 0 0x1 0",
                     "5 host_read 0 99999999999999999999 0", "1e3 dma_phase 0 1 0",
                     "9999999999999999999 dma_phase 0 1 0"):
            self.refused_log(line + "\n", ":1:", line)

    def test_names_that_a_device_does_not_have(self):
        for line in ("5 engine_phase 0 9 0", "5 dma_phase 0 3 0", "5 command_begin 0 0 200",
                     "5 command_reject 0 0 99", "5 memory_accept 0 0 2"):
            self.refused_log(line + "\n", ":1:")
        self.refused_log("5 coffee 0 1 0\n", "coffee")

    def test_bytes_that_upset_a_terminal_do_not_reach_it(self):
        message = self.refused("trace", self.binary(b"\x1b[2J\x07\xff\n"))
        self.assertTrue(message.isprintable())

    def binary(self, content):
        path = self.folder / "binary.log"
        path.write_bytes(content)
        return path

    def test_a_log_without_its_beginning(self):
        self.refused("trace", self.log([(9, "row_retire", 0, 4, 0)]), names=("slot 4", "beginning"))

    def test_rows_that_overtake_each_other(self):
        events = [(5, "row_issue", 0, 1, 0), (6, "row_issue", 0, 2, 0), (37, "row_retire", 0, 2, 0)]
        self.refused("trace", self.log(events), names=("cycle 37", "slot 2", "of slot 1"))

    def test_windows_that_cannot_be(self):
        self.refused("trace", self.log(one_run()), "--from", 9, "--to", 5, names=("--from", 9, 5))


class DiffTrace(LogTest):
    def differ(self, first, second):
        a, b = self.log(first, "a.log"), self.log(second, "b.log")
        return self.ppu("diff-trace", a, b, expect=1).stdout

    def test_equal_logs_in_any_order_of_lines(self):
        a, b = self.log(one_run(), "a.log"), self.log(reversed(one_run()), "b.log")
        self.assertIn("equal: 84 events, cycles 10 to 350", self.ppu("diff-trace", a, b).stdout)

    def test_a_row_that_issues_a_cycle_later(self):
        later = [(181, *e[1:]) if e[:2] == (180, "row_issue") else e for e in one_run()]
        out = self.differ(one_run(), later)
        self.assertIn(f"  cycle {140 + LATENCY}: engine 0 retires slot 2 from pipe 0\n"
                      "the first that differs:\n"
                      "  A: cycle 180: engine 0 issues slot 0 on pipe 0; B has it in cycle 181, "
                      "1 later\nwhat B has in its place:\n  B: cycle 181: engine 0 issues slot 0 on "
                      "pipe 0; A has it in cycle 180, 1 earlier\n", out)
        self.assertIn("hazards", out)
        self.assertIn("ppu trace", out)
        self.assertIn("--from 80 --to 280", out)

    def test_what_the_other_log_has_in_that_place_is_not_called_a_difference(self):
        out = self.differ(one_run(), [event for event in one_run() if event[0] != 10])
        self.assertIn("the first that differs:\n  A: cycle 10: command 0 (copy_in) is begun; B does "
                      "not have it from here on\nwhat B has in its place:\n"
                      "  B: cycle 11: the DMA enters move; A has it in the same cycle\n", out)

    def test_five_common_events_come_before_the_difference(self):
        out = self.differ(one_run(), one_run()[:-1] + [(900, "row_retire", 0, 2, 0)])
        before = out.split("the last of them:\n")[1].split("the first that differs:")[0]
        self.assertEqual(len(before.splitlines()), 5)

    def test_a_log_that_ends_early(self):
        events = sorted(one_run())
        out = self.differ(events, events[:-3])
        self.assertIn("  B: ends here\n", out)
        self.assertIn("B does not have it", out)

    def test_every_field_counts(self):
        event = (50, "row_issue", 0, 3, 1)
        for change in ((51, "row_issue", 0, 3, 1), (50, "row_retire", 0, 3, 1),
                       (50, "row_issue", 1, 3, 1), (50, "row_issue", 0, 4, 1),
                       (50, "row_issue", 0, 3, 0)):
            self.assertIn("0 events are equal", self.differ([event], [change]))


class FullDisk(CliTest):
    """Files may have a MiB and a page, what the memory of the host takes here."""
    LIMIT = (1 << 20) + 4096

    def cut_off(self, *arguments):
        (self.folder / "a").write_text("of an earlier run")
        run = subprocess.run(
            [os.environ["PPU_BIN"], *map(str, arguments), "--set", "host_memory_mib=1"],
            cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=1000,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (self.LIMIT,) * 2))
        self.assertEqual((run.returncode, run.stdout), (3, ""), run.stderr)
        self.assertEqual([path.read_text() for path in self.folder.iterdir()],
                         ["of an earlier run"])
        lines = PROGRESS.sub("", run.stderr).splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        return lines[0]

    def test_a_log_that_does_not_fit_fails_the_command(self):
        # At the end of the device, and in the midst of its work.
        for sweeps in (15, 60):
            sentence = self.cut_off("solve", WALL, "--backend", "systemc", "--sweeps", sweeps,
                                    "--trace", "a")
            self.assertIn("event log a: cannot be written: File too large", sentence)

    def test_an_answer_that_does_not_fit_fails_the_command(self):
        self.LIMIT = 24 << 10  # The rows fit, the answer does not.
        sentence = self.cut_off("solve", BALL, "--backend", "functional", "--output", "a")
        self.assertIn("a: cannot be written: File too large", sentence)

    def test_waves_that_do_not_fit_fail_the_command(self):
        for command in (("solve", BALL, "--backend", "rtl"), ("cosim", WALL)):
            sentence = self.cut_off(*command, "--wave", "b.fst")
            self.assertIn("wave file 'b.fst': could not be written as a whole", sentence)
