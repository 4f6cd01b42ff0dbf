# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The tables of labels and of proofs in docs/inside/developing.md have those of the tests, no more and no less."""
import re
import subprocess
import sys
import tomllib
import unittest

from source_tree import ROOT


class Labels(unittest.TestCase):
    ctest, build = None, None

    def test_the_page_tells_every_label(self):
        listed = subprocess.run([self.ctest, "--test-dir", self.build, "-C", "long", "--print-labels"],
                                check=True, capture_output=True, text=True).stdout
        labels = re.findall(r"^  (\S+)$", listed, re.M)
        self.assertIn("quick", labels)
        self.assertEqual(sorted(self.first_cells("label")), sorted(labels))

    def test_the_page_tells_every_proof(self):
        proofs = tomllib.loads((ROOT / "tests/formal/proofs.toml").read_text())["proof"]
        self.assertEqual(sorted(self.first_cells("proof")), sorted(proof["name"] for proof in proofs))

    @staticmethod
    def first_cells(head):
        """The names in the first column of the table with this head."""
        page = (ROOT / "docs/inside/developing.md").read_text()
        table = re.search(rf"^\| {head} \|.*\n\|.*\n((?:\|.*\n)+)", page, re.M).group(1)
        return [name for cell in re.findall(r"^\| ([^|]*) \|", table, re.M) for name in re.findall(r"`(\w+)`", cell)]


if __name__ == "__main__":
    Labels.ctest, Labels.build = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
