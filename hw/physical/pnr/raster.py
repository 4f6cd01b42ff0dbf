# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A large routed layout as SVG with two images: cells by the part of the device that they belong to, and how full of wires each
place is."""
import base64
import html
import itertools
import struct
import textwrap
import zlib

from pnr import layout as layouts

CELLS = 20_000  # from so many on, a picture of every cell would be too large
SIDE, HEAD, MARGIN, LEGEND, LINE, LETTER = 640, 34, 10, 30, 20, 8  # pixels; SIDE is the longer side of an image
GROUND = (255, 255, 255)
COLOURS = ((36, 113, 163), (192, 57, 43), (30, 132, 73), (142, 68, 173), (185, 119, 14), (22, 160, 133), (52, 73, 94),
           (211, 84, 0), (127, 140, 141), (175, 122, 197), (93, 173, 226), (118, 68, 138), (88, 142, 49), (160, 64, 90))
SHADES = ((13, 8, 40), (48, 18, 92), (98, 25, 110), (148, 38, 100), (196, 60, 76), (230, 93, 47), (248, 142, 9), (250, 193, 39),
          (245, 233, 121), (252, 255, 200))


def png(width, height, pixels, palette):
    """A PNG file of the pixels, which are numbers in the palette of (red, green, blue), by row from the top."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    lines = b"".join(b"\0" + bytes(pixels[width * row:width * (row + 1)]) for row in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 3, 0, 0, 0)) +
            chunk(b"PLTE", bytes(itertools.chain(*palette))) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


class Pixels:
    """The pixels of a die, from its upper left corner."""

    def __init__(self, die):
        self.left, self.bottom, right, self.top = die
        self.scale = SIDE / max(right - self.left, self.top - self.bottom)
        self.width, self.height = (max(round(side * self.scale), 1) for side in (right - self.left, self.top - self.bottom))

    def x(self, value):
        return min(max(int((value - self.left) * self.scale), 0), self.width - 1)

    def y(self, value):
        return min(max(int((self.top - value) * self.scale), 0), self.height - 1)


def cells(layout, lef, library, pixels, part_of):
    """Numbers of the palette: 0, or 1 and 2 for gates and registers of the first part, and so on. `part_of`: {cell: number of its
    part}, without fillers."""
    found = bytearray(pixels.width * pixels.height)
    for name, part in part_of.items():
        cell = layout.components[name]
        macro = lef.macros[cell.kind]
        left, bottom, right, top = layouts.rectangle((0, 0, macro.width, macro.height), macro, cell)
        first, last = pixels.x(left), pixels.x(right) + 1
        colour = bytes((1 + 2 * part + library.cell(cell.kind).is_register,)) * (last - first)
        for row in range(pixels.y(top), pixels.y(bottom) + 1):
            found[row * pixels.width + first:row * pixels.width + last] = colour
    return found


def wires(layout, pixels):
    """Numbers of SHADES by the wires of all layers in a pixel; the fullest thousandth has the last one."""
    width, height = pixels.width, pixels.height
    across = [[0] * (width + 1) for _ in range(height)]  # changes of the count, from the left
    up = [[0] * (height + 1) for _ in range(width)]
    for net in layout.nets.values():
        for _, x0, y0, x1, y1 in net.wires:
            if x0 == x1:
                line, (low, high) = up[pixels.x(x0)], sorted((pixels.y(y0), pixels.y(y1)))
            else:
                line, (low, high) = across[pixels.y(y0)], sorted((pixels.x(x0), pixels.x(x1)))
            line[low] += 1
            line[high + 1] -= 1
    counts = [list(itertools.accumulate(line)) for line in across]
    for x, line in enumerate(up):
        for y, count in enumerate(itertools.accumulate(line[:-1])):
            counts[y][x] += count
    flat = [count for line in counts for count in line[:width]]
    full = max(sorted(flat)[-1 - len(flat) // 1000], 1)
    return bytearray(min(count * len(SHADES) // (full + 1), len(SHADES) - 1) for count in flat)


def lighter(colour):
    return tuple(255 - (255 - part) * 6 // 10 for part in colour)


def svg(title, layout, lef, library, parts, part_of):
    """`parts`: names, none for all in one colour; `part_of`: {cell: number of its part}."""
    parts = parts or ["cells"]
    pixels = Pixels(layout.die)
    palette = [GROUND, *(shade for colour in COLOURS[:len(parts)] for shade in (lighter(colour), colour))]
    images = (png(pixels.width, pixels.height, cells(layout, lef, library, pixels, part_of), palette),
              png(pixels.width, pixels.height, wires(layout, pixels), SHADES))
    width = 2 * pixels.width + 3 * MARGIN
    lines = textwrap.wrap(title, width // LETTER)
    top = HEAD + LINE * (len(lines) - 1)
    foot = top + pixels.height + LEGEND
    text, at, line, there = [], MARGIN, foot, set(part_of.values())
    for number, (name, colour) in enumerate(zip(parts, COLOURS)):
        if number not in there:
            continue
        step = 30 + 8 * len(name)
        if at + step > width:
            at, line = MARGIN, line + LINE
        text.append(f'<rect x="{at}" y="{line - 11}" width="12" height="12" fill="rgb{colour}"/>'
                    f'<text x="{at + 17}" y="{line}">{html.escape(name)}</text>')
        at += step
    height = line + MARGIN
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
            f"<title>{html.escape(title)}</title>", f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *(f'<text x="{MARGIN}" y="{22 + LINE * number}" font-size="15">{html.escape(words)}</text>'
              for number, words in enumerate(lines))]
    head += [f'<image x="{MARGIN + number * (pixels.width + MARGIN)}" y="{top}" width="{pixels.width}" height="{pixels.height}" '
             f'href="data:image/png;base64,{base64.b64encode(image).decode()}"/>' for number, image in enumerate(images)]
    words = ("cells by their part, registers darker", "wires of all layers: the lighter, the more of them")
    head += [f'<text x="{MARGIN + number * (pixels.width + MARGIN)}" y="{top + pixels.height + 15}" fill="#606060">{says}</text>'
             for number, says in enumerate(words)]
    return "\n".join([*head, *text, "</svg>"]) + "\n"
