# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""How this folder gives up: one sentence for people, and the exit status of the command."""

MISMATCH, USAGE, ENVIRONMENT = 1, 2, 3


class Refusal(Exception):
    """A sentence that says what, where, found, expected."""

    def __init__(self, sentence, status=USAGE):
        super().__init__(sentence)
        self.status = status
