// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cases of the fuzz that are all row pipe: kernel after kernel over rows of any nature. A row that
// faults ends a run, so the row arithmetic tells beforehand which ones would.
#include <algorithm>
#include <cstring>
#include <set>

#include "hw/program/row_state.hpp"
#include "sim/fuzz/fuzz_case.hpp"

namespace ppu::sim {
namespace {

using firmware::KernelOps;
using firmware::ProgramItem;
using firmware::Random;
using Kind = ProgramItem::Kind;

constexpr std::uint32_t kMostUpdates = 6000;
constexpr std::uint32_t kWordsOfPass = 3;
/// Control words around the kernels: marks, tags, leads, the last pass, `halt`.
constexpr std::uint32_t kWordsAround = 9;
/// The argument of `setlead`; no program that is shipped has a meaning for it.
constexpr std::uint32_t kLeadFactor = 5;

std::string instruction(spec::Opcode opcode, std::uint32_t operand_register) {
  for (const spec::Instruction& known : spec::kInstructions)
    if (known.opcode == opcode)
      return std::string(known.name) +
             (known.format == "-" ? std::string()
                                  : " " + std::string(spec::kRegisterNames[operand_register]));
  return {};
}

class Maker {
 public:
  Maker(Random& random, const FuzzTarget& target) : random_(random), target_(target) {}

  /// The first row that would fault with that detail does so and ends the run.
  FuzzCase make(std::uint32_t last_fault) {
    last_fault_ = last_fault;
    const RowPlan plan = make_rows();
    fuzz_.arguments = random_arguments(random_, plan.rows);
    fuzz_.stream = random_.one_in(8);
    const std::uint32_t mark = static_cast<std::uint32_t>(spec::Argument::kMarkThreshold);
    add_line(instruction(spec::Opcode::kSetmark, spec::kFirstArgumentRegister + mark));
    add_line(instruction(spec::Opcode::kTagall, 0));
    add_line(instruction(spec::Opcode::kTagnext, 0));
    start_state(fuzz_.arguments[mark]);
    set_lead_factor();
    const spec::Matrix matrix = plan.reduced ? spec::Matrix::kReduced : spec::Matrix::kFull;
    while (updates_ < kMostUpdates && !ended_ && add_kernel(random_kernel(random_, matrix))) {
    }
    return std::move(fuzz_);
  }

  /// Details of the faults of rows that were met.
  [[nodiscard]] const std::set<std::uint32_t>& faults() const { return faults_; }

 private:
  void set_lead_factor() {
    constexpr float kFactors[] = {0.0F, 0.25F, 0.75F, 1.0F, -3.0F, 1e-40F, 1e30F};
    const float factor = kFactors[random_.below(std::size(kFactors))];
    std::uint32_t& bits = fuzz_.arguments[kLeadFactor];
    if (!random_.one_in(8)) std::memcpy(&bits, &factor, sizeof bits);
    std::memcpy(&state_.set.lead_factor, &bits, sizeof bits);
    add_line(instruction(spec::Opcode::kSetlead, spec::kFirstArgumentRegister + kLeadFactor));
  }

  /// Often none, sometimes both.
  void go_on() {
    hw::Counters counters{};
    if (random_.one_in(4)) {
      add_line(instruction(spec::Opcode::kSettle, 0));
      state_.set.rebase(&counters);
      ++words_;
    }
    if (state_.set.based && random_.one_in(4)) {
      add_line(instruction(spec::Opcode::kAhead, 0));
      state_.set.extrapolate(&counters);
      ++words_;
    }
  }

  RowPlan make_rows() {
    const ppu_device_info& device = target_.device;
    RowPlan plan;
    plan.rows = std::min(random_.between(16, 400), device.impulse_memory_rows);
    plan.bodies = std::min(2 * plan.rows, device.body_memory_bodies);
    plan.velocity_banks = device.velocity_banks;
    plan.reduced = random_.one_in(3);
    plan.independent = true;
    fuzz_.set = random_rows(random_, plan);
    const RowNature nature = random_.one_in(3) ? RowNature::kEdge : RowNature::kHostile;
    for (ppu_row& row : fuzz_.set.rows)
      if (random_.one_in(2)) spoil(random_, nature, plan, &row);
    spoil_state(random_, nature, 20, &fuzz_.set);
    if (random_.one_in(3)) scale(random_, &fuzz_.set);
    for (std::uint32_t slot = 0; slot < plan.rows; ++slot)
      if (nature == RowNature::kHostile && random_.one_in(12))
        set_far_apart(random_, &fuzz_.set.rows[slot], &fuzz_.set.impulses[slot]);
    return plan;
  }

  void start_state(std::uint32_t mark_threshold) {
    hw::RunCommand command;
    command.body_count = static_cast<std::uint32_t>(fuzz_.set.velocities.size());
    state_ = hw::RowState(command);
    std::memcpy(&state_.tags.threshold, &mark_threshold, sizeof mark_threshold);
    state_.tags.set_all();
    state_.tags.advance();
    state_.set.impulses = fuzz_.set.impulses;
    for (const ppu_velocity& velocity : fuzz_.set.velocities) {
      hw::WorkingSet::Velocity copy{};
      std::memcpy(copy.data(), &velocity, sizeof copy);
      state_.set.velocities.push_back(copy);
    }
  }

  void add_line(std::string text) {
    fuzz_.program.items.push_back({Kind::kLines, std::move(text)});
  }

  [[nodiscard]] std::uint32_t words_left() const {
    const std::uint32_t words = target_.device.instruction_memory_words;
    return words - std::min(words, words_ + kWordsAround);
  }

  /// False if there is no more room for it.
  bool add_kernel(const KernelOps& kernel) {
    constexpr std::uint32_t kWordsToGoOn = 2;
    const auto words = static_cast<std::uint32_t>(kernel.size()) + 2;
    if (words_left() < words + kWordsOfPass + kWordsToGoOn) return false;
    go_on();
    words_ += words;
    ProgramItem load{Kind::kKernel};
    load.kernel = static_cast<std::uint32_t>(fuzz_.program.kernels.size());
    fuzz_.program.kernels.push_back(kernel);
    fuzz_.program.items.push_back(load);
    run_rows(firmware::control_of(kernel));
    return true;
  }

  /// Passes of some of the rows, around those that would fault.
  void run_rows(spec::ControlWord control) {
    const auto rows = static_cast<std::uint32_t>(fuzz_.set.rows.size());
    const bool filters = control.filter() == spec::Filter::kOn;
    if (control.lead() == spec::Lead::kOn) state_.set.keep_leads();
    std::uint32_t begin = filters ? 0 : random_.below(rows);
    const std::uint32_t end = random_.one_in(2) ? rows : random_.between(begin + 1, rows);
    for (std::uint32_t slot = begin; slot < end; ++slot) {
      const std::uint32_t fault = run_row(control, slot);
      if (fault == PPU_FAULT_NONE) continue;
      faults_.insert(fault);
      ended_ = fault == last_fault_;
      add_pass(begin, ended_ ? slot + 1 : slot);
      begin = slot + 1;
      // Filtered passes begin with row 0.
      if (ended_ || filters || words_left() < kWordsOfPass) return;
    }
    add_pass(begin, end);
  }

  /// The detail of its fault, if it has one.
  std::uint32_t run_row(spec::ControlWord control, std::uint32_t slot) {
    const ppu_row& row = fuzz_.set.rows[slot];
    const hw::RowState::View state = state_.view();
    if (control.filter() == spec::Filter::kOn && !state.is_live(row)) return PPU_FAULT_NONE;
    hw::RowSums sums;
    if (state.update(control, row, slot, &sums, &state_.max_residual)) return PPU_FAULT_NONE;
    hw::LoadedKernel kernel;
    kernel.control = control;
    return state_.fault(kernel, row, slot).detail;
  }

  void add_pass(std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    ProgramItem pass{Kind::kPass};
    pass.first = begin;
    pass.count = end - begin;
    // Behind the arguments.
    const std::uint32_t free = spec::kFirstArgumentRegister + spec::kArgumentCount;
    pass.register_a = spec::kRegisterNames[free];
    pass.register_b = spec::kRegisterNames[free + 1];
    fuzz_.program.items.push_back(pass);
    words_ += kWordsOfPass;
    updates_ += pass.count;
  }

  Random& random_;
  const FuzzTarget& target_;
  FuzzCase fuzz_;
  hw::RowState state_{hw::RunCommand{}};
  std::uint32_t words_ = 0, updates_ = 0;
  std::uint32_t last_fault_ = PPU_FAULT_NONE;
  bool ended_ = false;
  std::set<std::uint32_t> faults_;
};

}  // namespace

FuzzCase make_row_pipe_case(Random& random, const FuzzTarget& target) {
  const std::uint64_t seed = random.bits();
  Random numbers(seed);
  Maker maker(numbers, target);
  FuzzCase fuzz = maker.make(PPU_FAULT_NONE);
  if (maker.faults().empty() || random.one_in(2)) return fuzz;
  // The same once more, up to a fault of any of the kinds, however rare it is.
  const std::vector<std::uint32_t> faults(maker.faults().begin(), maker.faults().end());
  Random same_numbers(seed);
  return Maker(same_numbers, target).make(random.of(faults));
}

}  // namespace ppu::sim
