# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Batches: points that one worker solves one after another, as two files in a folder of runs.

NAME.points has a line of JSON for each point. NAME.results gets a line as soon as a point is solved, and
its lock is held by the one who may solve the batch. So a worker may be killed and started again, on any
machine that has the folder: what it finds there it leaves out. NAME.done says that all is solved.
"""
import fcntl
import json
import os
import socket
import sys
import time

from refusal import Refusal
from solver import Solver

ATTEMPTS = 3
LASTING = 2  # From this exit status of `ppu` down, the same words fail again.


def read_lines(path, offset=0):
    """The whole lines from a place of a file on, as JSON, and the place after them."""
    try:
        with open(path, "rb") as file:
            file.seek(offset)
            text = file.read()
    except FileNotFoundError:
        return [], offset
    text = text[:text.rfind(b"\n") + 1]
    return [json.loads(line) for line in text.splitlines()], offset + len(text)


def write_file(path, text):
    """The file appears whole or not at all."""
    with open(path + ".new", "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def lock(file, wait):
    """True if nobody else has the lock, which ends with the process."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def is_being_solved(name):
    try:
        with open(name + ".results", "ab") as file:
            return not lock(file, wait=False)
    except FileNotFoundError:
        return False


def take_back(name):
    """Makes sure that nobody begins the batch; False if somebody is at it."""
    with open(name + ".results", "ab") as file:
        if not lock(file, wait=False):
            return False
        os.remove(name + ".points")
        return True


class Pace:
    """Solves points, and starts `ppu points` again where it has died."""

    def __init__(self):
        self.solver = Solver()

    def solve(self, point):
        """The line of the point for the file of results."""
        begin = time.time()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self.solver.answer(point["words"])
            except Solver.Died as error:
                answer = {"error": str(error), "exit_code": None}
            if "error" not in answer or answer["exit_code"] in range(1, LASTING + 1):
                break
        ended = time.time()
        return {"run": f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}", "hash": point["hash"],
                "words": point["words"], "identity": point["identity"], "attempts": attempt,
                "ended": ended, "seconds": ended - begin, "result": answer.get("result"),
                "error": answer.get("error")}

    def close(self):
        self.solver.close()


def work(name):
    """Solves what is left of a batch."""
    with open(name + ".results", "ab") as results:
        lock(results, wait=True)
        if os.path.exists(name + ".points"):
            solve_rest(name, results)
        write_file(name + ".done", "")


def solve_rest(name, results):
    points, _ = read_lines(name + ".points")
    lines, whole = read_lines(name + ".results")
    results.truncate(whole)  # A line that a killed worker has begun.
    solved = {line["hash"] for line in lines}
    pace = Pace()
    for point in points:
        if point["hash"] in solved:
            continue
        results.write((json.dumps(pace.solve(point)) + "\n").encode())
        results.flush()  # It outlives this process; a machine that fails takes its last points along.
    os.fsync(results.fileno())
    pace.close()


def write_batches(folder, points, seconds_of, batch_seconds, at_a_time, smallest=0.0,
                  prefix=""):
    """Batches of at most about so many seconds, and of at least the smallest; their paths without the ending.
    Each has its part of what is left, so that the last ones are small and all who work end together."""
    batches, left, room = [], sum(map(seconds_of, points)), 0.0
    smallest = min(smallest, batch_seconds)
    for point in points:
        if room <= 0:
            batches.append([])
            room = max(smallest, min(batch_seconds, left / (2 * at_a_time)))
        batches[-1].append(point)
        left -= seconds_of(point)
        room -= seconds_of(point)
    names = []
    for number, batch in enumerate(batches):
        names.append(os.path.join(folder, f"{prefix}{number:06d}"))
        write_file(names[-1] + ".points", "".join(json.dumps(point) + "\n" for point in batch))
    return names


if __name__ == "__main__":
    try:
        work(sys.argv[1])
    except Refusal as error:
        print(f"ppu: {error}", file=sys.stderr)
        sys.exit(error.status)
