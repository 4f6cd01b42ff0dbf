# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The SystemVerilog package, and the check of the parameters."""
from emit_sv_device import sv_device, sv_struct
from spec_model import (camel, config_values, first_argument_register, head, pipe_end, reduced_offsets,
                        reduced_size, row_offsets)


def sv_package(spec):
    isa = spec["isa"]
    out = head("//", "Constants of the PPU specification, in the subset of SystemVerilog that Yosys reads.")
    out += ["package ppu_spec_pkg;", ""]
    width = max(c["lsb"] + c["width"] for c in isa["control"])
    out += sv_struct("A kernel control word.", "control", width, [(None, c["name"], c["lsb"], c["width"], c["doc"]) for c in isa["control"]])[1:]
    out += ["", "  // Values of its fields."]
    for c in isa["control"]:
        for n, v in enumerate(c["values"]):
            out += [f"  localparam logic [{c['width'] - 1}:0] {camel(c['name'])}{camel(v)} = {c['width']}'d{n};"]
    layout = isa["layout"]
    out += sv_struct("An instruction word.", "instruction", 32, [(None, name, *layout[name], doc) for name, doc in INSTRUCTION_FIELDS])
    out += ["", "  // Register rc, in the immediate.", f"  localparam int unsigned RcLsb = {layout['rc'][0]};",
            f"  localparam int unsigned RcWidth = {layout['rc'][1]};"]
    out += ["", "  // Latency of a row pipe with 12 lanes: multiplier stages, adder stages and cycles."]
    for name, count in zip(("Mul", "Add", "Cycles"), pipe_end(spec)):
        out += [f"  localparam int unsigned PipeEnd{name} = {count};"]
    out += ["", "  // Cycles that the cycle model knows, too: see hw/spec/timing.toml."]
    for cycles in spec["cycles"]:
        if not cycles.get("stages"):
            out += [f"  // {cycles['doc']}", f"  localparam int unsigned {camel(cycles['name'])}Cycles = {cycles['count']};"]
    out += ["", "  // Registers of the sequencer; argument n arrives in register FirstArgumentRegister + n.",
            f"  localparam int unsigned RegisterCount = {len(isa['registers']['names'])};",
            f"  localparam int unsigned FirstArgumentRegister = {first_argument_register(spec)};"]
    out += ["", "  // Opcodes."]
    for i in isa["instruction"]:
        out += [f"  localparam logic [7:0] Op{camel(i['name'])} = 8'h{i['opcode']:02x};"]
    out += [f"  localparam logic [7:0] OpKernelEnd = 8'h{isa['op'][-1]['opcode']:02x};"]
    out += ["", "  // Rows: bytes of a record, no body and no parent.", f"  localparam int unsigned RowBytes = {spec['row']['size_bytes']};",
            f"  localparam logic [31:0] RowNone = 32'h{spec['row']['none']:08x};"]
    out += sv_record("row_record", "A row record as it lies in memory, its first byte in the lowest bits.", row_offsets(spec))
    out += ["", "  // The reduced form: rows of a block, bytes of a tail.",
            f"  localparam int unsigned ReducedBlockRows = {spec['row']['reduced']['block_rows']};",
            f"  localparam int unsigned ReducedTailBytes = {reduced_size(spec, 'tail')};"]
    for part in ("tail", "head"):
        out += sv_record(f"reduced_{part}", f"The {part} of a row in the reduced form.", reduced_offsets(spec, part))
    out += ["", "  // Beats of rows in the reduced form: a head each, and the tails of every block.",
            "  function automatic logic [32:0] reduced_beats(input logic [31:0] rows);",
            "    reduced_beats = 33'(rows) + (33'(rows) + 33'(ReducedBlockRows - 1)) / 33'(ReducedBlockRows);", "  endfunction"]
    slot, body = (max_width(spec, key) for key in ("impulse_memory_rows", "body_memory_bodies"))
    out += ["", "  // Bits of a slot, of a number of rows and of a body's number in the largest engine; a smaller one", "  // leaves the upper bits 0.",
            f"  localparam int unsigned SlotWidth = {slot};", f"  localparam int unsigned CountWidth = {slot + 1};",
            f"  localparam int unsigned BodyWidth = {body};"]
    out += sv_kernel_flops(spec) + sv_device(spec) + sv_counters(spec)
    out += ["", "  // Named configurations: the parameters that shape the RTL."]
    for name in spec["configs"]:
        values = config_values(spec, name)
        for key, _ in shape_keys(spec):
            out += [f"  localparam int unsigned {camel(name)}{camel(key['name'])} = {values[key['name']]};"]
    out += ["", "  // The largest values of the keys of what surrounds the RTL."]
    for key in spec["config"]["key"]:
        if not key.get("shape"):
            out += [f"  localparam int unsigned Max{camel(key['name'])} = {key['max']};"]
    return out + ["", "endpackage"]


INSTRUCTION_FIELDS = (("opcode", "What it does."), ("ra", "Register a."), ("rb", "Register b."), ("imm", "Immediate; register c in its low bits."))


def sv_record(name, title, offsets):
    """A structure of 32-bit words in memory order."""
    fields = [(f"logic [{f['count'] - 1}:0][31:0]" if f.get("count", 1) > 1 else None, f["name"], 8 * offset, 32 * f.get("count", 1), f["doc"]) for f, offset in offsets]
    return sv_struct(title, name, fields[-1][2] + fields[-1][3], fields)


def max_width(spec, name):
    """Bits that count up to the largest value of a configuration key, from 0 on."""
    key = next(k for k in spec["config"]["key"] if k["name"] == name)
    return (key["max"] - 1).bit_length()


def shape_keys(spec):
    """The keys that shape the RTL, each with the name of its parameter."""
    return [(key, camel(key["name"]).replace("Fp", "")) for key in spec["config"]["key"] if key.get("shape")]


def sv_shape_check(spec):
    """A module that stops elaboration at a parameter that hw/spec/config.toml does not allow."""
    out = head("//", "Stops elaboration at a shape that cannot be built: the parameters of ppu_top, and what each may be.")
    parameters = [f"  parameter int unsigned {name} = ppu_spec_pkg::Default{camel(key['name'])}" for key, name in shape_keys(spec)]
    out += ["module ppu_shape_check #(", *(line + "," for line in parameters[:-1]), parameters[-1], ");", ""]
    for key, name in shape_keys(spec):
        if "allowed" in key:
            good = " || ".join(f"{name} == {value}" for value in key["allowed"])
            *most, last = map(str, key["allowed"])
            range_text = ", ".join(most) + " or " + last
        else:
            good = f"{name} >= {key['min']} && {name} <= {key['max']}"
            range_text = f"{key['min']} to {key['max']}"
            if key.get("multiple", 1) > 1:
                good += f" && {name} % {key['multiple']} == 0"
                range_text += f", a multiple of {key['multiple']}"
        out += [f"  if (!({good})) begin : gen_bad_{key['name']}", f'    $error("{name} must be {range_text}");', "  end"]
    return out + ["", "endmodule"]


def sv_kernel_flops(spec):
    """A function from the opcode of a kernel operation to what the flop counter needs."""
    whens = {None: 0, "with cfm": 1, "with a parent": 2}
    out = ["", "  // Kernel operations: {exists, rows the flops apply to (0 all, 1 with cfm, 2 with a parent), flops}.",
           "  localparam int unsigned FlopsAlways = 0;", "  localparam int unsigned FlopsWithCfm = 1;", "  localparam int unsigned FlopsWithParent = 2;",
           "  function automatic logic [8:0] kernel_op(input logic [7:0] opcode);", "    case (opcode)"]
    for op in spec["isa"]["op"]:
        flops = op.get("flops", {})
        count = sum(flops.get(k, 0) for k in ("mul", "add", "cmp"))
        out += [f"      8'h{op['opcode']:02x}: kernel_op = {{1'b1, 2'd{whens[flops.get('when')]}, 6'd{count}}};"]
    return out + ["      default: kernel_op = '0;", "    endcase", "  endfunction"]


def sv_counters(spec):
    """The counters of a run, and what a cycle adds to them."""
    counters = list(enumerate(spec["counters"]["counter"]))
    out = sv_struct("The counters of a run, counter 0 in the lowest bits.", "counters", 64 * len(counters), [(None, c["name"], 64 * n, 64, c["doc"]) for n, c in counters])
    return out + sv_struct("What a cycle adds to each of them.", "increments", 32 * len(counters), [(None, c["name"], 32 * n, 32, "") for n, c in counters])

