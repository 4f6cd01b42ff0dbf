# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Runs the commands that the page on convergence shows and writes what they print below them.

usage: convergence_page.py PPU       half an hour; converge_test.py checks the page in a short form
"""
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
    def printed(shown):
        text = subprocess.run([ppu, *shlex.split(shown[1])], cwd=ROOT, check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        return f"```sh\n./ppu {shown[1]}\n```\n\n```text\n{text}```"
    PAGE.write_text(SHOWN.sub(printed, PAGE.read_text()))


if __name__ == "__main__":
    update(pathlib.Path(sys.argv[1]).resolve())
