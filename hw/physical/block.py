# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The parts of the device that can be measured, each with its module, and with the parameters that a configuration
gives it."""
import dataclasses
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "hw/spec"))
import spec_model  # noqa: E402

from technology import UserError  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Block:
    name: str
    module: str
    says: str
    parameters: dict
    kept: tuple = ()  # modules that are mapped once each: what repeats
    memories: bool = False  # it has some; they become macros
    parts: tuple = ()  # names of its parts, each with a pattern of the instances that it is
    drawn: tuple = ()  # the same, of those that a picture of its layout tells apart

    @property
    def is_engine(self):
        return self.name == "engine"

    @property
    def in_units(self):
        """It is cut into units, which are mapped one by one; else all of it is mapped at once."""
        return self.memories or self.parts != ()


# Modules of an engine that are mapped once each. Where two of them meet, nothing is optimised across.
KEPT = ("ppu_fp_mul", "ppu_fp_add", "ppu_fp_div", "ppu_row_pipe", "ppu_engine_pipe", "ppu_row_memory", "ppu_row_station",
        "ppu_flags", "ppu_flag_read", "ppu_row_linker", "ppu_dataflow", "ppu_impulse_memory", "ppu_velocity_memory",
        "ppu_working_set", "ppu_sequencer", "ppu_engine_counters", "ppu_tags")
# The first pattern that an instance's name has counts.
PARTS = (("buffers", r"^buffer_"), ("row pipe", r"\.u_pipe\.u_pipe\."), ("row memory", r"\.u_pipe\.u_rows\."), ("entry", r"\.gen_pipe\[\d+\]\.u_pipe\."),
         ("station", r"\.u_station\."), ("linker", r"\.u_linker\."), ("dataflow", r"\.u_dataflow\."),
         ("working set", r"\.u_set\."), ("tags", r"\.u_tags\."), ("rows", r"^u_rows\."), ("sequencer", r"^u_sequencer\."),
         ("counters", r"^u_counters\."), ("engine", ""))
PIPE_PARTS = (("buffers", r"^buffer_"), ("dot product", r"^u_dot\."), ("scaled add", r"^u_axpy\."),
              ("step, bias and bounds", r"^u_(step|bounds|bias|lead)\."), ("delays, divider, control", ""))


def latency(values):
    """Cycles from the issue of a row to that of the next one on its body: L of docs/inside/device.md."""
    mul, add, cycles = spec_model.pipe_end(spec_model.load(ROOT))
    return (values["choice_stages"] + mul * values["fp_mul_stages"] + add * values["fp_add_stages"] + cycles + 2 * (12 // values["lanes"] - 1) + 2)


def blocks(values):
    """The blocks of a configuration, by name."""
    pipes, banks = values["pipes"], values["velocity_banks"]
    stages = {"MulStages": values["fp_mul_stages"], "AddStages": values["fp_add_stages"],
              "DivStages": values["fp_div_stages"]}
    units = ("ppu_fp_mul", "ppu_fp_add")
    return {block.name: block for block in (
        Block("fp-add", "ppu_fp_add", "the binary32 adder", {"Stages": stages["AddStages"]}),
        Block("fp-mul", "ppu_fp_mul", "the binary32 multiplier", {"Stages": stages["MulStages"]}),
        Block("fp-div", "ppu_fp_div", "the binary32 divider of the residual", {"Stages": stages["DivStages"]}),
        Block("row-pipe", "ppu_row_pipe", "the row pipe, with its divider",
              {"Lanes": values["lanes"], **stages}, units, drawn=PIPE_PARTS),
        Block("issue", "ppu_issue", "issue in slot order", {"Pipes": pipes, "VelocityBanks": banks}),
        Block("select", "ppu_row_select", "which rows of the windows issue", {"Pipes": pipes, "VelocityBanks": banks}),
        Block("in-flight", "ppu_in_flight", "the rows under way",
              {"Pipes": pipes, "ChoiceStages": values["choice_stages"], "Latency": latency(values), "Interval": 12 // values["lanes"]}),
        Block("tags", "ppu_tags", "the tags of bodies",
              {"Bodies": values["body_memory_bodies"], "Rows": (values["filter_window"] + 1) * pipes, "Sets": 2 * pipes}),
        Block("sequencer", "ppu_sequencer", "the sequencer with its instruction memory",
              {"InstructionMemoryWords": values["instruction_memory_words"],
               "MemoryProtection": values["memory_protection"]}, (), True),
        Block("station", "ppu_row_station", "rows of a pipe between token and window, with their memories",
              {"Pipes": pipes, "VelocityBanks": banks, "Places": values["row_memory_rows"] // pipes,
               "SlotBits": bits(values["impulse_memory_rows"]), "BodyBits": bits(values["body_memory_bodies"]),
               "Early": latency(values) - 7 - bits(pipes), "MemoryProtection": values["memory_protection"]}, (), True),
        Block("linker", "ppu_row_linker", "the linker of rows, with its memories",
              {"Pipes": pipes, "Bodies": values["body_memory_bodies"], "Slots": values["impulse_memory_rows"],
               "Rows": values["row_memory_rows"]}, (), True),
        Block("dataflow", "ppu_dataflow", "dataflow issue: stations, linker, choice, tokens",
              {"Pipes": pipes, "VelocityBanks": banks, "RowMemoryRows": values["row_memory_rows"],
               "ImpulseMemoryRows": values["impulse_memory_rows"], "BodyMemoryBodies": values["body_memory_bodies"],
               "Latency": latency(values), "MemoryProtection": values["memory_protection"]}, KEPT, True),
        Block("working-set", "ppu_working_set", "impulses and velocities, with their memories",
              {"Pipes": pipes, "Lanes": values["lanes"], "MulStages": stages["MulStages"], "AddStages": stages["AddStages"],
               "VelocityBanks": banks,
               "ImpulseMemoryRows": values["impulse_memory_rows"], "BodyMemoryBodies": values["body_memory_bodies"],
               "Twice": values["dataflow"], "MemoryProtection": values["memory_protection"]}, units, True),
        Block("engine", "ppu_engine", "a whole engine, with its memories", engine(values), KEPT, True, PARTS, PARTS),
    )}


def bits(count):
    """Bits of a number below `count`."""
    return (count - 1).bit_length()


def engine(values):
    """The parameters of an engine."""
    return {"Pipes": values["pipes"], "Lanes": values["lanes"], "MulStages": values["fp_mul_stages"],
            "AddStages": values["fp_add_stages"], "DivStages": values["fp_div_stages"],
            "VelocityBanks": values["velocity_banks"], "RowMemoryRows": values["row_memory_rows"],
            "ImpulseMemoryRows": values["impulse_memory_rows"], "BodyMemoryBodies": values["body_memory_bodies"],
            "FilterWindow": values["filter_window"], "Dataflow": values["dataflow"],
            "ChoiceStages": values["choice_stages"],
            "MemoryProtection": values["memory_protection"],
            "InstructionMemoryWords": values["instruction_memory_words"],
            "MemoryPortBeats": values["memory_port_beats"]}


def values_of(config, overrides):
    """The keys of a configuration and of the parts behind it, joined by `+`: names or .toml files; a file as the first stands on
    `default`. With `KEY=NUMBER` in place of some. A technology among the parts states no more than a clock, which is measured
    here."""
    spec = spec_model.load(ROOT)
    values = {key["name"]: key["default"] for key in spec["config"]["key"]}
    first, *parts = config.split("+")
    given = keys_of("configuration", "default", spec["configs"], spec) if is_path(first) else {}
    given |= keys_of("configuration", first, spec["configs"], spec)
    for part in parts:
        given |= keys_of("part", part, spec["parts"], spec)
    for text in overrides:
        key, sign, number = text.partition("=")
        if key not in values or not sign or not re.fullmatch("[0-9]+", number):
            raise UserError(f"--set {text}: expected KEY=NUMBER with a key of docs/reference/config.md")
        refuse_outside(f"--set {text}", spec, {key: int(number)})
        given[key] = int(number)
    return values | given


def refuse_outside(where, spec, values):
    """Raises UserError for a value that its key cannot have."""
    for key in spec["config"]["key"]:
        value = values.get(key["name"])
        if value is None:
            continue
        if "allowed" in key:
            fits, expected = value in key["allowed"], "one of " + ", ".join(map(str, key["allowed"]))
        else:
            step = key.get("multiple", 1)
            fits = key["min"] <= value <= key["max"] and value % step == 0
            expected = f"{key['min']} to {key['max']}" + (f", a multiple of {step}" if step > 1 else "")
        if not fits:
            raise UserError(f"{where}: {key['name']} is {value}, expected {expected}")


def is_path(name):
    return "/" in name or name.endswith(".toml")


def keys_of(kind, name, named, spec, whole=()):
    """The keys of a named table or of a file: first those of its parts, then its own. `whole`: the files that it is a part of."""
    others = sorted(spec["technologies"]) if kind == "part" else []
    if name in others:
        return {}
    if name not in named and not is_path(name):
        raise UserError(f"--config {name}: no such {kind}, expected one of {', '.join([*named, *others])} or a .toml file")
    try:
        own = tomllib.loads(named[name] if name in named else pathlib.Path(name).read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"--config {name}: {error}") from error
    parts, known = own.pop("parts", []), {key["name"] for key in spec["config"]["key"]}
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise UserError(f"--config {name}: parts is not a list of names")
    for key, value in own.items():
        if key not in known or type(value) is not int:
            raise UserError(f"--config {name}: {key} = {value}: expected a number and a key of docs/reference/config.md")
    refuse_outside(f"--config {name}", spec, own)
    found = {}
    for part in parts:
        if part in (*whole, name):
            raise UserError(f"--config {part}: it is a part of itself")
        found |= keys_of("part", part, spec["parts"], spec, (*whole, name))
    return found | own
