# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""From the points of a study to results in the store: what is missing, how long, progress, the end."""
import os
import shlex
import sys
import time

import batches
import store as stores
from refusal import ENVIRONMENT, MISMATCH, Refusal
from solver import identify

TICK_S = 0.2
MOST_TOLD = 10  # Errors of points that failed.
BATCH_OF_STARTS = 20  # A batch takes so many times as long as its start, so that this is 5 % of it.


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def say(text):
    print(text, file=sys.stderr, flush=True)


class Progress:
    """Points so far, on a line of its own on a terminal, else every quarter."""

    def __init__(self, total):
        self.total, self.begin, self.shown = total, time.monotonic(), 0
        self.on_terminal = sys.stderr.isatty()

    def show(self, done):
        left = (time.monotonic() - self.begin) * (self.total - done) / max(done, 1)
        text = f"{done:,} of {self.total:,} points, {100 * done // self.total} %"
        if done:
            text += f", about {duration(left)} left"
        if self.on_terminal:
            print(f"\r{text:60s}", end="", file=sys.stderr, flush=True)
        elif 4 * done // self.total > self.shown:
            self.shown = 4 * done // self.total
            say(text)

    def end(self):
        if self.on_terminal:
            print(file=sys.stderr)


class Measurement:
    def __init__(self, study, store, runs, engine, options):
        self.study, self.store, self.runs, self.options = study, store, runs, options
        self.engine = engine  # None if nothing is to be solved.
        self.seconds = {}
        self.point_of = {}  # {words: point}

    def prepare(self):
        """The engine starts while the points are checked."""
        if self.engine:
            with self.runs.planning():
                self.begin_run()

    def begin_run(self):
        """While planning."""
        run = self.runs.make()
        self.engine.prepare(run.path, self.options.batch_seconds)
        return run

    def close(self):
        """Ends the engine; what it has left is taken back."""
        if self.runs.owned:
            self.engine.stop()
            self.runs.end()

    def all_points(self):
        return self.identified(self.study.expand())

    def identified(self, pairs):
        """[{hash, identity, words, axes}] of the points that hold, each once."""
        pairs, points, refused = list(pairs), {}, []
        for (axes, words), answer in zip(pairs, identify(words for _, words in pairs)):
            if "error" in answer:
                refused.append((words, answer["error"]))
                continue
            identity = answer["identity"]
            known = {**identity["config"], **self.study.point, **axes,
                     "rows": answer["rows"], "bodies": answer["bodies"]}
            if self.study.holds(known, late=True):
                name = stores.hash_of(identity)
                point = {"hash": name, "identity": identity, "words": words, "axes": axes}
                self.point_of[tuple(words)] = points.setdefault(name, point)
        if refused:
            words, error = refused[0]
            raise Refusal(f"{self.study.path}: {len(refused):,} of {len(pairs):,} points are refused, "
                          f"the first is 'ppu profile {' '.join(words)}': {error}; expected a "
                          "constraint that leaves them out, or other values")
        if not points:
            raise Refusal(f"{self.study.path}: no point is left, expected at least one for which the "
                          "constraints hold")
        return list(points.values())

    def identified_lists(self, lists):
        """The same for lists of pairs, a list of points for each."""
        flat = [pair for pairs in lists for pair in pairs]
        if flat:
            self.identified(flat)
        return [[self.point_of[tuple(words)] for _, words in pairs if tuple(words) in self.point_of]
                for pairs in lists]

    def missing(self, points):
        states = self.store.states(point["hash"] for point in points)
        return [point for point in points if states.get(point["hash"]) != "ok"]

    def seconds_of(self, point):
        """What the store says of its problem, else what a first point has taken, else nothing."""
        key = (point["identity"]["problem"], point["identity"]["backend"])
        if not self.seconds.get(key):
            self.seconds[key] = self.store.seconds_per_point(*key)
        return self.seconds[key] or 0.0

    def say_plan(self, points):
        for folder in self.runs.others():
            self.runs.collect(folder)
        missing = self.missing(points)
        text = f"{self.study.title}: {len(points):,} points, {len(points) - len(missing):,} in the store"
        if missing and not self.options.stored:
            times = [self.seconds_of(point) for point in missing]
            known = [seconds for seconds in times if seconds]
            text += f", {len(missing):,} to solve"
            if known:
                mean = sum(known) / len(known)
                total = sum(seconds or mean for seconds in times) / self.options.jobs
                text += f", about {duration(total)} with {self.options.jobs} at a time"
            else:
                text += "; how long is known when the first of each problem is solved"
        say(text)

    def try_one_of_each(self, missing):
        """Solves a point of each problem of which nothing is known, here and now."""
        first = {}
        for point in missing:
            if not self.seconds_of(point):
                first.setdefault((point["identity"]["problem"], point["identity"]["backend"]), point)
        return list(first.values())

    def run(self, points):
        """Solves what is missing; returns when this process or another has solved all of it."""
        wanted = {point["hash"] for point in points}
        self.given_up = set()
        self.progress = Progress(max(1, len(self.missing(points))))
        trial = True
        while True:
            with self.runs.planning():
                taken = self.runs.tidy()
                missing = [p for p in self.missing(points) if p["hash"] not in self.given_up]
                mine = [p for p in missing if p["hash"] not in taken]
                if not missing:
                    break
                some = self.try_one_of_each(mine) if trial else []
                if mine:
                    run = self.runs.owned or self.begin_run()
                    known = [s for s in map(self.seconds_of, mine) if s]
                    mean = sum(known) / len(known) if known else 1.0
                    names = batches.write_batches(
                        run.path, some or mine, lambda p: self.seconds_of(p) or mean,
                        self.options.batch_seconds,
                        len(some) if some else min(self.options.jobs, len(mine)),
                        0 if some else BATCH_OF_STARTS * self.engine.start_seconds,
                        "first" if some else "")
            if not mine:
                time.sleep(TICK_S)
                continue
            if some:
                self.work_here(run, names)
                say(f"tried {len(some)} of {len(missing):,} points: "
                    f"{self.estimate(missing)} with {self.options.jobs} at a time")
            else:
                self.engine.start(names)
                say(f"{len(names):,} batches by {self.engine.name}")
                self.work_by_engine(run, names)
            trial = False
            failed = {n for n, s in self.store.states(p["hash"] for p in some or mine).items()
                      if s == "failed"}
            self.given_up |= failed & wanted
            if not some:
                self.close()
        self.progress.end()

    def estimate(self, missing):
        known = [self.seconds_of(point) for point in missing]
        return "about " + duration(sum(known) / self.options.jobs)

    def work_here(self, run, names):
        try:
            for name in names:
                batches.work(name)
        finally:
            self.runs.collect(run.path)

    def work_by_engine(self, run, names):
        while self.engine.is_running():
            self.collect(run)
            time.sleep(TICK_S)
        self.collect(run)
        complaint = self.engine.complaint()
        left = [name for name in names if not os.path.exists(name + ".done")]
        if left:
            raise Refusal(f"{len(left)} of {len(names)} batches were not solved to their end, the same "
                          f"command goes on; {self.engine.name} said: {complaint}", ENVIRONMENT)

    def collect(self, run):
        self.done = getattr(self, "done", 0) + self.runs.collect(run.path)
        self.progress.show(min(self.done, self.progress.total))

    def say_cost(self, wall_seconds):
        """What share of the workers' time was no solving: a batch that is too small shows here."""
        solving, jobs = self.runs.solving_seconds, self.options.jobs
        if solving:
            say(f"{duration(wall_seconds)} with {jobs} at a time, {duration(solving)} of solving: "
                f"{100 * (1 - solving / (jobs * wall_seconds)):.1f} % went into everything else")

    def say_result(self, points):
        """The exit status."""
        states = self.store.states(point["hash"] for point in points)
        errors = self.store.errors(states)
        alike = {}
        for words, error in errors:
            alike.setdefault(error, []).append(words)
        for error, failed in list(alike.items())[:MOST_TOLD]:
            others = f" (and {len(failed) - 1:,} like it)" if len(failed) > 1 else ""
            say(f"failed: ppu profile {shlex.join(failed[0])}{others}: {error}")
        say(f"{self.store.path}: {sum(s == 'ok' for s in states.values()):,} of {len(points):,} points"
            + (f", {len(errors):,} failed; the same command tries them again" if errors else ""))
        return MISMATCH if errors else 0
