# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Bad input: one sentence that names what is wrong, exit status 2, nothing written."""
import json
import os
import subprocess
import time
import unittest

from cli import BACKENDS, BALL, CliTest, MODELS, PROGRAMS, WALL

WALL_ROWS = 1566


class BadFiles(CliTest):
    def refused_file(self, path, *names):
        output, report = self.folder / "out.h5", self.folder / "out.json"
        self.refused("solve", path, "--backend", "functional", "--output", output, "--json", report,
                     names=(path, *names))
        self.assertFalse(output.exists() or report.exists())

    def test_a_file_that_is_not_there(self):
        none = self.folder / "none.h5"
        self.refused_file(none, "no such file")
        self.refused("diff", none, none, names=(none, "no such file"))
        self.refused("solve", WALL, "--program", "none.s", names=("none.s", "no such file"))
        self.refused("solve", WALL, "--config", "none.toml", names=("none.toml", "no such file"))

    def test_the_name_of_a_problem_of_the_tree_is_mended(self):
        (self.folder / "tests/data").mkdir(parents=True)
        (self.folder / "tests/data/ball_f110.h5").touch()
        self.refused("solve", "ball_f110", names=("ball_f110: no such file",
                                                  "did you mean 'tests/data/ball_f110.h5'?"))
        self.refused("solve", "no_such_f110", names=("expected a path to a .h5 file",))

    def test_an_unknown_option_is_named_with_the_one_that_it_may_stand_for(self):
        said = self.refused("solve", WALL, "--bakend", "rtl")
        self.assertEqual(said, "ppu: solve: unknown option '--bakend', did you mean '--backend'?")
        said = self.refused("study", "scaling", WALL, "--lane=2")
        self.assertEqual(said, "ppu: study: scaling: unknown option '--lane', did you mean '--lanes'?")
        self.assertEqual(self.refused("solve", WALL, "--zzzzzzzzzzzzzzzzz"),
                         "ppu: solve: unknown option '--zzzzzzzzzzzzzzzzz'")

    def test_a_folder(self):
        self.refused_file(self.folder)

    def test_a_small_file_that_claims_much_memory(self):
        path = self.edited("shape", "/rows/parent", 2**20)
        run = self.ppu("info", path, expect=2, environment={"PPU_READ_MIB": "64"})
        self.assertRegex(run.stderr, r"data that takes \d+ MiB to read, expected at most 64 MiB "
                                     r"\(PPU_READ_MIB sets the limit\)")
        for limit in ("0", "much", "-1"):
            run = self.ppu("info", WALL, expect=3, environment={"PPU_READ_MIB": limit})
            self.assertIn("PPU_READ_MIB", run.stderr)

    def test_files_that_are_not_hdf5(self):
        for content in (b"", b"hello\n" * 100):
            path = self.folder / "text.h5"
            path.write_bytes(content)
            self.refused_file(path)

    def test_truncated_files(self):
        content = WALL.read_bytes()
        for size in (100, 2048, len(content) // 2, len(content) - 1):
            path = self.folder / "short.h5"
            path.write_bytes(content[:size])
            self.refused_file(path)

    def test_a_missing_dataset(self):
        self.refused_file(self.edited("delete", "/rows/jacobian"), "/rows/jacobian")

    def test_wrong_shapes(self):
        for name, *shape in (("/rows/friction", WALL_ROWS - 1), ("/rows/jacobian", WALL_ROWS, 11),
                             ("/rows/lower", WALL_ROWS, 1), ("/bodies/velocity_change", 106, 5),
                             ("/rows/body", 0, 2)):
            self.refused_file(self.edited("shape", name, *shape), name)

    def test_sizes_beyond_any_memory(self):
        self.refused_file(self.edited("shape", "/rows/parent", 2**40), "/rows/")
        self.refused_file(self.edited("shape", "/bodies/velocity_change", 2**40, 6), "/bodies/")

    def test_a_wrong_type(self):
        self.refused_file(self.edited("type", "/rows/body"), "/rows/body")

    def test_another_version_of_the_schema(self):
        self.refused_file(self.edited("attribute", "version", 99), "version", "99")

    def test_body_indices_out_of_range(self):
        for body in (106, 2**31 - 1, -2):
            self.refused_file(self.edited("set", "/rows/body", 2 * 7, body), "/rows/body", "row 7")

    def test_parents_that_are_not_earlier_rows(self):
        for parent in (600, 601, WALL_ROWS, -2):
            self.refused_file(self.edited("set", "/rows/parent", 600, parent), "/rows/parent",
                              "row 600")

    def test_a_parent_that_is_a_friction_row(self):
        self.refused_file(self.edited("set", "/rows/parent", 601, 600), "/rows/parent", "row 601")

    def test_numbers_that_are_not_finite(self):
        for name, width in (("/rows/jacobian", 12), ("/rows/inv_mass_jacobian", 12),
                            ("/rows/rate_bias", 1), ("/rows/inv_diagonal", 1),
                            ("/rows/impulse", 1), ("/rows/compliance", 1)):
            for value in ("nan", "inf"):
                self.refused_file(self.edited("set", name, 5 * width, value), name, "row 5")

    def test_bounds_the_wrong_way_round(self):
        self.refused_file(self.edited("set", "/rows/lower", 3, 2e10), "/rows/lower", "row 3")

    def test_a_bound_that_is_not_a_number(self):
        self.refused_file(self.edited("set", "/rows/upper", 3, "nan"), "/rows/upper", "row 3")


class BadOptions(CliTest):
    def test_an_unknown_subcommand_and_missing_or_unknown_options(self):
        self.refused("fly", names=("fly", "solve", "cosim", "doctor"))
        self.refused("solve")
        self.refused("solve", WALL, "--fast")

    def test_an_unknown_name_is_answered_with_the_known_ones(self):
        for option, known in (("--backend", BACKENDS), ("--order", ("engine", "scheduled", "colour")),
                              ("--friction", ("clamp", "skip")), ("--start", ("warm", "cold")),
                              ("--config", ("small", "default", "wide")),
                              ("--program", ("pgs", "boxed", "threshold", "impulse"))):
            self.refused("solve", WALL, option, "nonsense", names=("nonsense", *known))

    def test_an_unknown_configuration_key_is_answered_with_the_known_ones(self):
        line = self.refused("solve", WALL, "--set", "wings=2",
                            names=("wings", "lanes", "fp_add_stages"))
        self.assertNotIn("did you mean", line)
        for key in ("lane", "lanse", "Lanes"):
            self.refused("solve", WALL, "--set", f"{key}=2", names=(key, "did you mean lanes?"))

    def test_configuration_values_that_cannot_be(self):
        self.refused("solve", WALL, "--set", "lanes=5", names=("lanes", "5", "12"))
        self.refused("solve", WALL, "--set", "lanes=many", names=("lanes", "many"))
        self.refused("solve", WALL, "--set", "lanes", names=("lanes",))
        self.refused("study", "scaling", BALL, "--pipes", "1,3", names=("pipes", "3", "16"))

    def test_lists_with_nothing_between_two_commas(self):
        for numbers in ("1,,2", "1,", ",1", ""):
            self.refused("study", "scaling", BALL, "--pipes", numbers, names=("--pipes",))
        for numbers in ("1,x", "-1"):
            self.refused("study", "scaling", BALL, "--lanes", numbers, names=("--lanes",))
        self.refused("study", "frame", BALL, "--link", "pci,,pcie4x8", names=("--link",))

    def test_a_key_that_is_fixed_and_varied(self):
        self.refused("study", "scaling", BALL, "--pipes", "2", "--set", "pipes=4",
                     names=("--pipes", "--set pipes"))
        result = self.json("study", "scaling", BALL, "--lanes", "12", "--set", "pipes=4")
        self.assertEqual([point["pipes"] for point in result["lanes"]], [4])
        self.assertNotIn("pipes", result)

    def test_an_unknown_part_is_answered_with_the_known_ones(self):
        self.refused("solve", WALL, "--config", "default+floppy", names=("floppy", "pci", "hbm2"))
        self.refused("study", "frame", BALL, "--link", "floppy", names=("floppy", "pci"))

    def test_a_configuration_file_with_an_unknown_key(self):
        path = self.folder / "mine.toml"
        path.write_text("lanes = 4\nwings = 2\n")
        self.refused("solve", WALL, "--config", path, names=(path, "wings"))

    def test_a_configuration_that_is_no_regular_file(self):
        for path in (self.folder, "/dev/null"):
            for command in (("solve", BALL), ("info",), ("info", BALL), ("asm", "boxed")):
                self.refused(*command, "--config", path, names=(path, "regular file"))

    def test_numbers_out_of_range(self):
        for value in ("0", "-1", "1.5", "x"):
            self.refused("solve", WALL, "--sweeps", value, names=("--sweeps",))
        for value in ("-1", "nan", "inf", "1x"):
            self.refused("solve", WALL, "--program", "threshold", "--threshold", value,
                         names=("--threshold",))

        for option in ("--budget-us", "--timeout"):
            self.refused("solve", WALL, option, "nan", names=(option, "nan"))

    def test_a_threshold_for_a_program_without_a_test(self):
        self.refused("solve", WALL, "--threshold", "0.1", names=("boxed", "expected one of threshold"))

    def test_a_problem_larger_than_the_memories(self):
        for backend in MODELS:
            for key in ("impulse_memory_rows=16", "body_memory_bodies=16"):
                self.refused("solve", WALL, "--backend", backend, "--set", key,
                             names=(key.split("=")[0], "16"))

    def test_a_configuration_that_no_rtl_was_built_for(self):
        self.refused("cosim", "--set", "fp_add_stages=4", names=("default", "small", "wide"))
        self.refused("solve", BALL, "--backend", "rtl", "--set", "row_memory_rows=64",
                     names=("default", "small", "wide"))

    def test_waves_and_traces_that_cannot_be(self):
        for command in (("cosim",), ("solve", BALL, "--backend", "rtl")):
            self.refused(*command, "--wave", "a.vcd", names=("a.vcd", ".fst"))
            self.refused(*command, "--wave-scope", "a", names=("--wave",))
        self.refused("cosim", "--wave", "a.fst", "--wave-scope", "a",
                     names=("--wave-scope", "cosim"))
        self.refused("solve", BALL, "--wave", "a.fst", names=("--wave:", "systemc", "RTL"))
        self.refused("solve", BALL, "--backend", "functional", "--trace", "a.log",
                     names=("--trace:", "functional", "cycles"))

    def test_wave_windows_that_cannot_be(self):
        self.refused("cosim", "--wave-window", "1:2", names=("--wave",))
        for window in ("5", "5:1", "a:b", "1:2:3"):
            self.refused("cosim", "--wave", "a.fst", "--wave-window", window, names=(window,))

    def test_an_unknown_scene(self):
        self.refused("demo", "tower", names=("tower", "wall10"))

    def test_a_profile_without_time(self):
        self.refused("profile", WALL, "--backend", "functional", names=("systemc", "cosim"))


    def test_an_unknown_option_before_anything_else(self):
        for command in (("demo",), ("diff",), ("solve", WALL), ("study", "parity"), ("study",)):
            said = self.refused(*command, "--csv", "x", names=("unknown option '--csv'",))
            self.assertNotIn("not expected", said)


class Timeouts(CliTest):
    def test_a_device_that_is_stopped(self):
        # Opening it has 10 s at least; what is asked of it later has what the command says.
        device = self.folder / "stopped"
        device.write_text("#!/bin/sh\nkill -STOP $$\n")
        device.chmod(0o755)
        begin = time.monotonic()
        run = self.ppu("solve", BALL, "--timeout", "0.1", expect=3,
                       environment={"PPU_DEVICE": str(device)})
        self.assertIn("did not answer within 10 s", run.stderr)
        self.assertLess(time.monotonic() - begin, 55, "the time limit of the driver is a minute")


class BadPrograms(CliTest):
    def test_a_program_without_a_kernel(self):
        path = self.folder / "halt.s"
        path.write_text("        halt\n")
        self.refused("bench", BALL, "--program", path, names=(path, "kernel"))

    def test_an_unknown_operand(self):
        path = self.folder / "bad.s"
        text = (PROGRAMS / "boxed.s").read_text().replace("r.cfm", "r.spring", 1)
        path.write_text(text)
        line = next(i for i, t in enumerate(text.splitlines(), 1) if "r.spring" in t)
        for command in (("asm", path), ("solve", WALL, "--program", path)):
            run = self.ppu(*command, expect=2)
            self.assertIn(f"{path}:{line}:", run.stderr)
            self.assertIn("error[E040]: ", run.stderr)
            self.assertIn("^", run.stderr)
            self.assertEqual(run.stdout, "")

    def test_a_program_that_does_not_fit_is_named(self):
        path = self.folder / "long.s"
        path.write_text("        li t0, 0\n" * 40 + "        halt\n")
        self.refused("solve", BALL, "--program", path, "--set", "instruction_memory_words=32",
                     names=("program", path, "41", "32"))

    def test_a_source_that_takes_more_memory_than_there_is(self):
        path = self.folder / "long.s"
        path.write_text("        li t0, 0\n" * 400_000)
        memory = 80 << 20
        self.ppu("asm", PROGRAMS / "boxed.s", memory=memory)
        run = self.ppu("asm", path, expect=3, memory=memory)
        self.assertEqual(run.stderr, "ppu: the host is out of memory\n")

    def test_pipes_and_devices_as_programs(self):
        for name in ("pipe.s", "pipe.ppu", "zero.s", "zero.ppu"):
            path = self.folder / name
            os.mkfifo(path) if name.startswith("pipe") else path.symlink_to("/dev/zero")
            self.refused("solve", WALL, "--program", path, names=(path, "regular file"))
            self.refused("asm" if name.endswith(".s") else "dis", path,
                         names=(path, "regular file"))

    def test_a_program_that_is_not_there(self):
        self.refused("solve", WALL, "--program", "none.s", names=("none.s",))

    def test_a_file_whose_name_does_not_say_what_it_is(self):
        for name in ("mine", "mine.asm"):
            path = self.folder / name
            path.write_text((PROGRAMS / "boxed.s").read_text())
            self.refused("solve", WALL, "--program", path, names=(path, ".s", ".ppu"))

    def test_images_that_are_none(self):
        image = self.folder / "boxed.ppu"
        self.ppu("asm", "boxed", "-o", image)
        content = image.read_bytes()
        for broken in (b"", b"PPUF", content[:-1], content + b"\0", b"X" + content[1:]):
            image.write_bytes(broken)
            self.refused("dis", image, names=(image,))
            self.refused("solve", WALL, "--program", image, names=(image,))


class Faults(CliTest):
    def overflowing(self):
        """Finite numbers whose product in row 7 is not."""
        path = self.edited("set", "/rows/rate_bias", 7, -3e38)
        return self.edited("set", "/rows/inv_diagonal", 7, 3e38, source=path)

    def test_a_number_born_in_the_solve_stops_it_and_nothing_is_written(self):
        path = self.overflowing()
        output, report = self.folder / "out.h5", self.folder / "out.json"
        for backend in BACKENDS:
            for order in ("engine", "colour"):
                self.refused("solve", path, "--backend", backend, "--order", order,
                             "--output", output, "--json", report, names=(path, "row 7"), expect=1)
                self.assertFalse(output.exists() or report.exists())

    def test_old_outputs_survive_a_fault(self):
        output = self.folder / "out.h5"
        self.ppu("solve", BALL, "--backend", "functional", "--output", output)
        before = output.read_bytes()
        path = self.overflowing()
        self.refused("solve", path, "--backend", "functional", "--output", output, expect=1)
        self.assertEqual(output.read_bytes(), before)


class Outputs(CliTest):
    """Outputs that cannot be written: said with exit status 3, and none of them appears."""

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_place_that_is_not_there(self):
        for option in ("--output", "--json"):
            self.refused("solve", BALL, option, "/nowhere/a", names=("/nowhere/a",), expect=3)
        self.refused("cosim", BALL, "--wave", "/nowhere/a.fst", names=("/nowhere/a.fst",), expect=3)
        self.refused("solve", BALL, "--trace", "/nowhere/a", names=("/nowhere/a",), expect=3)
        self.refused("study", "scaling", BALL, "--svg", "/nowhere/a.svg", names=("/nowhere/a.svg",), expect=3)
        self.refused("asm", "boxed", "-o", "/nowhere/a.ppu", names=("/nowhere/a.ppu",), expect=3)
        self.refused("demo", "--report", "/dev/null/out", names=("/dev/null/out",), expect=3)

    def test_a_folder_in_the_place(self):
        folder = self.folder / "folder.fst"
        folder.mkdir()
        for command in (("solve", BALL, "--output"), ("solve", BALL, "--json"),
                        ("solve", BALL, "--trace"), ("cosim", BALL, "--wave")):
            self.refused(*command, folder, names=(folder,), expect=3)

    def test_one_bad_output_keeps_the_other_away(self):
        for output, report in (("half.h5", "/nowhere/a"), ("/nowhere/a", "half.json")):
            self.refused("solve", BALL, "--output", output, "--json", report, expect=3)
            self.assertEqual(self.files(), [])

    def test_an_empty_name(self):
        for option in ("--output", "--json", "--trace", "--wave"):
            self.refused("solve", BALL, option, "", names=(option, "not a path"))
        self.refused("profile", BALL, "--perfetto", "", names=("--perfetto", "not a path"))

    def test_a_name_as_long_as_names_can_be(self):
        for option in ("--output", "--json", "--trace"):
            name = option[2] * 255
            self.ppu("solve", BALL, option, name)
            self.assertTrue((self.folder / name).exists())

    def test_a_name_that_is_no_text(self):
        path = os.fsdecode(b"ball\xff.h5")
        (self.folder / path).write_bytes(BALL.read_bytes())
        run = subprocess.run([os.environ["PPU_BIN"], "solve", path, "--json", "-"],
                             cwd=self.folder, capture_output=True)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertIn("ball\ufffd.h5", json.loads(run.stdout)["problem"])

    @unittest.skipIf(os.geteuid() != 0, "only root may give files away")
    def test_a_file_that_is_replaced_keeps_its_owner(self):
        path = self.folder / "a.json"
        path.touch()
        os.chown(path, 1234, 5678)
        self.ppu("solve", BALL, "--json", path)
        self.assertEqual((path.stat().st_uid, path.stat().st_gid), (1234, 5678))

    def test_a_full_standard_output(self):
        for arguments in (("solve", BALL, "--output", "half.h5", "--json", "-"),
                          ("solve", BALL, "--output", "half.h5"), ("info",), ("--help",)):
            with open("/dev/full", "w") as full:
                run = subprocess.run([os.environ["PPU_BIN"], *map(str, arguments)], stdout=full,
                                     stderr=subprocess.PIPE, text=True, cwd=self.folder)
            self.assertEqual(run.returncode, 3, arguments)
            self.assertIn("standard output", run.stderr)
            self.assertEqual(self.files(), [])

    def test_a_pipe_is_written_to_not_replaced(self):
        # A pipe stands for every file that is not regular: no test may risk the machine's /dev/null.
        path = self.folder / "pipe"
        os.mkfifo(path)
        pipe = os.open(path, os.O_RDWR)
        self.addCleanup(os.close, pipe)
        self.ppu("solve", BALL, "--json", path)
        self.assertTrue(path.is_fifo())
        self.assertEqual(json.loads(os.read(pipe, 65536))["rows"], 105)
        self.assertEqual(self.files(), ["pipe"])

    def test_standard_output_by_its_path(self):
        run = self.ppu("solve", BALL, "--json", "/dev/stdout")
        self.assertEqual(json.loads(run.stdout)["rows"], 105)

    def test_waves_and_traces_need_a_regular_file(self):
        path = self.folder / "pipe.fst"
        os.mkfifo(path)
        for option in ("--wave", "--trace"):
            self.refused("cosim", BALL, option, path, names=(path,), expect=3)
        self.assertEqual(self.files(), ["pipe.fst"])

    def test_links_are_followed(self):
        for option, name in (("--output", "a.h5"), ("--json", "a.json")):
            link = self.folder / "link"
            link.symlink_to(name)
            self.ppu("solve", BALL, option, link)
            self.assertTrue(link.is_symlink() and (self.folder / name).is_file())
            link.unlink()

    def kept(self, path, *command, names=()):
        """The command must refuse to write over the file."""
        before = path.read_bytes()
        self.refused(*command, names=names)
        self.assertEqual(path.read_bytes(), before)

    def test_an_output_in_the_place_of_an_input(self):
        problem, program, config = (self.folder / name for name in ("b.h5", "x.s", "c.toml"))
        problem.write_bytes(BALL.read_bytes())
        program.write_text((PROGRAMS / "boxed.s").read_text())
        config.write_text("lanes = 6\n")
        solve = ("solve", problem, "--program", program, "--config", config)
        for option in ("--trace", "--json", "--output"):
            for path, what in ((problem, "problem"), (program, "program"),
                               (config, "configuration")):
                self.kept(path, *solve, option, path.name, names=(option, path.name, what))
        self.kept(problem, "study", "scaling", problem, "--svg", problem, names=("--svg",))
        self.kept(problem, "study", "frame", BALL, problem, "--json", problem, names=("--json",))
        self.kept(problem, "bench", problem, "--json", problem, names=("--json",))
        self.kept(program, "asm", program, "-o", program, names=("--output", "program"))
        self.kept(config, "study", "parity", "--config", config, "--table", config, names=("--table",))
        log = self.folder / "a.log"
        self.ppu("solve", BALL, "--trace", log)
        for option in ("--perfetto", "--kanata"):
            self.kept(log, "trace", log, option, log, names=(option, "log"))

    def test_an_output_in_the_place_of_an_input_by_another_name(self):
        problem, other = self.folder / "b.h5", self.folder / "other"
        problem.write_bytes(BALL.read_bytes())
        for make in (other.symlink_to, other.hardlink_to):
            make(problem)
            self.kept(problem, "solve", problem, "--trace", other, names=("other",))
            self.kept(problem, "solve", other, "--json", "./b.h5", names=("b.h5",))
            other.unlink()

    def test_two_outputs_in_one_place(self):
        (self.folder / "link").symlink_to("a")
        for other in ("a", "./a", self.folder / "a", "link"):
            self.refused("solve", BALL, "--json", "a", "--trace", other, names=("--json", "--trace"))
            self.refused("study", "scaling", BALL, "--json", "a", "--svg", other, names=("--json", "--svg"))
        self.refused("trace", self.folder / "a.log", "--perfetto", "a", "--kanata", "a",
                     names=("--kanata", "--perfetto"))
        self.refused("demo", "--report", ".", "--trace", "report.html", names=("--report",))
        self.refused("study", "parity", "--workload", "ball", "--config", "default", "--trace", "p",
                     "--backend", "systemc", "--backend", "systemc", names=("p-systemc.log",))
        self.assertEqual(self.files(), ["link"])

    def test_two_outputs_may_go_to_one_device(self):
        path = self.folder / "pipe"
        os.mkfifo(path)
        pipe = os.open(path, os.O_RDWR)
        self.addCleanup(os.close, pipe)
        self.ppu("study", "scaling", BALL, "--pipes", "1", "--lanes", "12", "--json", path, "--svg", path)
        self.assertIn(b"<svg", os.read(pipe, 65536))
