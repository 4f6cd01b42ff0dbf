# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The command that solves: `ppu points` takes words and gives identities and results, line by line."""
import json
import os
import subprocess

from refusal import ENVIRONMENT, Refusal

COMMAND = os.environ.get("PPU_COMMAND", "ppu")


class Solver:
    """A running `ppu points`. answer() raises Died if the process does."""

    class Died(Exception):
        pass

    def __init__(self, check=False):
        self.words = [COMMAND, "points"] + (["--check"] if check else [])
        self.process = None

    def start(self):
        try:
            self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise Refusal(f"{COMMAND}: {error.strerror}, expected the command ppu (PPU_COMMAND names "
                          "it)", ENVIRONMENT) from None

    def answer(self, words):
        if not self.process:
            self.start()
        try:
            self.process.stdin.write(json.dumps(words) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = ""
        if not line.endswith("\n"):
            code = self.close()
            raise Solver.Died(f"ppu points ended with status {code}")
        return json.loads(line)

    def close(self):
        """Ends the process; its exit status."""
        process, self.process = self.process, None
        if not process:
            return 0
        try:
            process.stdin.close()
        except OSError:
            pass
        process.stdout.close()
        return process.wait()


def identify(words_of_points):
    """For each, {identity, rows, bodies} or {error, exit_code}, in the same order."""
    solver = Solver(check=True)
    try:
        for words in words_of_points:
            yield solver.answer(words)
    except Solver.Died as error:
        raise Refusal(f"{error} at {words}, expected an answer", ENVIRONMENT) from None
    finally:
        solver.close()
