#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""`ppu explore FILE`: measures all points of a study, and keeps them in a store."""
import argparse
import contextlib
import os
import signal
import sys
import tempfile
import time

import output
from engine import PlainEngine, SnakemakeEngine, find_snakemake
from measure import Measurement
from refusal import ENVIRONMENT, Refusal
from runs import Runs
from store import Store
from study import Study

INTERRUPTED = 130
BEGIN = time.monotonic()


def parser():
    parse = argparse.ArgumentParser(
        prog="ppu explore", description="Measure all points of a study, and keep them. The same "
        "command goes on where one was stopped. docs/guide/explore.md says more.")
    parse.add_argument("study", metavar="STUDY.toml")
    parse.add_argument("--check", action="store_true", help="only say how many points, and how long")
    parse.add_argument("--stored", action="store_true", help="run nothing: write what the store has")
    parse.add_argument("--search", action="store_true",
                       help="in place of all points, those that [search] leads to (pip: optuna)")
    parse.add_argument("--store", help="file of the store, else STUDY.sqlite")
    parse.add_argument("--csv", metavar="FILE", help="write the columns of the study")
    parse.add_argument("--parquet", metavar="FILE", help="the same (pip: pyarrow)")
    parse.add_argument("--page", metavar="FILE.html", help="write the page with the Pareto front")
    parse.add_argument("--jobs", type=int, default=os.cpu_count(),
                       help="batches at a time, else as many as there are processors")
    parse.add_argument("--batch-seconds", type=float, default=60, help="work of a batch, else 60")
    parse.add_argument("--engine", choices=("snakemake", "plain"),
                       help="who starts the batches, else Snakemake if there is one")
    parse.add_argument("--snakemake", metavar="COMMAND", help="the Snakemake to use")
    parse.add_argument("--slurm", action="store_true", help="batches through Slurm, by Snakemake")
    parse.add_argument("--sbatch", default="", metavar="OPTIONS", help="for sbatch: '--partition=x'")
    return parse


def engine_of(options):
    if options.jobs < 1 or options.batch_seconds <= 0:
        raise Refusal("--jobs and --batch-seconds: expected more than 0")
    snakemake = find_snakemake(options.snakemake)
    if options.engine == "plain" and options.slurm:
        raise Refusal("--engine plain: expected snakemake with --slurm")
    if not snakemake and (options.slurm or options.engine == "snakemake"):
        raise Refusal("there is no snakemake, expected that of Debian (apt-get install snakemake) or "
                      "of PyPI (pip install snakemake snakemake-executor-plugin-cluster-generic)",
                      ENVIRONMENT)
    if not snakemake or options.engine == "plain":
        return PlainEngine(options.jobs)
    return SnakemakeEngine(snakemake, options.jobs, options.slurm, options.sbatch)


def explore(options):
    study = Study(options.study)
    output.check(options)
    store_path = options.store or os.path.splitext(options.study)[0] + ".sqlite"
    if not os.path.isdir(os.path.dirname(os.path.abspath(store_path))):
        raise Refusal(f"{store_path}: there is no such folder, expected a place for the store")
    with contextlib.ExitStack() as stack:
        if options.check and not os.path.exists(store_path):
            # A check leaves nothing behind.
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            store_path = os.path.join(folder, "check.sqlite")
        return measure(options, study, Store(store_path))


def measure(options, study, store):
    engine = None if options.check or options.stored else engine_of(options)
    measurement = Measurement(study, store, Runs(store), engine, options)
    try:
        measurement.prepare()
        if options.search:
            import search
            points = search.search(study, measurement)
        else:
            points = measurement.all_points()
            measurement.say_plan(points)
            if options.check:
                return 0
            if not options.stored:
                measurement.run(points)
    finally:
        measurement.close()
    status = measurement.say_result(points)
    output.write(options, study, store, points)
    measurement.say_cost(time.monotonic() - BEGIN)
    return status


def main(words):
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        if words[:1] == ["--to-parquet"]:
            output.to_parquet(*words[1:])
            return 0
        return explore(parser().parse_args(words))
    except Refusal as error:
        print(f"ppu: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("\nppu: stopped; what was solved is kept, the same command goes on", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
