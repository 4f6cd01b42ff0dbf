# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The SystemVerilog package, and the check of the parameters."""
from emit_sv_device import sv_device
from spec_model import (camel, config_values, first_argument_register, head, pipe_end, reduced_offsets,
                        reduced_size, row_offsets)


def sv_package(spec):
    isa = spec["isa"]
    out = head("//", "Constants of the PPU specification, in the subset of SystemVerilog that Yosys reads.")
    out += ["package ppu_spec_pkg;", ""]
    width = max(c["lsb"] + c["width"] for c in isa["control"])
    out += ["  // Kernel control word.", f"  localparam int unsigned ControlWidth = {width};"]
    for c in isa["control"]:
        name = camel(c["name"])
        out += [f"  // {c['doc']}", f"  localparam int unsigned {name}Lsb = {c['lsb']};"]
        out += [f"  localparam int unsigned {name}Width = {c['width']};"] if c["width"] > 1 else []
        for n, v in enumerate(c["values"]):
            out += [f"  localparam logic [{c['width'] - 1}:0] {name}{camel(v)} = {c['width']}'d{n};"]
    out += ["", "  // Fields of an instruction word."]
    for name, (lsb, bits) in isa["layout"].items():
        out += [f"  localparam int unsigned Word{camel(name)}Lsb = {lsb};", f"  localparam int unsigned Word{camel(name)}Width = {bits};"]
    out += ["", "  // Latency of a row pipe with 12 lanes: multiplier stages, adder stages and cycles."]
    for name, count in zip(("Mul", "Add", "Cycles"), pipe_end(spec)):
        out += [f"  localparam int unsigned PipeEnd{name} = {count};"]
    out += ["", "  // Registers of the sequencer; argument n arrives in register FirstArgumentRegister + n.",
            f"  localparam int unsigned RegisterCount = {len(isa['registers']['names'])};",
            f"  localparam int unsigned FirstArgumentRegister = {first_argument_register(spec)};"]
    out += ["", "  // Opcodes."]
    for i in isa["instruction"]:
        out += [f"  localparam logic [7:0] Op{camel(i['name'])} = 8'h{i['opcode']:02x};"]
    out += [f"  localparam logic [7:0] OpKernelEnd = 8'h{isa['op'][-1]['opcode']:02x};"]
    out += ["", "  // Row record: byte offsets.", f"  localparam int unsigned RowBytes = {spec['row']['size_bytes']};",
            f"  localparam logic [31:0] RowNone = 32'h{spec['row']['none']:08x};"]
    for field, offset in row_offsets(spec):
        out += [f"  localparam int unsigned Row{camel(field['name'])}Offset = {offset};"]
    out += ["", "  // Reduced form: rows of a block, bytes of a tail, byte offsets in a tail and in a head.",
            f"  localparam int unsigned ReducedBlockRows = {spec['row']['reduced']['block_rows']};",
            f"  localparam int unsigned ReducedTailBytes = {reduced_size(spec, 'tail')};"]
    for part in ("tail", "head"):
        for field, offset in reduced_offsets(spec, part):
            out += [f"  localparam int unsigned Reduced{camel(field['name'])}Offset = {offset};"]
    out += sv_kernel_flops(spec) + sv_device(spec)
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
