# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The SystemVerilog package of an engine, and the check that its widths are those of its structures."""
import re

from emit_sv import max_width, sv_package
from emit_sv_device import sv_struct
from spec_model import camel, fail, head

RULE = "  // " + 93 * "-"


def sv_engine_package(spec):
    out = head("//", "What the modules of an engine tell each other.")
    out += ["// Of several pipes a port has all structures side by side, that of pipe 0 in the low bits; hence a", "// width beside each structure.",
            "package ppu_engine_pkg;", "", "  // Bits of the floating-point operations of a kernel for one row.",
            f"  localparam int unsigned FlopsWidth = {flops_width(spec)};"]
    widths = named_widths(spec)
    for section in spec["engine"]["section"]:
        out += ["", RULE, f"  // {section['title']}", RULE]
        for struct in section["struct"]:
            end, fields = 0, []
            for name, width, doc in reversed(struct["fields"]):
                kind, bits = field_type(widths, width, f"{struct['name']}.{name}")
                typed = f" (ppu_spec_pkg::{width[5:]}_t.)" if str(width).startswith("spec ") else ""
                fields.append((kind, name, end, bits, doc + typed))
                end += bits
            out += sv_struct(struct["doc"], struct["name"], end, fields)
            widths[struct["name"]] = end
    return out + ["", "endpackage"]


def named_widths(spec):
    """The widths that engine.toml and dataflow.toml may name: numbers of the largest engine, and the types of ppu_spec_pkg."""
    slot, body = (max_width(spec, key) for key in ("impulse_memory_rows", "body_memory_bodies"))
    types = re.findall(r"localparam int unsigned (\w+)Width = (\d+);", "\n".join(sv_package(spec)))
    return {"slot": slot, "count": slot + 1, "body": body, "flops": flops_width(spec)} | {f"spec {name}": int(bits) for name, bits in types}


def flops_width(spec):
    """Bits of a sum of the operations of as many kernel words as fit behind an instruction."""
    words = next(key["max"] for key in spec["config"]["key"] if key["name"] == "instruction_memory_words")
    return ((words - 1) * 63).bit_length()


def field_type(widths, width, where):
    """The type of a field, None if it follows from the number of bits, and that number."""
    if isinstance(width, int):
        return None, width
    if width.endswith(" words"):
        count = int(width.split()[0])
        return f"logic [{count - 1}:0][31:0]", 32 * count
    # Yosys 0.23 knows no type of another package in a structure: such a field is a vector.
    name = "spec " + camel(width[5:]) if width.startswith("spec ") else width
    if name not in widths:
        fail(f"engine.toml, dataflow.toml: {where}: there is no width '{width}'")
    return (None if name in ("slot", "count", "body", "flops") or name != width else f"{name}_t"), widths[name]


def sv_width_check(spec):
    """A module that stops elaboration where a width is not that of its structure."""
    out = head("//", "Stops elaboration where a width beside a structure is not the number of its bits.")
    out += ["module ppu_width_check;", "", "`ifdef VERILATOR  // Yosys 0.23 has no $bits of a type."]
    for package, lines in (("ppu_spec_pkg", sv_package(spec)), ("ppu_engine_pkg", sv_engine_package(spec))):
        for name in re.findall(r"^  } (\w+)_t;", "\n".join(lines), re.M):
            out += [f"  if ($bits({package}::{name}_t) != {package}::{camel(name)}Width) begin : gen_{name}",
                    f'    $error("{package}::{camel(name)}Width is not the width of {name}_t");', "  end"]
    return out + ["`endif", "", "endmodule"]
