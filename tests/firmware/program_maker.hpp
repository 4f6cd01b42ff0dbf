// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Makes programs from the tables of the specification alone, without the assembler's help: the
// smallest kernel around an operation, and random legal programs.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/assembler/assembler.hpp"

namespace ppu::firmware::test {

using Ops = std::vector<const spec::KernelOp*>;

inline bool closes_kernel(const spec::KernelOp& op) {
  return op.opcode == static_cast<std::uint8_t>(spec::Opcode::kKernelEnd);
}

/// The operands of `op`, the results first.
inline std::vector<std::string_view> operands(const spec::KernelOp& op) {
  return {op.operands.begin(), std::find(op.operands.begin(), op.operands.end(), "")};
}
inline std::vector<std::string_view> results(const spec::KernelOp& op) {
  const auto all = operands(op);
  return {all.begin(), all.begin() + op.results};
}
/// The nets that `op` reads: "r" for a field of the row.
inline std::vector<std::string_view> sources(const spec::KernelOp& op) {
  const auto all = operands(op);
  std::vector<std::string_view> nets;
  for (auto it = all.begin() + op.results; it != all.end(); ++it) {
    if (*it != "0") nets.push_back(it->substr(0, it->find('.')));
  }
  return nets;
}

inline bool contains(const std::vector<std::string_view>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// True if `op` may join `kernel`: no second use of a unit, no quarrel over a control field.
inline bool agrees(const Ops& kernel, const spec::KernelOp& op) {
  return std::none_of(kernel.begin(), kernel.end(), [&](const spec::KernelOp* other) {
    return other->name == op.name || ((other->bits ^ op.bits) & other->mask & op.mask) != 0;
  });
}

/// True if `op` would change a value that an operation of the kernel reads later in the pipe.
inline bool updates_too_late(const Ops& kernel, const spec::KernelOp& op) {
  return std::any_of(kernel.begin(), kernel.end(), [&](const spec::KernelOp* other) {
    if (cycles(other->start, spec::Config{}) < cycles(op.start, spec::Config{})) return false;
    const auto read = sources(*other);
    const auto written = results(op);
    return std::any_of(written.begin(), written.end(),
                       [&](std::string_view net) { return contains(read, net); });
  });
}

/// A kernel with `op` as its last operation of that moment and only what `op` needs.
inline Ops kernel_around(const spec::KernelOp& op) {
  Ops kernel = {&op};
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    for (const std::string_view net : sources(*kernel[i])) {
      const auto defines = [&](const spec::KernelOp* o) { return contains(results(*o), net); };
      if (std::any_of(kernel.begin(), kernel.end(),
                      [&](const spec::KernelOp* o) { return o != &op && defines(o); })) {
        continue;
      }
      for (const spec::KernelOp& candidate : spec::kKernelOps) {
        if (!defines(&candidate) || !agrees(kernel, candidate)) continue;
        kernel.push_back(&candidate);
        break;
      }
    }
  }
  if (op.name != "ldrow" && !contains(sources(op), "r")) {
    if (agrees(kernel, spec::kKernelOps[0])) kernel.push_back(&spec::kKernelOps[0]);
  }
  std::sort(kernel.begin(), kernel.end(), [](const spec::KernelOp* a, const spec::KernelOp* b) {
    const auto key = [](const spec::KernelOp* o) {
      return std::pair(cycles(o->start, spec::Config{}), o);
    };
    return key(a) < key(b);
  });
  return kernel;
}

class ProgramMaker {
 public:
  explicit ProgramMaker(unsigned seed) : random_(seed) {}

  struct Made {
    std::string text;
    std::vector<std::uint32_t> words;  ///< As the specification encodes it.
  };

  /// A legal program: up to 40 control instructions, up to 4 kernels.
  Made program() {
    Made made;
    std::vector<Ops> kernels(below(5));
    for (Ops& kernel : kernels) kernel = random_kernel();
    const std::size_t count = 1 + below(40);
    std::vector<std::uint32_t> addresses;
    std::size_t next = count;
    for (const Ops& kernel : kernels) {
      addresses.push_back(static_cast<std::uint32_t>(next));
      next += kernel.size() + 1;
    }
    for (std::size_t i = 0; i < count; ++i) add_control(made, i, count, addresses);
    for (std::size_t i = 0; i < kernels.size(); ++i) add_kernel(made, i, kernels[i]);
    return made;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  /// Grown from `ldrow`, or, so that rare operations come too, from all that one of them needs.
  Ops random_kernel() {
    const spec::KernelOp& seed = spec::kKernelOps[below(spec::kKernelOps.size())];
    const bool rare = below(2) == 0 && !closes_kernel(seed);
    Ops kernel = rare ? kernel_around(seed) : Ops{&spec::kKernelOps[0]};
    std::vector<std::string_view> known;
    for (const spec::KernelOp* op : kernel)
      for (const std::string_view net : results(*op)) known.push_back(net);
    for (int attempt = 0; attempt < 200; ++attempt) {
      const spec::KernelOp& op = spec::kKernelOps[below(spec::kKernelOps.size())];
      const auto needed = sources(op);
      const bool ready = std::all_of(needed.begin(), needed.end(),
                                     [&](std::string_view net) { return contains(known, net); });
      if (closes_kernel(op) || !ready || !agrees(kernel, op) || updates_too_late(kernel, op)) {
        continue;
      }
      kernel.push_back(&op);
      for (const std::string_view net : results(op)) known.push_back(net);
    }
    return kernel;
  }

  void add_control(Made& made, std::size_t at, std::size_t count,
                   const std::vector<std::uint32_t>& kernels) {
    const spec::Instruction* instruction = nullptr;
    do {
      instruction = &spec::kInstructions[below(spec::kInstructions.size())];
    } while ((instruction->opcode == spec::Opcode::kKernel && kernels.empty()) ||
             (at + 1 == count && instruction->opcode != spec::Opcode::kHalt &&
              instruction->opcode != spec::Opcode::kJ));
    std::uint32_t word = static_cast<std::uint32_t>(instruction->opcode) << 24U;
    std::string text = "at" + std::to_string(at) + ": " + std::string(instruction->name);
    for (std::size_t i = 0; i < instruction->format.size(); ++i) {
      text += i == 0 ? space() : "," + space();
      text += operand(instruction->format[i], count, kernels, word,
                      instruction->opcode == spec::Opcode::kKernel);
    }
    made.words.push_back(word);
    made.text += text + " ; comment, with: punctuation\n";
  }

  std::string operand(char kind, std::size_t count, const std::vector<std::uint32_t>& kernels,
                      std::uint32_t& word, bool kernel) {
    const auto index = static_cast<std::uint32_t>(below(spec::kRegisterNames.size()));
    switch (kind) {
      case '-':
        return "";
      case 'i': {
        const auto value = static_cast<std::int16_t>(below(65536));
        word |= static_cast<std::uint16_t>(value);
        return std::to_string(value);
      }
      case 'l': {
        const std::size_t target = below(kernel ? kernels.size() : count);
        word |= kernel ? kernels[target] : static_cast<std::uint32_t>(target);
        return (kernel ? "kernel_no_" : "at") + std::to_string(target);
      }
      default:
        word |= index << (kind == 'a' ? 20U : kind == 'b' ? 16U : 0U);
        return std::string(spec::kRegisterNames[index]);
    }
  }

  void add_kernel(Made& made, std::size_t index, const Ops& kernel) {
    const std::string suffix = std::to_string(below(1000));
    made.text += ".kernel kernel_no_" + std::to_string(index) + "\n";
    for (const spec::KernelOp* op : kernel) {
      std::string text(op->name);
      for (const std::string_view pattern : operands(*op)) {
        text += text == op->name ? space() : "," + space();
        const std::size_t dot = std::min(pattern.find('.'), pattern.size());
        text += pattern == "0" ? "0x0" : std::string(pattern.substr(0, dot)) + "_" + suffix;
        text += pattern.substr(dot);
      }
      made.words.push_back(std::uint32_t{op->opcode} << 24U | op->bits);
      made.text += text + "\n";
    }
    made.words.push_back(static_cast<std::uint32_t>(spec::Opcode::kKernelEnd) << 24U);
    made.text += ".end\n";
  }

  std::string space() { return below(2) == 0 ? " " : "\t  "; }

  std::mt19937 random_;
};

}  // namespace ppu::firmware::test
