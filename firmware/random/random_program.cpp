// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random programs: bodies of passes, kernels, instructions of any kind, loops and branches
// forwards.
#include "firmware/random/random_program.hpp"

#include <algorithm>
#include <optional>

#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

using Kind = ProgramItem::Kind;
using spec::Opcode;

constexpr std::uint32_t register_of(spec::Argument argument) {
  return spec::kFirstArgumentRegister + static_cast<std::uint32_t>(argument);
}

constexpr std::uint32_t kRegisters = spec::kRegisterNames.size();
constexpr std::uint32_t kMostDepth = 2;
constexpr std::uint32_t kMostTurns = 3;
constexpr std::uint32_t kMostKernels = 8;

std::string name_of(std::uint32_t index) {
  return std::string(spec::kRegisterNames[index]);
}

class Maker {
 public:
  Maker(Random& random, const ProgramPlan& plan, std::uint32_t most_items)
      : random_(random), plan_(plan), most_items_(most_items), updates_left_(plan.most_updates) {
    for (const spec::Argument argument :
         {spec::Argument::kRowCount, spec::Argument::kMarkThreshold, spec::Argument::kBudgetCycles})
      kept_[register_of(argument)] = true;
  }

  RandomProgram make() {
    RandomProgram program;
    kernels_.resize(most_items_ == 0 ? 1 : random_.between(2, kMostKernels));
    for (KernelOps& kernel : kernels_) kernel = random_kernel(random_, plan_.matrix);
    if (most_items_ > 0) add_prologue(&program.items);
    add(&program.items, body(0, 1));
    if (plan_.illegal) {
      const auto place = random_.below(static_cast<std::uint32_t>(program.items.size()) + 1);
      program.items.insert(program.items.begin() + place, illegal_pass());
    }
    program.kernels = kernels_;
    return program;
  }

 private:
  using Items = std::vector<ProgramItem>;

  static void add(Items* items, Items more) {
    std::move(more.begin(), more.end(), std::back_inserter(*items));
  }
  static ProgramItem lines(std::string text) { return {Kind::kLines, std::move(text)}; }
  static std::string of(Opcode opcode) {
    return std::string(find_instruction(static_cast<std::uint32_t>(opcode))->name);
  }

  /// Marks and tags as a program that filters begins with, and a base to go ahead from, or not.
  void add_prologue(Items* items) {
    const std::string mark = name_of(register_of(spec::Argument::kMarkThreshold));
    if (plan_.budget_cycles > 0) items->push_back(budget());
    if (!random_.one_in(3)) items->push_back(lines(of(Opcode::kSetmark) + " " + mark));
    if (!random_.one_in(3)) {
      items->push_back(lines(of(Opcode::kTagall)));
      items->push_back(lines(of(Opcode::kTagnext)));
    }
    has_base_ = random_.one_in(2);
    if (has_base_) items->push_back(lines(of(Opcode::kSettle)));
  }

  /// `turns`: how often the body runs at most.
  Items body(std::uint32_t depth, std::uint32_t turns) {
    Items items;
    if (depth > 0) loaded_.reset();
    for (std::uint32_t n = most_items_ == 0 ? 1 : random_.between(1, most_items_); n > 0; --n) {
      const std::uint32_t kind = most_items_ == 0 ? 0 : random_.below(20);
      if (kind < 8) {
        add(&items, pass(turns));
      } else if (kind < 10) {
        items.push_back(kernel());
      } else if (kind < 16 || depth == kMostDepth) {
        items.push_back(instruction());
      } else if (kind < 18) {
        items.push_back(loop(depth, turns));
      } else {
        items.push_back(skip(depth, turns));
      }
    }
    return items;
  }

  ProgramItem kernel() {
    ProgramItem item{Kind::kKernel};
    item.kernel = random_.below(static_cast<std::uint32_t>(kernels_.size()));
    loaded_ = item.kernel;
    return item;
  }

  /// A pass that its kernel may make, often behind a kernel of its own, always where it cannot be
  /// told which one is loaded.
  Items pass(std::uint32_t turns) {
    Items items;
    if (!loaded_ || random_.one_in(3)) items.push_back(kernel());
    const bool filters = control_of(kernels_[*loaded_]).filter() == spec::Filter::kOn;
    ProgramItem item{Kind::kPass};
    const std::uint32_t rows = plan_.row_count;
    item.whole = random_.one_in(3);
    if (!item.whole && !filters && !random_.one_in(3)) item.first = random_.below(rows + 1);
    item.count = item.whole ? rows : random_.below(rows - item.first + 1);
    if (!item.whole && random_.one_in(4)) item.count = std::min(item.count, random_.below(8));
    if (std::uint64_t{item.count} * turns > updates_left_) {
      item.whole = false;
      item.count = std::min(item.count, updates_left_ / turns);
    }
    updates_left_ -= item.count * turns;
    take_registers(&item);
    items.push_back(std::move(item));
    return items;
  }

  /// Of rows that the run does not have, or of any, where there may be no kernel yet or one that
  /// begins with row 0.
  ProgramItem illegal_pass() {
    ProgramItem item{Kind::kPass};
    if (random_.one_in(2)) {
      item.first = random_.below(plan_.row_count + 2);
      item.count = plan_.row_count + 1 - std::min(item.first, plan_.row_count) + random_.below(2);
    } else {
      item.first = std::min(1U, plan_.row_count);
      item.count = plan_.row_count - item.first;
    }
    take_registers(&item);
    return item;
  }

  void take_registers(ProgramItem* item) {
    item->register_a = name_of(written());
    do {
      item->register_b = name_of(written());
    } while (item->register_a == item->register_b);
  }

  ProgramItem budget() {
    ProgramItem item{Kind::kBudget};
    item.register_a = name_of(written());
    item.count = random_.below(plan_.budget_cycles);
    return item;
  }

  ProgramItem loop(std::uint32_t depth, std::uint32_t turns) {
    ProgramItem item{Kind::kLoop};
    item.count = random_.between(1, kMostTurns);
    const std::uint32_t counter = written();
    item.register_a = name_of(counter);
    kept_[counter] = true;
    item.body = body(depth + 1, turns * item.count);
    kept_[counter] = false;
    return item;
  }

  ProgramItem skip(std::uint32_t depth, std::uint32_t turns) {
    const spec::Instruction* branch = nullptr;
    do {
      branch = &random_.of(spec::kInstructions);
    } while (branch->format.find('l') == std::string_view::npos ||
             branch->opcode == Opcode::kKernel);
    ProgramItem item{Kind::kSkip, text_of(*branch)};
    item.body = body(depth + 1, turns);
    if (random_.one_in(8)) item.body.push_back(lines(of(Opcode::kHalt)));
    loaded_.reset();
    return item;
  }

  /// Any instruction that goes on to the next one and is not made elsewhere.
  ProgramItem instruction() {
    while (true) {
      const spec::Instruction& any = random_.of(spec::kInstructions);
      const bool elsewhere = any.opcode == Opcode::kHalt || any.opcode == Opcode::kRows;
      if (elsewhere || any.format.find('l') != std::string_view::npos) continue;
      if (any.opcode == Opcode::kAhead && !has_base_) continue;
      if (any.opcode != Opcode::kBudget) return lines(text_of(any));
      if (plan_.budget_cycles > 0) return budget();
      return lines(of(Opcode::kBudget) + " " + name_of(0));
    }
  }

  /// The instruction with random operands, but for a label.
  std::string text_of(const spec::Instruction& instruction) {
    std::string text(instruction.name);
    std::string separator = " ";
    for (const char kind : instruction.format) {
      if (kind == '-' || kind == 'l') break;
      text += separator + operand(kind, instruction.format.find('l') != std::string_view::npos);
      separator = ", ";
    }
    return text;
  }

  std::string operand(char kind, bool branches) {
    if (kind == 'i') return std::to_string(immediate());
    // The first register of an instruction may be written, but not by a branch.
    if (kind == 'a' && !branches) return name_of(random_.one_in(16) ? 0 : written());
    if (!recent_.empty() && random_.one_in(2)) return name_of(random_.of(recent_));
    return name_of(random_.below(kRegisters));
  }

  std::int32_t immediate() {
    if (random_.one_in(3)) return static_cast<std::int16_t>(random_.below(0x10000));
    return static_cast<std::int32_t>(random_.below(plan_.row_count + 8)) - 4;
  }

  /// A register that nothing relies on.
  std::uint32_t written() {
    std::uint32_t index = 0;
    do {
      index = random_.between(1, kRegisters - 1);
    } while (kept_[index]);
    recent_.push_back(index);
    return index;
  }

  Random& random_;
  const ProgramPlan& plan_;
  std::uint32_t most_items_;
  std::uint32_t updates_left_;
  std::vector<KernelOps> kernels_;
  std::optional<std::uint32_t> loaded_;  ///< The kernel that is loaded for certain.
  bool has_base_ = false;                ///< A run may go ahead.
  std::array<bool, kRegisters> kept_{};  ///< Arguments, and counters of loops around.
  std::vector<std::uint32_t> recent_;    ///< Registers that may have been written.
};

}  // namespace

RandomProgram random_program(Random& random, const ProgramPlan& plan) {
  std::uint32_t most_items = plan.most_items;
  while (true) {
    RandomProgram program = Maker(random, plan, most_items).make();
    if (program.words() <= plan.most_words) return program;
    most_items /= 2;
  }
}

}  // namespace ppu::firmware
