# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What tests reach: lines, branches and toggles of the RTL, lines and branches of C++. coverage.toml says which tests
and which shapes.

usage: coverage.py all [-j N]               the three steps below, one after the other: an hour or more
       coverage.py build [-j N] [rtl|cpp]   the tests, counting, in build/coverage
       coverage.py run [-j N] [NAME...]     runs them: programs of the RTL, folders of C++; what a name has counted before
                                            is forgotten
       coverage.py page                     build/coverage/index.html, measured.json and docs/inside/coverage.md
       coverage.py points PPU               cover points of random programs: their table on that page
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tomllib

import cpp
import measured
import page
import points


def plan():
    return tomllib.loads((points.HERE / "coverage.toml").read_text())


def build(jobs):
    rtl = plan()["rtl"]
    subprocess.run(["cmake", "-S", points.ROOT, "-B", points.BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DPPU_COVERAGE=ON", f"-DPPU_COVERAGE_SHAPES={';'.join(rtl['shapes'])}", "-DPPU_BUILD_TESTS=ON",
                    "-DPPU_BUILD_PYTHON=OFF", "-DPPU_DEMO_ONLY=OFF"], check=True)
    subprocess.run(["ninja", "-C", points.BUILD, f"-j{jobs}", *(program["name"] for program in rtl["program"])], check=True)


def run(program):
    """A program of the RTL; whether it passes."""
    folder = points.COUNTS / program["name"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(program["name"], flush=True)
    command = [points.BUILD / "bin" / program["name"], "--gtest_brief=1", *program.get("arguments", [])]
    status = subprocess.run(command, env=dict(os.environ, PPU_COVERAGE=str(folder)), check=False).returncode
    if status == 0:
        (folder / "passed").touch()
    return status == 0


def run_all(names, jobs):
    programs = {program["name"]: program for program in plan()["rtl"]["program"]}
    folders = {tests["folder"]: tests for tests in plan()["cpp"]["tests"]}
    if missing := set(names) - set(programs) - set(folders):
        sys.exit(f"coverage.py: coverage.toml has no {', '.join(sorted(missing))}")
    names = names or [*programs, *folders]
    # A program of the RTL takes one processor, the tests of a folder take all.
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        of_rtl = [name for name in names if name in programs]
        passed = dict(zip(of_rtl, pool.map(lambda name: run(programs[name]), of_rtl)))
    passed.update({name: cpp.run(folders[name], jobs) for name in names if name in folders})
    if failed := [name for name in names if not passed[name]]:
        sys.exit(f"coverage.py: {', '.join(failed)}: tests fail")


def points_of_programs(ppu):
    command = plan()["points"]
    output = subprocess.run([ppu, *command.split()[1:], "--json", "-"], check=True, capture_output=True, text=True).stdout
    page.put("points", page.points_table(command, json.loads(output)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_all, of_build, of_run = (commands.add_parser(name) for name in ("all", "build", "run"))
    for command in (of_all, of_build, of_run):
        command.add_argument("-j", type=int, default=os.cpu_count())
    of_build.add_argument("part", nargs="?", choices=("rtl", "cpp"))
    of_run.add_argument("names", nargs="*")
    commands.add_parser("page")
    commands.add_parser("points").add_argument("ppu")
    arguments = parser.parse_args()
    if arguments.command == "points":
        points_of_programs(arguments.ppu)
    if arguments.command == "all" or (arguments.command == "build" and arguments.part != "cpp"):
        build(arguments.j)
    if arguments.command == "all" or (arguments.command == "build" and arguments.part != "rtl"):
        cpp.build(plan()["cpp"], arguments.j)
    if arguments.command in ("all", "run"):
        run_all(getattr(arguments, "names", []), arguments.j)
    if arguments.command in ("all", "page"):
        measured.write(points.files(), cpp.files(), points.passed() | cpp.passed())
    return 0


if __name__ == "__main__":
    sys.exit(main())
