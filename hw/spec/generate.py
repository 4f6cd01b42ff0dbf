#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Generate every file that repeats a fact of hw/spec/*.toml or hw/configs/*.toml.

usage: generate.py [--check] [--root DIR]

Writes the SystemVerilog package, the C and C++ headers and the reference pages. `--check` writes nothing
and exits 1 with the names of the files that are out of date. Standard library only.
"""
import argparse
import hashlib
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SPEC_FILES = ("isa", "row", "registers", "commands", "counters", "config")
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
    spec["hash"] = int.from_bytes(digest.digest()[:4], "little")
    spec["configs"] = {p.stem: p.read_text() for p in sorted((root / "hw/configs").glob("*.toml"))}
    spec["parts"] = {p.stem: p.read_text() for p in sorted((root / "hw/configs/parts").glob("*.toml"))}
    check(spec)
    return spec


def check(spec):
    isa = spec["isa"]
    opcodes = [i["opcode"] for i in isa["instruction"] + isa["op"]]
    if len(set(opcodes)) != len(opcodes):
        fail("isa.toml: an opcode is used twice")
    fields = {c["name"]: c for c in isa["control"]}
    for op in isa["op"]:
        for field, value in op.get("set", {}).items():
            if field not in fields:
                fail(f"isa.toml: op {op['name']}: there is no control field '{field}'")
            if value not in fields[field]["values"]:
                fail(f"isa.toml: op {op['name']}: {field} has no value '{value}'")
        if len(op["operands"]) > MAX_OPERANDS:
            fail(f"isa.toml: op {op['name']} has more than {MAX_OPERANDS} operands")
    used = 0
    for c in isa["control"]:
        mask = ((1 << c["width"]) - 1) << c["lsb"]
        if used & mask or len(c["values"]) > 1 << c["width"]:
            fail(f"isa.toml: control field {c['name']} overlaps another or has too many values")
        used |= mask
    if row_size(spec) != spec["row"]["size_bytes"]:
        fail(f"row.toml: the fields take {row_size(spec)} bytes")
    keys = {k["name"] for k in spec["config"]["key"]}
    for name, text in spec["configs"].items():
        values = tomllib.loads(text)
        for part in values.pop("parts", []):
            if part not in spec["parts"]:
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
    """Every key of a named configuration: defaults, then its parts, then its own keys."""
    own = tomllib.loads(spec["configs"][name])
    values = {k["name"]: k["default"] for k in spec["config"]["key"]}
    for part in own.pop("parts", []):
        values.update(tomllib.loads(spec["parts"][part]))
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


def c_header(spec):
    out = head("//", "Row record, counters, registers and run states of the PPU, for C11 and C++17.")
    out += ["#ifndef PPU_SPEC_H_", "#define PPU_SPEC_H_", "", "#include <stdint.h>", ""]
    out += [f"#define PPU_SPEC_HASH 0x{spec['hash']:08x}u", f"#define PPU_NONE 0x{spec['row']['none']:08x}u"]
    out += [f"#define PPU_ROW_BYTES {spec['row']['size_bytes']}u", ""]
    out += ["/// One constraint row in device memory, in issue (slot) order.", "typedef struct ppu_row {"]
    for field in spec["row"]["field"]:
        ctype = {"f32": "float", "u32": "uint32_t"}[field["type"]]
        array = f"[{field['count']}]" if "count" in field else ""
        out += [f"  /// {field['doc']}", f"  {ctype} {field['name']}{array};"]
    out += ["} ppu_row;", "", "/// Counters of one run, 64 bits each.", "typedef enum ppu_counter {"]
    for n, counter in enumerate(spec["counters"]["counter"]):
        out += [f"  /// {counter['doc']}", f"  PPU_COUNTER_{counter['name'].upper()} = {n},"]
    out += [f"  PPU_COUNTER_COUNT = {len(spec['counters']['counter'])}", "} ppu_counter;", ""]
    out += ["/// State of a run.", "typedef enum ppu_run_status {"]
    for status in spec["registers"]["run_status"]:
        out += [f"  /// {status['doc']}", f"  PPU_RUN_{status['name'].upper()} = {status['value']},"]
    out[-1] = out[-1].rstrip(",")
    out += ["} ppu_run_status;", "", "/// Offsets of the device registers in bytes.", "typedef enum ppu_register {"]
    for reg in spec["registers"]["register"]:
        out += [f"  /// {reg['doc']}", f"  PPU_REGISTER_{reg['name'].upper()} = 0x{reg['offset']:02x},"]
    out[-1] = out[-1].rstrip(",")
    out += ["} ppu_register;", "", "/// What went wrong with a row or an instruction, in more detail than the run status.", "typedef enum ppu_fault_detail {"]
    for detail in spec["registers"]["fault_detail"]:
        out += [f"  /// {detail['doc']}", f"  PPU_FAULT_{detail['name'].upper()} = {detail['value']},"]
    out[-1] = out[-1].rstrip(",")
    out += ["} ppu_fault_detail;", "", "/// Why a command was rejected or failed.", "typedef enum ppu_command_error {"]
    for error in spec["commands"]["error"]:
        out += [f"  /// {error['doc']}", f"  PPU_COMMAND_ERROR_{error['name'].upper()} = {error['value']},"]
    out[-1] = out[-1].rstrip(",")
    out += ["} ppu_command_error;", "", "/// Counters of the device, 64 bits each.", "typedef enum ppu_device_counter {"]
    for n, counter in enumerate(spec["counters"]["device_counter"]):
        out += [f"  /// {counter['doc']}", f"  PPU_DEVICE_COUNTER_{counter['name'].upper()} = {n},"]
    out += [f"  PPU_DEVICE_COUNTER_COUNT = {len(spec['counters']['device_counter'])}", "} ppu_device_counter;", "", f"#define PPU_MAGIC 0x{spec['registers']['register'][0]['reset']:08x}u", ""]
    return out + ["#endif  // PPU_SPEC_H_"]


def cpp_header(spec):
    isa = spec["isa"]
    out = head("//", "Tables of the PPU specification: instruction set, kernel operations, counters, configuration keys.")
    out += ["#pragma once", "", "#include <array>", "#include <cstdint>", "#include <string_view>", "", '#include "ppu/spec.h"', ""]
    out += ["namespace ppu::spec {", "", f"inline constexpr std::uint32_t kIsaVersion = {isa['version']};", ""]
    # Control word.
    for c in isa["control"]:
        names = ", ".join(f"k{camel(v)}" for v in c["values"])
        out += [f"/// {c['doc']}", f"enum class {camel(c['name'])} : std::uint32_t {{ {names} }};"]
    out += ["", "/// Kernel control word: what one row does on its way through the row pipe.", "struct ControlWord {", "  std::uint32_t bits = 0;", ""]
    for c in isa["control"]:
        cls = camel(c["name"])
        out += [f"  [[nodiscard]] constexpr {cls} {c['name']}() const {{",
                f"    return static_cast<{cls}>((bits >> {c['lsb']}U) & {(1 << c['width']) - 1}U);", "  }"]
    out += ["  friend constexpr bool operator==(ControlWord a, ControlWord b) { return a.bits == b.bits; }", "};", ""]
    width = max(c["lsb"] + c["width"] for c in isa["control"])
    out += [f"inline constexpr std::uint32_t kControlBits = {width};", ""]
    out += ["struct ControlField {", "  std::string_view name;", "  std::uint32_t lsb;", "  std::uint32_t width;",
            "  std::array<std::string_view, 4> values;  ///< Empty from the first unused one on.", "  std::string_view doc;", "};"]
    out += [f"inline constexpr std::array<ControlField, {len(isa['control'])}> kControlFields = {{{{"]
    for c in isa["control"]:
        values = ", ".join(quote(v) for v in c["values"])
        out += [f"    {{{quote(c['name'])}, {c['lsb']}, {c['width']}, {{{values}}},", f"     {quote(c['doc'])}}},"]
    out += ["}};", ""]
    # Registers and instructions.
    regs = isa["registers"]["names"]
    out += [f"inline constexpr std::array<std::string_view, {len(regs)}> kRegisterNames = {{", "    " + ", ".join(quote(r) for r in regs) + "};", ""]
    out += ["/// Index in the run command's argument list; argument n arrives in register 1 + n (a0, a1, ...).", "enum class Argument : std::uint32_t {"]
    for a in isa["argument"]:
        out += [f"  /// {a['doc']}", f"  k{camel(a['name'])} = {regs.index(a['register']) - 1},"]
    first = regs.index(isa["argument"][0]["register"])
    out += ["};", f"inline constexpr std::uint32_t kFirstArgumentRegister = {first};  ///< a0", "inline constexpr std::uint32_t kArgumentCount = 8;", ""]
    out += ["enum class Opcode : std::uint8_t {"]
    for i in isa["instruction"]:
        out += [f"  k{camel(i['name'])} = 0x{i['opcode']:02x},"]
    first, last = isa["op"][0], isa["op"][-1]
    layout = isa["layout"]
    field = lambda name: f"word >> {layout[name][0]}U & 0x{(1 << layout[name][1]) - 1:x}U"
    decode = ", ".join(field(name) for name in layout)
    encode = " | ".join(f"fields.{name} << {lsb}U" for name, (lsb, _) in layout.items() if name != "rc")
    out += [f"  kKernelFirst = 0x{first['opcode']:02x},  ///< Kernel operations have this bit set.",
            f"  kKernelEnd = 0x{last['opcode']:02x},", "};", ""]
    out += ["/// The fields of an instruction word.", "struct Fields {", f"  std::uint32_t {' = 0, '.join(layout)} = 0;", "};",
            "constexpr Fields decode(std::uint32_t word) {", f"  return {{{decode}}};", "}",
            "/// The word of the fields; rc is the low bits of imm.",
            "constexpr std::uint32_t encode(const Fields& fields) {", f"  return {encode};", "}", ""]
    out += ["struct Instruction {", "  std::string_view name;", "  Opcode opcode;",
            "  std::string_view format;  ///< See isa.toml: one character per operand.", "  std::string_view doc;", "};"]
    out += [f"inline constexpr std::array<Instruction, {len(isa['instruction'])}> kInstructions = {{{{"]
    for i in isa["instruction"]:
        out += [f"    {{{quote(i['name'])}, Opcode::k{camel(i['name'])}, {quote(i['format'])},", f"     {quote(i['doc'])}}},"]
    out += ["}};", ""]
    # Kernel operations.
    out += ["/// A moment in the row pipe, in multiplier stages, adder stages and plain cycles.", "struct Moment {",
            "  int mul_stages;", "  int add_stages;", "  int cycles;", "};", "",
            "/// Rows to which the flops of an operation apply.", "enum class FlopsWhen : std::uint8_t { kAlways, kWithCfm, kWithParent };", "",
            "struct KernelOp {", "  std::string_view name;", "  std::uint8_t opcode;",
            f"  std::array<std::string_view, {MAX_OPERANDS}> operands;  ///< Patterns; empty from the first unused one on.",
            "  int results;                ///< Leading operands that the operation defines.",
            "  std::uint32_t mask;         ///< Control bits the operation decides ...",
            "  std::uint32_t bits;         ///< ... and their values; encoded in the word.",
            "  int mul, add, cmp;          ///< Flops per row.", "  FlopsWhen when;", "  Moment start, length;", "  std::string_view doc;", "};"]
    out += [f"inline constexpr std::array<KernelOp, {len(isa['op'])}> kKernelOps = {{{{"]
    whens = {None: "kAlways", "with cfm": "kWithCfm", "with a parent": "kWithParent"}
    for op in isa["op"]:
        mask, bits = control_bits(spec, op)
        flops = op.get("flops", {})
        operands = ", ".join(quote(o) for o in op["operands"])
        spans = ", ".join("{%d, %d, %d}" % tuple(moment(op.get(k, "0"))) for k in ("start", "length"))
        out += [f"    {{{quote(op['name'])}, 0x{op['opcode']:02x}, {{{operands}}}, {op['dst']}, 0x{mask:03x}, 0x{bits:03x},",
                f"     {flops.get('mul', 0)}, {flops.get('add', 0)}, {flops.get('cmp', 0)}, FlopsWhen::{whens[flops.get('when')]}, {spans},",
                f"     {quote(op['doc'])}}},"]
    out += ["}};", ""]
    out += ["/// The operation with that opcode, or null.", "constexpr const KernelOp* find_op(std::uint32_t opcode) {",
            "  for (const KernelOp& op : kKernelOps)", "    if (op.opcode == opcode) return &op;", "  return nullptr;", "}", "",
            "/// When the last operation of any kernel ends: the latency of a row pipe with 12 lanes.",
            "inline constexpr Moment kPipeEnd = {%d, %d, %d};" % pipe_end(spec), ""]
    elements = next(f["count"] for f in spec["row"]["field"] if f["name"] == "jacobian")
    out += ["/// Elements of J and JM: linear and angular, body a and body b.", f"inline constexpr int kRowElements = {elements};", ""]
    # Row operands.
    names = [(f["asm"], f["doc"]) for f in spec["row"]["field"]] + [(a["asm"], a["doc"]) for a in spec["row"]["alias"]]
    out += ["struct RowOperand {", "  std::string_view name;  ///< As in `r.NAME`.", "  std::string_view doc;", "};"]
    out += [f"inline constexpr std::array<RowOperand, {len(names)}> kRowOperands = {{{{"]
    out += [f"    {{{quote(n)}, {quote(d)}}}," for n, d in names] + ["}};", ""]
    # Counters, run status.
    out += ["struct Counter {", "  std::string_view name;", "  std::string_view label;  ///< Short name of a stall class, else empty.",
            "  bool timed;   ///< Zero on back ends without time.", "  bool stall;   ///< A class of cycles; the classes sum to `cycles`.", "  std::string_view doc;", "};"]
    for table_name, counters in (("kCounters", spec["counters"]["counter"]), ("kDeviceCounters", spec["counters"]["device_counter"])):
        out += [f"inline constexpr std::array<Counter, {len(counters)}> {table_name} = {{{{"]
        for c in counters:
            flags = ", ".join(str(c.get(k, False)).lower() for k in ("timed", "stall"))
            out += [f"    {{{quote(c['name'])}, {quote(c.get('label', ''))}, {flags},", f"     {quote(c['doc'])}}},"]
        out += ["}};", ""]
    out += cpp_commands(spec)
    out += ["struct RunStatusInfo {", "  ppu_run_status value;", "  std::string_view name;", "  std::string_view doc;", "};"]
    statuses = spec["registers"]["run_status"]
    out += [f"inline constexpr std::array<RunStatusInfo, {len(statuses)}> kRunStatuses = {{{{"]
    out += [f"    {{PPU_RUN_{s['name'].upper()}, {quote(s['name'])},\n     {quote(s['doc'])}}}," for s in statuses] + ["}};", ""]
    # Configuration.
    keys = spec["config"]["key"]
    out += ["/// A resolved device configuration.", "struct Config {"]
    for k in keys:
        out += [f"  /// {k['doc']}", f"  std::uint32_t {k['name']} = {k['default']};"]
    out += ["};", "", "struct ConfigKey {", "  std::string_view name;", "  std::uint32_t Config::* member;",
            "  std::uint32_t min, max;", "  std::uint32_t multiple;                ///< The value is a multiple of this.",
            "  std::array<std::uint32_t, 8> allowed;  ///< Exact choices; zero from the first unused one on.",
            "  bool shape;                            ///< A parameter of the RTL.", "  std::string_view doc;", "};"]
    out += [f"inline constexpr std::array<ConfigKey, {len(keys)}> kConfigKeys = {{{{"]
    for k in keys:
        allowed = k.get("allowed", [])
        low, high = (min(allowed), max(allowed)) if allowed else (k["min"], k["max"])
        out += [f"    {{{quote(k['name'])}, &Config::{k['name']}, {low}, {high}, {k.get('multiple', 1)}, {{{', '.join(map(str, allowed))}}},",
                f"     {str(k.get('shape', False)).lower()}, {quote(k['doc'])}}},"]
    out += ["}};", "", "struct NamedConfig {", "  std::string_view name;", "  std::string_view toml;", "};"]
    for table_name, files in (("kNamedConfigs", spec["configs"]), ("kConfigParts", spec["parts"])):
        out += [f"inline constexpr std::array<NamedConfig, {len(files)}> {table_name} = {{{{"]
        for name, text in files.items():
            out += [f"    {{{quote(name)}, R\"toml({text})toml\"}},"]
        out += ["}};", ""]
    return out + ["}  // namespace ppu::spec"]


def cpp_commands(spec):
    """The command ring: sizes, opcodes, fields, flags, errors and the report's header."""
    commands, registers = spec["commands"], spec["registers"]
    sizes = {k: v for k, v in commands.items() if isinstance(v, int)}
    names = {"size_bytes": "kCommandBytes", "beat_bytes": "kBeatBytes", "descriptor_bytes": "kDescriptorBytes",
             "report_header_bytes": "kReportHeaderBytes", "fence_bytes": "kFenceBytes", "error_queue_entries": "kErrorQueueEntries"}
    out = [f"inline constexpr std::uint32_t {names[k]} = {v};" for k, v in sizes.items()]
    out += [f"inline constexpr std::uint32_t kVelocityBytes = {spec['row']['velocity_bytes']};",
            f"inline constexpr std::uint32_t kImpulseBytes = {spec['row']['impulse_bytes']};", ""]
    out += ["enum class CommandOpcode : std::uint8_t {"] + [f"  k{camel(c['name'])} = 0x{c['opcode']:02x},  ///< {c['doc']}" for c in commands["command"]] + ["};", ""]
    out += ["/// Where a field of a command is.", "struct CommandField {", "  std::uint32_t word, lsb, width;", "};", "namespace command_field {"]
    for f in commands["field"]:
        out += [f"/// {f['doc']}", f"inline constexpr CommandField k{camel(f['name'])} = {{{f['word']}, {f.get('lsb', 0)}, {f.get('width', 32)}}};"]
    out += ["}  // namespace command_field", ""]
    out += [f"/// {f['doc']}\ninline constexpr std::uint32_t kFlag{camel(f['name'])} = {1 << f['bit']};" for f in commands["flag"]] + [""]
    out += ["struct CommandInfo {", "  CommandOpcode opcode;", "  std::string_view name;",
            "  std::array<std::uint32_t, 16> allowed;  ///< Bits of each word that the command may set.", "};"]
    out += [f"inline constexpr std::array<CommandInfo, {len(commands['command'])}> kCommands = {{{{"]
    for command, masks in command_masks(spec):
        out += [f"    {{CommandOpcode::k{camel(command['name'])}, {quote(command['name'])},", "     {" + ", ".join(f"0x{m:x}" for m in masks) + "}},"]
    out += ["}};", ""]
    for struct, table_name, prefix, items in (("CommandErrorInfo", "kCommandErrors", "PPU_COMMAND_ERROR_", commands["error"]),
                                              ("FaultDetailInfo", "kFaultDetails", "PPU_FAULT_", registers["fault_detail"])):
        ctype = {"CommandErrorInfo": "ppu_command_error", "FaultDetailInfo": "ppu_fault_detail"}[struct]
        out += [f"struct {struct} {{", f"  {ctype} value;", "  std::string_view name;", "  std::string_view doc;", "};"]
        out += [f"inline constexpr std::array<{struct}, {len(items)}> {table_name} = {{{{"]
        out += [f"    {{{prefix}{i['name'].upper()}, {quote(i['name'])},\n     {quote(i['doc'])}}}," for i in items] + ["}};", ""]
    out += ["/// Words of a report's header.", "enum class ReportWord : std::uint32_t {"]
    out += [f"  k{camel(w['name'])},  ///< {w['doc']}" for w in registers["report_word"]] + ["};", ""]
    return out


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
    out += ["", "  // Opcodes."]
    for i in isa["instruction"]:
        out += [f"  localparam logic [7:0] Op{camel(i['name'])} = 8'h{i['opcode']:02x};"]
    out += [f"  localparam logic [7:0] OpKernelEnd = 8'h{isa['op'][-1]['opcode']:02x};"]
    out += ["", "  // Row record: byte offsets.", f"  localparam int unsigned RowBytes = {spec['row']['size_bytes']};",
            f"  localparam logic [31:0] RowNone = 32'h{spec['row']['none']:08x};"]
    for field, offset in row_offsets(spec):
        out += [f"  localparam int unsigned Row{camel(field['name'])}Offset = {offset};"]
    out += sv_kernel_flops(spec) + sv_device(spec)
    out += ["", "  // Named configurations: the parameters that shape the RTL."]
    for name in spec["configs"]:
        values = config_values(spec, name)
        for key in spec["config"]["key"]:
            if key.get("shape"):
                out += [f"  localparam int unsigned {camel(name)}{camel(key['name'])} = {values[key['name']]};"]
    return out + ["", "endpackage"]


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


def sv_device(spec):
    """Registers, commands, errors, report and counters for the device around the engines."""
    commands, registers = spec["commands"], spec["registers"]
    out = ["", f"  localparam logic [31:0] SpecHash = 32'h{spec['hash']:08x};", f"  localparam logic [31:0] Magic = 32'h{registers['register'][0]['reset']:08x};",
           f"  localparam int unsigned VelocityBytes = {spec['row']['velocity_bytes']};", f"  localparam int unsigned ImpulseBytes = {spec['row']['impulse_bytes']};"]
    out += [f"  localparam int unsigned {camel('command_size_bytes' if k == 'size_bytes' else k)} = {v};" for k, v in commands.items() if isinstance(v, int)]
    out += ["", "  // Register offsets."]
    out += [f"  localparam logic [7:0] Reg{camel(r['name'])} = 8'h{r['offset']:02x};" for r in registers["register"]]
    out += ["", "  // Commands."]
    out += [f"  localparam logic [7:0] Cmd{camel(c['name'])} = 8'h{c['opcode']:02x};" for c in commands["command"]]
    for f in commands["field"]:
        lsb = 32 * f["word"] + f.get("lsb", 0)
        out += [f"  localparam int unsigned Cmd{camel(f['name'])}Lsb = {lsb};", f"  localparam int unsigned Cmd{camel(f['name'])}Width = {f.get('width', 32) * f.get('count', 1)};"]
    out += [f"  localparam int unsigned CmdFlag{camel(f['name'])} = {f['bit']};" for f in commands["flag"]]
    out += ["", "  // Bits that a command may set; none if there is no such command.", "  function automatic logic [511:0] command_mask(input logic [7:0] opcode);", "    case (opcode)"]
    for command, masks in command_masks(spec):
        value = sum(mask << (32 * n) for n, mask in enumerate(masks))
        out += [f"      8'h{command['opcode']:02x}: command_mask = 512'h{value:x};"]
    out += ["      default: command_mask = '0;", "    endcase", "  endfunction"]
    for title, prefix, items in (("Command errors", "Error", commands["error"]), ("Run states", "Run", registers["run_status"]), ("Fault details", "Fault", registers["fault_detail"])):
        out += ["", f"  // {title}."] + [f"  localparam logic [3:0] {prefix}{camel(i['name'])} = 4'd{i['value']};" for i in items]
    out += ["", "  // Words of a report's header."] + [f"  localparam int unsigned Report{camel(w['name'])} = {n};" for n, w in enumerate(registers["report_word"])]
    for title, prefix, items in (("Counters of a run", "Counter", spec["counters"]["counter"]), ("Counters of the device", "DeviceCounter", spec["counters"]["device_counter"])):
        out += ["", f"  // {title}.", f"  localparam int unsigned {prefix}Count = {len(items)};"]
        out += [f"  localparam int unsigned {prefix}{camel(c['name'])} = {n};" for n, c in enumerate(items)]
    return out


def table(header, rows):
    cells = [[str(c).replace("|", "\\|") for c in row] for row in [header, *rows]]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return [lines[0], "|" + "---|" * len(header)] + lines[1:] + [""]


def doc_head(title):
    return ["<!-- SPDX-License-Identifier: Apache-2.0 -->", "<!-- Generated by hw/spec/generate.py; do not edit. -->", f"# {title}", ""]


def doc_isa(spec):
    isa = spec["isa"]
    out = doc_head("Instruction set") + ["Words are 32 bits: " + ", ".join(f"{n} in {l + w - 1}:{l}" for n, (l, w) in isa["layout"].items()) + ".", isa["registers"]["doc"], ""]
    out += ["## Arguments of a run", ""] + table(["register", "name", "meaning"], [[a["register"], a["name"], a["doc"]] for a in isa["argument"]])
    out += ["## Control instructions", ""]
    show = {"-": "", "a": "ra", "ab": "ra, rb", "abc": "ra, rb, rc", "ai": "ra, imm", "abi": "ra, rb, imm", "abl": "ra, rb, label", "l": "label"}
    out += table(["syntax", "opcode", "meaning"], [[f"`{i['name']} {show[i['format']]}`".replace(" `", "`"), f"0x{i['opcode']:02x}", i["doc"]] for i in isa["instruction"]])
    out += ["## Kernel operations", "", "`r.NAME` is a field of the row; any other operand is a value in the pipe, under any name the program likes.",
            "Start and length are in stages: m multiplier, a adder, c one cycle. Flops are per row.", ""]
    rows = []
    for op in isa["op"]:
        f = op.get("flops", {})
        count = sum(f.get(k, 0) for k in ("mul", "add", "cmp"))
        sets = ", ".join(f"{k}={v}" for k, v in op.get("set", {}).items())
        when = f" {f['when']}" if "when" in f else ""
        rows += [[f"`{op['name']} {', '.join(op['operands'])}`".replace(" `", "`"), f"0x{op['opcode']:02x}", f"{count}{when}", op.get("start", ""), op.get("length", ""), sets, op["doc"]]]
    out += table(["syntax", "opcode", "flops", "start", "length", "control", "meaning"], rows)
    out += ["## Kernel control word", ""]
    return out + table(["field", "bits", "values", "meaning"], [[c["name"], f"{c['lsb'] + c['width'] - 1}:{c['lsb']}", ", ".join(f"{n} {v}" for n, v in enumerate(c["values"])), c["doc"]] for c in isa["control"]])


def doc_row(spec):
    out = doc_head("Row record") + [f"{spec['row']['size_bytes']} bytes, little-endian; `none` is 0x{spec['row']['none']:08x}.", ""]
    rows = [[o, f["name"], f"r.{f['asm']}", f["type"] + (f"[{f['count']}]" if "count" in f else ""), f["doc"]] for f, o in row_offsets(spec)]
    out += table(["offset", "field", "in kernels", "type", "meaning"], rows)
    return out + ["Other row operands of kernels:", ""] + table(["in kernels", "meaning"], [[f"r.{a['asm']}", a["doc"]] for a in spec["row"]["alias"]])


def doc_registers(spec):
    out = doc_head("Registers and run states") + table(["offset", "name", "meaning"], [[f"0x{r['offset']:02x}", r["name"], r["doc"]] for r in spec["registers"]["register"]])
    out += table(["code", "run status", "meaning"], [[s["value"], s["name"], s["doc"]] for s in spec["registers"]["run_status"]])
    out += table(["code", "fault detail", "meaning"], [[s["value"], s["name"], s["doc"]] for s in spec["registers"]["fault_detail"]])
    out += ["## Report of a run", "", f"A header of {spec['commands']['report_header_bytes']} bytes with these 32-bit words, then the [counters](counters.md) of the run.", ""]
    return out + table(["word", "name", "meaning"], [[n, w["name"], w["doc"]] for n, w in enumerate(spec["registers"]["report_word"])])


def doc_commands(spec):
    commands = spec["commands"]
    fields = {f["name"]: f for f in commands["field"]}
    out = doc_head("Commands") + [f"{commands['size_bytes']} bytes each, sixteen 32-bit little-endian words; bits that no field names are zero.", ""]
    out += table(["opcode", "command", "fields", "flags", "meaning"], [[f"0x{c['opcode']:02x}", c["name"], ", ".join(c["fields"]), ", ".join(c["flags"]), c["doc"]] for c in commands["command"]])
    place = lambda f: f"{f['word']}" + (f" to {f['word'] + f['count'] - 1}" if "count" in f else "") + (f", bits {f['lsb'] + f['width'] - 1}:{f['lsb']}" if "width" in f else "")
    out += table(["field", "word", "meaning"], [[n, place(f), f["doc"]] for n, f in fields.items()])
    out += table(["flag", "bit", "meaning"], [[f["name"], f["bit"], f["doc"]] for f in commands["flag"]])
    return out + table(["code", "error", "meaning"], [[e["value"], e["name"], e["doc"]] for e in commands["error"]])


def doc_counters(spec):
    out = doc_head("Counters") + ["Counters marked *timed* stay 0 on the functional back end. The counters marked with a stall class sum to `cycles`.", ""]
    rows = lambda kind: [[c["name"], "yes" if c.get("timed") else "", c.get("label", ""), c["doc"]] for c in spec["counters"][kind]]
    out += ["## Of a run", ""] + table(["counter", "timed", "stall class", "meaning"], rows("counter"))
    return out + ["## Of the device", ""] + table(["counter", "timed", "meaning"], [[n, t, d] for n, t, _, d in rows("device_counter")])


def doc_config(spec):
    names = list(spec["configs"])
    values = {n: config_values(spec, n) for n in names}
    rows = []
    for k in spec["config"]["key"]:
        span = ", ".join(map(str, k["allowed"])) if "allowed" in k else f"{k['min']} to {k['max']}"
        rows += [[k["name"], span] + [values[n][k["name"]] for n in names] + [k["doc"]]]
    out = doc_head("Configuration") + ["`--config NAME` takes a named configuration, `--config FILE` a TOML file with these keys (the rest keep the values of `default`), `--set key=value` overrides one.", ""]
    out += table(["key", "range", *names, "meaning"], rows)
    out += ["## Parts", "", "Device memories and host links to put in place of a configuration's own: `--config default+p1_gddr3+pci`. A file may name them too: `parts = [\"hbm2\"]`.", ""]
    first_comment = lambda text: next(line[2:] for line in text.splitlines() if line.startswith("# ") and "SPDX" not in line)
    return out + table(["part", "what", "keys"], [[n, first_comment(t), ", ".join(f"{k} = {v}" for k, v in tomllib.loads(t).items())] for n, t in spec["parts"].items()])


OUTPUTS = {
    "driver/include/ppu/spec.h": c_header,
    "hw/spec/generated/ppu_spec.hpp": cpp_header,
    "rtl/ppu_spec_pkg.sv": sv_package,
    "docs/reference/isa.md": doc_isa,
    "docs/reference/row.md": doc_row,
    "docs/reference/registers.md": doc_registers,
    "docs/reference/commands.md": doc_commands,
    "docs/reference/counters.md": doc_counters,
    "docs/reference/config.md": doc_config,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a generated file is out of date")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent.parent, help="top of the source tree")
    args = parser.parse_args()
    spec = load(args.root)
    stale = []
    for name, make in OUTPUTS.items():
        path, text = args.root / name, "\n".join(make(spec)).rstrip("\n") + "\n"
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for name in stale:
        print(("out of date: " if args.check else "wrote ") + name)
    sys.exit(1 if args.check and stale else 0)


if __name__ == "__main__":
    main()
