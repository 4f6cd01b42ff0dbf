// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random kernels: a walk over the operations whose operands are known, by their patterns, on the
// way to one of them.
#include <algorithm>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/encoding.hpp"
#include "firmware/random/random_program.hpp"

namespace ppu::firmware {
namespace {

/// The value that an operand pattern names; "" for a literal. A field of the row needs the row.
std::string_view net_of(std::string_view pattern) {
  return pattern == "0" ? std::string_view() : pattern.substr(0, pattern.find('.'));
}

bool makes(const spec::KernelOp& op, std::string_view net) {
  const auto begin = op.operands.begin();
  return std::find(begin, begin + op.results, net) != begin + op.results;
}

bool takes(const spec::KernelOp& op, std::string_view net) {
  const auto begin = op.operands.begin();
  return std::any_of(begin + op.results, begin + operand_count(op),
                     [&](std::string_view pattern) { return net_of(pattern) == net; });
}

bool is_made(const KernelOps& kernel, std::string_view net) {
  return net.empty() || std::any_of(kernel.begin(), kernel.end(),
                                    [&](const spec::KernelOp* op) { return makes(*op, net); });
}

/// True if `op` would change a value that `earlier` takes in a later cycle.
bool changes_too_late(const spec::KernelOp& earlier, const spec::KernelOp& op) {
  const spec::Config config;
  if (cycles(earlier.start, config) < cycles(op.start, config)) return false;
  const auto begin = op.operands.begin();
  return std::any_of(begin, begin + op.results,
                     [&](std::string_view net) { return takes(earlier, net); });
}

/// Different units of the pipe, and no quarrel over a control field.
bool agree(const spec::KernelOp& a, const spec::KernelOp& b) {
  return a.name != b.name && ((a.bits ^ b.bits) & a.mask & b.mask) == 0;
}

bool agrees(const KernelOps& kernel, const spec::KernelOp& op) {
  return std::all_of(kernel.begin(), kernel.end(),
                     [&](const spec::KernelOp* other) { return agree(*other, op); });
}

/// What it stores, later rows read.
bool stores(const spec::KernelOp& op) {
  const spec::ControlWord control{op.bits};
  return control.store_impulse() == spec::StoreImpulse::kOn ||
         control.store_velocity() == spec::StoreVelocity::kOn;
}

/// Rows of the form `matrix` may go through a kernel with this control word.
bool fits(spec::ControlWord control, spec::Matrix matrix) {
  return control.axpy() == spec::Axpy::kOff || control.matrix() == matrix;
}

class KernelMaker {
 public:
  explicit KernelMaker(Random& random) : random_(random) {}

  /// A kernel with certain operations in it, often those that store; none if they cannot be put in
  /// order.
  KernelOps make() {
    // Few steps make a kernel of few operations, many one to which hardly anything can be added.
    // What makes no value often comes last, or early stores would keep most kernels from changing
    // one.
    constexpr std::uint32_t kSteps[] = {0, 10, 30, 100};
    const std::uint32_t steps = kSteps[random_.below(std::size(kSteps))];
    const std::uint32_t values_only = random_.one_in(3) ? 0 : steps * 3 / 4;
    if (random_.one_in(2))
      for (const spec::KernelOp& op : spec::kKernelOps)
        if (stores(op)) add_needed(op);
    for (std::uint32_t goals = random_.between(1, 3); goals > 0; --goals)
      add_needed(random_.of(spec::kKernelOps));
    place(spec::kKernelOps.front());
    for (std::uint32_t step = 0; step < steps; ++step) {
      const bool needed = !needed_.empty() && random_.one_in(4);
      const spec::KernelOp& op = needed ? *random_.of(needed_) : random_.of(spec::kKernelOps);
      if (op.results > 0 || step >= values_only) place(op);
    }
    while (!needed_.empty())
      if (!place_needed()) return {};
    return std::move(kernel_);
  }

 private:
  /// Adds `goal`, operations that make what it takes, and so on; nothing if they do not agree with
  /// what is needed already.
  void add_needed(const spec::KernelOp& goal) {
    if (&goal == &end_op() || !agrees(needed_, goal)) return;
    KernelOps needed = needed_;
    needed.push_back(&goal);
    for (std::size_t i = needed_.size(); i < needed.size(); ++i) {
      const spec::KernelOp& op = *needed[i];
      for (int k = op.results; k < operand_count(op); ++k) {
        const std::string_view net = net_of(op.operands.at(static_cast<std::size_t>(k)));
        if (is_made(needed, net)) continue;
        KernelOps makers;
        for (const spec::KernelOp& maker : spec::kKernelOps)
          if (makes(maker, net) && agrees(needed, maker)) makers.push_back(&maker);
        if (makers.empty()) return;
        needed.push_back(random_.of(makers));
      }
    }
    needed_ = std::move(needed);
  }

  /// Appends `op` if it may stand here and leaves room for what is needed.
  bool place(const spec::KernelOp& op) {
    const auto keeps_out = [&](const spec::KernelOp* needed) {
      return needed != &op && (!agree(op, *needed) || changes_too_late(op, *needed));
    };
    if (!may_follow(kernel_, op) || std::any_of(needed_.begin(), needed_.end(), keeps_out))
      return false;
    kernel_.push_back(&op);
    needed_.erase(std::remove(needed_.begin(), needed_.end(), &op), needed_.end());
    return true;
  }

  bool place_needed() {
    const KernelOps needed = needed_;
    for (const spec::KernelOp* op : needed)
      if (place(*op)) return true;
    return false;
  }

  Random& random_;
  KernelOps needed_;  ///< And not placed yet.
  KernelOps kernel_;
};

}  // namespace

spec::ControlWord control_of(const KernelOps& kernel) {
  spec::ControlWord control;
  for (const spec::KernelOp* op : kernel) control.bits |= op->bits;
  return control;
}

bool may_follow(const KernelOps& kernel, const spec::KernelOp& op) {
  const spec::KernelOp& first = spec::kKernelOps.front();
  if (&op == &end_op() || kernel.empty() != (&op == &first)) return false;
  const bool in_time = std::none_of(kernel.begin(), kernel.end(), [&](const spec::KernelOp* other) {
    return changes_too_late(*other, op);
  });
  const auto begin = op.operands.begin();
  return in_time && agrees(kernel, op) &&
         std::all_of(begin + op.results, begin + operand_count(op),
                     [&](std::string_view pattern) { return is_made(kernel, net_of(pattern)); });
}

KernelOps without(const KernelOps& kernel, std::size_t index) {
  KernelOps rest;
  for (std::size_t i = 0; i < kernel.size(); ++i)
    if (i != index && may_follow(rest, *kernel[i])) rest.push_back(kernel[i]);
  return rest;
}

KernelOps random_kernel(Random& random, spec::Matrix matrix) {
  while (true) {
    KernelOps kernel = KernelMaker(random).make();
    if (!kernel.empty() && fits(control_of(kernel), matrix)) return kernel;
  }
}

}  // namespace ppu::firmware
