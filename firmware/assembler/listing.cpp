// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/listing.hpp"

#include <algorithm>
#include <array>

#include "firmware/assembler/cost.hpp"
#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

struct UnitOf {
  std::string_view op;
  std::string_view unit;
};
constexpr std::array<UnitOf, 24> kUnits = {{
    {"ldrow", "row memory"},
    {"ldvel", "velocity memory"},
    {"soft", "bias"},
    {"relax", "bias"},
    {"dot", "dot product"},
    {"dotp", "dot product"},
    {"step", "step"},
    {"corr", "step"},
    {"acc", "step"},
    {"cone", "bounds"},
    {"skip", "skip rule"},
    {"max", "clamp"},
    {"med", "clamp"},
    {"mov", "clamp"},
    {"limit", "clamp"},
    {"sub", "difference"},
    {"lead", "lead"},
    {"resid", "residual"},
    {"axpy", "scaled add"},
    {"tagged", "tags"},
    {"mark", "tags"},
    {"stvel", "velocity memory"},
    {"stimp", "impulse memory"},
    {"end", ""},
}};

std::string_view unit_of(const spec::KernelOp& op) {
  if (divides(op)) return "divider";
  const auto found = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](const UnitOf& entry) { return entry.op == op.name; });
  return found->unit;
}

bool takes(const spec::KernelOp& op, std::string_view operand) {
  const auto first = op.operands.begin() + op.results;
  return std::find(first, op.operands.end(), operand) != op.operands.end();
}

std::string_view wait_of(const spec::KernelOp& op) {
  if (op.name == "ldrow") return "row fetch, lanes";
  if (op.name == "ldvel") return "bodies, banks";
  if (op.name == "tagged") return "tags";
  return takes(op, kParentImpulse) ? "parent" : "";
}

/// The instructions whose operand or effect needs all rows to be through.
std::string_view wait_of(const spec::Instruction& instruction) {
  switch (instruction.opcode) {
    case spec::Opcode::kRows:
      return "room for a pass";
    case spec::Opcode::kBmax:
      return "a residual above, or all rows";
    case spec::Opcode::kWait:
    case spec::Opcode::kRdmax:
    case spec::Opcode::kSetmark:
    case spec::Opcode::kTagall:
    case spec::Opcode::kTagnext:
    case spec::Opcode::kSetlead:
    case spec::Opcode::kAhead:
    case spec::Opcode::kSettle:
    case spec::Opcode::kHalt:
      return "all rows";
    default:
      return "";
  }
}

void add_cost(const spec::KernelOp& op, spec::ControlWord kernel, ListingLine& line) {
  const Bytes bytes = bytes_of(op, kernel);
  line.bytes_read.always = bytes.read;
  line.bytes_written.always = bytes.written;
  const int flops = op.mul + op.add + op.cmp;
  if (op.when == spec::FlopsWhen::kAlways) line.flops.always = flops;
  if (op.when == spec::FlopsWhen::kWithCfm) line.flops.with_cfm = flops;
  if (op.when == spec::FlopsWhen::kWithParent) line.flops.with_parent = flops;
}

void describe(const spec::KernelOp& op, spec::ControlWord kernel, const spec::Config& config,
              ListingLine& line) {
  const Span when = span(op, config);
  line.operation = true;
  line.unit = unit_of(op);
  line.waits_for = wait_of(op);
  line.first_cycle = when.first;
  line.last_cycle = std::max(when.first, when.end - 1);
  add_cost(op, kernel, line);
}

void describe(const Kernel& kernel, const spec::Config& config, std::vector<ListingLine>& lines) {
  bool parent_read = false;  // It is read once.
  for (std::size_t i = 0; i < kernel.ops.size(); ++i) {
    ListingLine& line = lines[kernel.address + i];
    describe(*kernel.ops[i], kernel.control, config, line);
    if (!takes(*kernel.ops[i], kParentImpulse) || parent_read) continue;
    line.bytes_read.with_parent = sizeof(float);
    parent_read = true;
  }
}

void add(const PerRow& more, PerRow& sum) {
  sum.always += more.always;
  sum.with_cfm += more.with_cfm;
  sum.with_parent += more.with_parent;
}

/// "+2c +2p": c of rows with compliance, p of rows with a parent.
std::string extra(const PerRow& cost) {
  std::string text;
  if (cost.with_cfm != 0) text = "+" + std::to_string(cost.with_cfm) + "c";
  if (cost.with_parent != 0) {
    text += (text.empty() ? "+" : " +") + std::to_string(cost.with_parent) + "p";
  }
  return text;
}

enum Column {
  kAddress,
  kWord,
  kLabel,
  kSource,
  kUnit,
  kCycles,
  kWaits,
  kRead,
  kReadMore,
  kWritten,
  kFlops,
  kFlopsMore,
  kColumns
};
using Cells = std::array<std::string, kColumns>;

bool is_number(int column) {
  return column == kRead || column == kWritten || column == kFlops;
}

void fill_costs(const PerRow& read, const PerRow& written, const PerRow& flops, Cells& cells) {
  const auto number = [](int value) { return value == 0 ? "" : std::to_string(value); };
  cells[kRead] = number(read.always);
  cells[kReadMore] = extra(read);
  cells[kWritten] = number(written.always);
  cells[kFlops] = number(flops.always);
  cells[kFlopsMore] = extra(flops);
}

Cells header() {
  return {"addr",      "word", "label", "source",  "unit",  "cycles",
          "waits for", "read", "",      "written", "flops", ""};
}

Cells cells_of(const ListingLine& line) {
  Cells cells;
  cells[kAddress] = hex_word(line.address).substr(6);
  cells[kWord] = hex_word(line.word).substr(2);
  if (!line.label.empty()) cells[kLabel] = line.label + ":";
  cells[kSource] = line.source;
  cells[kWaits] = line.waits_for;
  if (!line.operation) return cells;
  cells[kUnit] = line.unit;
  cells[kCycles] = std::to_string(line.first_cycle);
  if (line.last_cycle != line.first_cycle) cells[kCycles] += "-" + std::to_string(line.last_cycle);
  fill_costs(line.bytes_read, line.bytes_written, line.flops, cells);
  return cells;
}

/// The lines of `kernel` in one: what a row costs in all.
Cells sum_of(const std::vector<ListingLine>& lines, const Kernel& kernel) {
  PerRow read;
  PerRow written;
  PerRow flops;
  int last = 0;
  for (std::uint32_t at = kernel.address; at < kernel.address + kernel.words; ++at) {
    add(lines[at].bytes_read, read);
    add(lines[at].bytes_written, written);
    add(lines[at].flops, flops);
    last = std::max(last, lines[at].last_cycle);
  }
  Cells cells;
  cells[kUnit] = "a row in all";
  cells[kCycles] = "0-" + std::to_string(last);
  fill_costs(read, written, flops, cells);
  return cells;
}

std::string aligned(const std::vector<Cells>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Cells& cells : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string text;
  for (const Cells& cells : rows) {
    std::string line;
    for (int column = 0; column < kColumns; ++column) {
      const auto i = static_cast<std::size_t>(column);
      const bool extra_column = column == kReadMore || column == kFlopsMore;
      line += column == 0 || widths[i] == 0 ? "" : extra_column ? " " : "  ";
      const std::string padding(widths[i] - cells[i].size(), ' ');
      line += is_number(column) ? padding + cells[i] : cells[i] + padding;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::vector<ListingLine> list(const Assembly& assembly, const spec::Config& config) {
  std::vector<ListingLine> lines;
  for (std::size_t at = 0; at < assembly.image.words.size(); ++at) {
    ListingLine line;
    line.address = static_cast<std::uint32_t>(at);
    line.word = assembly.image.words[at];
    line.label = assembly.source[at].label;
    line.source = assembly.source[at].text;
    if (const auto* instruction = find_instruction(spec::decode(line.word).opcode))
      line.waits_for = wait_of(*instruction);
    lines.push_back(std::move(line));
  }
  for (const Kernel& kernel : assembly.kernels) describe(kernel, config, lines);
  return lines;
}

std::string format_listing(const Assembly& assembly, const spec::Config& config) {
  const std::vector<ListingLine> lines = list(assembly, config);
  std::vector<Cells> rows = {header()};
  const auto control_end = assembly.kernels.empty() ? lines.size() : assembly.kernels[0].address;
  for (std::size_t at = 0; at < control_end; ++at) rows.push_back(cells_of(lines[at]));
  for (const Kernel& kernel : assembly.kernels) {
    rows.emplace_back();
    Cells title;
    title[kSource] = ".kernel " + kernel.name;
    rows.push_back(title);
    for (std::uint32_t i = 0; i < kernel.words; ++i) {
      rows.push_back(cells_of(lines[kernel.address + i]));
    }
    rows.push_back(sum_of(lines, kernel));
  }
  return aligned(rows) +
         "\nCycles count from the row's operands at the input of the pipe; a row waits before it "
         "issues, one\ncycle earlier. Bytes are those of the memories on chip. +c: of rows with "
         "compliance, +p: of rows\nwith a parent.\n";
}

}  // namespace ppu::firmware
