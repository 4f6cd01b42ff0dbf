# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Fuzzes what reads the input of others, guided by coverage: clang's libFuzzer, with the address and
undefined-behaviour sanitizers over the whole library.

usage: fuzz.py [--seconds 600] [TARGET...]

Targets: assembler, image, commands, registers, config, problem, scenes. They are configured and built in build/fuzz
(preset `fuzz`). Each begins with its corpus, its file in tests/fuzz/corpus, an input a line in hexadecimal digits; what
covers more is added to it in the end. A line of results goes to tests/fuzz/results.csv, and with it to the page
docs/inside/fuzzing.md. An input that breaks something is left in build/fuzz/found, and the status is 1; without clang
it is 77, with a sentence.
"""
import argparse
import csv
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/fuzz"
CORPUS = ROOT / "tests/fuzz/corpus"
RESULTS = ROOT / "tests/fuzz/results.csv"
PAGE = ROOT / "docs/inside/fuzzing.md"
TARGETS = ("assembler", "image", "commands", "registers", "config", "problem", "scenes")
MOST_BYTES = {"assembler": 4096, "config": 2048}
FIELDS = ("target", "seconds", "inputs tried", "edges covered", "kept", "found")
KEPT_BYTES = 128 << 10  # of a corpus in the tree
NO_CLANG = 77


def missing():
    """Why there can be no fuzzing here; nothing if there can."""
    if shutil.which("clang++") is None:
        return "clang++ is not installed: apt-get install clang"
    folder = subprocess.run(["clang++", "-print-runtime-dir"], capture_output=True, text=True).stdout.strip()
    if not list(pathlib.Path(folder).glob("*fuzzer*")):
        return "clang has no libFuzzer here: apt-get install libclang-rt-14-dev"
    return ""


def seeds(target):
    """What a corpus begins with."""
    if target == "assembler":
        return [path.read_bytes()[:4096] for path in sorted((ROOT / "firmware/programs").glob("*.s"))]
    if target == "config":
        return [b"\0" + path.read_bytes()[:2000] for path in sorted((ROOT / "hw/configs").glob("*.toml"))]
    numbers = random.Random(target)
    if target == "image":  # each program that ships, as it is
        return [bytes([2, number, 0]) + numbers.randbytes(512) for number in range(10)]
    return [numbers.randbytes(length) for length in (16, 64, 256, 512, 1024)] + [b"\1" * 256]


def load(target):
    path = CORPUS / f"{target}.txt"
    return [bytes.fromhex(line) for line in path.read_text().split()] if path.exists() else seeds(target)


def save(target, inputs):
    """The smallest first, as far as there is room."""
    kept, room = [], KEPT_BYTES
    for data in sorted(set(inputs), key=lambda data: (len(data), data)):
        room -= len(data)
        if data and room >= 0:
            kept.append(data)
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{target}.txt").write_text("".join(data.hex() + "\n" for data in kept))
    return len(kept)


def build(targets):
    quiet = {"stdout": subprocess.DEVNULL}
    subprocess.run(["cmake", "--preset", "fuzz"], cwd=ROOT, check=True, **quiet)
    subprocess.run(["cmake", "--build", BUILD, "--target", *(f"fuzz_{name}" for name in targets)], check=True)


def fuzz(target, seconds):
    """Runs a target; its line of results."""
    program, corpus, merged = BUILD / f"bin/fuzz_{target}", BUILD / "corpus" / target, BUILD / "merged" / target
    found = BUILD / "found" / target
    for folder in (corpus, merged, found):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for number, data in enumerate(load(target)):
        (corpus / f"{number:05}").write_bytes(data)
    common = [f"-max_len={MOST_BYTES.get(target, 1024)}", "-rss_limit_mb=4096", "-timeout=300",
              "-report_slow_units=300"]
    run = subprocess.run([program, *common, f"-max_total_time={seconds}", "-print_final_stats=1", "-detect_leaks=0",
                          f"-artifact_prefix={found}/", corpus], capture_output=True, text=True, errors="replace",
                         env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    (BUILD / f"{target}.log").write_text(run.stderr)
    tried = re.findall(r"stat::number_of_executed_units: (\d+)", run.stderr)
    covered = re.findall(r" cov: (\d+) ", run.stderr)
    subprocess.run([program, *common, "-merge=1", merged, corpus], capture_output=True)
    kept = save(target, [path.read_bytes() for path in sorted(merged.iterdir())] or load(target))
    broken = sorted(path.name for path in found.iterdir())
    for name in broken:
        print(f"fuzz.py: {target}: {found / name}; see {BUILD / f'{target}.log'}", file=sys.stderr)
    return dict(zip(FIELDS, (target, seconds, int(tried[-1]) if tried else 0, int(covered[-1]) if covered else 0,
                             kept, len(broken))))


def read_results():
    return {line["target"]: line for line in csv.DictReader(RESULTS.open())} if RESULTS.exists() else {}


def write_results(lines):
    with RESULTS.open("w", newline="") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        table.writerows(lines[name] for name in TARGETS if name in lines)


def table():
    """The results as they stand in the page."""
    lines = ["| " + " | ".join(FIELDS) + " |", "|---" * len(FIELDS) + "|"]
    for result in read_results().values():
        numbers = [f"{int(result[field]):,}" for field in FIELDS[1:]]
        lines.append(f"| `{result['target']}` | " + " | ".join(numbers) + " |")
    return "\n".join(lines) + "\n"


def page_with(text):
    return re.sub(r"(?m)^\| target \|.*\n(?:\|.*\n)*", lambda _: table(), text)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=600)
    arguments = parser.parse_args()
    unknown = set(arguments.targets) - set(TARGETS)
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}")
    if missing():
        print(f"fuzz.py: {missing()}", file=sys.stderr)
        return NO_CLANG
    targets = arguments.targets or TARGETS
    build(targets)
    results = read_results()
    for target in targets:
        results[target] = fuzz(target, arguments.seconds)
        print(", ".join(f"{field} {value}" for field, value in results[target].items()), flush=True)
        write_results(results)
        PAGE.write_text(page_with(PAGE.read_text()))
    return 1 if any(int(results[name]["found"]) for name in targets) else 0


if __name__ == "__main__":
    sys.exit(main())
