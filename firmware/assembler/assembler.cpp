// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/assembler.hpp"

#include <algorithm>
#include <set>

#include "firmware/assembler/control_encoder.hpp"
#include "firmware/assembler/cost.hpp"
#include "firmware/assembler/encoding.hpp"
#include "firmware/assembler/kernel_builder.hpp"
#include "firmware/assembler/source.hpp"

namespace ppu::firmware {
namespace {

/// "med     x, lo, t, hi", with the label before it.
SourceText text_of(const Statement& statement) {
  constexpr std::size_t kMnemonicWidth = 8;
  SourceText source{std::string(statement.label), std::string(statement.mnemonic.text),
                    statement.line};
  std::size_t column = std::max(source.text.size() + 1, kMnemonicWidth);
  for (const Token& operand : statement.operands) {
    if (&operand != &statement.operands.front())
      source.text += ",", column = source.text.size() + 1;
    source.text.resize(column, ' ');
    source.text += operand.text;
  }
  return source;
}

/// The control code ends the program: it cannot run on into the kernels.
void check_control_end(const Source& source, Report& report) {
  if (source.control.empty()) {
    report.error(Error::kNoControl, Place{1, 1, 1}, "the program has no control instruction",
                 {"it runs from its first one to `halt`", {}, {}});
    return;
  }
  const Statement& last = source.control.back();
  const spec::Instruction* instruction = find_instruction(last.mnemonic.text);
  if (instruction == nullptr || instruction->opcode == spec::Opcode::kHalt ||
      instruction->opcode == spec::Opcode::kJ) {
    return;
  }
  report.error(Error::kRunsPast, place_of(last, last.mnemonic),
               "the control code runs past its last instruction",
               {"end it with `halt` or `j`", {}, {}});
}

/// Kernels that are never loaded and labels that nothing goes to.
void warn_of_unused(const Source& source, Report& report) {
  std::set<std::string_view> named;
  for (const Statement& statement : source.control) {
    for (const Token& operand : statement.operands) named.insert(operand.text);
  }
  for (const auto& [name, symbol] : source.symbols) {
    if (named.count(name) != 0) continue;
    if (symbol.kind == Symbol::Kind::kKernel) {
      report.warning(Warning::kUnusedKernel, symbol.place,
                     "kernel " + quoted(name) + " is never loaded",
                     "load it with " + quoted("kernel " + std::string(name)));
    } else {
      report.warning(Warning::kUnusedLabel, symbol.place, "nothing goes to " + quoted(name), {});
    }
  }
}

/// A deadline for a program with a kernel that leads; the first of each is enough.
void warn_of_cut_leads(const Source& source, const std::vector<Kernel>& kernels, Report& report) {
  const auto leading = std::find_if(kernels.begin(), kernels.end(), [](const Kernel& kernel) {
    return kernel.control.lead() == spec::Lead::kOn;
  });
  if (leading == kernels.end()) return;
  for (const Statement& statement : source.control) {
    const spec::Instruction* instruction = find_instruction(statement.mnemonic.text);
    if (instruction->opcode != spec::Opcode::kBudget) continue;
    report.warning(Warning::kBudgetAndLead, place_of(statement, statement.mnemonic),
                   "a sweep with leads that is cut leaves neither x nor y",
                   "take out " + quoted(instruction->name) + ", or the `lead` of kernel " +
                       quoted(leading->name));
    return;
  }
}

class Assembler {
 public:
  Assembler(const Source& source, Report& report) : source_(source), report_(report) {
    assembly_.image.spec_hash = PPU_SPEC_HASH;
  }

  Assembly run() {
    check_control_end(source_, report_);
    const Addresses addresses = place();
    for (const Statement& statement : source_.control) {
      emit(statement.flawed ? 0 : encode_control(statement, addresses, report_), statement);
    }
    for (const SourceKernel& kernel : source_.kernels) add_kernel(kernel);
    report_.throw_if_any();
    warn_of_unused(source_, report_);
    warn_of_cut_leads(source_, assembly_.kernels, report_);
    assembly_.warnings = report_.take_warnings();
    return std::move(assembly_);
  }

 private:
  /// Control code first, then the kernels in their order.
  Addresses place() {
    std::vector<std::size_t> kernel_addresses;
    std::size_t next = source_.control.size();
    for (const SourceKernel& kernel : source_.kernels) {
      kernel_addresses.push_back(next);
      next += kernel.body.size() + 1;
    }
    Addresses addresses;
    for (const auto& [name, symbol] : source_.symbols) {
      const std::size_t word =
          symbol.kind == Symbol::Kind::kKernel ? kernel_addresses[symbol.index] : symbol.index;
      addresses[name] = {symbol, static_cast<std::uint32_t>(word)};
    }
    return addresses;
  }

  void add_kernel(const SourceKernel& source) {
    Kernel kernel;
    kernel.name = std::string(source.name);
    kernel.address = static_cast<std::uint32_t>(assembly_.image.words.size());
    kernel.ops = build_kernel(source, report_);
    kernel.words = static_cast<std::uint32_t>(kernel.ops.size()) + 1;
    count_cost(kernel);
    // Without errors every statement of the body is one operation.
    for (std::size_t i = 0; i < source.body.size(); ++i) {
      emit(i < kernel.ops.size() ? encode(*kernel.ops[i]) : 0, source.body[i]);
    }
    emit(encode(end_op()), source.end);
    assembly_.kernels.push_back(std::move(kernel));
  }

  void emit(std::uint32_t word, const Statement& statement) {
    if (assembly_.image.words.size() == kMaxWords) {
      report_.error(Error::kTooLong, place_of(statement, statement.mnemonic),
                    "the program is longer than " + std::to_string(kMaxWords) + " words",
                    {"addresses have 16 bits", {}, {}});
    }
    assembly_.source.push_back(text_of(statement));
    assembly_.image.words.push_back(word);
  }

  const Source& source_;
  Report& report_;
  Assembly assembly_;
};

}  // namespace

Assembly assemble(std::string_view file, std::string_view source) {
  const std::vector<std::string_view> lines = split_lines(source);
  Report report(file, lines);
  const Source parsed = parse(lines, report);
  return Assembler(parsed, report).run();
}

}  // namespace ppu::firmware
