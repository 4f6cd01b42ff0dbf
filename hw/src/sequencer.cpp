// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/sequencer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "ppu/hw/run_stop.hpp"

namespace ppu::hw {
namespace {

std::string hex(std::uint32_t value) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

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

Sequencer::Sequencer(std::vector<std::uint32_t> words, const RunCommand& command, RunReport* report)
    : words_(std::move(words)), row_count_(command.row_count), report_(report) {
  std::copy(command.arguments.begin(), command.arguments.end(),
            registers_.begin() + spec::kFirstArgumentRegister);
}

void Sequencer::run(RowUnit& rows, const std::atomic<bool>& cancel) {
  constexpr std::uint64_t kCancelPeriod = 256;
  std::uint64_t& executed = report_->counters[PPU_COUNTER_INSTRUCTIONS];
  do {
    if (executed % kCancelPeriod == 0 && cancel)
      throw RunStop{PPU_RUN_CANCELLED, PPU_NONE, "the run was cancelled"};
    ++executed;
  } while (execute(fetch(pc_), rows));
}

std::uint32_t Sequencer::fetch(std::uint32_t address) const {
  if (address >= words_.size())
    illegal("ran past the last word, " + std::to_string(words_.size() - 1));
  return words_[address];
}

void Sequencer::illegal(const std::string& what) const {
  throw RunStop{PPU_RUN_ILLEGAL_INSTRUCTION, PPU_NONE,
                "instruction at word " + std::to_string(pc_) + ": " + what};
}

LoadedKernel Sequencer::load_kernel(std::uint32_t address) const {
  constexpr std::uint32_t kBitsMask = (1U << spec::kControlBits) - 1U;
  LoadedKernel kernel;
  for (;; ++address) {
    const std::uint32_t word = fetch(address);
    const spec::KernelOp* op = spec::find_op(spec::decode(word).opcode);
    if (op == nullptr)
      illegal("kernel word " + std::to_string(address) + " is " + hex(word) +
              ", expected a kernel operation");
    ++kernel.words;
    if (op->opcode == static_cast<std::uint8_t>(spec::Opcode::kKernelEnd)) break;
    kernel.control.bits |= word & kBitsMask;
    add_flops(*op, &kernel);
  }
  if (static_cast<std::uint32_t>(kernel.control.clamp()) > 2 ||
      static_cast<std::uint32_t>(kernel.control.resid()) > 2)
    illegal("the kernel's control word " + hex(kernel.control.bits) + " has a reserved value");
  return kernel;
}

void Sequencer::run_rows(RowUnit& rows, std::uint32_t first, std::uint32_t count) {
  if (!kernel_loaded_) illegal("`rows` before any `kernel`");
  if (first > row_count_ || count > row_count_ - first)
    illegal("`rows` asks for rows " + std::to_string(first) + " to " +
            std::to_string(std::uint64_t{first} + count) + " of " + std::to_string(row_count_));
  ++report_->counters[PPU_COUNTER_ROW_PASSES];
  rows.run_rows(kernel_, first, count);
}

bool Sequencer::execute(std::uint32_t word, RowUnit& rows) {
  const spec::Fields f = spec::decode(word);
  const std::uint32_t a = registers_[f.ra];
  const std::uint32_t b = registers_[f.rb];
  const std::uint32_t c = registers_[f.rc];
  const auto set = [&](std::uint32_t value) {
    if (f.ra != 0) registers_[f.ra] = value;
  };
  std::uint32_t next = pc_ + 1;
  const auto branch_if = [&](bool taken) {
    if (taken) next = f.imm;
  };

  rows.spend(1);
  switch (static_cast<spec::Opcode>(f.opcode)) {
    case spec::Opcode::kHalt:
      rows.drain();
      return false;
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
      next = f.imm;
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
    case spec::Opcode::kKernel:
      kernel_ = load_kernel(f.imm);
      kernel_loaded_ = true;
      report_->counters[PPU_COUNTER_KERNEL_WORDS] += static_cast<std::uint64_t>(kernel_.words);
      rows.spend(kernel_.words);
      break;
    case spec::Opcode::kRows:
      run_rows(rows, a, b);
      break;
    case spec::Opcode::kWait:
      rows.drain();
      break;
    case spec::Opcode::kRdmax: {
      rows.drain();
      const std::uint32_t bits = rows.take_max_residual();
      std::memcpy(&report_->last_residual, &bits, sizeof bits);
      set(bits);
      break;
    }
    case spec::Opcode::kSignal:
      report_->progress = a;
      break;
    default:
      illegal(hex(word) + " is no instruction");
  }
  pc_ = next;
  return true;
}

}  // namespace ppu::hw
