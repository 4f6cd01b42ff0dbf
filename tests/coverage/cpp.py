# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The lines and branches of C++ that clang counts, merged over programs, processes and instances of templates."""
import bisect
import json
import os
import pathlib
import shutil
import subprocess

import points

BUILD = points.BUILD / "cpp"
COUNTS = BUILD / "counts"
ROOMS = ("base", "model", "firmware", "hw", "driver", "sim")


def build(plan, jobs):
    subprocess.run(["cmake", "-S", points.ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_C_COMPILER=clang", "-DPPU_WERROR=OFF", "-DPPU_COVERAGE_CPP=ON",
                    f"-DPPU_COVERAGE_SHAPES={';'.join(plan['shapes'])}", "-DPPU_BUILD_TESTS=ON", "-DPPU_BUILD_PYTHON=OFF",
                    "-DPPU_DEMO_ONLY=OFF"], check=True)
    subprocess.run(["ninja", "-C", BUILD, f"-j{jobs}", *(name for tests in plan["tests"] for name in tests["programs"])],
                   check=True)


def run(tests, jobs):
    """All tests of a folder; whether they pass."""
    counts = COUNTS / tests["folder"]
    shutil.rmtree(counts, ignore_errors=True)
    counts.mkdir(parents=True)
    command = ["ctest", "--test-dir", BUILD / "tests" / tests["folder"], "--output-on-failure", "--no-tests=error", f"-j{jobs}"]
    if "without" in tests:
        command += ["-E", "|".join(tests["without"])]
    environment = dict(os.environ, LLVM_PROFILE_FILE=f"{counts}/%m.profraw")
    passed = subprocess.run(command, env=environment, check=False).returncode == 0
    if passed:
        (counts / "passed").touch()
    return passed


def lines_of(segments):
    """{line: times}, as llvm-cov has it: a line has the most of the regions that begin in it or go on into it."""
    by_line, found, before = {}, {}, None
    for segment in segments:
        by_line.setdefault(segment[0], []).append(segment)
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else ():
        here = by_line.get(line, [])
        begins = [segment for segment in here if segment[3] and segment[4] and not segment[5]]
        skipped = bool(here) and here[0][4] and not here[0][3]
        if not skipped and (begins or (before and before[3])):
            found[line] = max([segment[2] for segment in begins] + ([before[2]] if before and before[3] else []))
        before = here[-1] if here else before
    return found


def add_branches(file, branches, segments):
    """Both sides of each condition, and of each case. One that the compiler has decided is none."""
    starts = [(segment[0], segment[1]) for segment in segments]
    for line, column, _, _, true, false, *_ in branches:
        at = bisect.bisect_right(starts, (line, column)) - 1
        if true == false == 0 and at >= 0 and segments[at][2] > 0:
            continue
        for words, times in (("true", true), ("false", false)):
            points.add(file.branches, (line, column, words), times)


def objects():
    return [path for folder in ("bin", "lib") for path in sorted((BUILD / folder).iterdir())
            if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"]


def files():
    """{"driver/plan/colour.cpp": File}, of everything that was built, by room."""
    raw = sorted(COUNTS.glob("*/*.profraw"))
    if not raw:
        return {}
    profile, (first, *others) = BUILD / "all.profdata", objects()
    subprocess.run(["llvm-profdata", "merge", "-sparse", *raw, "-o", profile], check=True)
    command = ["llvm-cov", "export", "-format=text", "-skip-functions", f"-instr-profile={profile}", first]
    command += [word for path in others for word in ("-object", path)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    found = {}
    for entry in json.loads(result.stdout)["data"][0]["files"]:
        path = pathlib.Path(entry["filename"]).resolve()
        if not path.is_relative_to(points.ROOT) or path.is_relative_to(points.ROOT / "build"):
            continue
        name = str(path.relative_to(points.ROOT))
        if name.split("/")[0] not in ROOMS or name.startswith("driver/examples/"):
            continue
        file = found.setdefault(name, points.File())
        for line, times in lines_of(entry["segments"]).items():
            points.add(file.lines, line, times)
        add_branches(file, entry["branches"], entry["segments"])
    return dict(sorted(found.items(), key=lambda item: (ROOMS.index(item[0].split("/")[0]), item[0])))


def passed():
    """Folders whose tests have run to their end."""
    return {path.parent.name for path in COUNTS.glob("*/passed")}
