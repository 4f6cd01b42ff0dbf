# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The command that solves: `ppu points` takes words and gives identities and results, line by line."""
import concurrent.futures
import json
import os
import subprocess

from refusal import ENVIRONMENT, Refusal

# Points that one process checks.
MOST_A_CHECK = 1000
COMMAND = os.environ.get("PPU_COMMAND", "ppu")


class Solver:
    """A running `ppu points`. answer() raises Died if the process does."""

    class Died(Exception):
        pass

    def __init__(self):
        self.process = None

    def start(self):
        try:
            self.process = subprocess.Popen([COMMAND, "points"], stdin=subprocess.PIPE, text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise no_command(error) from None

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
    words, workers = list(words_of_points), os.cpu_count() or 1
    size = max(1, min(MOST_A_CHECK, -(-len(words) // workers)))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for answers in pool.map(check, (words[i:i + size] for i in range(0, len(words), size))):
            yield from answers


def check(words):
    try:
        run = subprocess.run([COMMAND, "points", "--check"], capture_output=True, text=True,
                             input="".join(json.dumps(each) + "\n" for each in words))
    except OSError as error:
        raise no_command(error) from None
    lines = run.stdout.splitlines()
    if len(lines) < len(words):
        raise Refusal(f"ppu points ended with status {run.returncode} at {words[len(lines)]}, expected "
                      "an answer", ENVIRONMENT)
    return [json.loads(line) for line in lines]


def no_command(error):
    return Refusal(f"{COMMAND}: {error.strerror}, expected the command ppu (PPU_COMMAND names it)",
                   ENVIRONMENT)
