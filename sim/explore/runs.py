# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The folder of runs beside a store: who solves which points now, and what has not come in yet.

A run is a folder with batches and the lock of its owner, a `ppu explore`. Whoever holds the lock `plan`
may make a run, take over what a dead owner has left, and move results into the store.
"""
import contextlib
import fcntl
import os
import shutil
import time

import batches


class Runs:
    def __init__(self, store):
        self.store = store
        self.folder = store.path + ".runs"
        os.makedirs(self.folder, exist_ok=True)
        self.offsets = {}  # {file of results: what is in the store already}
        self.owned = None
        self.solving_seconds = 0.0  # Of the workers of this process.

    @contextlib.contextmanager
    def planning(self):
        with open(os.path.join(self.folder, "plan"), "ab") as file:
            batches.lock(file, wait=True)
            yield

    def others(self):
        """Folders of runs of other owners."""
        for name in sorted(os.listdir(self.folder)):
            path = os.path.join(self.folder, name)
            if os.path.isdir(path) and (self.owned is None or path != self.owned.path):
                yield path

    def collect(self, folder):
        """Brings new results of a run into the store; how many."""
        count = 0
        for name in sorted(os.listdir(folder)):
            if name.endswith(".results"):
                path = os.path.join(folder, name)
                lines, end = batches.read_lines(path, self.offsets.get(path, 0))
                if lines:
                    self.store.add(lines)
                    if self.owned and folder == self.owned.path:
                        self.solving_seconds += sum(line["seconds"] for line in lines)
                self.offsets[path] = end
                count += len(lines)
        return count

    def tidy(self):
        """While planning: collects from all runs, takes back what dead owners have left. Gives the
        hashes of batches that others are still at; what has come in of them may be in the store."""
        taken = set()
        for folder in list(self.others()):
            self.collect(folder)
            owned = owner_lives(folder)
            busy = False
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                if not name.endswith(".points"):
                    continue
                batch = path[:-len(".points")]
                points, _ = batches.read_lines(path)
                if owned or not batches.take_back(batch):
                    busy = True
                    taken |= {point["hash"] for point in points}
            if not owned and not busy:
                self.collect(folder)
                shutil.rmtree(folder)
        return taken

    def make(self):
        """While planning: a run of this process."""
        self.owned = Run(os.path.join(self.folder, f"{time.time_ns()}-{os.getpid()}"))
        return self.owned

    def end(self):
        """The run is over: what it has left is taken back."""
        run, self.owned = self.owned, None
        if run:
            run.close()
            with self.planning():
                self.tidy()


class Run:
    def __init__(self, path):
        self.path = path
        os.makedirs(path)
        self.owner = open(os.path.join(path, "owner"), "ab")
        fcntl.flock(self.owner, fcntl.LOCK_EX)

    def close(self):
        self.owner.close()


def owner_lives(folder):
    with open(os.path.join(folder, "owner"), "ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
