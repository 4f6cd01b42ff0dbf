# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu blocks: what the rows of a contact as one operation would bring."""
from cli import BACKENDS, BALL, CliTest, TIMED

BEGIN = "<!-- ppu blocks: begin -->\n"
END = "<!-- ppu blocks: end -->\n"
STAGES = ("read", "dot", "step", "clamp", "difference", "scaled_add", "write")


class Blocks(CliTest):
    def test_each_configuration_takes_three_latencies_and_a_block_little_less(self):
        result = self.json("blocks", "stance")
        self.assertTrue(result["as_expected"])
        self.assertEqual([line["config"] for line in result["contact"]],
                         ["default", "small", "wide", "default, fp_mul_stages=2"])
        for line in result["contact"]:
            latency = line["body_latency_cycles"]
            self.assertEqual(latency, sum(line["stages"][stage] for stage in STAGES))
            self.assertEqual(line["measured_cycles"], 3 * latency)
            self.assertEqual(line["rows_cycles"], 3 * latency)
            self.assertLess(line["block_cycles"], line["rows_cycles"])
            self.assertLess(line["other_bits_block_cycles"], line["block_cycles"])

    def test_settings_hold_for_every_configuration(self):
        lines = self.json("blocks", "stance", "--set", "lanes=1", "--set", "fp_add_stages=1")
        for line in lines["contact"]:
            self.assertEqual(line["rows_cycles"] - line["block_cycles"], 2 * 12)
            self.assertEqual(line["stages"]["difference"], 1)

    def test_another_configuration_is_measured_beside_the_named_ones(self):
        result = self.json("blocks", "stance", "--config", "default+pci")
        self.assertEqual([line["config"] for line in result["contact"]][-2:],
                         ["default+pci", "default+pci, fp_mul_stages=2"])
        self.assertIn("On default+pci a block", result["conclusion"])

    def test_the_conclusion_weighs_a_block_against_a_stage_of_the_multiplier(self):
        self.assertIn("are issued as rows", self.json("blocks", "stance")["conclusion"])
        result = self.json("blocks", "stance", "--set", "fp_mul_stages=1")
        self.assertIn("shorter stages do not save more", result["conclusion"])

    def test_no_sweep_is_shorter_than_its_bound(self):
        result = self.json("blocks", BALL, "stance", "wall10")
        self.assertEqual([study["problem"] for study in result["problems"]],
                         ["ball_f110", "stance", "wall10_f012"])
        for study in result["problems"]:
            engine, scheduled = study["orders"]
            self.assertEqual((engine["order"], scheduled["order"]), ("engine", "scheduled"))
            for order in study["orders"]:
                self.assertGreaterEqual(order["cycles_per_sweep"], order["bound_as_rows"])
                self.assertGreaterEqual(order["bound_as_rows"], order["bound_forwarded"])
                self.assertGreaterEqual(order["bound_forwarded"], order["bound_one_operation"])
            self.assertGreaterEqual(scheduled["bound_as_rows"],
                                    max(study["chain_cycles"], study["pipe_cycles"]))
            self.assertLessEqual(scheduled["bound_as_rows"], engine["bound_as_rows"])
            # What a block adds by leaving at once is the end of a sweep.
            latency = result["contact"][0]["body_latency_cycles"]
            self.assertLessEqual(scheduled["bound_forwarded"] - scheduled["bound_one_operation"],
                                 2 * latency)

    def test_the_text_shows_the_same_numbers(self):
        result = self.json("blocks", "stance")
        text = self.ppu("blocks", "stance").stdout
        self.assertTrue(text.endswith(result["conclusion"] + "\n"))
        for order in result["problems"][0]["orders"]:
            self.assertRegex(text, rf"{order['order']} +{order['cycles_per_sweep']:,.0f} ")

    def test_the_page_must_have_a_place_for_the_tables(self):
        page = self.folder / "page.md"
        page.write_text("# A page\n" + END + BEGIN)
        self.refused("blocks", "stance", "--table", page, names=(page, BEGIN.strip(), END.strip()))
        self.assertEqual(page.read_text(), "# A page\n" + END + BEGIN)
        self.refused("blocks", "stance", "--table", self.folder / "none.md", names=("none.md",))

    def test_the_stance_is_a_problem_for_every_back_end(self):
        runs = [self.json("solve", "stance", "--backend", backend) for backend in BACKENDS]
        self.assertEqual({run["rows"] for run in runs}, {24})
        self.assertEqual(len({run["state_hash"] for run in runs}), 1)
        timed = [run for run, name in zip(runs, BACKENDS) if name in TIMED]
        self.assertEqual(len({run["cycles"] for run in timed}), 1)
