# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The drawing of the house: a picture with the rooms of each area in a column, the higher the more they stand
on, and a table of every room. Arrows that follow from others are left out of the picture, not of the table."""
import collections
import html

import house
import source_tree as tree

PICTURE = "docs/images/house.svg"
PAGE = "docs/inside/house.md"
BEGIN, END = "<!-- rooms -->\n", "<!-- /rooms -->\n"
ORDER = ("base", "firmware", "model", "hw", "driver", "sim")
COLOURS = {"base": "#555555", "firmware": "#8a5a00", "model": "#5b3fa0", "hw": "#0b5fa5", "driver": "#1d7044", "sim": "#a3333d"}
WIDTH, HEIGHT, GAP, STOREY, MARGIN = 96, 34, 12, 64, 20


def places(rooms, heights):
    """Room -> left and top of its box, and the size of the picture."""
    floors = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in rooms:
        floors[name.split("/")[0]][heights[name]].append(name)
    top = max(heights.values())
    found, left = {}, MARGIN
    for area in ORDER:
        wide = max(len(names) for names in floors[area].values())
        for height, names in floors[area].items():
            start = left + (wide - len(names)) * (WIDTH + GAP) / 2
            for index, name in enumerate(names):
                found[name] = (start + index * (WIDTH + GAP), MARGIN + (top - height) * STOREY)
        left += wide * (WIDTH + GAP) + 2 * GAP
    return found, left, 2 * MARGIN + top * STOREY + HEIGHT


def arrow(at, name, other, stroke):
    """The way from one room down to another."""
    x, y = at[name][0] + WIDTH / 2, at[name][1] + HEIGHT
    to_x, to_y = at[other][0] + WIDTH / 2, at[other][1]
    bend = (to_y - y) / 2
    return (f'<path d="M{x:g} {y:g} C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}" '
            f'fill="none" stroke="{COLOURS[name.split("/")[0]]}" {stroke}/>')


def picture(rooms):
    arrows = {name: room.may_use & set(rooms) for name, room in rooms.items()}
    at, width, height = places(rooms, house.storeys(arrows))
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
             'font-family="sans-serif" font-size="13">',
             "<title>The rooms of the tree: each stands on those it uses</title>",
             f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>']
    lines += [arrow(at, name, other, 'stroke-opacity="0.45" stroke-width="1.3"')
              for name, others in house.drawn(arrows).items() for other in sorted(others)]
    lines += [arrow(at, name, other, 'stroke-width="1.5" stroke-dasharray="5 4"')
              for name, other in house.MESSAGES.items()]
    for name, (x, y) in at.items():
        colour = COLOURS[name.split("/")[0]]
        lines += [f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="#ffffff" stroke="{colour}" '
                  'stroke-width="1.5"/>',
                  f'<text x="{x + WIDTH / 2:g}" y="{y + 15:g}" text-anchor="middle" fill="{colour}" font-size="10">'
                  f'{name.split("/")[0]}</text>',
                  f'<text x="{x + WIDTH / 2:g}" y="{y + 28:g}" text-anchor="middle">'
                  f'{html.escape(name.split("/")[1])}</text>']
    return "\n".join(lines + ["</svg>"]) + "\n"


def table(rooms):
    lines = ["| room | holds | uses | for its sources alone |", "|---|---|---|---|"]
    for area in ORDER:
        lines += [f"| `{name}` | {room.holds} | {', '.join(room.uses) or '-'} | {', '.join(room.inside) or '-'} |"
                  for name, room in rooms.items() if name.startswith(area + "/")]
    return "\n".join(lines) + "\n"


def files():
    """Path -> text of every file that the rooms decide."""
    rooms = house.rooms()
    page = (tree.ROOT / PAGE).read_text()
    before, rest = page.split(BEGIN)
    return {PICTURE: picture(rooms), PAGE: before + BEGIN + table(rooms) + END + rest.split(END)[1]}
