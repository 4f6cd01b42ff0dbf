# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The moving picture of README.md: the wall as its report shows it, bodies coloured by the cycles of
their rows, as an animated PNG.

usage: wall_movie.py PPU [FILE]      FILE: docs/images/wall.png if it is not given; takes minutes
"""
import pathlib
import subprocess
import sys
import tempfile
import zlib

sys.path.append(str(pathlib.Path(__file__).parents[1] / "support"))
import browser
from report_screenshots import ROOT, rows_of

LARGEST = 2000000
WIDTH, HEIGHT = 720, 405
SCENE = ("wall10", "--frames", "120", "--backend", "systemc")
EVERY, SECONDS, LAST_SECONDS = 2, 0.05, 1.5
# The stage fills the window; above it stands what the frame was for the device.
STYLE = """
    #stage { position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; border: 0;
             border-radius: 0; z-index: 100 }
    .stage-bar, .transport { display: none }
    #movie { position: fixed; left: 12px; top: 10px; z-index: 101; color: #0f172a;
             font: 600 15px "DejaVu Sans", sans-serif; text-shadow: 0 0 4px #fff, 0 0 4px #fff }"""
# The camera near the wall: around the middle of the bodies that move, at the start.
CAMERA = """
    const { camera, controls } = PPU.stage, middle = new THREE.Vector3(), place = [0, 0, 0];
    const moving = PPU.replay.bodies.flatMap(([, mass], body) => mass > 0 ? [body] : []);
    for (const body of moving) {
      PPU.pose(PPU.replay.paths[0], 0, body, place, [0, 0, 0, 0]);
      middle.add(new THREE.Vector3(...place).divideScalar(moving.length));
    }
    const way = camera.position.clone().sub(controls.target).setLength(17);
    controls.target.copy(middle);
    camera.position.copy(middle).add(way);
    controls.update();"""
CAPTION = """`${PPU.frame().rows.toLocaleString("en")} constraint rows, ` +
             `${PPU.frame().device_cycles.toLocaleString("en")} cycles on the PPU`"""


def shots(report):
    """The frames as PNG."""
    with browser.Browser(WIDTH, HEIGHT) as page:
        page.prefer("light")
        page.open(report)
        page.wait_for("document.body.classList.contains('ready')")
        page.run(f"""(() => {{
            const style = document.createElement('style');
            style.textContent = `{STYLE}`;
            document.head.append(style);
            const caption = document.createElement('div');
            caption.id = 'movie';
            document.body.append(caption);
            const list = document.getElementById('colour');
            list.value = 'cycles';
            list.dispatchEvent(new Event('change'));
            {CAMERA}
        }})()""")
        for frame in range(0, page.run("PPU.replay.frames.length"), EVERY):
            page.run(f"""(async () => {{
                PPU.choose_frame({frame});
                document.getElementById('movie').textContent = {CAPTION};
                await new Promise((done) => setTimeout(done, 150));
            }})()""")
            yield page.picture()


def colours_of(png):
    """The picture as rows of colours of 5 bits per channel."""
    _, pixel, rows = rows_of(png)
    return [[(row[x] >> 3) << 10 | (row[x + 1] >> 3) << 5 | row[x + 2] >> 3
             for x in range(0, len(row), pixel)] for row in rows]


def palette_of(pictures):
    """The 255 most frequent colours, and for every colour the place of the nearest; 0 is kept."""
    counts = {}
    for picture in pictures:
        for row in picture:
            for colour in row:
                counts[colour] = counts.get(colour, 0) + 1
    parts = {colour: (colour >> 10, colour >> 5 & 31, colour & 31) for colour in counts}
    chosen = sorted(counts, key=counts.get, reverse=True)[:255]
    place = {colour: i + 1 for i, colour in enumerate(chosen)}
    for colour in counts:
        if colour not in place:
            place[colour] = 1 + min(range(len(chosen)), key=lambda i: sum(
                (a - b) ** 2 for a, b in zip(parts[colour], parts[chosen[i]])))
    bits = b"\0\0\0" + b"".join(bytes(part << 3 | part >> 2 for part in parts[c]) for c in chosen)
    return bits, place


def chunk(kind, content):
    return (len(content).to_bytes(4, "big") + kind + content +
            zlib.crc32(kind + content).to_bytes(4, "big"))


def animated(pictures):
    """An animated PNG that repeats; a pixel that stays is transparent in the frame."""
    bits, place = palette_of(pictures)
    number, out, before = 0, b"", None
    for i, picture in enumerate(pictures):
        rows = [[place[colour] for colour in row] for row in picture]
        shown = rows if before is None else [
            [0 if new == old else new for new, old in zip(row, old_row)]
            for row, old_row in zip(rows, before)]
        before = rows
        seconds = LAST_SECONDS if i == len(pictures) - 1 else SECONDS
        control = (number.to_bytes(4, "big") + WIDTH.to_bytes(4, "big") + HEIGHT.to_bytes(4, "big")
                   + bytes(8) + round(1000 * seconds).to_bytes(2, "big") + (1000).to_bytes(2, "big")
                   + bytes((0, 1 if i else 0)))
        out, number = out + chunk(b"fcTL", control), number + 1
        data = zlib.compress(b"".join(b"\0" + bytes(row) for row in shown), 9)
        if i == 0:
            out += chunk(b"IDAT", data)
        else:
            out, number = out + chunk(b"fdAT", number.to_bytes(4, "big") + data), number + 1
    head = WIDTH.to_bytes(4, "big") + HEIGHT.to_bytes(4, "big") + bytes((8, 3, 0, 0, 0))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
            chunk(b"acTL", len(pictures).to_bytes(4, "big") + bytes(4)) +
            chunk(b"PLTE", bits) + chunk(b"tRNS", b"\0") + out + chunk(b"IEND", b""))


def main():
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/images/wall.png"
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([pathlib.Path(sys.argv[1]).resolve(), "demo", *SCENE, "--every", "120",
                        "--report", out], check=True)
        png = animated([colours_of(shot) for shot in shots(pathlib.Path(out) / "report.html")])
    if len(png) > LARGEST:
        sys.exit(f"{path.name}: {len(png)} bytes, expected at most {LARGEST}")
    path.write_bytes(png)
    print(f"{path}: {len(png):,} bytes")


if __name__ == "__main__":
    main()
