# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Verilog of a library's cells, made of the functions that Liberty states: a second description beside the timing, so that
a mapped netlist can be simulated."""
import pathlib
import re

import liberty

TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*|[01])|(.))")


def verilog(function):
    """A Liberty function in Verilog: `A B`, `A*B` and `A&B` are "and", `A+B` is "or", `A'` and `!A` "not"."""
    words, last = [], None
    for name, sign in TOKEN.findall(function.strip()):
        starts = bool(name) or sign in "(!"
        if starts and last in ("operand", "close"):
            words.append("&")
        if name:
            words.append(f"1'b{name}" if name in "01" else name)
            last = "operand"
        elif sign == "'":
            words[-1:] = [f"(~{words[-1]})"] if last == "operand" else words[-1:]
            if last == "close":
                raise ValueError(f"{function}: ' behind a bracket")
        else:
            words.append({"!": "~", "*": "&", "+": "|"}.get(sign, sign))
            last = "close" if sign == ")" else None
    return " ".join(words)


def models(path, used):
    """Verilog modules of the cells `used` in the Liberty file."""
    text = []
    for statement in liberty.statements(liberty.read_text(pathlib.Path(path)))[1]:
        name = liberty.name_of_cell(statement)
        if name not in used:
            continue
        pins = dict(liberty.groups(statement, "pin"))
        outputs = {pin: re.search(r'\bfunction\s*:\s*"([^"]*)"', body) for pin, body in pins.items()
                   if liberty.attribute(body, "direction", "input") == "output"}
        inputs = [pin for pin in pins if pin not in outputs]
        lines = [f"module {name}({', '.join(f'input {pin}' for pin in inputs)}, "
                 f"{', '.join(f'output {pin}' for pin in outputs)});"]
        for states, body in liberty.groups(statement, "ff"):
            lines += register(*re.findall(r"\w+", states)[:2], body)
        lines += [f"  assign {pin} = {verilog(function[1])};" for pin, function in outputs.items() if function]
        text.append("\n".join(lines) + "\nendmodule\n")
    return "".join(text)


def register(state, inverse, body):
    """A flip-flop; `clear` and `preset` are asynchronous."""
    of = {key: verilog(value) for key, value in re.findall(r'(\w+)\s*:\s*"([^"]*)"', body)}
    clock = re.search(r"\w+", of["clocked_on"].replace("~", ""))[0]
    edge = "negedge" if "~" in of["clocked_on"] else "posedge"
    events, lines = [f"{edge} {clock}"], []
    for key, value in (("clear", "0"), ("preset", "1")):
        if key in of:
            pin = re.search(r"\w+", of[key].replace("~", ""))[0]
            events.append(f"{'negedge' if '~' in of[key] else 'posedge'} {pin}")
            lines.append(f"    if ({of[key]}) {state} <= 1'b{value}; else")
    return [f"  reg {state};", f"  wire {inverse} = ~{state};", f"  always @({' or '.join(events)})", *lines,
            f"    {state} <= {of['next_state']};"]
