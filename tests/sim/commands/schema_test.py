# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""JSON that stands on its own: a schema for every command, and what a result was made with."""
import copy
import json
import re
import sys

import json_schema
from cli import BALL, CliTest, ROOT, WALL

sys.path.append(str(ROOT / "sim/explore"))
import study  # noqa: E402

#: Commands that write a line of JSON for each answer.
LINES = {"debug"}


class Schemas(CliTest):
    def commands(self):
        """Words of all commands that have --json."""
        def below(*words):
            text = self.ppu(*words, "--help").stdout
            return [[*words, name] for name in re.findall(r"^  ([a-z][a-z-]*) {2,}[A-Z]", text, re.MULTILINE)]
        all_words = below() + below("study")
        self.assertGreater(len(all_words), 30)
        return [words for words in all_words if words[-1] not in LINES | {"explore"} and
                "--json" in self.ppu(*words, "--help").stdout]

    def test_every_command_with_json_has_one(self):
        names = {words[-1] for words in self.commands()}
        self.assertIn("solve", names)
        self.assertIn("converge", names)
        for name in names:
            path = json_schema.FOLDER / f"ppu-{name}-1.json"
            self.assertTrue(path.exists(), path)
            schema = json.loads(path.read_text())
            self.assertEqual(schema["$id"], f"ppu-{name}-1")
            self.assertLessEqual({"schema", "version", "specification"}, set(schema["required"]))

    def test_commands_without_tests_of_their_json_follow_theirs(self):
        for words in (("asm", "boxed", "--listing"), ("bench", BALL), ("scenes", "--frames", "5"),
                      ("study", "frame", BALL), ("study", "step", "--boxes", "12", "--after", "2", "--frames", "4"),
                      ("study", "which", "--problems", BALL, "--methods", "pgs,nesterov"),
                      ("study", "parity", "--workload", "ball", "--config", "default"),
                      ("study", "programs", "--problems", BALL, "--programs", "boxed", "--backends", "functional")):
            self.json(*words)

    def test_a_value_that_is_not_as_the_schema_says_is_told(self):
        result = self.json("solve", BALL)
        schema = json.loads((json_schema.FOLDER / "ppu-solve-1.json").read_text())
        self.assertEqual(json_schema.complaints(result, schema), [])
        def told(change):
            wrong = copy.deepcopy(result)
            change(wrong)
            return json_schema.complaints(wrong, schema)
        self.assertEqual(told(lambda r: r.pop("cycles")), ["$: lacks cycles"])
        self.assertEqual(told(lambda r: r.update(mood=1)), ["$: mood is not in the schema"])
        self.assertIn("$.rows: is string", told(lambda r: r.update(rows="105"))[0])
        self.assertIn("$.identity.config: lacks pipes", told(lambda r: r["identity"]["config"].pop("pipes"))[0])
        self.assertIn("$.schema: is 'ppu-solve-9'", told(lambda r: r.update(schema="ppu-solve-9"))[0])

    def test_a_result_says_what_it_was_made_with(self):
        one = self.json("solve", BALL, "--set", "pipes=2", "--config", "default+pci")
        self.assertEqual(one["configuration"]["name"], "default+pci")
        self.assertEqual(one["configuration"]["overrides"], ["pipes=2"])
        self.assertEqual(one["configuration"]["keys"]["pipes"], 2)
        self.assertEqual(one["identity"]["config"], one["configuration"]["keys"])
        again = self.json("solve", BALL, "--set", "pipes=2", "--config", "default+pci")
        self.assertEqual(again["identity"], one["identity"])
        for words in ((WALL,), (BALL, "--program", "pgs"), (BALL, "--sweeps", "11"), (BALL, "--set", "pipes=4")):
            self.assertNotEqual(self.json("solve", *words)["identity"], self.json("solve", BALL)["identity"])

    def test_every_option_that_changes_numbers_is_in_the_identity_and_in_studies(self):
        options = set(re.findall(r"^  --([a-z-]+)", self.ppu("profile", "--help").stdout, re.MULTILINE))
        # What names device and problem, and what only watches or ends a run.
        options -= {"config", "set", "scene", "frame", "seed", "timeout", "glb", "trace", "perfetto", "rows",
                    "compare", "json"}
        names = {option.replace("-", "_") for option in options}
        identity = self.json("profile", BALL)["identity"]
        self.assertEqual(set(identity), names | {"version", "specification", "problem", "config"})
        self.assertEqual(set(study.OPTIONS), names | {"timeout"})
        early = self.json("profile", BALL, "--early")
        self.assertNotEqual(early["cycles"], self.json("profile", BALL)["cycles"])
        self.assertEqual(early["identity"], {**identity, "early": True})

    def test_what_works_on_one_problem_or_program_has_their_hashes(self):
        identity = self.json("solve", BALL)["identity"]
        self.assertEqual(self.json("asm", "boxed")["program_hash"], identity["program"])
        for words in (("bench", BALL), ("study", "scaling", BALL, "--pipes", "1", "--lanes", "12", "--engines", "1")):
            result = self.json(*words)
            self.assertEqual((result["problem_hash"], result["program_hash"]),
                             (identity["problem"], identity["program"]), words)
        result = self.json("study", "converge", BALL, "--programs", "threshold,threshold@1.3", "--threshold", "1", "--sweeps", "2")
        self.assertEqual(result["problem_hash"], identity["problem"])
        self.assertEqual([program["program_hash"] for program in result["programs"]],
                         [self.json("asm", "threshold")["program_hash"]] * 2)

    def test_points_have_the_same_identity(self):
        line = self.ppu("points", text=json.dumps([str(BALL)]) + "\n").stdout
        self.assertEqual(json.loads(line)["identity"], self.json("solve", BALL)["identity"])
