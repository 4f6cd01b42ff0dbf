# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The experiments of hostile.py in short."""
import unittest

import hostile


class HostileInputs(unittest.TestCase):
    def test_no_flipped_bit_changes_an_answer_in_silence(self):
        counts = hostile.flips(60)
        self.assertFalse(hostile.is_bad(counts), counts)
        self.assertEqual(counts["image: refused"], 30, counts)
        self.assertGreater(counts["problem: refused"], 0, counts)

    def test_no_mutated_input_crashes_or_hangs(self):
        for kind in hostile.KINDS:
            counts = hostile.mutations(kind, 3)
            self.assertFalse(hostile.is_bad(counts), (kind, counts))
            self.assertGreater(sum(counts.values()), 0, kind)
