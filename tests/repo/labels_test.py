# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The table of labels in docs/inside/developing.md has the labels of the tests, no more and no less."""
import re
import subprocess
import sys
import unittest

from source_tree import ROOT


class Labels(unittest.TestCase):
    ctest, build = None, None

    def test_the_page_tells_every_label(self):
        listed = subprocess.run([self.ctest, "--test-dir", self.build, "-C", "long", "--print-labels"],
                                check=True, capture_output=True, text=True).stdout
        labels = re.findall(r"^  (\S+)$", listed, re.M)
        self.assertIn("quick", labels)
        page = (ROOT / "docs/inside/developing.md").read_text()
        table = re.search(r"^\| label \|.*\n\|.*\n((?:\|.*\n)+)", page, re.M).group(1)
        self.assertEqual(sorted(re.findall(r"^\| `(\w+)` \|", table, re.M)), sorted(labels))


if __name__ == "__main__":
    Labels.ctest, Labels.build = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
