# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The specification as the emitters see it: read, cross-checked, and what follows from it."""
import hashlib
import re
import sys
import tomllib

SPEC_FILES = ("isa", "kernel", "row", "registers", "commands", "counters", "config")
MAX_OPERANDS = 6


def fail(message):
    sys.exit(f"generate.py: {message}")


def load(root):
    """Reads and cross-checks the specification; returns it as one dict with a hash of its bytes."""
    spec, digest = {}, hashlib.sha256()
    for name in SPEC_FILES:
        raw = (root / "hw/spec" / f"{name}.toml").read_bytes()
        digest.update(raw)
        spec[name] = tomllib.loads(raw.decode())
    spec["isa"] |= spec.pop("kernel")
    spec["engine"] = {"section": []}  # not seen from outside: not in the hash
    for name in ("engine", "dataflow"):
        spec["engine"]["section"] += tomllib.loads((root / f"hw/spec/{name}.toml").read_text())["section"]
    spec["cycles"] = tomllib.loads((root / "hw/spec/timing.toml").read_text())["cycles"]
    spec["hash"] = int.from_bytes(digest.digest()[:4], "little")
    spec["configs"] = {p.stem: p.read_text() for p in sorted((root / "hw/configs").glob("*.toml"))}
    spec["parts"] = {p.stem: p.read_text() for p in sorted((root / "hw/configs/parts").glob("*.toml"))}
    spec["technologies"] = {p.stem for p in (root / "hw/physical/figures").glob("*.json")}
    check(spec)
    return spec


def check(spec):
    isa = spec["isa"]
    opcodes = [i["opcode"] for i in isa["instruction"] + isa["op"]]
    if len(set(opcodes)) != len(opcodes):
        fail("isa.toml, kernel.toml: an opcode is used twice")
    fields = {c["name"]: c for c in isa["control"]}
    for op in isa["op"]:
        for field, value in op.get("set", {}).items():
            if field not in fields:
                fail(f"kernel.toml: op {op['name']}: there is no control field '{field}'")
            if value not in fields[field]["values"]:
                fail(f"kernel.toml: op {op['name']}: {field} has no value '{value}'")
        if len(op["operands"]) > MAX_OPERANDS:
            fail(f"kernel.toml: op {op['name']} has more than {MAX_OPERANDS} operands")
    used = 0
    for c in isa["control"]:
        mask = ((1 << c["width"]) - 1) << c["lsb"]
        if used & mask or len(c["values"]) > 1 << c["width"]:
            fail(f"kernel.toml: control field {c['name']} overlaps another or has too many values")
        used |= mask
    if row_size(spec) != spec["row"]["size_bytes"]:
        fail(f"row.toml: the fields take {row_size(spec)} bytes")
    reduced = spec["row"]["reduced"]
    if reduced_size(spec, "head") != spec["commands"]["beat_bytes"] or reduced_size(spec, "tail") * reduced["block_rows"] != spec["commands"]["beat_bytes"]:
        fail("row.toml: the head of a reduced row, and the tails of a block, must be a beat")
    cycles = [c["name"] for c in spec["cycles"]]
    if len(set(cycles)) != len(cycles):
        fail("timing.toml: a name is used twice")
    keys = {k["name"] for k in spec["config"]["key"]}
    for name, text in spec["configs"].items():
        values = tomllib.loads(text)
        for part in values.pop("parts", []):
            if part not in spec["parts"] and part not in spec["technologies"]:
                fail(f"hw/configs/{name}.toml: there is no part '{part}'")
        check_keys(f"hw/configs/{name}.toml", values, keys)
    for name, text in spec["parts"].items():
        check_keys(f"hw/configs/parts/{name}.toml", tomllib.loads(text), keys)
    fields = {f["name"] for f in spec["commands"]["field"]}
    flags = {f["name"] for f in spec["commands"]["flag"]}
    for command in spec["commands"]["command"]:
        for name in command["fields"]:
            if name not in fields:
                fail(f"commands.toml: command {command['name']}: there is no field '{name}'")
        for name in command["flags"]:
            if name not in flags:
                fail(f"commands.toml: command {command['name']}: there is no flag '{name}'")


def check_keys(where, values, keys):
    for key in values:
        if key not in keys:
            fail(f"{where}: unknown key '{key}'")


def config_values(spec, name):
    """Every key of a named configuration: defaults, then its parts, then its own keys. A clock of a technology is looked up
    by the programs, from what was measured."""
    own = tomllib.loads(spec["configs"][name])
    values = {k["name"]: k["default"] for k in spec["config"]["key"]}
    for part in own.pop("parts", []):
        values.update({"clock_mhz": f"of {part}"} if part in spec["technologies"] else tomllib.loads(spec["parts"][part]))
    return {**values, **own}


def command_masks(spec):
    """For each command, the sixteen masks of the bits that it may set."""
    fields = {f["name"]: f for f in spec["commands"]["field"]}
    flags = {f["name"]: f for f in spec["commands"]["flag"]}
    for command in spec["commands"]["command"]:
        masks = [0] * 16
        for name in ["opcode", *command["fields"]]:
            field = fields[name]
            for word in range(field["word"], field["word"] + field.get("count", 1)):
                masks[word] |= ((1 << field.get("width", 32)) - 1) << field.get("lsb", 0)
        for name in command["flags"]:
            masks[0] |= 1 << (fields["flags"]["lsb"] + flags[name]["bit"])
        yield command, masks


def row_size(spec):
    return sum(4 * f.get("count", 1) for f in spec["row"]["field"])


def row_offsets(spec):
    offset = 0
    for field in spec["row"]["field"]:
        yield field, offset
        offset += 4 * field.get("count", 1)


def reduced_offsets(spec, part):
    """The fields of the head or of the tail of a reduced row, each with its byte offset in it."""
    fields = {f["name"]: f for f in spec["row"]["field"]}
    offset = 0
    for name in spec["row"]["reduced"][part]:
        yield fields[name], offset
        offset += 4 * fields[name].get("count", 1)


def reduced_size(spec, part):
    return sum(4 * f.get("count", 1) for f, _ in reduced_offsets(spec, part))


def first_argument_register(spec):
    return spec["isa"]["registers"]["names"].index(spec["isa"]["argument"][0]["register"])


def pipe_end(spec):
    """Latest end of a kernel operation, in multiplier stages, adder stages and cycles."""
    ends = [tuple(s + l for s, l in zip(moment(op.get("start", "0")), moment(op.get("length", "0")))) for op in spec["isa"]["op"]]
    last = max(ends)
    if any(any(e > l for e, l in zip(end, last)) for end in ends):
        fail("isa.toml: no kernel operation ends last for all stage counts")
    return last


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def control_bits(spec, op):
    """(mask, bits) that an operation asserts in the control word."""
    mask = bits = 0
    fields = {c["name"]: c for c in spec["isa"]["control"]}
    for field, value in op.get("set", {}).items():
        c = fields[field]
        mask |= ((1 << c["width"]) - 1) << c["lsb"]
        bits |= c["values"].index(value) << c["lsb"]
    return mask, bits


def moment(text):
    """'2m+5a+c' -> (2, 5, 1): multiplier stages, adder stages, cycles."""
    out = [0, 0, 0]
    for count, unit in re.findall(r"(\d*)([mac])", text):
        out["mac".index(unit)] += int(count or 1)
    return out


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


HEAD = ("SPDX-License-Identifier: Apache-2.0", "SPDX-FileCopyrightText: The open PPU authors")


def head(comment, what):
    lines = [f"{comment} {line}" for line in HEAD]
    return lines + [f"{comment} {what}", f"{comment} Generated by hw/spec/generate.py from hw/spec/*.toml; do not edit.", ""]
