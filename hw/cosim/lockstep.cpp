// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/cosim/lockstep.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "base/bits/float_bits.hpp"
#include "hw/contract/run_stop.hpp"

namespace ppu::hw {
namespace {

/// Same bits, or both not a number.
bool same(float a, float b) {
  return bits_of(a) == bits_of(b) || (a != a && b != b);
}

std::string show(float value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.9g (0x%08x)", static_cast<double>(value), bits_of(value));
  return text;
}

std::string floats(float model, float rtl) {
  return "model " + show(model) + ", RTL " + show(rtl);
}

std::string integers(std::uint64_t model, std::uint64_t rtl) {
  return "model " + std::to_string(model) + ", RTL " + std::to_string(rtl);
}

}  // namespace

void PipeChecker::begin_run(std::uint64_t cycle) {
  pipe_->show_from(std::nullopt);
  // Rows left over from a run that ended early leave the pipe unchecked.
  constexpr int kDrainSteps = 256;
  for (int i = 0; i < kDrainSteps && !in_flight_.empty(); ++i)
    if (pipe_->step(nullptr).result != nullptr) in_flight_.pop_front();
  in_flight_.clear();
  // Quotients of theirs may still be in the divider.
  constexpr int kDivideSteps = 32;
  for (int i = 0; i < kDivideSteps; ++i) pipe_->step(nullptr);
  pipe_->take_max_residual();
  max_residual_ = 0;
  origin_ = pipe_->cycle();
  pipe_->show_from(cycle);
}

void PipeChecker::differ(std::uint32_t slot, const std::string& what) const {
  throw RunStop{PPU_RUN_MISMATCH, slot, PPU_FAULT_NONE,
                "lockstep: cycle " + std::to_string(cycle_) + ", " + what};
}

void PipeChecker::check(const InFlight& model, const model::RowResult& rtl) const {
  const model::RowResult& want = model.expected;
  const auto compare = [&](const std::string& lane, const char* signal, float m, float r) {
    if (!same(m, r))
      differ(model.slot, "lane " + lane + ", signal " + signal + ": " + floats(m, r));
  };
  if (cycle_ != model.retire_cycle)
    differ(model.slot, "lane -, signal out_valid, cycle: " + integers(model.retire_cycle, cycle_));
  if (want.skipped != rtl.skipped)
    differ(model.slot, "lane -, signal skipped: " + integers(want.skipped, rtl.skipped));
  if (!want.skipped) {
    compare("-", "u", want.rate, rtl.rate);
    compare("-", "t", want.target, rtl.target);
  }
  compare("-", "x", want.impulse, rtl.impulse);
  compare("-", "dx", want.delta, rtl.delta);
  for (std::size_t lane = 0; lane < want.velocity.size(); ++lane)
    compare(std::to_string(lane), "v", want.velocity[lane], rtl.velocity[lane]);
  // Quotients are compared at their maximum.
  const bool quotient = model.control.resid() == spec::Resid::kQuotient;
  compare("-", "residual", quotient ? 0.0F : want.residual, rtl.residual);
  if (want.mark_a != rtl.mark_a)
    differ(model.slot, "lane -, signal mark_a: " + integers(want.mark_a, rtl.mark_a));
  if (want.mark_b != rtl.mark_b)
    differ(model.slot, "lane -, signal mark_b: " + integers(want.mark_b, rtl.mark_b));
  if (want.fault != rtl.fault)
    differ(model.slot, "lane -, signal fault: " + integers(want.fault, rtl.fault));
}

RtlRowPipe::Step PipeChecker::advance(const RtlRow* row) {
  try {
    return pipe_->step(row);
  } catch (const std::runtime_error& error) {
    differ(in_flight_.empty() ? PPU_NONE : in_flight_.front().slot,
           std::string("lane -, signal axpy_tag: ") + error.what());
  }
}

void PipeChecker::step(const RtlRow* row) {
  cycle_ = rtl_cycle();
  const RtlRowPipe::Step step = advance(row);
  if (row != nullptr && !step.accepted)
    differ(row->tag, "lane -, signal in_ready: " + integers(1, 0));
  if (step.result != nullptr) {
    if (in_flight_.empty() || in_flight_.front().slot != step.result->tag)
      differ(step.result->tag, "lane -, signal tag: " +
                                   integers(in_flight_.empty() ? PPU_NONE : in_flight_.front().slot,
                                            step.result->tag));
    check(in_flight_.front(), step.result->values);
    in_flight_.pop_front();
    ++rows_checked_;
  }
  if (pipe_->assertion_failures() > 0)
    differ(in_flight_.empty() ? PPU_NONE : in_flight_.front().slot, "an RTL assertion failed");
}

void PipeChecker::on_row(const RowEvent& event) {
  while (rtl_cycle() < event.enter_cycle) step(nullptr);
  in_flight_.push_back(
      {event.row, event.slot, event.control, event.retire_cycle, event.operands, event.result});
  InFlight& entry = in_flight_.back();
  entry.operands.jacobian = entry.row.jacobian;
  entry.operands.inv_mass_jacobian = entry.row.inv_mass_jacobian;
  if (event.control.resid() != spec::Resid::kNone)
    max_residual_ = std::max(max_residual_, event.result.residual);
  const RtlRow row{event.slot, event.control, entry.operands};
  step(&row);
}

void PipeChecker::on_drained(std::uint64_t cycle) {
  while (rtl_cycle() <= cycle) step(nullptr);
  if (!in_flight_.empty())
    differ(in_flight_.front().slot, "lane -, signal out_valid: the row never came out");
}

LockstepChecker::LockstepChecker(std::vector<std::unique_ptr<RtlRowPipe>> pipes) {
  for (std::unique_ptr<RtlRowPipe>& pipe : pipes)
    pipes_.push_back(&own_.emplace_back(std::move(pipe)));
}

void LockstepChecker::begin_run(std::uint64_t cycle) {
  for (PipeChecker* pipe : pipes_)
    if (pipe != nullptr) pipe->begin_run(cycle);
}

void LockstepChecker::on_row(const RowEvent& event) {
  if (pipes_[event.pipe] != nullptr) pipes_[event.pipe]->on_row(event);
}

void LockstepChecker::on_drained(std::uint64_t cycle) {
  for (PipeChecker* pipe : pipes_)
    if (pipe != nullptr) pipe->on_drained(cycle);
}

void PipeChecker::on_residual() {
  const float rtl = pipe_->take_max_residual();
  const float expected = std::exchange(max_residual_, 0.0F);
  if (!same(expected, rtl))
    throw RunStop{PPU_RUN_MISMATCH, PPU_NONE, PPU_FAULT_NONE,
                  "lockstep: lane -, signal max_residual: " + floats(expected, rtl)};
}

void LockstepChecker::on_residual(float) {
  for (PipeChecker* pipe : pipes_)
    if (pipe != nullptr) pipe->on_residual();
}

std::uint64_t LockstepChecker::rows_checked() const {
  std::uint64_t rows = 0;
  for (const PipeChecker* pipe : pipes_)
    if (pipe != nullptr) rows += pipe->rows_checked();
  return rows;
}

}  // namespace ppu::hw
