# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The C and C++ headers."""
from spec_model import (MAX_OPERANDS, camel, command_masks, control_bits, first_argument_register,
                        head, moment, pipe_end, quote, reduced_offsets)


def c_fields(fields):
    """Members of a struct of device memory."""
    out = []
    for field in fields:
        ctype = {"f32": "float", "u32": "uint32_t"}[field["type"]]
        array = f"[{field['count']}]" if "count" in field else ""
        out += [f"  /// {field['doc']}", f"  {ctype} {field['name']}{array};"]
    return out


def c_header(spec):
    out = head("//", "Row record, counters, registers and run states of the PPU, for C11 and C++17.")
    out += ["#ifndef PPU_SPEC_H_", "#define PPU_SPEC_H_", "", "#include <stdint.h>", ""]
    out += [f"#define PPU_SPEC_HASH 0x{spec['hash']:08x}u", f"#define PPU_NONE 0x{spec['row']['none']:08x}u"]
    out += [f"#define PPU_ROW_BYTES {spec['row']['size_bytes']}u", ""]
    out += ["/// One constraint row in device memory, in issue (slot) order.", "typedef struct ppu_row {"]
    out += c_fields(spec["row"]["field"]) + ["} ppu_row;", ""]
    for part in ("tail", "head"):
        out += [f"/// The {part} of a row in the reduced form; its jacobian stands for inv_mass_jacobian, too.", f"typedef struct ppu_reduced_{part} {{"]
        out += c_fields(field for field, _ in reduced_offsets(spec, part)) + [f"}} ppu_reduced_{part};", ""]
    out += [f"#define PPU_REDUCED_BLOCK_ROWS {spec['row']['reduced']['block_rows']}u", ""]
    out += ["/// Consecutive rows in the reduced form. The last block ends behind its last head.", "typedef struct ppu_reduced_block {",
            "  ppu_reduced_tail tail[PPU_REDUCED_BLOCK_ROWS];", "  ppu_reduced_head head[PPU_REDUCED_BLOCK_ROWS];", "} ppu_reduced_block;", ""]
    out += ["/// Counters of one run, 64 bits each.", "typedef enum ppu_counter {"]
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
    out += ["/// Index in the run command's argument list; argument n arrives in register kFirstArgumentRegister + n.", "enum class Argument : std::uint32_t {"]
    for a in isa["argument"]:
        out += [f"  /// {a['doc']}", f"  k{camel(a['name'])} = {regs.index(a['register']) - first_argument_register(spec)},"]
    arguments = next(f["count"] for f in spec["commands"]["field"] if f["name"] == "arguments")
    out += ["};", f"inline constexpr std::uint32_t kFirstArgumentRegister = {first_argument_register(spec)};  ///< a0", f"inline constexpr std::uint32_t kArgumentCount = {arguments};", ""]
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
    out += ["// Cycles that the RTL has, too: see hw/spec/timing.toml."]
    for cycles in spec["cycles"]:
        out += [f"/// {cycles['doc']}", f"inline constexpr int k{camel(cycles['name'])}Cycles = {cycles['count']};"]
    out += [""]
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
             "report_header_bytes": "kReportHeaderBytes", "fence_bytes": "kFenceBytes", "error_queue_entries": "kErrorQueueEntries",
             "contexts": "kContexts", "context_page_bytes": "kContextPageBytes"}
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
    out += ["/// What an engine is doing.", "enum class EnginePhase : std::uint8_t {"]
    out += [f"  k{camel(p['name'])},  ///< {p['doc']}" for p in registers["engine_phase"]] + ["};"]
    names = [quote(p["name"]) for p in registers["engine_phase"]]
    out += [f"inline constexpr std::array<std::string_view, {len(names)}> kEnginePhaseNames = {{", f"    {', '.join(names)}}};", ""]
    out += ["/// Words of a report's header.", "enum class ReportWord : std::uint32_t {"]
    out += [f"  k{camel(w['name'])},  ///< {w['doc']}" for w in registers["report_word"]] + ["};", ""]
    return out


def cpp_registers(spec):
    registers = spec["registers"]["register"]
    out = head("//", "The device registers: where they are and what may be done to them.")
    out += ["#pragma once", "", "#include <array>", "#include <cstdint>", "", "namespace ppu::spec {", "",
            "struct Register {", "  std::uint32_t offset;", "  bool readable, writable;", "};",
            f"inline constexpr std::array<Register, {len(registers)}> kRegisters = {{{{"]
    for reg in registers:
        flags = ", ".join("true" if letter in reg["access"] else "false" for letter in "rw")
        out += [f"    {{0x{reg['offset']:02x}, {flags}}},  // {reg['name']}"]
    return out + ["}};", "", "}  // namespace ppu::spec"]
