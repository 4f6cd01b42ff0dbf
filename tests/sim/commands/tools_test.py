# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The smaller subcommands: asm, dis, diff, info, counters, doctor, bench."""
import json
import re

from cli import BACKENDS, BALL, CliTest, PROGRAMS, ROOT, WALL


class Assembler(CliTest):
    def test_example_4_and_5_cost_52_flops_per_row(self):
        for name in ("pgs", "boxed"):
            words, *kernels = self.ppu("asm", name).stdout.splitlines()
            self.assertRegex(words, rf"^{name}: \d+ of \d+ words, config default$")
            self.assertTrue(kernels)
            for line in kernels:
                self.assertRegex(line, rf"^{name}\w*: 52 flops/row .*, initiation interval 1, ")

    def test_fewer_lanes_lengthen_the_interval(self):
        self.assertIn("initiation interval 4", self.ppu("asm", "pgs", "--set", "lanes=3").stdout)

    def test_the_manual_shows_what_is_printed(self):
        manual = (ROOT / "docs/guide/firmware.md").read_text()
        shown = re.search(r"```\n(boxed: .*?)```", manual, re.DOTALL).group(1)
        self.assertEqual(self.ppu("asm", "boxed").stdout, shown)

    def test_the_listing_shows_when_an_operation_runs(self):
        def cycles(operation, *options):
            out = self.ppu("asm", "pgs", "--listing", *options).stdout
            return tuple(map(int, re.search(rf" {operation} .* (\d+)-(\d+) ", out).groups()))
        self.assertEqual(cycles("dot")[1] + 1, cycles("step")[0])
        latency = int(re.search(r"latency (\d+)", self.ppu("asm", "pgs").stdout).group(1))
        self.assertEqual(cycles("axpy")[1] + 1, latency)
        # Four beats for 12 elements on 3 lanes: three cycles more, in the dot product and the axpy.
        self.assertEqual(cycles("axpy", "--set", "lanes=3")[1] + 1, latency + 6)

    def test_the_listing_as_json_has_every_word_and_the_same_costs(self):
        for source in sorted(PROGRAMS.glob("*.s")):
            data = self.json("asm", source, "--listing")
            self.assertEqual([line["address"] for line in data["listing"]],
                             list(range(data["words"])))
            self.assertEqual(data["warnings"], [])
            for kernel in data["kernels"]:
                first = kernel["address"]
                operations = data["listing"][first:first + kernel["words"] - 1]
                for kind in ("always", "with_cfm", "with_parent"):
                    self.assertEqual(sum(o["flops"][kind] for o in operations),
                                     kernel["flops"][kind], source)
                # What takes a cycle of its own ends in it, a store or a mark when the pipe does.
                ends = [o["last_cycle"] + (o["first_cycle"] != o["last_cycle"])
                        for o in operations]
                self.assertEqual(max(ends), kernel["latency"], source)

    def test_an_image_is_listed_like_its_source(self):
        image = self.folder / "filter.ppu"
        self.ppu("asm", "filter", "-o", image)
        words = [[line["word"] for line in self.json("asm", program)["listing"]]
                 for program in ("filter", image)]
        self.assertEqual(*words)

    def test_codes_are_explained(self):
        out = self.ppu("asm", "--explain", "E027").stdout
        self.assertRegex(out, r"^E027: .*\n\n(.|\n)*\nWrong:\n\n(.|\n)*\nRight:\n\n")
        self.refused("asm", "--explain", "E27", names=("E27", "E001"))
        self.refused("asm", names=("--explain",))

    def test_a_message_shows_its_code_and_the_other_place(self):
        source = self.folder / "twice.s"
        source.write_text("loop: wait\nloop: j loop\n")
        self.assertEqual(self.ppu("asm", source, expect=2).stderr,
                         f"{source}:2:1: error[E014]: `loop` is already defined\n"
                         "  loop: j loop\n"
                         "  ^~~~\n"
                         "hint: labels and kernels share their names; choose another\n"
                         f"{source}:1:1: note: it was defined here\n"
                         "  loop: wait\n"
                         "  ^~~~\n")

    def test_a_warning_leaves_the_image_as_it_is(self):
        source, image = self.folder / "label.s", self.folder / "label.ppu"
        source.write_text("unused: halt\n")
        self.assertIn("warning[W002]", self.ppu("asm", source, "-o", image).stderr)
        self.assertTrue(image.exists())

    def test_disassembly_ends_with_the_costs_of_the_kernels(self):
        for program in ("pgs", "filter"):
            costs = [line.split(": ", 1)[1]
                     for line in self.ppu("asm", program).stdout.splitlines()[1:]]
            shown = re.findall(r"^; kernel_\d+: (.*)$", self.ppu("dis", program).stdout, re.M)
            self.assertEqual(shown, costs)

    def test_disassembly_assembles_to_the_same_image(self):
        for source in sorted(PROGRAMS.glob("*.s")):
            first, second = self.folder / "first.ppu", self.folder / "second.ppu"
            self.ppu("asm", source, "-o", first)
            text = self.folder / "again.s"
            text.write_text(self.ppu("dis", first).stdout)
            self.ppu("asm", text, "-o", second)
            self.assertEqual(first.read_bytes(), second.read_bytes(), source)

    def test_an_image_runs_like_its_source(self):
        image = self.folder / "boxed.ppu"
        self.ppu("asm", "boxed", "-o", image)
        self.assertEqual(self.json("solve", BALL, "--program", image)["state_hash"],
                         self.json("solve", BALL)["state_hash"])

    def test_the_listing_shows_every_word(self):
        out = self.ppu("asm", "pgs", "--listing").stdout
        words = int(re.search(r"pgs: (\d+) of", out).group(1))
        self.assertEqual(len(re.findall(r"^[0-9a-f]{4}  [0-9a-f]{8}  ", out, re.M)), words)

    def test_a_value_that_is_never_used_is_a_warning(self):
        source, image = self.folder / "unused.s", self.folder / "unused.ppu"
        source.write_text("  halt\n.kernel k\n  ldrow r\n  ldvel v, r.ia, r.ib\n.end\n")
        run = self.ppu("asm", source, "-o", image)
        self.assertIn("unused.s:4:9: warning[W003]: nothing takes `v`\n", run.stderr)
        self.assertIn("unused.s: 4 of 1024 words", run.stdout)
        self.assertTrue(image.exists())

    def test_a_refused_program_leaves_no_image(self):
        source, image = self.folder / "bad.s", self.folder / "bad.ppu"
        source.write_text("  halt now\n")
        self.ppu("asm", source, "-o", image, expect=2)
        self.assertFalse(image.exists())


class Diff(CliTest):
    def output(self, name, *options):
        path = self.folder / name
        self.ppu("solve", BALL, "--backend", "functional", "--output", path, *options)
        return path

    def test_equal_solutions(self):
        run = self.ppu("diff", self.output("a.h5"), self.output("b.h5", "--order", "engine"))
        self.assertIn("impulse: 0 of 105 differ", run.stdout)

    def test_one_bit_is_found_with_row_and_ulp(self):
        a = self.output("a.h5")
        b = self.edited("set", "/solution/impulse", 42, 1.0, source=a)
        a = self.folder / "c.h5"
        a.write_bytes(b.read_bytes())
        b = self.edited("set", "/solution/impulse", 42, 1.00000012, source=a)
        run = self.ppu("diff", a, b, expect=1)
        self.assertIn("impulse: 1 of 105 differ; first at row 42: 1 and 1.00000012, 1 ulp", run.stdout)
        self.assertIn("velocity_change: 0 of 72 differ", run.stdout)

    def test_a_velocity_is_named_by_body_and_element(self):
        a = self.output("a.h5")
        b = self.edited("set", "/solution/velocity_change", 6 * 3 + 4, 123, source=a)
        self.assertIn("first at body 3 element 4",
                      self.ppu("diff", a, b, expect=1).stdout)

    def test_files_that_cannot_be_compared(self):
        a = self.output("a.h5")
        other = self.folder / "wall.h5"
        self.ppu("solve", WALL, "--backend", "functional", "--output", other)
        self.refused("diff", a, other, names=(other, "105"))
        self.refused("diff", a, BALL, names=(BALL, "/solution"))


class Info(CliTest):
    def test_the_build(self):
        out = self.ppu("info").stdout
        for word in (*BACKENDS, "boxed", "default", "small", "wide", "pci", "hbm2"):
            self.assertIn(word, out)

    def test_the_build_with_a_configuration_of_one_s_own(self):
        out = self.ppu("info", "--set", "lanes=4").stdout
        self.assertRegex(out, r"default lanes=4 +0x[0-9a-f]{16} +1 +1 +4 ")
        self.assertNotIn("wide", out)
        self.assertRegex(self.ppu("info", "--config", "default+resident+asap7").stdout, r" [0-9]+  asap7\n")
        self.assertRegex(self.ppu("info", "--config", "default+asap7", "--set", "clock_mhz=77").stdout, r" 77  by hand\n")
        self.refused("info", "--config", "nosuch", names=("nosuch", "wide"))
        self.refused("info", "--set", "nosuch=1", names=("nosuch",))

    def test_times_at_the_clock_of_another_engine_come_with_a_warning(self):
        for config, clock, origin in (("default", (), "ihp130"), ("default", ("--set", "clock_mhz=77"), "by hand")):
            run = self.ppu("solve", "stance", "--config", config, *clock, "--json", "-")
            self.assertEqual(run.stderr, "")
            self.assertEqual(json.loads(run.stdout)["configuration"]["clock"], origin)
        run = self.ppu("solve", "stance", "--set", "fp_add_stages=2", "--json", "-")
        self.assertEqual(run.stderr, "")
        self.assertIn("of a slower engine", json.loads(run.stdout)["configuration"]["clock"])
        run = self.ppu("solve", "stance", "--set", "pipes=16", "--json", "-")
        self.assertRegex(run.stderr, r"^ppu: warning: times are those of a clock of [0-9]+ MHz: ihp130, not measured: ")
        self.assertIn("not measured", json.loads(run.stdout)["configuration"]["clock"])

    def test_a_problem(self):
        out = self.ppu("info", WALL).stdout
        self.assertEqual(out.replace(str(WALL), "wall10"),
                         self.ppu("info", "wall10").stdout)
        self.assertRegex(out, r"rows +1,566: 0 joint, 522 contact, 1,044 friction")
        self.assertRegex(out, r"bodies +106 in \d+ islands")

    def test_no_run_beats_the_chain_bound(self):
        out = self.ppu("info", WALL).stdout
        bound = float(re.search(r"best rows/cycle +(\S+)", out).group(1))
        self.assertLessEqual(self.json("solve", WALL)["rows_per_cycle"], bound)

    def test_counters_have_a_sentence_each(self):
        tables = self.ppu("counters").stdout.split("\n\n")[:2]
        for table, least in zip(tables, (20, 15)):
            lines = table.splitlines()[1:]
            self.assertGreater(len(lines), least)
            for line in lines:
                self.assertTrue(line.endswith("."), line)

    def test_version_and_help(self):
        self.assertRegex(self.ppu("--version").stdout, r"^\d+\.\d+\.\d+$")
        for command in ((), ("help",), ("help", "--help")):
            self.assertEqual(self.ppu(*command).stdout, self.ppu("--help").stdout)
        for command in (("solve",), ("study",), ("study", "converge")):
            self.assertEqual(self.ppu("help", *command).stdout, self.ppu(*command, "--help").stdout)
        self.assertEqual(self.ppu("study").stdout, self.ppu("study", "--help").stdout)
        self.refused("help", "fly", names=("fly", "solve"))
        self.refused("study", "fly", names=("fly", "converge"))

    def test_the_commands_of_every_day_stand_first_and_studies_are_one(self):
        words = [line.split()[0] for line in self.ppu("--help").stdout.splitlines() if line]
        self.assertEqual(words[words.index("Every"):][1:13],
                         ["demo", "solve", "cosim", "profile", "debug", "asm", "dis", "fuzz", "bench",
                          "info", "doctor", "Studies:"])
        for study in ("converge", "savings", "scaling", "programs", "parity", "frame"):
            self.assertNotIn(study, words)
            self.assertIn(study, self.ppu("study", "--help").stdout)

    def test_the_old_name_of_a_study_says_the_new_one(self):
        old, new = self.ppu("parity", "--list"), self.ppu("study", "parity", "--list")
        self.assertEqual(old.stdout, new.stdout)
        self.assertEqual(new.stderr, "")
        self.assertEqual(len(old.stderr.splitlines()), 1)
        self.assertIn("'ppu parity' is now 'ppu study parity'", old.stderr)


class Doctor(CliTest):
    def test_this_machine_is_fit(self):
        out = self.ppu("doctor").stdout
        for backend in BACKENDS:
            self.assertRegex(out, rf"back end {backend} .*\bok\b")

    def test_missing_tools_are_named_with_one_apt_line(self):
        run = self.ppu("doctor", expect=3, environment={"PATH": "/nowhere"})
        line = [text for text in run.stdout.splitlines() if text.startswith("apt-get install")]
        self.assertEqual(len(line), 1)
        for package in ("g++", "cmake", "verilator"):
            self.assertIn(f" {package}", line[0])

    def test_without_sources_it_asks_for_nothing_to_build_them(self):
        run = self.ppu("doctor", environment={"PPU_SOURCE": "/nowhere", "PATH": "/nowhere"})
        self.assertNotIn("MISSING", run.stdout)
        self.assertNotIn("apt-get", run.stdout)
        self.assertIn("back end rtl", run.stdout)

    def test_a_missing_device_is_named(self):
        run = self.ppu("doctor", expect=3, environment={"PPU_DEVICE": "/nowhere/ppu-device"})
        self.assertIn("/nowhere/ppu-device", run.stdout)
        self.refused_environment()

    def test_a_missing_reader_is_named(self):
        run = self.ppu("doctor", expect=3, environment={"PPU_READ_PROBLEM": "/nowhere/reader"})
        self.assertRegex(run.stdout, "reader of problem files .*MISSING.*'/nowhere/reader'")

    def refused_environment(self):
        run = self.ppu("solve", BALL, "--backend", "systemc", expect=3,
                       environment={"PPU_DEVICE": "/nowhere/ppu-device"})
        self.assertIn("/nowhere/ppu-device", run.stderr)


class Bench(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.result = None

    def bench(self):
        """One run serves all tests of the class."""
        if Bench.result is None:
            Bench.result = self.json("bench", BALL)
        return Bench.result

    def test_every_contender_gets_a_speed(self):
        result = self.bench()
        names = [solver["name"] for solver in result["solvers"]]
        for word in (*(f"{backend} back end" for backend in BACKENDS), "RTL row pipe", "Bullet",
                     "plain"):
            self.assertEqual(sum(word in name for name in names), 1, names)
        for solver in result["solvers"]:
            self.assertGreater(solver["rows_per_second"], 0)
            self.assertEqual(len(solver["seconds"]), result["rounds"])

    def test_devices_are_compared_on_the_same_frames(self):
        result = self.bench()
        devices = {device["name"]: device for device in result["devices"]}
        self.assertEqual(set(devices), {"systemc", "rtl", "systemc, trace on",
                                        "systemc, rows streamed", "systemc, DMA alone",
                                        "rtl, DMA alone"})
        for device in devices.values():
            self.assertGreater(device["cycles_per_second"], 0)
        for key, over, under in (("systemc_over_rtl", "systemc", "rtl"),
                                 ("trace_off_over_on", "systemc", "systemc, trace on")):
            self.assertAlmostEqual(result[key], devices[over]["cycles_per_second"]
                                   / devices[under]["cycles_per_second"])

    def test_the_speed_of_the_device_is_that_of_its_own_time(self):
        devices = {device["name"]: device for device in self.bench()["devices"]}
        dma = [devices[name]["device_mb_per_second"] for name in ("systemc, DMA alone",
                                                                  "rtl, DMA alone")]
        self.assertEqual(dma[0], dma[1])
        self.assertIsNone(devices["systemc"]["device_mb_per_second"])
        self.assertGreater(devices["systemc, rows streamed"]["device_mb_per_second"], 0)
