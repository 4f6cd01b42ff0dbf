# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu debug: what it shows of a place, sessions from scripts and on a terminal, and its page."""
import json
import os
import pty
import subprocess

from cli import BALL, DATA
from debug_test import DebugTest


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
        self.assertEqual(run.stdout.count("row 0 (slot 0)"), 2)

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
                             timeout=1000)
        self.assertEqual(run.returncode, 2, run.stderr)
        _, error, where = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertIn("unknown command", error["error"])
        self.assertEqual(where["step"], 0)

    def test_commands_come_from_standard_input(self):
        script = "# to the second row\n\nnext 2\nwhere\nquit\nnext\n"
        run = subprocess.run([os.environ["PPU_BIN"], "debug", BALL], input=script, text=True,
                             capture_output=True, timeout=1000)
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
            out, err = run.communicate(timeout=1000)
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
        page = (DATA.parents[1] / "docs/guide/debugger.md").read_text()
        for command in self.debug(BALL, commands=["help"])[1]["commands"]:
            self.assertIn(f"`{command['names'][0]}", page)
