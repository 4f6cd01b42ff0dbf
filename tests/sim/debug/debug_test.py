# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu debug: the walk is the device's on every back end; movements, breaks and watches."""
import json

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
        places = self.places(BALL, "--set", "dataflow=0", commands=["next"] * 106)
        self.assertEqual([place["slot"] for place in places], [*range(105), 0])
        self.assertEqual(sorted(place["row"] for place in places[:105]), [*range(105)])
        self.assertEqual([place["pass"] for place in places[-2:]], [1, 2])
        cycles = [place["cycle"] for place in places]
        self.assertEqual(cycles, sorted(cycles))

    def test_goto_cycle_finds_the_first_row_from_there_on(self):
        for cycle in (0, 3000, 5000, 9000):
            here, before = self.places(BALL, "--set", "dataflow=0",
                                       commands=[f"goto cycle {cycle}", "reverse-next"])
            self.assertGreaterEqual(here["cycle"], cycle)
            if before["at"] == "row":
                self.assertLess(before["cycle"], cycle)
            # Rows that issue when their bodies come free do so in another order.
            flows, = self.places(BALL, commands=[f"goto cycle {cycle}"])
            rows = [place["cycle"] for place in self.places(BALL, commands=["next"] * 1050)]
            self.assertEqual(flows["cycle"], min(issue for issue in rows if issue >= cycle))
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
        waited = {"body": 0, "slot": 1, "row": 1}
        in_order = ("--order", "engine", "--set", "dataflow=0")
        third = self.places(BALL, *in_order, commands=["next 3"])[0]
        self.assertEqual(third["waited"], {"cycles": 32, "for": "body", **waited})
        third = self.places(BALL, commands=["next 3"])[0]
        self.assertEqual(third["waited"], {"cycles": 0, "for": "token", **waited})


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

    def test_a_break_with_a_condition_stops_only_where_it_holds(self):
        every = self.debug(BALL, commands=["break row 9"] + ["continue", "impulse 9"] * 4)
        impulses = [answer["impulse"] for answer in every if "impulse" in answer][:4]
        self.assertEqual(len(impulses), 4)
        limit = (impulses[0] + impulses[1]) / 2
        compares = ">" if impulses[1] > impulses[0] else "<"
        answers = self.debug(BALL, commands=[f"break row 9 if impulse 9 {compares} {limit!r}",
                                             "continue", "impulse 9", "breaks",
                                             "break pass 3 if pass == 4", "break row 9 if pass >= 5",
                                             "delete 1", "continue", "where"])
        self.assertEqual(answers[3]["impulse"], impulses[1])
        self.assertIn(f"if impulse 9 {compares}", answers[4]["breaks"][0]["what"])
        self.assertEqual(answers[8]["stops"][0]["number"], 3)
        for wrong in ("break row 9 if", "break row 9 if impulse 9 ~ 1", "break row 9 if impulse 9 > x",
                      "break row 9 if mood 3 > 1"):
            self.assertIn("break:", str(self.debug(BALL, commands=[wrong], expect=2)[-1]))

    def test_breaks_are_listed_and_deleted(self):
        answers = self.debug(BALL, commands=["break row 9", "break sweep", "breaks", "delete 1",
                                             "continue", "delete all"])
        self.assertEqual([b["number"] for b in answers[3]["breaks"]], [1, 2])
        self.assertEqual([b["number"] for b in answers[4]["breaks"]], [2])
        self.assertEqual(answers[5]["stops"][0]["number"], 2)
        self.assertEqual(answers[6]["breaks"], [])
