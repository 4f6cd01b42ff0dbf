# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What the tests of the RTL reach: lines, branches and toggles. coverage.toml says which tests and which shapes.

usage: coverage.py build [-j N]       the tests, counting, in build/coverage
       coverage.py run [PROGRAM...]   runs them; what a program has counted before is forgotten
       coverage.py page               build/coverage/index.html, docs/inside/coverage.md
       coverage.py points PPU         cover points of random programs: their table on that page
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib

import page
import points


def plan():
    return tomllib.loads((points.HERE / "coverage.toml").read_text())


def build(jobs):
    subprocess.run(["cmake", "-S", points.ROOT, "-B", points.BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DPPU_COVERAGE=ON", f"-DPPU_COVERAGE_SHAPES={';'.join(plan()['shapes'])}", "-DPPU_BUILD_TESTS=ON",
                    "-DPPU_BUILD_PYTHON=OFF", "-DPPU_DEMO_ONLY=OFF"], check=True)
    subprocess.run(["ninja", "-C", points.BUILD, f"-j{jobs}", *(program["name"] for program in plan()["program"])],
                   check=True)


def run(names):
    programs = [program for program in plan()["program"] if not names or program["name"] in names]
    if missing := set(names) - {program["name"] for program in programs}:
        sys.exit(f"coverage.py: coverage.toml has no program {', '.join(sorted(missing))}")
    for program in programs:
        folder = points.COUNTS / program["name"]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        print(program["name"], flush=True)
        command = [points.BUILD / "bin" / program["name"], "--gtest_brief=1", *program.get("arguments", [])]
        status = subprocess.run(command, env=dict(os.environ, PPU_COVERAGE=str(folder)), check=False).returncode
        if status:
            sys.exit(f"coverage.py: {program['name']} ends with {status}")


def points_of_programs(ppu):
    command = plan()["points"]
    output = subprocess.run([ppu, *command.split()[1:], "--json", "-"], check=True, capture_output=True, text=True).stdout
    page.put_points(command, json.loads(output))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build").add_argument("-j", type=int, default=os.cpu_count())
    commands.add_parser("run").add_argument("programs", nargs="*")
    commands.add_parser("page")
    commands.add_parser("points").add_argument("ppu")
    arguments = parser.parse_args()
    if arguments.command == "build":
        build(arguments.j)
    elif arguments.command == "run":
        run(arguments.programs)
    elif arguments.command == "points":
        points_of_programs(arguments.ppu)
    else:
        page.write(points.files(), points.Holes(), sorted({path.parent.name for path in points.COUNTS.glob("*/*.counts")}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
