# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The parts of the device that can be measured, each with its module, and with the parameters that a configuration
gives it."""
import dataclasses
import pathlib
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


def latency(values):
    """Cycles from the issue of a row to that of the next one on its body (docs: the device, cycle by cycle)."""
    mul, add, cycles = spec_model.pipe_end(spec_model.load(ROOT))
    return (mul * values["fp_mul_stages"] + add * values["fp_add_stages"] + cycles + 2 * (12 // values["lanes"] - 1))


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
              {"Lanes": values["lanes"], **stages}, units),
        Block("issue", "ppu_issue", "issue in slot order", {"Pipes": pipes, "VelocityBanks": banks}),
        Block("in-flight", "ppu_in_flight", "the rows under way",
              {"Pipes": pipes, "Latency": latency(values), "Interval": 12 // values["lanes"]}),
        Block("tags", "ppu_tags", "the tags of bodies",
              {"Bodies": values["body_memory_bodies"], "Rows": values["filter_window"] * pipes, "Sets": 2 * pipes}),
        Block("sequencer", "ppu_sequencer", "the sequencer with its instruction memory",
              {"InstructionMemoryWords": values["instruction_memory_words"],
               "MemoryProtection": values["memory_protection"]}, (), True),
        Block("station", "ppu_row_station", "the rows of a pipe between token and window, with their memories",
              {"Pipes": pipes, "VelocityBanks": banks, "Places": values["row_memory_rows"] // pipes,
               "SlotBits": bits(values["impulse_memory_rows"]), "BodyBits": bits(values["body_memory_bodies"]),
               "Early": latency(values) - 4 - bits(pipes), "MemoryProtection": values["memory_protection"]}, (), True),
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
            "MemoryProtection": values["memory_protection"],
            "InstructionMemoryWords": values["instruction_memory_words"]}


def values_of(config, overrides):
    """The keys of a named configuration or of a file, with `KEY=NUMBER` in place of some."""
    spec = spec_model.load(ROOT)
    values = {key["name"]: key["default"] for key in spec["config"]["key"]}
    path = pathlib.Path(config) if config.endswith(".toml") else ROOT / f"hw/configs/{config}.toml"
    try:
        given = tomllib.loads(path.read_text())
    except FileNotFoundError as error:
        names = ", ".join(sorted(file.stem for file in (ROOT / "hw/configs").glob("*.toml")))
        raise UserError(f"--config {config}: no such configuration, expected one of {names} or a .toml file") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: {error}") from error
    for text in overrides:
        key, sign, number = text.partition("=")
        if key not in values or not sign or not number.isdigit():
            raise UserError(f"--set {text}: expected KEY=NUMBER with a key of docs/reference/config.md")
        given[key] = int(number)
    return values | {key: value for key, value in given.items() if key in values}
