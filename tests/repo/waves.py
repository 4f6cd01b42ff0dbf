# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Timing diagrams: WaveDrom's JSON (clocks, levels, boxes with data) drawn as SVG."""
import html
import json

STEP, LINE, BOX, TOP = 62, 30, 20, 52
COLOURS = {"=": "#e2e8f0", "2": "#e2e8f0", "3": "#dbeafe", "4": "#ede9fe", "5": "#dcfce7",
           "6": "#fdba74", "7": "#bbf7d0", "8": "#e5e7eb", "9": "#fecaca"}
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" \
font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12">
  <!-- SPDX-License-Identifier: Apache-2.0 -->
  <!-- SPDX-FileCopyrightText: The open PPU authors -->
  <!-- Drawn from {name}. -->
  <title>{title}</title>
  <rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>
"""


def text(x, y, words, anchor="middle", size=12, weight="normal", fill="#0f172a"):
    return (f'  <text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" '
            f'font-weight="{weight}" fill="{fill}">{html.escape(words)}</text>\n')


def stretches(wave):
    """The wave as (kind, first place, length): a dot goes on with what stands before it."""
    found = []
    for place, kind in enumerate(wave):
        if kind == "." and found:
            found[-1][2] += 1
        else:
            found.append([kind, place, 1])
    return found


def line_of(signal, left, top, step):
    """One signal: boxes, a clock, or levels."""
    words, out = iter(signal.get("data", ())), ""
    for kind, place, length in stretches(signal["wave"]):
        x, width = left + place * step, length * step
        if kind == "p":
            path = "".join(f"M{x + i * step:g},{top + BOX}v{-BOX}h{step / 2:g}v{BOX}h{step / 2:g}"
                           for i in range(length))
            out += f'  <path d="{path}" fill="none" stroke="#334155"/>\n'
        elif kind in COLOURS:
            out += (f'  <rect x="{x + 1:g}" y="{top}" width="{width - 2:g}" height="{BOX}" rx="3" '
                    f'fill="{COLOURS[kind]}" stroke="#94a3b8"/>\n')
            out += text(x + width / 2, top + 14, next(words), size=11)
        else:
            y = top + (0 if kind == "1" else BOX if kind == "0" else BOX / 2)
            dashes = "" if kind in "01" else ' stroke-dasharray="2 4"'
            out += f'  <path d="M{x:g},{y:g}h{width:g}" stroke="#94a3b8"{dashes}/>\n'
    return out


def drawn(path):
    """The SVG of a JSON file."""
    wave = json.loads(path.read_text())
    signals, head = wave["signal"], wave["head"]
    every, count = head.get("every", 1), max(len(signal["wave"]) for signal in signals)
    step, left = STEP / every, 16 + 7.5 * max(len(signal["name"]) for signal in signals)
    width, foot = left + count * step + 16, wave.get("foot", {}).get("text", "")
    height = TOP + LINE * len(signals) + (24 if foot else 4)
    ticks = head["tick"] if isinstance(head["tick"], list) else [
        str(head["tick"] + i) for i in range(-(-count // every))]
    out = HEAD.format(width=f"{width:g}", height=height, name=path.name, title=head["text"])
    out += text(width / 2, 18, head["text"], size=13, weight="bold")
    for place, tick in enumerate(ticks):
        x = left + place * STEP
        out += (f'  <path d="M{x:g},{TOP - 8}V{TOP + LINE * len(signals) - 6}" stroke="#e2e8f0"/>\n'
                + text(x + STEP / 2, TOP - 12, tick, size=11, fill="#64748b"))
    for place, signal in enumerate(signals):
        top = TOP + place * LINE
        out += text(left - 10, top + 14, signal["name"], anchor="end")
        out += line_of(signal, left, top, step)
    if foot:
        out += text(left, height - 8, foot, anchor="start", size=11, fill="#64748b")
    return out + "</svg>\n"
