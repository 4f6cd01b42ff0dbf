# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What the tests reach: lines, branches and toggles of the RTL, lines and branches of the C++.

usage: coverage.py build            the tests, counting, in build/coverage
       coverage.py run              runs them
       coverage.py report           build/coverage/index.html, docs/inside/coverage.md
"""
import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tomllib

import cpp
import page

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/coverage"
BUILD = ROOT / "build/coverage"
COUNTS = BUILD / "counts"
POINT = re.compile(r"__vlCoverInsert\(\s*&\(vlSymsp->__Vcoverage\[(\d+)\]\),\s*first,\s*\"([^\"]*)\",\s*(\d+),\s*(\d+),"
                   r"\s*\"([^\"]*)\",\s*\"v_(\w+)/([^\"]*)\",\s*\"([^\"]*)\",\s*\"([^\"]*)\"\s*\)")


def plan():
    return tomllib.loads((HERE / "coverage.toml").read_text())


def build():
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DPPU_COVERAGE=ON",
                    "-DPPU_BUILD_TESTS=ON", "-DPPU_BUILD_PYTHON=OFF", "-DPPU_DEMO_ONLY=OFF"], check=True)
    for program in plan()["programs"]:
        subprocess.run(["ninja", "-C", BUILD, program], check=True)


def run(programs):
    COUNTS.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PPU_COVERAGE=str(COUNTS))
    for program in programs or plan()["programs"]:
        if not programs:
            print(program, flush=True)
        status = subprocess.run([BUILD / "bin" / program, "--gtest_brief=1"], env=environment, check=False).returncode
        if status:
            sys.exit(f"coverage.py: {program} ends with {status}")


def rtl_points():
    """{(kind, file, line, column, words): [hit, lines]}, over all models, instances and runs."""
    points = {}
    for counts in sorted(COUNTS.glob("*.counts")):
        # The C++ class V<target>__Syms, mangled: its length, then its name.
        target = re.match(r"\d+V(\w+)__Syms$", counts.name.split(".")[0]).group(1)
        data = counts.read_bytes()
        numbers = struct.unpack(f"<{len(data) // 8}Q", data)
        for path in (BUILD / "rtl/verilated" / target, BUILD / "tests/rtl/verilated" / target):
            for source in path.glob("V*.cpp"):
                text = source.read_text()
                if "__vlCoverInsert(&" not in text.replace("\n", ""):
                    continue
                for index, file, line, column, _, kind, _, words, lines in POINT.findall(text):
                    key = (kind, file, int(line), int(column), words)
                    hit = points.setdefault(key, [0, lines])
                    hit[0] += numbers[int(index)]
    return points


def lines_of(text):
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def rtl():
    """By file: lines {number: hit}, branches and toggles [(line, words, hit)]."""
    files, left_out = {}, [(re.compile(hole["file"]), re.compile(hole.get("signal", ".*")), hole)
                           for hole in plan().get("hole", [])]
    for (kind, file, line, column, words), (hit, lines) in sorted(rtl_points().items()):
        if not re.match(r"rtl/(prim|pipe|engine|device)/", file):
            continue
        entry = files.setdefault(file, {"line": {}, "branch": [], "toggle": [], "holes": {}})
        if kind == "toggle":
            for where, signal, hole in left_out:
                if where.search(file) and signal.fullmatch(words.split("[")[0]) and not hit:
                    entry["holes"].setdefault(hole["why"], []).append(words)
                    break
            else:
                entry["toggle"].append((line, words, hit))
        elif kind == "branch":
            entry["branch"].append((line, words, hit))
        if kind in ("line", "branch"):
            for number in lines_of(lines):
                entry["line"][number] = entry["line"].get(number, 0) + hit
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build")
    commands.add_parser("run").add_argument("programs", nargs="*")
    commands.add_parser("report")
    arguments = parser.parse_args()
    if arguments.command == "build":
        build()
    elif arguments.command == "run":
        run(arguments.programs)
    else:
        page.write(rtl(), cpp.files(BUILD), BUILD)
    return 0


if __name__ == "__main__":
    sys.exit(main())
