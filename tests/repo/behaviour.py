# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What the device does must not change by chance: every program on every problem of tests/data, on
every named configuration and every back end, compared with behaviour.csv.

usage: behaviour.py PPU [--short] [--write]
  --short   the smallest problem on all, the others on few: seconds
  --write   writes behaviour.csv in place of comparing

A line of behaviour.csv is a solve, with the back ends that agree on all of it; `functional` has no
time, so its lines have no cycles. `digest` is of the numbers of DIGESTED below, which `ppu profile
--json` prints, and `ppu solve --json` some of them; `row_digest` is of what kinds, islands, bodies
and rows cost, which `rtl` does not tell. A solve that is refused has its sentence.
"""
import argparse
import collections
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("behaviour.csv")
DATA = ROOT / "tests/data"
CONFIGS = ("small", "default", "wide")
BACKENDS = ("functional", "systemc", "cosim", "rtl")
SMALLEST = "ball_f110"

# What a program needs to show all that it does.
FIXED_SWEEPS = ("--sweeps", "2")
UNTIL_RESIDUAL = ("--sweeps", "4", "--threshold", "0.02")
SETTINGS = {"threshold": UNTIL_RESIDUAL, "impulse-threshold": UNTIL_RESIDUAL,
            "filter": UNTIL_RESIDUAL + ("--mark-threshold", "0.01"),
            "filter-literal": UNTIL_RESIDUAL,
            "classes": FIXED_SWEEPS + ("--sweeps-of", "joint=3,contact=2,friction=1"),
            "nesterov": ("--sweeps", "3")}
# Other ways to run one program, on the default configuration.
WAYS = (("--stream",), ("--order", "engine"), ("--order", "colour"), ("--friction", "skip"),
        ("--start", "cold"), ("--relaxation", "1.3"), ("--budget-us", "3"))
# Of the large problems, RTL of the whole device takes minutes: not for all.
LARGE_ON_RTL = ("boxed", "filter")

CASE = ("problem", "program", "config", "way")
SHOWN = ("state_hash", "sweeps", "row_updates", "rows_skipped", "rows_filtered", "cycles",
         "load_cycles", "store_cycles", "stalls", "last_residual", "max_residual")
OUTCOME = ("status",) + SHOWN + ("refused", "digest", "row_digest")
DIGESTED = ("runs", "late", "converged", "stops_above", "engine_cycles", "flops_per_row",
            "bytes_per_row", "reference_error", "frame", "busy", "device_counters", "islands")
ROW_DIGESTED = ("kinds", "cycles_of_no_row", "by_island", "by_body", "cycle_histogram",
                "slowest_rows", "longest_waits")
HOST_TIMES = {"plan_seconds", "packing_seconds", "overlap_seconds", "device_seconds"}
Case = collections.namedtuple("Case", CASE)


def cases():
    programs = sorted(path.stem for path in (ROOT / "firmware/programs").glob("*.s"))
    for path in sorted(DATA.glob("**/*.h5")):
        problem = str(path.relative_to(DATA).with_suffix(""))
        for program in programs:
            for config in CONFIGS:
                yield Case(problem, program, config, "")
        for way in WAYS:
            yield Case(problem, "boxed", "default", " ".join(way))


def runs_on(case, backend):
    large = case.problem.startswith("large/")
    return backend != "rtl" or not large or (case.program in LARGE_ON_RTL and not case.way)


def belongs_to_short_form(case, backend):
    if case.problem == SMALLEST:
        return backend in ("functional", "systemc") or case.config == "default"
    usual = case.program == "boxed" and case.config == "default" and not case.way
    return usual and backend in ("functional", "systemc")


def command(case, backend):
    settings = SETTINGS.get(case.program, FIXED_SWEEPS)
    has_profile = backend != "functional" and "--sweeps-of" not in settings
    way = case.way.split()
    return ["profile" if has_profile else "solve", f"tests/data/{case.problem}.h5",
            "--program", case.program, "--config", case.config, "--backend", backend,
            *settings, *way, "--json", "-"]


def numbers(value):
    """The numbers of a JSON value, in its order, without times of the host and without words."""
    if isinstance(value, dict):
        return [numbers(part) for key, part in value.items() if key not in HOST_TIMES]
    if isinstance(value, list):
        return [numbers(part) for part in value]
    return None if isinstance(value, str) else value


def digest(result, keys):
    known = [numbers(result[key]) for key in keys if key in result]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:12] if any(known) else ""


def outcome(ppu, case, backend):
    """The columns of OUTCOME, as words."""
    run = subprocess.run([ppu, *command(case, backend)], cwd=ROOT, capture_output=True, text=True,
                         stdin=subprocess.DEVNULL)
    words = dict.fromkeys(OUTCOME, "")
    words["status"] = str(run.returncode)
    if run.returncode != 0:
        words["refused"] = run.stderr.strip().splitlines()[-1]
        return words
    result = json.loads(run.stdout)
    for key in SHOWN:
        value = result[key]
        words[key] = "" if value is None else str(value)
    words["stalls"] = " ".join(map(str, result["stalls"].values()))
    words["digest"] = digest(result, DIGESTED)
    words["row_digest"] = digest(result, ROW_DIGESTED)
    return words


def measure(ppu, wanted):
    """The outcome of every (case, back end) of `wanted`, two or more at a time."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(lambda pair: outcome(ppu, *pair), wanted)
        return dict(zip(wanted, outcomes))


def write(measured):
    lines = {}
    for (case, backend), found in measured.items():
        # Back ends that do not tell what rows cost agree with those that do.
        key = case, *(found[column] for column in OUTCOME[:-1])
        line = lines.setdefault(key, {**case._asdict(), "backends": [], **found})
        line["backends"].append(backend)
        line["row_digest"] = line["row_digest"] or found["row_digest"]
    with open(TABLE, "w", newline="") as file:
        table = csv.DictWriter(file, CASE + ("backends",) + OUTCOME, lineterminator="\n")
        table.writeheader()
        for line in lines.values():
            table.writerow({**line, "backends": " ".join(line["backends"])})


def read():
    with open(TABLE, newline="") as file:
        return {(Case(*(line[key] for key in CASE)), backend): line
                for line in csv.DictReader(file) for backend in line["backends"].split()}


def differences(measured, expected):
    for (case, backend), found in measured.items():
        name = " ".join((*case, backend))
        known = expected.get((case, backend))
        if known is None:
            yield f"{name}: not in {TABLE.name}"
            continue
        columns = OUTCOME if found["row_digest"] else OUTCOME[:-1]
        for column in columns:
            if found[column] != known[column]:
                yield f"{name}: {column}: got '{found[column]}', expected '{known[column]}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("ppu", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.short and arguments.write:
        parser.error("--write: all of it, without --short")
    wanted = [(case, backend) for case in cases() for backend in BACKENDS
              if runs_on(case, backend)
              and (not arguments.short or belongs_to_short_form(case, backend))]
    measured = measure(arguments.ppu, wanted)
    if arguments.write:
        write(measured)
        return 0
    expected = read()
    found = list(differences(measured, expected))
    if not arguments.short:
        found += [" ".join((*case, backend)) + ": no longer a case"
                  for case, backend in expected.keys() - measured.keys()]
    print("\n".join(found), f"{len(measured)} solves, {len(found)} differences", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
