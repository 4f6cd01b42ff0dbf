# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Pictures of the report for the pages: the wall at the start, in its fall, and with a body picked.

usage: report_screenshots.py PPU [FOLDER]      FOLDER: docs/images if it is not given
"""
import pathlib
import subprocess
import sys
import tempfile
import zlib

sys.path.append(str(pathlib.Path(__file__).parents[1] / "support"))
import browser

ROOT = pathlib.Path(__file__).resolve().parents[3]
LARGEST = 300000
WIDTH, HEIGHT = 1440, 900
SCENE = ("wall10", "--frames", "60", "--backend", "systemc")
# Name of the picture, frame, colour of the bodies, and a script that picks a body.
SHOTS = (
    ("report_start", 3, "none", ""),
    ("report_collapse", 30, "cycles", ""),
    ("report_body", 30, "none", """
        const cycles = PPU.of_bodies(PPU.replay.body_cycles, PPU.state.frame);
        PPU.choose_body(cycles.indexOf(Math.max(...cycles)));"""),
)


def chunks(png):
    place = 8
    while place < len(png):
        size = int.from_bytes(png[place:place + 4], "big")
        yield png[place + 4:place + 8], png[place + 8:place + 8 + size]
        place += 12 + size


def rows_of(png):
    """Width, bytes per pixel and the unfiltered rows of an RGB(A) PNG with 8 bits per channel."""
    parts = list(chunks(png))
    head = parts[0][1]
    width, height = (int.from_bytes(head[i:i + 4], "big") for i in (0, 4))
    pixel = {2: 3, 6: 4}[head[9]]
    data = zlib.decompress(b"".join(content for kind, content in parts if kind == b"IDAT"))
    before, rows, stride = bytearray(width * pixel), [], width * pixel + 1
    for y in range(height):
        kind, row = data[y * stride], bytearray(data[y * stride + 1:(y + 1) * stride])
        for x in range(len(row)):
            left = row[x - pixel] if x >= pixel else 0
            up, corner = before[x], before[x - pixel] if x >= pixel else 0
            if kind == 1:
                row[x] = row[x] + left & 255
            elif kind == 2:
                row[x] = row[x] + up & 255
            elif kind == 3:
                row[x] = row[x] + (left + up) // 2 & 255
            elif kind == 4:
                near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
                row[x] = row[x] + near & 255
        rows.append(row)
        before = row
    return width, pixel, rows


def compressed(png):
    """The same picture with 5 bits per channel in a palette: some tenth of the bytes."""
    width, pixel, rows = rows_of(png)
    counts = {}
    for row in rows:
        for x in range(0, len(row), pixel):
            key = (row[x] >> 3, row[x + 1] >> 3, row[x + 2] >> 3)
            counts[key] = counts.get(key, 0) + 1
    palette = sorted(counts, key=counts.get, reverse=True)[:256]
    place = {key: i for i, key in enumerate(palette)}

    def nearest(key):
        if key not in place:
            place[key] = min(range(len(palette)), key=lambda i: sum(
                (a - b) ** 2 for a, b in zip(key, palette[i])))
        return place[key]

    data = b"".join(b"\0" + bytes(nearest((row[x] >> 3, row[x + 1] >> 3, row[x + 2] >> 3))
                                  for x in range(0, len(row), pixel)) for row in rows)

    def chunk(kind, content):
        return (len(content).to_bytes(4, "big") + kind + content +
                zlib.crc32(kind + content).to_bytes(4, "big"))

    head = width.to_bytes(4, "big") + len(rows).to_bytes(4, "big") + bytes((8, 3, 0, 0, 0))
    colours = b"".join(bytes(part << 3 | part >> 2 for part in key) for key in palette)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", colours) +
            chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def shoot(report, folder):
    with browser.Browser(WIDTH, HEIGHT) as page:
        page.prefer("light")
        page.open(report)
        page.wait_for("document.body.classList.contains('ready')")
        for name, frame, colour, script in SHOTS:
            page.run(f"""(async () => {{
                const list = document.getElementById('colour');
                list.value = '{colour}';
                list.dispatchEvent(new Event('change'));
                const known = PPU.replay.frames_with_rows;
                PPU.choose_body(-1);
                PPU.choose_frame(known.reduce((best, one) =>
                  Math.abs(one - {frame}) < Math.abs(best - {frame}) ? one : best));
                {script}
                await PPU.rows(PPU.state.frame);
                await new Promise((done) => setTimeout(done, 300));
            }})()""")
            png = compressed(page.picture())
            if len(png) > LARGEST:
                sys.exit(f"{name}.png: {len(png)} bytes, expected at most {LARGEST}")
            (folder / f"{name}.png").write_bytes(png)
            print(f"{folder / name}.png: {len(png):,} bytes")


def main():
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/images"
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([pathlib.Path(sys.argv[1]).resolve(), "demo", *SCENE, "--report", out],
                       check=True)
        shoot(pathlib.Path(out) / "report.html", folder)


if __name__ == "__main__":
    main()
