# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What a page shows is what its commands print. A page is executed in a folder that looks like the
root of the tree, with a `ppu` that is the built command; what is written there is gone afterwards.

    ```sh    commands; a `text` block behind it has what they print
    <!-- file NAME -->      before a block: the block is the file NAME
    <!-- fails N -->        before an `sh` block: its exit status is N
    <!-- not run -->        before an `sh` block: only shown
"""
import os
import pathlib
import re
import subprocess
import tempfile

import source_tree as tree

BLOCK = re.compile(r"(?:<!-- (file|fails|not run) ?(\S*) -->\n)?```(\w+)\n(.*?)```"
                   r"(?:\n\n```text\n(.*?)```)?", re.DOTALL)


class Folder:
    """A folder with everything of the tree in it, the command, and the build as `build/release`."""

    def __init__(self, ppu):
        self.place = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.place.name)
        for name in tree.FOLDERS + ("CMakeLists.txt",):
            if (tree.ROOT / name).exists():
                (self.path / name).symlink_to(tree.ROOT / name)
        (self.path / "ppu").symlink_to(ppu)
        (self.path / "build").mkdir()
        (self.path / "build/release").symlink_to(ppu.parents[1])

    def run(self, commands, status=0):
        """What the commands print, as one script; also to standard error if they shall fail."""
        done = subprocess.run(
            ["bash", "-euc", commands], cwd=self.path, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if status else subprocess.PIPE,
            env={**os.environ, "CMAKE_BUILD_PARALLEL_LEVEL": "2"})
        assert done.returncode == status, f"{commands}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.place.cleanup()


def outputs(text, ppu, every):
    """Of each block of commands that is run: the match, and what it prints. Without `every` only
    those that show it."""
    with Folder(ppu) as folder:
        for match in BLOCK.finditer(text):
            mark, argument, language, body, shown = match.groups()
            if mark == "file":
                (folder.path / argument).parent.mkdir(parents=True, exist_ok=True)
                (folder.path / argument).write_text(body)
            elif language == "sh" and mark != "not run" and (every or shown is not None):
                yield match, folder.run(body, int(argument) if mark == "fails" else 0)


def stable(commands, text):
    """Lines without what another machine measures: host seconds, the CPU beside a frame."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if re.search(r"ppu demo \w+ --frames", commands):
        kept = (line for line in lines if not re.match(r"CPU engine, |host, |host and PPU|simulation on|whole step", line))
        # Frame, rows, islands, sweeps, CPU, PPU, simulation.
        return [re.sub(r"^(\s*\d+\s+[\d,]+\s+\d+\s+\d+)\s+\S+\s+(\S+)\s+\S+$", r"\1 \2",
                       re.sub(r"\s+", " ", line)) for line in kept]
    if "ppu demo" in commands:
        return [re.sub(r"\s+(\d+\.\d+|host s)$", "", line) for line in lines]
    if "ppu study frame" in commands:
        return [re.sub(r"\s+(\d+\.\d+|CPU)\s+(\d+\.\d+|CPU/frame)$", "", line) for line in lines
                if not line.startswith("Over ")]
    return [re.sub(r"^host seconds +\S+$|^on the host, measured: .*", "", line) for line in lines]


def check(test, page, ppu, every=False):
    """Every block of the page that is run prints what is shown; the number of those that show it."""
    count = 0
    for match, printed in outputs((tree.ROOT / page).read_text(), ppu, every):
        if match[5] is not None:
            count += 1
            with test.subTest(page=page, commands=match[4]):
                test.assertEqual(stable(match[4], match[5]), stable(match[4], printed))
    return count


def update(page, ppu, every=False):
    """Writes what is printed into the page."""
    path = tree.ROOT / page
    text, done, out = path.read_text(), 0, ""
    for match, printed in outputs(text, ppu, every):
        if match[5] is not None and stable(match[4], match[5]) != stable(match[4], printed):
            out += text[done:match.start(5)] + printed
            done = match.end(5)
    path.write_text(out + text[done:])
