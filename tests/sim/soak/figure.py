# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Draws what a soak took, from its CSV.

usage: figure.py CSV SVG [--thin CSV]    --thin: writes 200 lines of the CSV there
"""
import csv
import sys

WIDTH, HEIGHT, LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 760, 300, 60, 30, 620, 210
CURVES = (("resident_kib", "resident", "#888888", 1 / 1024, "MiB"), ("heap_kib", "heap in use", "#1f77b4", 1 / 1024, "MiB"),
          ("descriptors", "descriptors", "#d62728", 1, ""))


def read(path):
    with open(path) as file:
        return [{name: int(value) for name, value in line.items()} for line in csv.DictReader(file)]


def points(lines, field, scale, top):
    last = lines[-1]["frames"]
    return " ".join(f"{LEFT + PLOT_WIDTH * line['frames'] / last:.1f},"
                    f"{TOP + PLOT_HEIGHT * (1 - line[field] * scale / top):.1f}" for line in lines)


def figure(lines):
    top = 1.2 * max(line[field] * scale for line in lines for field, _, _, scale, _ in CURVES)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = TOP + PLOT_HEIGHT * (1 - share)
        parts.append(f'<path d="M{LEFT} {y:.1f}h{PLOT_WIDTH}" stroke="#dddddd"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{top * share:.0f}</text>')
    for number, (field, name, colour, scale, unit) in enumerate(CURVES):
        parts.append(f'<polyline fill="none" stroke="{colour}" points="{points(lines, field, scale, top)}"/>'
                     f'<text x="{LEFT + 200 * number}" y="18" fill="{colour}">{name}{", " + unit if unit else ""}</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP + PLOT_HEIGHT + 20}">0</text><text x="{LEFT + PLOT_WIDTH}" '
                 f'y="{TOP + PLOT_HEIGHT + 20}" text-anchor="end">{lines[-1]["frames"]:,} frames</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    lines = read(sys.argv[1])
    with open(sys.argv[2], "w") as file:
        file.write(figure(lines))
    if len(sys.argv) == 5:
        with open(sys.argv[4], "w", newline="") as file:
            table = csv.DictWriter(file, lines[0], lineterminator="\n")
            table.writeheader()
            table.writerows(lines[:: max(1, len(lines) // 200)])


if __name__ == "__main__":
    main()
