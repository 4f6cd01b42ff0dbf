# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Lines and branches of the C++ that tests have reached, by gcov."""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("base", "hw", "model", "firmware", "driver", "sim")


def reports(build):
    """What gcov says of every object that has run."""
    objects = sorted(path for path in build.rglob("*.gcda") if "verilated" not in path.name)
    for first in range(0, len(objects), 20):
        run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities",
                              *objects[first:first + 20]], cwd=build, capture_output=True, text=True, check=True)
        for line in run.stdout.split("\n"):
            if line.startswith("{"):
                yield json.loads(line)


def files(build):
    """By file: lines {number: count}, branches {(number, which): count}."""
    found = {}
    for report in reports(build):
        for file in report["files"]:
            path = pathlib.Path(report["current_working_directory"], file["file"]).resolve()
            if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in ROOMS:
                continue
            entry = found.setdefault(str(path.relative_to(ROOT)), {"line": {}, "branch": {}})
            for line in file["lines"]:
                number = line["line_number"]
                entry["line"][number] = entry["line"].get(number, 0) + line["count"]
                for which, branch in enumerate(line["branches"]):
                    if not branch["throw"]:
                        key = (number, which)
                        entry["branch"][key] = entry["branch"].get(key, 0) + branch["count"]
    return found
