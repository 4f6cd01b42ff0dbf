# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Runs the commands that the page on convergence shows, as many at once as there are processors, and
writes what they print below them.

usage: convergence_page.py PPU       an hour on two idle processors; converge_test.py
                                     checks the page in a short form
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/reference/measured/convergence.md"
# A `sh` block with one command, then a `text` block.
SHOWN = re.compile(r"```sh\n\./ppu ([^\n]*)\n```\n\n```text\n(.*?)```", re.DOTALL)


def update(ppu):
    page = PAGE.read_text()

    def printed(command):
        return subprocess.run([ppu, *shlex.split(command)], cwd=ROOT, check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    commands = [shown[1] for shown in SHOWN.finditer(page)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Those of all problems, which come last, take longest.
        texts = dict(zip(reversed(commands), pool.map(printed, reversed(commands))))
    PAGE.write_text(SHOWN.sub(
        lambda shown: f"```sh\n./ppu {shown[1]}\n```\n\n```text\n{texts[shown[1]]}```", page))


if __name__ == "__main__":
    update(pathlib.Path(sys.argv[1]).resolve())
