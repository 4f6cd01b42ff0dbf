# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The sign-off page is what its list makes, and every test that it names is there."""
import re
import subprocess
import sys
import unittest

import signoff


class SignOff(unittest.TestCase):
    ctest, build = None, None

    def test_the_page_is_up_to_date(self):
        self.assertEqual(signoff.PAGE.read_text(), signoff.page(), "run: python3 tests/repo/signoff.py")

    def test_every_command_finds_tests(self):
        for item in signoff.items():
            words = re.fullmatch(r"\./ppu test (.+)", item.get("done", ""))
            if words:
                arguments = words[1].replace("'", "").split()
                listed = subprocess.run([self.ctest, "--test-dir", self.build, "-N", *arguments], check=True,
                                        capture_output=True, text=True).stdout
                self.assertNotIn("Total Tests: 0", listed, item["name"])


if __name__ == "__main__":
    SignOff.ctest, SignOff.build = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
