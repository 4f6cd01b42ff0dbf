# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu study parity: model and RTL make the same of the same jobs, and the command sees where they do not."""
import json
import os
import subprocess

from cli import CliTest, DATA, ROOT

PAGE = ROOT / "docs/reference/measured/parity.md"


def page_lines():
    """The lines of the table in the manual, as {(workload, config): cells}."""
    lines = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 9 and cells[2].replace(",", "").isdigit():
            lines[cells[0], cells[1]] = cells[2:]
    return lines


class ParityTest(CliTest):
    def parity(self, *arguments, expect=0):
        """Runs it without a limit of time: slow machines may take long."""
        run = subprocess.run([os.environ["PPU_BIN"], "study", "parity", "--data", DATA, *arguments],
                             cwd=self.folder, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout


class RandomStart(ParityTest):
    """PPU_RTL_SEED chooses with which bits registers and memories begin that no reset sets."""

    def with_seed(self, seed, *arguments):
        return subprocess.run([os.environ["PPU_BIN"], *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "PPU_RTL_SEED": str(seed)}, stdin=subprocess.DEVNULL)

    def test_every_seed_gives_the_same_bits_cycles_and_counters(self):
        found = set()
        for seed in 7, 2147483647:
            run = self.with_seed(seed, "study", "parity", "--data", DATA, "--quick", "--config", "small", "--json", "-")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            found.add(run.stdout)
        self.assertEqual(len(found), 1)

    def test_a_seed_that_is_none_is_said(self):
        for seed in "0", "-1", "1x", "", "2147483648":
            run = self.with_seed(seed, "solve", DATA / "ball_f110.h5", "--backend", "rtl")
            self.assertEqual(run.returncode, 2, seed)
            self.assertIn("PPU_RTL_SEED: found '" + seed + "', expected a number from 1", run.stderr)


class ParityShortForm(ParityTest):
    def test_the_json_says_what_the_page_does_and_goes_through_every_counter(self):
        result = json.loads(self.parity("--quick", "--json", "-"))
        self.assertEqual(result["backends"], ["systemc", "rtl"])
        self.assertTrue(result["equal"])
        page = page_lines()
        every_config = json.loads(self.parity("--workload", "overlap", "--json", "-"))["results"]
        self.assertEqual(len(every_config), 5)
        for line in result["results"] + every_config:
            self.assertEqual(line["differences"], [])
            shown = page[line["workload"], line["config"]]
            self.assertEqual([int(cell.replace(",", "")) for cell in shown[:4]],
                             [line["row_updates"], line["commands"], *line["cycles"]])
        self.expect_every_counter({line["workload"]: line["counters"] for line in result["results"]
                                   if line["config"] == "small"})

    def expect_every_counter(self, counters):
        only = {"commands_rejected": ["malformed-commands"], "bytes_within": ["chained", "copies-within", "early"]}
        # The doorbell rings before a list is measured, only rows in slot order wait for a parent, and no bit flips.
        never = {"doorbells", "parent_stall_cycles", "words_corrected", "memory_words_corrected"}
        for counter in counters["ball"].keys() - never:
            self.assertGreater(sum(c[counter] for c in counters.values()), 0, counter)
        for counter, workloads in only.items():
            found = [name for name, c in counters.items() if c[counter] > 0]
            self.assertEqual(sorted(found), workloads)
        self.assertEqual(counters["malformed-commands"]["commands_rejected"], 9)

    def test_their_event_logs_are_equal(self):
        for workload in ("overlap", "odd-copies"):
            self.parity("--workload", workload, "--config", "small", "--trace", "parity")
            out = self.ppu("diff-trace", "parity-systemc.log", "parity-rtl.log").stdout
            self.assertRegex(out, r"^equal: [\d,]+ events")

    def test_both_logs_give_the_same_pipeline_view(self):
        self.parity("--workload", "bank-conflicts", "--config", "small", "--trace", "parity")
        views = []
        for backend in ("systemc", "rtl"):
            self.ppu("trace", f"parity-{backend}.log", "--kanata", backend, "--config", "small")
            views.append((self.folder / backend).read_bytes())
        self.assertEqual(*views)
        self.assertEqual(views[0].count(b"\nI\t"), 300)


class ParityWholeForm(ParityTest):
    def test_the_page_is_what_the_whole_form_writes(self):
        page = self.folder / PAGE.relative_to(ROOT)
        page.parent.mkdir(parents=True)
        self.parity("--table", PAGE.relative_to(ROOT))
        self.assertEqual(page.read_text(), PAGE.read_text())


class ParityComparison(ParityTest):
    def test_at_least_24_workloads_are_listed_each_with_a_sentence(self):
        lines = self.ppu("study", "parity", "--list").stdout.splitlines()[1:]
        names = [line.split()[0] for line in lines]
        self.assertGreaterEqual(len(names), 24)
        self.assertEqual(len(names), len(set(names)))
        for line in lines:
            self.assertRegex(line, r"^[a-z0-9-]+ +(yes)? +\w.*\w$")

    def test_the_page_covers_every_workload_on_the_named_configurations(self):
        names = [line.split()[0] for line in self.ppu("study", "parity", "--list").stdout.splitlines()[1:]]
        page = page_lines()
        self.assertEqual(set(page), {(name, config) for name in names
                                     for config in ("default", "inorder", "protected", "small", "wide")})
        for key, cells in page.items():
            self.assertEqual(cells[4:], ["0", "0.00", "yes"], key)

    def test_back_ends_that_differ_are_told_apart(self):
        # The functional back end has no time.
        out = self.parity("--workload", "one-row", "--config", "default", "--backend", "systemc",
                          "--backend", "functional", expect=1)
        self.assertIn("one-row on default:\n  run 0, counter cycles: ", out)
        self.assertIn("ppu study parity --workload one-row --config default --backend systemc "
                      "--backend functional --trace parity\n  ppu diff-trace parity-systemc.log "
                      "parity-functional.log", out)
        self.assertRegex(out, r"1 of 1 differ; the largest difference of cycles is -100.00 %")

    def test_the_same_back_end_twice_is_equal_run_by_run(self):
        # Nothing that is compared depends on when the host looks.
        for _ in range(3):
            self.parity("--quick", "--backend", "systemc", "--backend", "systemc")

    def test_the_scenes_are_inside_the_command(self):
        twice = ("--config", "small", "--backend", "systemc,systemc")
        self.ppu("study", "parity", "--workload", "ball", *twice)
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_cannot_be_compared_is_refused(self):
        self.refused("study", "parity", "--workload", "none", names=("none", "ball-streamed"))
        self.refused("study", "parity", "--backend", "rtl", names=("--backend", "two"))
        self.refused("study", "parity", "--quick", "--trace", "a", names=("--trace", "--workload"))
        self.refused("study", "parity", "--workload", "ball", "--config", "none", names=("none",))
        self.refused("study", "parity", "--workload", "ball", "--data", self.folder, names=("ball_f110",))

    def test_the_page_is_written_with_the_command_that_makes_it(self):
        self.parity("--workload", "no-rows", "--config", "small", "--table", "page.md")
        page = (self.folder / "page.md").read_text()
        self.assertIn("ppu study parity --workload no-rows --config small --table page.md", page)
        self.assertIn("| no-rows | small | 0 | 4 | ", page)
