// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/program/sequencer.hpp"

#include <algorithm>
#include <utility>

#include "hw/contract/run_stop.hpp"

namespace ppu::hw {
namespace {

std::uint32_t sign_extend(std::uint32_t imm) {
  return static_cast<std::uint32_t>(static_cast<std::int16_t>(imm));
}

void add_flops(const spec::KernelOp& op, LoadedKernel* kernel) {
  const int flops = op.mul + op.add + op.cmp;
  switch (op.when) {
    case spec::FlopsWhen::kAlways:
      kernel->flops += flops;
      break;
    case spec::FlopsWhen::kWithCfm:
      kernel->flops_with_cfm += flops;
      break;
    case spec::FlopsWhen::kWithParent:
      kernel->flops_with_parent += flops;
      break;
  }
}

}  // namespace

Sequencer::Sequencer(Program program, const RunCommand& command, RunReport* report, int word_cycles)
    : program_(program),
      row_count_(command.row_count),
      matrix_(command.reduced ? spec::Matrix::kReduced : spec::Matrix::kFull),
      report_(report),
      word_cycles_(word_cycles) {
  std::copy(command.arguments.begin(), command.arguments.end(),
            registers_.begin() + spec::kFirstArgumentRegister);
}

Sequencer::Step Sequencer::step(RowUnit& rows) {
  if (bad_kernel_) return illegal(rows);
  if (std::exchange(leaves_, false)) {
    rows.spend(1);
    return Step::kFetched;
  }
  if (!exists(pc_)) return illegal(rows);
  const std::uint32_t address = pc_;
  if (flip(address).value_or(false)) {
    lost_ = address;
    return illegal(rows);
  }
  const Step step = execute(program_.words[address], rows);
  if (step == Step::kWaiting) return step;
  ++report_->counters[PPU_COUNTER_INSTRUCTIONS];
  count_corrected(address);
  return step;
}

Sequencer::Step Sequencer::illegal(RowUnit& rows) const {
  if (!rows.drain()) return Step::kWaiting;
  rows.spend(1);
  if (lost_) throw memory_fault(PPU_FAULT_INSTRUCTION_MEMORY, program_.entry + *lost_, PPU_NONE);
  throw RunStop{PPU_RUN_ILLEGAL_INSTRUCTION, PPU_NONE, pc_, {}};
}

bool Sequencer::load_kernel(std::uint32_t address, RowUnit& rows) {
  constexpr std::uint32_t kBitsMask = (1U << spec::kControlBits) - 1U;
  constexpr int kFetch = 1;  // of the first word; the others follow it
  LoadedKernel kernel;
  for (; exists(address); ++address) {
    const std::uint32_t word = program_.words[address];
    const spec::KernelOp* op = spec::find_op(spec::decode(word).opcode);
    if (flip(address).value_or(false)) lost_ = address;
    if (op == nullptr || lost_) break;
    count_corrected(address);
    if (op->opcode == static_cast<std::uint8_t>(spec::Opcode::kKernelEnd)) {
      if (kernel.control.clamp() > spec::Clamp::kMed) break;
      ++kernel.words;
      rows.spend(kFetch + word_cycles_ * kernel.words);
      kernel_ = kernel;
      leaves_ = true;
      return true;
    }
    ++kernel.words;
    kernel.control.bits |= word & kBitsMask;
    add_flops(*op, &kernel);
  }
  rows.spend(kFetch + word_cycles_ * kernel.words);
  return false;
}

bool Sequencer::may_run(std::uint32_t first, std::uint32_t count) const {
  const bool exist = first <= row_count_ && count <= row_count_ - first;
  const bool adds = kernel_.control.axpy() == spec::Axpy::kOn;
  return kernel_.words > 0 && exist && (!adds || kernel_.control.matrix() == matrix_) &&
         (!kernel_.filters() || first == 0);
}

Sequencer::Step Sequencer::execute(std::uint32_t word, RowUnit& rows) {
  const spec::Fields f = spec::decode(word);
  const std::uint32_t a = registers_[f.ra];
  const std::uint32_t b = registers_[f.rb];
  const std::uint32_t c = registers_[f.rc];
  const auto set = [&](std::uint32_t value) {
    if (f.ra != 0) registers_[f.ra] = value;
  };
  std::uint32_t next = pc_ + 1;
  const auto branch_if = [&](bool taken) {
    leaves_ = taken;
    if (taken) next = f.imm;
  };

  switch (static_cast<spec::Opcode>(f.opcode)) {
    case spec::Opcode::kHalt:
      if (!rows.drain()) return Step::kWaiting;
      rows.spend(1);
      return Step::kHalted;
    case spec::Opcode::kLi:
      set(sign_extend(f.imm));
      break;
    case spec::Opcode::kAddi:
      set(b + sign_extend(f.imm));
      break;
    case spec::Opcode::kAdd:
      set(b + c);
      break;
    case spec::Opcode::kSub:
      set(b - c);
      break;
    case spec::Opcode::kJ:
      branch_if(true);
      break;
    case spec::Opcode::kBeq:
      branch_if(a == b);
      break;
    case spec::Opcode::kBne:
      branch_if(a != b);
      break;
    case spec::Opcode::kBlt:
      branch_if(static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b));
      break;
    case spec::Opcode::kBge:
      branch_if(static_cast<std::int32_t>(a) >= static_cast<std::int32_t>(b));
      break;
    case spec::Opcode::kBltu:
      branch_if(a < b);
      break;
    case spec::Opcode::kBgeu:
      branch_if(a >= b);
      break;
    case spec::Opcode::kBmax:
      if (const std::optional<bool> exceeds = rows.residual_exceeds(a))
        branch_if(*exceeds);
      else
        return Step::kWaiting;
      break;
    case spec::Opcode::kKernel:
      if (!load_kernel(f.imm, rows)) {
        rows.spend(word_cycles_);
        bad_kernel_ = true;
        return illegal(rows);
      }
      report_->counters[PPU_COUNTER_KERNEL_WORDS] += static_cast<std::uint64_t>(kernel_.words);
      break;
    case spec::Opcode::kRows:
      if (!may_run(a, b)) return illegal(rows);
      if (!rows.queue_pass(kernel_, a, b)) return Step::kWaiting;
      ++report_->counters[PPU_COUNTER_ROW_PASSES];
      break;
    case spec::Opcode::kWait:
      if (!rows.drain()) return Step::kWaiting;
      break;
    case spec::Opcode::kRdmax:
      if (!rows.drain()) return Step::kWaiting;
      report_->last_residual = rows.take_max_residual();
      set(report_->last_residual);
      break;
    case spec::Opcode::kSignal:
      report_->progress = a;
      rows.signal(a);
      break;
    case spec::Opcode::kBudget:
      if (!rows.set_budget(a)) return illegal(rows);
      break;
    case spec::Opcode::kRdlate:
      if (const std::optional<std::uint32_t> passes = rows.cut_passes())
        set(*passes);
      else
        return Step::kWaiting;
      break;
    case spec::Opcode::kSetmark:
      if (!rows.drain()) return Step::kWaiting;
      rows.set_mark_threshold(a);
      break;
    case spec::Opcode::kTagall:
      if (!rows.drain()) return Step::kWaiting;
      rows.tag_all();
      break;
    case spec::Opcode::kTagnext:
      if (!rows.drain()) return Step::kWaiting;
      rows.tag_next();
      break;
    case spec::Opcode::kSetlead:
      if (!rows.drain()) return Step::kWaiting;
      rows.set_lead_factor(a);
      break;
    case spec::Opcode::kAhead:
      if (!rows.drain()) return Step::kWaiting;
      if (!rows.extrapolate()) return illegal(rows);
      break;
    case spec::Opcode::kSettle:
      if (!rows.drain()) return Step::kWaiting;
      rows.rebase();
      break;
    default:
      return illegal(rows);
  }
  rows.spend(word_cycles_);
  pc_ = next;
  return Step::kExecuted;
}

}  // namespace ppu::hw
