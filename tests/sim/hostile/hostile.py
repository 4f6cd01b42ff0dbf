# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Damaged inputs, each given to a process of its own with 1 GiB of memory.

usage: hostile.py flips [--count 2000]                a bit of a program image or of a problem file is flipped
       hostile.py mutations [--seconds 300] [KIND...] bytes of images, assembly, configs, problems are changed

PPU_BIN names the command `ppu`. The result is a line of counts; the status is 1 if a flip went unnoticed and changed
an answer, or if a process crashed or did not end within 60 s.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BALL = ROOT / "tests/data/ball_f110.h5"
PROGRAM = ROOT / "firmware/programs/boxed.s"
MEMORY = 1 << 30
SECONDS = 60
KINDS = ("images", "assembly", "configs", "problems")


def ppu(*arguments):
    """Runs `ppu`; its status is negative after a signal, and None if it did not end."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        return subprocess.run([os.environ["PPU_BIN"], *map(str, arguments)], capture_output=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, preexec_fn=limit, env={**os.environ, "PPU_READ_MIB": "256"})
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, None)


def solve(problem, *options):
    return ppu("solve", problem, *options, "--backend", "functional", "--sweeps", "3", "--json", "-",
               "--set", "host_memory_mib=16", "--set", "device_memory_mib=16")


def answer(run):
    """What a solve computed: the hash of impulses and velocities, and numbers of the problem."""
    said = json.loads(run.stdout)
    return [said[key] for key in ("state_hash", "max_residual", "reference_error", "rows", "bodies", "row_updates")]


class Flips:
    """Images of the assembler and files of `ppu solve --output`, each with one bit flipped."""

    def __init__(self, folder):
        self.known = {}  # what each solves to while it is whole
        image, problem = folder / "boxed.ppu", folder / "written.h5"
        for run in (ppu("asm", PROGRAM, "--output", image), ppu("solve", BALL, "--sweeps", "1", "--output", problem)):
            if run.returncode != 0:
                sys.exit(run.stderr.decode())
        self.subjects = {"image": (image, lambda path: solve(BALL, "--program", path)), "problem": (problem, solve)}

    def one(self, subject, random_numbers):
        """What became of a flip: refused, the same answer, or a silent change."""
        path, use = self.subjects[subject]
        good = path.read_bytes()
        damaged = bytearray(good)
        bit = random_numbers.randrange(8 * len(good))
        damaged[bit // 8] ^= 1 << bit % 8
        other = path.with_stem("flipped")
        other.write_bytes(good)
        if subject not in self.known:
            self.known[subject] = answer(use(other))
        other.write_bytes(damaged)
        run = use(other)
        if run.returncode is None or run.returncode < 0:
            return "crashed"
        if run.returncode != 0:
            return "refused"
        return "same answer" if answer(run) == self.known[subject] else f"SILENT: bit {bit}"


def mutated(data, random_numbers):
    """Some bytes changed, left out, doubled, or the end cut off."""
    data = bytearray(data)
    for _ in range(random_numbers.randrange(1, 6)):
        place = random_numbers.randrange(len(data) or 1)
        kind = random_numbers.randrange(4)
        if kind == 0 and data:
            data[place % len(data)] = random_numbers.randrange(256)
        elif kind == 1:
            del data[place:place + random_numbers.randrange(1, 40)]
        elif kind == 2:
            data[place:place] = data[place:place + random_numbers.randrange(1, 40)]
        elif random_numbers.random() < 0.2:
            del data[place:]
    return bytes(data)


def mutation_of(kind, folder):
    """A function that makes and uses a mutated input of this kind."""
    image = folder / "good.ppu"
    if kind == "images" and ppu("asm", PROGRAM, "--output", image).returncode != 0:
        sys.exit("the program is not assembled")
    good, name = {"images": (image, "m.ppu"), "assembly": (PROGRAM, "m.s"), "problems": (BALL, "m.h5"),
                  "configs": (ROOT / "hw/configs/small.toml", "m.toml")}[kind]
    data, path = good.read_bytes(), folder / name
    use = {"images": lambda: ppu("dis", path), "assembly": lambda: ppu("asm", path), "problems": lambda: solve(path),
           "configs": lambda: ppu("solve", BALL, "--backend", "functional", "--sweeps", "1", "--config", path)}[kind]

    def once(random_numbers):
        path.write_bytes(mutated(data, random_numbers))
        run = use()
        if run.returncode is None:
            return "HUNG"
        return f"{'CRASHED: ' if not 0 <= run.returncode <= 3 else ''}status {run.returncode}"
    return once


def flips(count, seed=1):
    """Counts of what became of so many flips, one half of them in images."""
    counts, random_numbers = collections.Counter(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        experiment = Flips(pathlib.Path(folder))
        for number in range(count):
            subject = ("image", "problem")[number % 2]
            counts[f"{subject}: {experiment.one(subject, random_numbers)}"] += 1
    return counts


def mutations(kind, seconds, seed=1):
    """Counts of what became of mutated inputs, as many as there is time for."""
    counts, random_numbers = collections.Counter(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        once = mutation_of(kind, pathlib.Path(folder))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            counts[once(random_numbers)] += 1
    return counts


def is_bad(counts):
    return any(word in what for what in counts for word in ("SILENT", "CRASHED", "crashed", "HUNG"))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("what", choices=("flips", "mutations"))
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    results = {"flips": flips(options.count, options.seed)} if options.what == "flips" else None
    bad = False
    for kind in ("flips",) if results else options.kinds:
        counts = results[kind] if results else mutations(kind, options.seconds, options.seed)
        print(f"{kind}: {sum(counts.values())} inputs:", ", ".join(f"{n} {what}" for what, n in sorted(counts.items())), flush=True)
        bad |= is_bad(counts)
    sys.exit(bad)


if __name__ == "__main__":
    main()
