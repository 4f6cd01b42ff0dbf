# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What the SystemVerilog package says of the device around the engines: beats, commands, registers, reports, counters."""
import re
import textwrap

from spec_model import camel, command_masks

# The layouts of a command, each with the command whose fields it has. The fields of every other
# command lie where one of these has them: copy_within is a copy without a list.
COMMAND_LAYOUTS = {"copy": "copy_in", "load": "load_program", "run": "run", "fence": "fence", "query": "query", "flip": "flip", "scrub": "scrub"}


def sv_device(spec):
    """Beats, commands, registers, errors, report and counters."""
    commands, registers = spec["commands"], spec["registers"]
    out = ["", f"  localparam logic [31:0] SpecHash = 32'h{spec['hash']:08x};", f"  localparam logic [31:0] Magic = 32'h{registers['register'][0]['reset']:08x};",
           f"  localparam int unsigned VelocityBytes = {spec['row']['velocity_bytes']};", f"  localparam int unsigned ImpulseBytes = {spec['row']['impulse_bytes']};"]
    out += [f"  localparam int unsigned {camel('command_size_bytes' if k == 'size_bytes' else k)} = {v};" for k, v in commands.items() if isinstance(v, int)]
    out += sv_beats(commands["beat_bytes"])
    out += sv_enum("Offsets of the registers.", "Reg", "register_e", 8, ((r["name"], r["offset"]) for r in registers["register"]))
    out += sv_contexts(spec) + sv_commands(spec)
    for title, prefix, name, bits, items in (
            ("Command errors.", "Error", "command_error_e", 4, commands["error"]),
            ("Run states.", "Run", "run_status_e", 4, registers["run_status"]),
            ("Fault details.", "Fault", "fault_detail_e", 5, registers["fault_detail"]),
            ("Phases of an engine.", "Phase", "engine_phase_e", 3, registers["engine_phase"])):
        out += sv_enum(title, prefix, name, bits, ((i["name"], i.get("value", n)) for n, i in enumerate(items)))
    return out + sv_records(spec)


def sv_beats(beat_bytes):
    """What one transfer moves, and what carries it."""
    number = 32 - (beat_bytes - 1).bit_length()
    out = ["", "  // A beat is what one transfer on the port of device memory or on the host link moves.",
           f"  localparam int unsigned BeatWidth = {8 * beat_bytes};", f"  localparam int unsigned BeatNumberWidth = {number};",
           "  typedef logic [BeatWidth-1:0] beat_t;",
           "  typedef logic [BeatNumberWidth-1:0] beat_number_t;  // address / bytes of a beat",
           "  typedef logic [BeatBytes-1:0] beat_strobe_t;  // which bytes of a beat are written"]
    carried = [("beat_t", "data", 0, 8 * beat_bytes, ""), ("beat_strobe_t", "strobe", 8 * beat_bytes, beat_bytes, ""), ("beat_number_t", "beat", 9 * beat_bytes, number, "")]
    out += sv_struct("A write on the host link.", "link_write", 9 * beat_bytes + number, carried)
    out += sv_struct("A request to device memory; strobe and data matter to a write only.", "memory_request",
                     9 * beat_bytes + number + 2, [*carried, (None, "write", 9 * beat_bytes + number, 1, ""),
                                                   (None, "pair", 9 * beat_bytes + number + 1, 1,
                                                    "A read of the beat behind it, too.")])
    out += sv_struct("A response of device memory.", "memory_response", 8 * beat_bytes + 1, [
        ("beat_t", "data", 0, 8 * beat_bytes, "What was read; anything for a write."),
        (None, "write", 8 * beat_bytes, 1, "It acknowledges a write.")])
    return out + sv_struct("A line of instruction memory to write.", "program_line", 8 * beat_bytes + 16, [
        ("beat_t", "data", 0, 8 * beat_bytes, ""), (None, "line", 8 * beat_bytes, 16, "Word address / words of a beat.")])


def sv_contexts(spec):
    """What the registers say of a context; addresses are aligned to beats."""
    docs = {r["name"]: r["doc"] for r in spec["registers"]["register"]}
    beat_bytes, contexts = spec["commands"]["beat_bytes"], spec["commands"]["contexts"]
    beat = 32 - (beat_bytes - 1).bit_length()
    # Of the largest instruction memory, the line behind its last one.
    words = next(key["max"] for key in spec["config"]["key"] if key["name"] == "instruction_memory_words")
    line = (4 * words // beat_bytes).bit_length()
    page = (spec["commands"]["context_page_bytes"] - 1).bit_length()
    id_bits = (contexts - 1).bit_length()
    out = ["", "  // The number of a context, and the address of a register: the page of a context, the offset in it.",
           f"  localparam int unsigned ContextIdWidth = {id_bits};", f"  typedef logic [{id_bits - 1}:0] context_id_t;",
           f"  localparam int unsigned RegisterOffsetWidth = {page};", f"  localparam int unsigned RegisterAddressWidth = {page + id_bits};",
           f"  localparam int unsigned LineNumberWidth = {line};"]
    out += sv_struct("Beats of a memory.", "window", 2 * beat, [
        ("beat_number_t", "behind", 0, beat, "The first one behind them."), ("beat_number_t", "first", beat, beat, "")])
    out += sv_struct("Lines of instruction memory.", "line_window", 2 * line, [
        (None, "behind", 0, line, "The first one behind them."), (None, "first", line, line, "")])
    at, members = 0, []
    for kind, name, width, doc in (
            (None, "quota", 32, docs["quota"]), ("line_window_t", "lines", 2 * line, "Where its programs lie."),
            ("window_t", "host", 2 * beat, "Where its commands reach in host memory,"), ("window_t", "device", 2 * beat, "and in device memory."),
            (None, "ring_entries", 32, "Commands in its ring, a power of two."), ("beat_number_t", "ring_base", beat, "Where its ring lies."),
            (None, "open", 1, "Its commands are taken.")):
        members.append((kind, name, at, width, doc))
        at += width
    out += sv_struct("What the owner says of a context.", "context", at, members)
    return out + ["", "  // `bytes` from `address` on lie in the window, a window_t; where none is accessed, only its end counts.",
                  "  function automatic logic in_window(input logic [31:0] address, input logic [39:0] bytes,",
                  f"                                     input logic [{2 * beat - 1}:0] window);",
                  f"    in_window = (bytes == '0 || address >= {{window[{2 * beat - 1}:{beat}], {32 - beat}'d0}}) &&",
                  f"                41'(address) + 41'(bytes) <= {{9'd0, window[{beat - 1}:0], {32 - beat}'d0}};",
                  "  endfunction"]


def sv_enum(title, prefix, name, bits, values):
    """An enumeration of (name, number)."""
    digits = (bits + 3) // 4
    lines = [f"    {prefix}{camel(value)} = {bits}'h{number:0{digits}x}" for value, number in values]
    return ["", f"  // {title}", f"  typedef enum logic [{bits - 1}:0] {{", *(line + "," for line in lines[:-1]), lines[-1], f"  }} {name};"]


def sv_struct(title, name, bits, fields):
    """A packed struct of (type or number of bits, name, lowest bit, number of bits, what it is); what lies between is reserved."""
    end, members = 0, []
    for kind, field, lsb, width, doc in sorted(fields, key=lambda field: field[2]):
        if lsb > end:
            members.append((f"logic [{lsb - end - 1}:0]", f"reserved_{end}", ""))
        members.append((kind or ("logic" if width == 1 else f"logic [{width - 1}:0]"), field, doc))
        end = lsb + width
    if bits > end:
        members.append((f"logic [{bits - end - 1}:0]", f"reserved_{end}", ""))
    out = ["", f"  // {title}", f"  localparam int unsigned {camel(name)}Width = {bits};", "  typedef struct packed {"]
    for kind, field, doc in reversed(members):
        out += ["    // " + line for line in textwrap.wrap(doc, 92)]
        out.append(f"    {kind} {field};")
    return out + [f"  }} {name}_t;"]


def sv_commands(spec):
    """Opcodes, the layouts of a command and their union, what bits may be set, and descriptors."""
    commands = spec["commands"]
    out = sv_enum("Opcodes of commands.", "Cmd", "command_opcode_e", 8, ((c["name"], c["opcode"]) for c in commands["command"]))
    bits = 8 * commands["size_bytes"]
    for layout, name in COMMAND_LAYOUTS.items():
        used = [c["name"] for c in commands["command"] if c["fields"] and best_layout(spec, c) == layout]
        out += sv_struct(f"Layout of {', '.join(used)}.", f"{layout}_command", bits, command_members(spec, command_of(spec, name), used))
    out += [f"  localparam int unsigned Cmd{camel(f['name'])}Width = {32 * f['count']};" for f in commands["field"] if "count" in f]
    out += ["", "  // A command in the layout that its opcode asks for; the opcode has one place in all of them.",
            f"  localparam int unsigned CommandWidth = {bits};", "  typedef union packed {"]
    out += [f"    {layout}_command_t {layout};" for layout in COMMAND_LAYOUTS] + ["  } command_t;"]
    out += ["", "  // Bits that a command may set; none if there is no such command.", f"  function automatic logic [{bits - 1}:0] command_mask(input logic [7:0] opcode);", "    case (opcode)"]
    for command, masks in command_masks(spec):
        value = sum(mask << (32 * n) for n, mask in enumerate(masks))
        out += [f"      8'h{command['opcode']:02x}: command_mask = {bits}'h{value:x};"]
    out += ["      default: command_mask = '0;", "    endcase", "  endfunction"]
    return out + sv_descriptor(spec)


def sv_descriptor(spec):
    """The fields of a copy without a list, from the first word on."""
    members = [m for m in command_members(spec, command_of(spec, "copy_within"), ["copy_in", "copy_out"]) if m[1] != "opcode"]
    first = min(m[2] for m in members)
    members = [(kind, name, lsb - first, width, doc) for kind, name, lsb, width, doc in members]
    return sv_struct("A descriptor in the list of a copy.", "copy_descriptor", 8 * spec["commands"]["descriptor_bytes"], members)


def command_of(spec, name):
    return next(c for c in spec["commands"]["command"] if c["name"] == name)


def best_layout(spec, command):
    """The layout with the fields of a command and the fewest others, flags included."""
    fits = [(len(command_of(spec, name)["fields"]) + len(command_of(spec, name)["flags"]), layout) for layout, name in COMMAND_LAYOUTS.items() if set(command["fields"]) <= set(command_of(spec, name)["fields"])]
    return min(fits)[1]


def command_members(spec, command, users):
    """The members of a struct for `users`, with the fields of `command`: opcode, flags one by one, fields."""
    fields = {f["name"]: f for f in spec["commands"]["field"]}
    flags = {f["name"]: f for f in spec["commands"]["flag"]}
    members = [("command_opcode_e", "opcode", 0, fields["opcode"]["width"], fields["opcode"]["doc"])]
    for name in command["flags"]:
        members.append((None, "flag_" + name, fields["flags"]["lsb"] + flags[name]["bit"], 1, doc_for(users, flags[name]["doc"])))
    for name in command["fields"]:
        field = fields[name]
        members.append((None, name, 32 * field["word"] + field.get("lsb", 0), field.get("width", 32) * field.get("count", 1), doc_for(users, field["doc"])))
    return members


def doc_for(users, doc):
    """What a comment says to these commands: "copies: a. fence: b." says "a." to copy_in."""
    parts = re.split(r"(?:^|(?<=\. ))(\w+): ", doc)
    said = {who: text.strip() for who, text in zip(parts[1::2], parts[2::2]) if who in users or (who == "copies" and "copy_in" in users)}
    if len(said) == 1:
        return capital(next(iter(said.values())))
    return " ".join(f"{who}: {text}" for who, text in said.items()) or doc


def capital(text):
    return text[:1].upper() + text[1:]


def sv_records(spec):
    """What the device shows or writes: errors, fences, reports, counters."""
    commands, registers = spec["commands"], spec["registers"]
    docs = {r["name"]: capital(r["doc"].split(": ")[-1]) for r in registers["register"]}
    out = sv_struct("An entry of the error queue.", "error_entry", 68, [
        (None, "detail", 0, 32, docs["error_detail"]), ("command_error_e", "reason", 32, 4, docs["error_reason"]), (None, "command", 36, 32, docs["error_command"])])
    id_bits = (commands["contexts"] - 1).bit_length()
    out += sv_struct("An error, and whose it is.", "context_error", 69 + id_bits, [
        ("error_entry_t", "entry", 0, 68, ""), ("context_id_t", "id", 68, id_bits, ""), (None, "valid", 68 + id_bits, 1, "")])
    out += sv_struct("What a fence writes.", "fence_record", 8 * commands["fence_bytes"], [
        (None, "value", 0, 64, "The value of the command."), (None, "device_cycle", 64, 64, "The device cycle in which the fence was begun.")])
    out += sv_struct("The first beat of a report.", "report_header", 8 * commands["report_header_bytes"],
                     [(None, w["name"], 32 * n, 32, w["doc"]) for n, w in enumerate(registers["report_word"])])
    counters = spec["counters"]["device_counter"]
    out += sv_struct("Counters of the device, in the order in which they are written.", "device_counters", 64 * len(counters),
                     [(None, c["name"], 64 * n, 64, c["doc"]) for n, c in enumerate(counters)])
    out += [f"  localparam int unsigned DeviceCounterCount = {len(counters)};", f"  localparam int unsigned CounterCount = {len(spec['counters']['counter'])};"]
    out += ["", "  // Counters of a run by number."]
    out += [f"  localparam int unsigned Counter{camel(c['name'])} = {n};" for n, c in enumerate(spec["counters"]["counter"])]
    return out
