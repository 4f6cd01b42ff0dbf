# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu debug: the walk is the device's on every back end; movements, breaks, views, sessions."""
import json
import os
import pty
import subprocess

from cli import BACKENDS, BALL, DATA, TIMED, WALL, CliTest

# What programs need beside their names.
PROGRAMS = {"pgs": [], "boxed": [], "reduced": [], "impulse": [],
            "classes": ["--sweeps-of", "contact=5,friction=8"],
            **{name: ["--threshold", "0.01", "--sweeps", "40"]
               for name in ("threshold", "filter", "filter-literal", "impulse-threshold")}}


class DebugTest(CliTest):
    def debug(self, problem, *options, commands=(), expect=0):
        """The introduction, then the answers to the commands."""
        run = self.ppu("debug", problem, *options, "--json", "--commands", "; ".join(commands),
                       expect=expect)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def places(self, problem, *options, commands):
        """Answers to movements without the command: where they lead to."""
        return [{key: value for key, value in answer.items() if key != "command"}
                for answer in self.debug(problem, *options, commands=commands)[1:]]


class DebugWalk(DebugTest):
    def test_every_program_walks_to_the_bits_of_every_back_end(self):
        for program, options in PROGRAMS.items():
            options = ["--program", program, *options]
            solved = self.json("solve", BALL, "--backend", "functional", *options)
            for backend in BACKENDS:
                with self.subTest(program=program, backend=backend):
                    info, end = self.debug(BALL, "--backend", backend, *options,
                                           commands=["goto end"])
                    self.assertEqual(info["differences"], [])
                    self.assertEqual(info["matched_rows"],
                                     solved["row_updates"] if backend in TIMED else None)
                    self.assertEqual((end["status"], end["progress"]), ("ok", solved["sweeps"]))

    def test_the_steps_are_the_same_on_every_back_end_and_the_cycles_on_those_with_time(self):
        commands = ["next 3", "row", "next 40", "finish", "next 2", "goto end", "reverse-next 7"]
        for options in (["--program", "filter", "--threshold", "0.01"], ["--order", "engine"]):
            answers = {backend: self.debug(BALL, "--backend", backend, *options,
                                           commands=commands)[1:] for backend in BACKENDS}
            for backend in TIMED:
                self.assertEqual(answers[backend], answers["systemc"])
            for answer in answers["functional"]:
                for key in ("cycle", "pipe", "write_cycle"):
                    self.assertIsNone(answer.get(key))
            self.assertEqual([a.get("step") for a in answers["functional"]],
                             [a.get("step") for a in answers["systemc"]])
            self.assertEqual(answers["functional"][1], answers["systemc"][1])

    def test_what_the_budget_cut_is_what_the_device_cut(self):
        for program, backend, budget in (("boxed", "systemc", 3), ("boxed", "rtl", 40),
                                         ("filter", "systemc", 60), ("filter", "rtl", 100),
                                         ("classes", "systemc", 30), ("threshold", "cosim", 60),
                                         ("reduced", "rtl", 20)):
            options = ["--backend", backend, "--program", program, "--budget-us", budget,
                       *PROGRAMS[program]]
            with self.subTest(program=program, backend=backend, budget=budget):
                solved = self.json("solve", WALL, *options)
                self.assertTrue(solved["late"])
                info, end, row = self.debug(WALL, *options, commands=["goto end", "reverse-next"])
                self.assertEqual(info["differences"], [])
                self.assertEqual(info["matched_rows"], solved["row_updates"])
                self.assertEqual((end["late"], end["progress"]), (True, solved["sweeps"]))
                self.assertEqual(end["cycle"], row["cycle"])

    def test_islands_on_several_engines_are_runs(self):
        problem = DATA / "ragdollcfm_f070.h5"
        for backend in ("functional", "systemc"):
            info, *ends = self.debug(problem, "--backend", backend, "--set", "engines=4",
                                     commands=[c for run in range(4)
                                               for c in (f"run {run}", "goto end")])
            self.assertEqual((info["runs"], info["differences"]), (4, []))
            self.assertEqual([end["run"] for end in ends[1::2]], [0, 1, 2, 3])
            self.assertEqual([end["status"] for end in ends[1::2]], ["ok"] * 4)
            solved = self.json("solve", problem, "--backend", backend, "--set", "engines=4")
            self.assertEqual(info["matched_rows"],
                             solved["row_updates"] if backend in TIMED else None)
        error, there, moved = self.debug(problem, "--set", "engines=4", expect=2, commands=[
            "break body 169", "run 1", "next"])[1:]
        self.assertRegex(error["error"], r"body 169 is in run \d, see `run`")
        self.assertEqual((there["run"], moved["run"], moved["at"]), (1, 1, "row"))

    def test_streamed_rows_many_pipes_and_orders_are_followed(self):
        for options in (["--config", "wide"], ["--config", "small"], ["--stream"],
                        ["--order", "engine"], ["--order", "colour"], ["--start", "cold"],
                        ["--friction", "skip", "--relaxation", "1.3"]):
            for backend in ("systemc", "rtl"):
                info, = self.debug(WALL, "--backend", backend, "--sweeps", 3, *options)
                self.assertEqual(info["differences"], [], options)

    def test_a_fault_is_walked_up_to(self):
        path = self.edited("set", "/rows/rate_bias", 7, -3e38)
        path = self.edited("set", "/rows/inv_diagonal", 7, 3e38, source=path)
        for backend in BACKENDS:
            info, end, row, values = self.debug(path, "--backend", backend, commands=[
                "goto end", "reverse-next", "row"])
            self.assertEqual(info["differences"], [])
            self.assertIn("row 7", info["failure"])
            self.assertEqual((end["status"], end["row"]), ("row_fault", 7))
            self.assertEqual((row["row"], values["result"]["fault"]), (7, True))

    def test_an_illegal_instruction_is_walked_up_to(self):
        program = self.folder / "bad.s"
        program.write_text("rows zero, a0\nhalt\n")
        for backend in BACKENDS:
            info, end = self.debug(BALL, "--backend", backend, "--program", program,
                                   commands=["goto end"])
            self.assertEqual(info["differences"], [])
            self.assertEqual((end["status"], end["pc"]), ("illegal_instruction", 0))

    def test_the_log_is_kept_if_it_is_asked_for(self):
        self.debug(BALL, "--trace", "ball.log")
        self.assertIn("1,050 row updates", self.ppu("trace", "ball.log").stdout)


class DebugMoves(DebugTest):
    def test_forward_and_back_by_the_same_number_comes_to_the_same_place(self):
        for move, back in (("step", "reverse-step"), ("next", "reverse-next"),
                           ("finish", "reverse-finish"), ("s", "back"), ("n", "rn")):
            for n in (1, 4, 9):
                begin, there, again = self.places(
                    BALL, commands=[f"{move} 2", f"{move} {n}", f"{back} {n}"])
                self.assertEqual(again, begin, move)
                self.assertGreater(there["step"], begin["step"])

    def test_a_step_is_an_instruction_and_takes_its_pass_with_it(self):
        places = self.places(BALL, commands=["break sweep", "continue", "step"])
        self.assertEqual((places[2]["at"], places[2]["passes_ended"]), ("instruction", 1))
        self.assertEqual(places[2]["step"] - places[1]["step"], 1 + 105)

    def test_next_visits_every_row_once_in_a_pass(self):
        places = self.places(BALL, commands=["next"] * 106)
        self.assertEqual([place["slot"] for place in places], [*range(105), 0])
        self.assertEqual(sorted(place["row"] for place in places[:105]), [*range(105)])
        self.assertEqual([place["pass"] for place in places[-2:]], [1, 2])
        cycles = [place["cycle"] for place in places]
        self.assertEqual(cycles, sorted(cycles))

    def test_goto_cycle_finds_the_first_row_from_there_on(self):
        for cycle in (0, 3000, 5000, 9000):
            here, before = self.places(BALL, commands=[f"goto cycle {cycle}", "reverse-next"])
            self.assertGreaterEqual(here["cycle"], cycle)
            if before["at"] == "row":
                self.assertLess(before["cycle"], cycle)
        end, = self.places(BALL, commands=["goto cycle 99999999"])
        self.assertEqual(end["at"], "end")

    def test_goto_step_start_and_end(self):
        steps = [place["step"] for place in self.places(BALL, commands=[
            "goto step 57", "goto end", "next", "goto start", "reverse-next"])]
        end = steps[1]
        self.assertEqual(steps, [57, end, end, 0, 0])
        self.assertEqual(self.places(BALL, commands=["continue"])[0]["step"], end)

    def test_a_row_says_what_it_waited_for(self):
        # In the order of the file the rows of a contact come one after another.
        third = self.places(BALL, "--order", "engine", commands=["next 3"])[0]
        self.assertEqual(third["waited"], {"cycles": 31, "for": "body", "body": 0, "slot": 1,
                                           "row": 1})


class DebugBreaks(DebugTest):
    def stops(self, *breaks, problem=BALL, options=(), times=3):
        """Places of so many `continue`."""
        places = self.places(problem, *options, commands=[*breaks, *["continue"] * times])
        return places[len(breaks):]

    def test_a_slot_and_a_row_of_the_file(self):
        for place in self.stops("break slot 17"):
            self.assertEqual((place["at"], place["slot"]), ("row", 17))
        places = self.stops("break row 17")
        self.assertEqual([(place["row"], place["pass"]) for place in places],
                         [(17, 1), (17, 2), (17, 3)])

    def test_a_body(self):
        places = self.stops("break body 10", times=40)
        rows = self.places(BALL, commands=["next"] * 105)
        want = [row["slot"] for row in rows if 10 in row["bodies"]]
        self.assertEqual([place["slot"] for place in places][:len(want)], want)
        self.assertGreater(len(want), 20)

    def test_a_pass_which_is_a_sweep(self):
        for name in ("pass", "sweep"):
            place, end = self.stops(f"break {name} 4", times=2)
            self.assertEqual((place["pass"], place["slot"], end["at"]), (4, 0, "end"))

    def test_an_instruction_by_its_label_and_its_address(self):
        for name in ("sweep", "at 0007", "7", "0x7"):
            for place in self.stops(f"break {name}"):
                self.assertEqual((place["at"], place["pc"], place["label"]),
                                 ("instruction", 7, "sweep"))

    def test_passes_of_a_kernel(self):
        options = ["--program", "filter", "--threshold", "0.01"]
        places = self.stops("break probe_clamp", options=options, times=2)
        self.assertEqual([place["kernel"] for place in places], ["probe_clamp"] * 2)
        self.assertEqual(places[0]["pass"], 1)
        self.assertGreater(places[1]["pass"], 2)

    def test_a_watch_stops_behind_the_row_that_changes_the_value(self):
        answers = self.debug(BALL, commands=["watch velocity 10", "velocity 10",
                                             *["continue", "velocity 10"] * 8])
        values = [a["velocity"] for a in answers if a.get("command") == "velocity"]
        self.assertTrue(all(a != b for a, b in zip(values, values[1:])))
        stop = answers[3]
        self.assertEqual(stop["stops"][0]["what"], "watch velocity of body 10")
        before, = self.places(BALL, commands=[f"goto step {stop['step'] - 1}"])
        self.assertIn(10, before["bodies"])

    def test_a_watch_of_an_impulse_says_from_what_to_what(self):
        before, _, stop, after = self.debug(BALL, commands=[
            "impulse 23", "watch impulse 23", "continue", "impulse 23"])[1:]
        self.assertEqual(stop["stops"][0]["from"], [before["impulse"]])
        self.assertEqual(stop["stops"][0]["to"], [after["impulse"]])
        self.assertNotEqual(before["impulse"], after["impulse"])

    def test_reverse_continue_stops_at_the_same_places(self):
        breaks = ["break row 9", "watch impulse 4"]
        forward = self.places(BALL, commands=[*breaks, *["continue"] * 40])[2:]
        forward = [place for place in forward if place["at"] != "end"]
        backward = self.places(BALL, commands=[*breaks, "goto end", *["reverse-continue"] *
                                               len(forward)])[3:]
        self.assertGreater(len(forward), 10)
        self.assertEqual(backward[::-1], forward)

    def test_breaks_are_listed_and_deleted(self):
        answers = self.debug(BALL, commands=["break row 9", "break sweep", "breaks", "delete 1",
                                             "continue", "delete all"])
        self.assertEqual([b["number"] for b in answers[3]["breaks"]], [1, 2])
        self.assertEqual([b["number"] for b in answers[4]["breaks"]], [2])
        self.assertEqual(answers[5]["stops"][0]["number"], 2)
        self.assertEqual(answers[6]["breaks"], [])


class DebugViews(DebugTest):
    def rows(self, *options, count=105):
        """Each row of the first passes with its place, and what its impulse is afterwards."""
        commands = ["next"]
        for _ in range(count):
            commands += ["row", "next"]
        answers = self.debug(BALL, *options, commands=commands)[1:]
        return list(zip(answers[0::2], answers[1::2]))

    def test_a_row_shows_how_its_update_comes_about(self):
        for place, row in self.rows("--program", "threshold", "--threshold", "0.01", count=200):
            self.assertEqual((row["row"], row["slot"]), (place["row"], place["slot"]))
            record, now, out = row["record"], row["operands"], row["result"]
            u = record["b"] + sum(j * v for j, v in zip(record["J"], now["v"]))
            self.assertAlmostEqual(out["u"], u, delta=1e-4)
            if row["parent_row"] is not None:
                self.assertAlmostEqual(out["hi"], record["hi"] * max(0, now["xp"]), 6)
                self.assertEqual(out["lo"], -out["hi"])
            if out["kernel"] == "probe_clamp":
                self.assertEqual(out["dx"], 0)
                continue
            self.assertAlmostEqual(out["t"], now["x"] - record["d"] * out["u"], 5)
            self.assertEqual(out["x"], min(max(out["t"], out["lo"]), out["hi"]))
            self.assertAlmostEqual(out["dx"], out["x"] - now["x"], 6)
            self.assertGreaterEqual(out["residual"], 0)

    def test_what_a_row_shows_is_what_it_does(self):
        place, row, *_ = self.debug(BALL, commands=["next 5", "row"])[1:]
        body = next(b for b in place["bodies"] if b is not None)
        half = 6 * place["bodies"].index(body)
        *_, impulse, velocity = self.debug(BALL, commands=[
            f"goto step {place['step'] + 1}", f"impulse {row['row']}", f"velocity {body}"])
        self.assertEqual(impulse["impulse"], row["result"]["x"])
        self.assertEqual(velocity["velocity"], row["result"]["v"][half:half + 6])

    def test_rows_are_held_by_the_skip_rule_while_their_parent_is_not_above_zero(self):
        rows = [row for _, row in self.rows("--friction", "skip")]
        held = [row for row in rows if row["result"]["held"]]
        self.assertTrue(0 < len(held) < len(rows))
        for row in rows:
            self.assertEqual(row["result"]["held"],
                             row["parent_row"] is not None and row["operands"]["xp"] <= 0)
            if row["result"]["held"]:
                self.assertEqual(row["result"]["x"], row["operands"]["x"])

    def test_registers_hold_the_arguments_and_count_the_sweeps(self):
        answers = self.debug(BALL, commands=["finish 3", "step", "registers"])
        registers = answers[-1]["registers"]
        self.assertEqual((registers["a0"], registers["a1"], registers["t0"]), (105, 10, 3))

    def test_tags_of_the_first_sweep_are_all_and_fewer_rows_issue_later(self):
        options = ["--program", "filter", "--threshold", "0.01"]
        answers = self.debug(BALL, *options, commands=[
            "tags", "break pass 2", "continue", "tags", "break pass 5", "continue", "tags",
            "finish", "reverse-next"])
        self.assertEqual([answers[1]["current"], answers[1]["next"]], [[], []])
        self.assertEqual(answers[4]["current"], [*range(12)])
        self.assertEqual(answers[4]["next"], [])
        self.assertTrue(0 < len(answers[7]["current"]) < 12)
        rows = answers[8]["step"] - answers[6]["step"]
        self.assertEqual(answers[9]["passed_over"], 105 - rows)
        self.assertGreater(answers[9]["passed_over"], 50)

    def test_the_residual_maximum_is_what_rdmax_reads(self):
        options = ["--program", "threshold", "--threshold", "0.01"]
        _, _, before, _, after, registers = self.debug(BALL, *options, commands=[
            "finish", "residual", "step", "residual", "registers"])
        self.assertGreater(before["max_residual"], 0)
        self.assertEqual((after["max_residual"], after["last_residual"]),
                         (0, before["max_residual"]))
        self.assertNotEqual(registers["registers"]["t1"], 0)

    def test_reduced_rows_have_both_velocities(self):
        full, = [a["velocity"] for a in self.debug(BALL, commands=["goto end", "velocity 5"])[2:]]
        reduced = self.debug(BALL, "--program", "reduced", commands=["goto end", "velocity 5"])[2]
        for a, b in zip(full, reduced["velocity"]):
            self.assertAlmostEqual(a, b, 4)
        self.assertNotEqual(reduced["velocity"], reduced["reduced_velocity"])

    def test_the_program_is_shown_around_the_present_word(self):
        words = self.debug(BALL, commands=["break sweep", "continue", "memory"])[3]["words"]
        present, = [word for word in words if word["present"]]
        self.assertEqual((present["address"], present["label"]), (7, "sweep"))
        kernel = self.debug(BALL, commands=["memory boxed_skip 3"])[1]["words"]
        self.assertEqual([word["text"].split()[0] for word in kernel], ["ldrow", "ldvel", "skip"])
        lines = self.debug(BALL, commands=["goto end", "source"])[2]["lines"]
        self.assertEqual([line["text"].split()[0] for line in lines if line["present"]], ["halt"])

    def test_an_image_has_its_canonical_text(self):
        image = self.folder / "boxed.ppu"
        self.ppu("asm", "boxed", "-o", image)
        place, = self.places(BALL, "--program", image, commands=["next"])
        lines = self.debug(BALL, "--program", image, commands=["next", "source"])[2]["lines"]
        present, = [line for line in lines if line["present"]]
        self.assertEqual(place["line"], present["line"])
        self.assertIn("rows", present["text"])


class DebugSession(DebugTest):
    def test_a_bad_command_has_a_hint_and_the_session_goes_on(self):
        run = self.ppu("debug", BALL, "--commands", "nxt; next; break sweeep; where", expect=2)
        self.assertIn("unknown command 'nxt', did you mean 'next'?", run.stderr)
        self.assertIn("did you mean 'sweep'?", run.stderr)
        self.assertEqual(run.stdout.count("row 23 (slot 0)"), 2)

    def test_bad_arguments_are_refused_with_what_was_expected(self):
        for command, words in (
                ("break", "break slot N"), ("break slot 105", "from 0 to 104"),
                ("break row x", "'x' is no row"), ("break boddy 3", "did you mean 'body'?"),
                ("break 0013", "boxed_clamp"), ("break nowhere", "hexadecimal address"),
                ("break pass 11", "from 0 to 10"), ("watch 3", "watch velocity BODY"),
                ("velocity 12", "from 0 to 11"), ("velocity", "velocity BODY"),
                ("delete 3", "'3' is no break"), ("goto", "goto cycle N"),
                ("goto step 99999", "is no step"), ("next x", "'x' is no count"),
                ("next 1 2", "too many words"), ("row", "`next` goes to one"),
                ("run 1", "from 0 to 0"), ("help nothing", "unknown command 'nothing'")):
            run = self.ppu("debug", BALL, "--backend", "functional", "--commands", command,
                           expect=2)
            self.assertIn(words, run.stderr, command)
            answers = self.debug(BALL, "--backend", "functional", commands=[command, "where"],
                                 expect=2)
            self.assertIn(words, answers[1]["error"])
            self.assertEqual(answers[2]["step"], 0)
        run = self.ppu("debug", BALL, "--backend", "functional", "--commands", "goto cycle 3",
                       expect=2)
        self.assertIn("no cycles", run.stderr)

    def test_a_command_that_is_no_text_is_refused(self):
        run = subprocess.run([os.environ["PPU_BIN"], "debug", BALL, "--backend", "functional",
                              "--json"], input=b"n\xff\xfext\nwhere\n", capture_output=True,
                             timeout=100)
        self.assertEqual(run.returncode, 2, run.stderr)
        _, error, where = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertIn("unknown command", error["error"])
        self.assertEqual(where["step"], 0)

    def test_commands_come_from_standard_input(self):
        script = "# to the second row\n\nnext 2\nwhere\nquit\nnext\n"
        run = subprocess.run([os.environ["PPU_BIN"], "debug", BALL], input=script, text=True,
                             capture_output=True, timeout=100)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout.count("(ppu) "), 3)
        same = self.ppu("debug", BALL, "--commands", "next 2; where; quit; next").stdout
        self.assertEqual(run.stdout, same)

    def test_a_terminal_has_a_prompt_and_an_empty_line_repeats_the_last_one(self):
        host, terminal = pty.openpty()
        self.addCleanup(os.close, host)
        with subprocess.Popen([os.environ["PPU_BIN"], "debug", BALL], stdin=terminal,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            os.close(terminal)
            os.write(host, b"next\n\n\nbad\nquit\n")
            out, err = run.communicate(timeout=100)
        self.assertEqual(run.returncode, 0)
        self.assertEqual([line for line in out.splitlines() if line.startswith("row ")],
                         [line for line in self.ppu("debug", BALL, "--commands",
                                                    "next; next; next").stdout.splitlines()
                          if line.startswith("row ")])
        self.assertIn("unknown command 'bad'", err)

    def test_help_names_every_command_and_one_of_them(self):
        commands = self.debug(BALL, commands=["help"])[1]["commands"]
        for command in commands:
            for name in command["names"]:
                shown = self.ppu("debug", BALL, "--backend", "functional", "--commands",
                                 f"help {name}").stdout
                self.assertIn(command["does"], shown)

    def test_a_problem_that_is_refused_is_refused_as_by_solve(self):
        self.refused("debug", BALL, "--program", "nothing", names=("nothing",))
        self.refused("debug", BALL, "--backend", "functional", "--budget-us", 3,
                     names=("budget_cycles",))
        self.refused("debug", BALL, "--trace", "/nowhere/a", names=("/nowhere/a",), expect=3)


class DebuggerPage(DebugTest):
    def test_every_command_is_on_the_page(self):
        page = (DATA.parents[1] / "docs/debugger.md").read_text()
        for command in self.debug(BALL, commands=["help"])[1]["commands"]:
            self.assertIn(f"`{command['names'][0]}", page)
