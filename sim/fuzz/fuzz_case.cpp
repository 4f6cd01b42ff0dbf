// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The cases of `ppu fuzz`: random programs over a few rows.
#include "sim/fuzz/fuzz_case.hpp"

#include <algorithm>
#include <cstring>

#include "firmware/assembler/assembler.hpp"

namespace ppu::sim {
namespace {

using firmware::ProgramItem;
using firmware::Random;

constexpr std::uint32_t kRowPipeShare = 16;  ///< One case of so many.

std::uint32_t& argument(FuzzCase* fuzz, spec::Argument which) {
  return fuzz->arguments[static_cast<std::size_t>(which)];
}

bool has_budget(const std::vector<ProgramItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const ProgramItem& item) {
    return item.kind == ProgramItem::Kind::kBudget || has_budget(item.body);
  });
}

/// True if a word of the program is `budget` of another register than the one that is 0.
bool has_budget(const std::string& text) {
  const auto& words = firmware::assemble("program.s", text).image.words;
  return std::any_of(words.begin(), words.end(), [](std::uint32_t word) {
    const spec::Fields fields = spec::decode(word);
    return fields.opcode == static_cast<std::uint32_t>(spec::Opcode::kBudget) && fields.ra != 0;
  });
}

/// Mostly few rows: what goes wrong does so with few, and is found sooner.
std::uint32_t row_count(Random& random) {
  const std::uint32_t kind = random.below(20);
  if (kind == 0) return 0;
  if (kind < 7) return random.between(1, 8);
  if (kind < 17) return random.between(9, 40);
  return random.between(41, 200);
}

/// A run that is to be cut off has rows that wait when it is.
RowPlan row_plan(Random& random, const ppu_device_info& device, bool budget) {
  RowPlan plan;
  const std::uint32_t rows = budget ? random.between(20, 150) : row_count(random);
  plan.rows = std::min(rows, device.impulse_memory_rows);
  plan.bodies = random.one_in(20) ? 0 : random.between(1, random.one_in(2) ? 6 : 64);
  plan.velocity_banks = device.velocity_banks;
  plan.reduced = random.one_in(2);
  return plan;
}

/// Two cases of three are tame, one of six has a few values that are hostile. A run with a budget
/// should end well: what it does depends on the cycle that it begins in, so that devices that are
/// not in step any more are of no use for it.
RowSet nature_rows(Random& random, const RowPlan& plan, bool budget) {
  RowSet set = random_rows(random, plan);
  const std::uint32_t kind = random.below(6);
  if (kind == 0) {
    for (ppu_row& row : set.rows)
      if (random.one_in(3)) spoil(random, RowNature::kEdge, plan, &row);
    spoil_state(random, RowNature::kEdge, 4, &set);
  } else if (kind == 1 && plan.rows > 0 && !budget) {
    for (std::uint32_t n = random.below(4); n > 0; --n)
      spoil(random, RowNature::kHostile, plan, &set.rows[random.below(plan.rows)]);
    spoil_state(random, RowNature::kHostile, 8 * plan.rows, &set);
  }
  if (random.one_in(5)) scale(random, &set);
  if (random.one_in(8) && !budget) make_bad_record(random, &set);
  return set;
}

firmware::ProgramPlan program_plan(Random& random, const RowPlan& rows,
                                   const ppu_device_info& device, bool budget) {
  firmware::ProgramPlan plan;
  plan.row_count = rows.rows;
  plan.matrix = rows.reduced ? spec::Matrix::kReduced : spec::Matrix::kFull;
  plan.most_words = device.instruction_memory_words;
  plan.most_updates = 50 + std::min(20 * rows.rows, 1000U);
  plan.most_items = budget ? random.between(8, 24) : random.between(2, 16);
  if (budget) plan.budget_cycles = 1U << random.between(6, 13);
  plan.illegal = random.one_in(12) && !budget;
  return plan;
}

}  // namespace

bool FuzzCase::needs_time() const {
  return text.empty() ? has_budget(program.items) : has_budget(text);
}

void FuzzCase::count_rows() {
  argument(this, spec::Argument::kRowCount) = static_cast<std::uint32_t>(set.rows.size());
}

std::array<std::uint32_t, spec::kArgumentCount> random_arguments(Random& random,
                                                                 std::uint32_t rows) {
  std::array<std::uint32_t, spec::kArgumentCount> arguments{};
  for (std::uint32_t& value : arguments)
    value = random.one_in(2) ? random.below(rows + 3) : static_cast<std::uint32_t>(random.bits());
  constexpr float kThresholds[] = {0.0F, 1e-40F, 1e-3F, 0.1F, 1.0F, 3.0F};
  const float threshold = kThresholds[random.below(std::size(kThresholds))];
  std::uint32_t& mark = arguments[static_cast<std::size_t>(spec::Argument::kMarkThreshold)];
  if (!random.one_in(8)) std::memcpy(&mark, &threshold, sizeof mark);
  arguments[static_cast<std::size_t>(spec::Argument::kRowCount)] = rows;
  return arguments;
}

FuzzCase make_program_case(Random& random, const FuzzTarget& target) {
  const bool budget = target.budgets && random.one_in(3);
  const RowPlan plan = row_plan(random, target.device, budget);
  FuzzCase fuzz;
  fuzz.set = nature_rows(random, plan, budget);
  fuzz.program = random_program(random, program_plan(random, plan, target.device, budget));
  fuzz.arguments = random_arguments(random, plan.rows);
  fuzz.stream = random.one_in(3);
  fuzz.copies = random.one_in(6) ? random.between(2, 3) : 1;
  fuzz.early = random.one_in(2);
  return fuzz;
}

FuzzCase make_case(std::uint64_t seed, const FuzzTarget& target) {
  Random random(seed);
  const bool row_pipe = target.type == FuzzType::kBoth ? random.one_in(kRowPipeShare)
                                                       : target.type == FuzzType::kRowPipe;
  FuzzCase fuzz = row_pipe ? make_row_pipe_case(random, target) : make_program_case(random, target);
  fuzz.seed = seed;
  fuzz.row_pipe = row_pipe;
  return fuzz;
}

}  // namespace ppu::sim
