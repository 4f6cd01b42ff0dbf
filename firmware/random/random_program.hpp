// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random programs that assemble and halt, made from the tables of the specification alone: a new
// instruction or kernel operation takes part as soon as it stands in hw/spec/isa.toml.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ppu_spec.hpp"

namespace ppu::firmware {

/// Pseudo-random numbers, the same ones on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  /// 0 to limit - 1.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + below(most - least + 1);
  }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(static_cast<std::uint32_t>(list.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

/// The operations of a kernel in the order of its text, without the one that closes it.
using KernelOps = std::vector<const spec::KernelOp*>;

/// The control bits of all operations.
spec::ControlWord control_of(const KernelOps& kernel);
/// True if `op` may stand behind the operations of `kernel`.
bool may_follow(const KernelOps& kernel, const spec::KernelOp& op);
/// `kernel` without its operation `index`, and without those that cannot stand there without it.
KernelOps without(const KernelOps& kernel, std::size_t index);
/// Any legal kernel that rows of the form `matrix` can go through.
KernelOps random_kernel(Random& random, spec::Matrix matrix);

/// A statement of a program, or some that belong together. Whatever is left out of a program, it
/// still halts.
struct ProgramItem {
  enum class Kind {
    kLines,   ///< `text`: whole instructions.
    kKernel,  ///< Loads kernel `kernel`.
    kPass,    ///< `rows` of [first, first + count), by way of two registers.
    kBudget,  ///< A budget of `count` cycles, by way of a register.
    kLoop,    ///< `body`, `count` times, counted in a register that nothing else writes.
    kSkip,    ///< `text`, a branch but for its label, then `body`: it goes behind that, if at all.
  };
  Kind kind = Kind::kLines;
  std::string text = {};
  std::uint32_t kernel = 0;
  std::uint32_t first = 0, count = 0;
  bool whole = false;  ///< Of a pass: all rows of the run, whose number is an argument.
  std::string register_a = {}, register_b = {};
  std::vector<ProgramItem> body = {};
};

struct RandomProgram {
  std::vector<ProgramItem> items;
  std::vector<KernelOps> kernels;

  /// Assembly text; kernels that no item loads are left out. Without time, every budget is 0.
  [[nodiscard]] std::string text(bool timed = true) const;
  /// Words of its image.
  [[nodiscard]] std::uint32_t words() const;
};

/// What a program is for.
struct ProgramPlan {
  std::uint32_t row_count = 0;                ///< Of the run; at most the largest immediate.
  spec::Matrix matrix = spec::Matrix::kFull;  ///< The form of its rows.
  std::uint32_t most_words = 1024;            ///< At least 32.
  std::uint32_t most_updates = 4000;  ///< Of rows, by all passes together, however often they run.
  std::uint32_t most_items = 12;      ///< Of a body.
  std::uint32_t budget_cycles = 0;    ///< Budgets are less than this; 0: no budget but 0.
  bool illegal = false;               ///< One pass is of rows that it may not have.
};

/// A program whose arguments are the row count, the threshold of marks and the budget in their
/// registers, and anything in the others. It reads and writes registers at random, branches
/// forwards on them, and branches back only to count.
RandomProgram random_program(Random& random, const ProgramPlan& plan);

}  // namespace ppu::firmware
