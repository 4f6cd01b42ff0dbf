# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A treemap as SVG: areas as rectangles of their size, as square as they come (Bruls, Huizing, van Wijk: squarified
treemaps, 2000)."""
import html

WIDTH, HEIGHT, MARGIN, HEAD = 960, 480, 8, 34


def worst(row, side):
    """The largest ratio of sides among the rectangles of a row along `side`."""
    whole = sum(row)
    return max(max(side * side * size / whole ** 2, whole ** 2 / (side * side * size)) for size in row)


def squares(sizes, left, top, width, height):
    """(left, top, width, height) for each size, the largest first, which fill the rectangle."""
    sizes, found = list(sizes), []
    scale = width * height / sum(sizes) if sizes else 0
    sizes = [size * scale for size in sizes]
    while sizes:
        side, row = min(width, height), [sizes.pop(0)]
        while sizes and worst(row + sizes[:1], side) <= worst(row, side):
            row.append(sizes.pop(0))
        thick, at = sum(row) / side, 0
        for size in row:
            found.append((left, top + at, thick, size / thick) if width >= height else (left + at, top, size / thick, thick))
            at += size / thick
        if width >= height:
            left, width = left + thick, width - thick
        else:
            top, height = top + thick, height - thick
    return found


def svg(title, entries):
    """`entries`: (name, size, colour, the size in words)."""
    entries = sorted((entry for entry in entries if entry[1] > 0), key=lambda entry: -entry[1])
    places = squares([size for _, size, _, _ in entries], MARGIN, HEAD, WIDTH - 2 * MARGIN, HEIGHT - HEAD - MARGIN)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             'font-size="13">', f"<title>{html.escape(title)}</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
             f'<text x="{MARGIN}" y="22" font-size="15">{html.escape(title)}</text>']
    for (name, _, colour, words), (left, top, width, height) in zip(entries, places):
        lines.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}" '
                     f'stroke="#ffffff" stroke-width="2"><title>{html.escape(f"{name}: {words}")}</title></rect>')
        wide = 7 * len(name) + 14
        if width >= 20 and height >= wide and width < wide:  # from top to bottom
            lines.append(f'<text transform="translate({left + width / 2 - 4:.1f} {top + 7:.1f}) rotate(90)" fill="#ffffff">'
                         f'{html.escape(name)}</text>')
        elif height >= 20 and width >= wide:
            lines.append(f'<text x="{left + 7:.1f}" y="{top + 17:.1f}" fill="#ffffff">{html.escape(name)}</text>')
            if height >= 38 and width >= 7 * len(words) + 14:
                lines.append(f'<text x="{left + 7:.1f}" y="{top + 33:.1f}" fill="#ffffff" fill-opacity="0.85" font-size="12">'
                             f'{html.escape(words)}</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"
