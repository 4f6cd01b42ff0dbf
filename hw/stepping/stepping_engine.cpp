// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/stepping/stepping_engine.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace ppu::hw {

SteppingEngine::SteppingEngine(const Config& config, Memory device_memory,
                               const RunCommand& command, Program program,
                               const ObservedRun& observed)
    : config_(config),
      command_(command),
      program_(program),
      observed_(observed),
      streamed_(hw::is_streamed(config, command)),
      rows_(RowRecords(device_memory, command).first(command.row_count)),
      state_(program, command, &state_.report, config.pipes) {
  state_.report.command = command.command;
  state_.set = WorkingSet::load(device_memory, command);
  if (streamed_) return;
  try {
    for (std::uint32_t slot = 0; slot < command_.row_count; ++slot)
      check_row(rows_[slot], slot, command_);
  } catch (const RunStop& stop) {
    state_.stop = stop;
    end();
  }
}

void SteppingEngine::restore(const State& state) {
  state_ = state;
}

void SteppingEngine::step() {
  if (state_.at == At::kEnd) return;
  ++state_.position;
  try {
    if (state_.at == At::kRow)
      run_row();
    else
      execute();
    if (state_.at != At::kEnd) settle();
  } catch (const RunStop& stop) {
    state_.stop = stop;
    end();
  }
}

void SteppingEngine::execute() {
  state_.instruction = state_.sequencer.pc();
  const Sequencer::Step step = state_.sequencer.step(*this);
  const spec::Fields fields = spec::decode(program_.words[state_.instruction]);
  if (static_cast<spec::Opcode>(fields.opcode) == spec::Opcode::kKernel)
    state_.kernel_address = fields.imm;
  if (step == Sequencer::Step::kHalted) end();
}

void SteppingEngine::settle() {
  state_.at = At::kInstruction;
  if (state_.in_pass) {
    pass_over_rows();
    if (state_.pass.next < state_.pass.end) {
      if (!is_cut_here()) {
        state_.at = At::kRow;
        return;
      }
      end_pass(true);
    } else {
      end_pass(is_cut_at_end());
    }
  }
  state_.instruction = state_.sequencer.pc();
}

void SteppingEngine::pass_over_rows() {
  Pass& pass = state_.pass;
  if (!pass.kernel.filters()) return;
  for (; pass.next < pass.end && !state_.tags.live(rows_[pass.next]); ++pass.next)
    ++pass.passed_over;
}

bool SteppingEngine::is_cut_here() const {
  return follows_log() && observed_.late && log_is_used_up();
}

bool SteppingEngine::is_cut_at_end() {
  const Pass& pass = state_.pass;
  const bool rows_left = pass.kernel.filters() && !state_.tags.live(rows_[pass.end - 1]);
  if (!rows_left || !is_cut_here()) return false;
  if (state_.whole_passes == observed_.cut.whole_passes) return true;
  ++state_.whole_passes;
  return false;
}

void SteppingEngine::end_pass(bool cut) {
  Pass& pass = state_.pass;
  Counters& counters = state_.report.counters;
  pass.sums.count(pass.kernel, &counters);
  counters[PPU_COUNTER_ROWS_FILTERED] += pass.passed_over;
  if (cut) {
    state_.cut = true;
    ++counters[PPU_COUNTER_PASSES_CUT];
  }
  ++state_.passes_ended;
  state_.in_pass = false;
}

void SteppingEngine::run_row() {
  Pass& pass = state_.pass;
  const std::uint32_t slot = pass.next;
  const ppu_row& row = rows_[slot];
  if (streamed_) check_row(row, slot, command_);
  match();
  const model::RowResult out = result(slot);
  if (out.fault) throw row_fault(slot, out);
  pass.sums.add(row);
  if (out.skipped) pass.sums.skip(row);
  const spec::ControlWord control = pass.kernel.control;
  if (control.mark() == spec::Mark::kOn) state_.tags.mark(row, out);
  if (control.resid() != spec::Resid::kNone)
    state_.max_residual = std::max(state_.max_residual, out.residual);
  state_.set.view().commit(control, row, slot, out);
  ++pass.next;
}

model::RowOperands SteppingEngine::operands(std::uint32_t slot) {
  model::RowOperands in = state_.set.view().operands(rows_[slot], slot);
  in.mark_threshold = state_.mark_threshold;
  if (state_.sequencer.kernel().leads()) state_.set.view().add_lead(slot, &in);
  return in;
}

model::RowResult SteppingEngine::result(std::uint32_t slot) {
  return model::update_row(state_.sequencer.kernel().control, operands(slot));
}

bool SteppingEngine::queue_pass(const LoadedKernel& kernel, std::uint32_t first,
                                std::uint32_t count) {
  ++state_.passes;
  if (count == 0 || state_.cut) {
    if (count > 0) ++state_.report.counters[PPU_COUNTER_PASSES_CUT];
    ++state_.passes_ended;
    return true;
  }
  if (streamed_)
    state_.report.counters[PPU_COUNTER_ROW_BYTES_STREAMED] +=
        RowRecords::bytes(command_.reduced, first, count);
  if (kernel.leads()) state_.set.keep_leads();
  state_.pass = {kernel, first, first, first + count};
  state_.in_pass = true;
  return true;
}

std::uint32_t SteppingEngine::take_max_residual() {
  std::uint32_t bits;
  std::memcpy(&bits, &state_.max_residual, sizeof bits);
  state_.max_residual = 0;
  return bits;
}

void SteppingEngine::set_mark_threshold(std::uint32_t bits) {
  std::memcpy(&state_.mark_threshold, &bits, sizeof bits);
}

void SteppingEngine::set_lead_factor(std::uint32_t bits) {
  std::memcpy(&state_.set.lead_factor, &bits, sizeof bits);
}

bool SteppingEngine::set_budget(std::uint32_t cycles) {
  return observed_.timed || cycles == 0;
}

std::optional<std::uint32_t> SteppingEngine::cut_passes() {
  if (!state_.cut) return 0;
  if (state_.early_looks < observed_.cut.early_looks) {
    ++state_.early_looks;
    return 0;
  }
  return static_cast<std::uint32_t>(state_.report.counters[PPU_COUNTER_PASSES_CUT]);
}

const RowTimes* SteppingEngine::times() const {
  const bool known = state_.at == At::kRow && follows_log() && !log_is_used_up();
  return known ? &observed_.rows[state_.rows_issued] : nullptr;
}

SteppingEngine::Waits SteppingEngine::waits() const {
  const RowTimes& times = observed_.rows[state_.rows_issued];
  const ppu_row& row = rows_[state_.pass.next];
  const Scoreboard::Ready ready =
      state_.scoreboard.ready(state_.pass.kernel, row, state_.pass.next);
  return {state_.last_issue, state_.pipe_free[times.pipe], ready.bodies, ready.impulses,
          times.issue};
}

void SteppingEngine::match() {
  if (!follows_log()) return;
  const std::uint32_t slot = state_.pass.next;
  if (log_is_used_up())
    return differ("the walk comes to slot " + std::to_string(slot) +
                  ", but the device has issued no more row");
  const RowTimes& times = observed_.rows[state_.rows_issued];
  if (const std::string what = difference(times); !what.empty()) return differ(what);
  const ppu_row& row = rows_[slot];
  const std::uint64_t written = times.issue + static_cast<std::uint64_t>(body_latency(config_));
  state_.scoreboard.hold(state_.pass.kernel, row, slot, written,
                         written + (shares_bank(row) ? 1 : 0));
  state_.pipe_free[times.pipe] =
      times.issue + static_cast<std::uint64_t>(initiation_interval(config_));
  state_.last_issue = times.issue;
  ++state_.rows_issued;
}

std::string SteppingEngine::difference(const RowTimes& times) const {
  std::ostringstream text;
  const std::uint32_t slot = state_.pass.next;
  const std::uint32_t pipe = slot % config_.pipes;
  if (times.slot != slot || times.pipe != pipe) {
    text << "the walk comes to slot " << slot << " on pipe " << pipe
         << ", but the device issued slot " << times.slot << " on pipe " << times.pipe
         << " in cycle " << times.issue;
    return text.str();
  }
  const std::uint64_t written = times.issue + static_cast<std::uint64_t>(body_latency(config_));
  if (times.write != written && times.write != kNever)
    text << "slot " << slot << ", issued in cycle " << times.issue << ", was written in cycle "
         << times.write << ", expected " << written;
  const Waits could = waits();
  const std::uint64_t earliest = std::max({could.turn, could.pipe, could.bodies, could.impulses});
  if (times.issue < earliest)
    text << "slot " << slot << " was issued in cycle " << times.issue
         << ", but what it waits for is there from cycle " << earliest << " on";
  return text.str();
}

bool SteppingEngine::shares_bank(const ppu_row& row) const {
  if (row.body_a == PPU_NONE || row.body_b == PPU_NONE) return false;
  return row.body_a % config_.velocity_banks == row.body_b % config_.velocity_banks;
}

void SteppingEngine::differ(const std::string& what) {
  if (state_.mismatch.empty()) state_.mismatch = what;
}

void SteppingEngine::give_up(const std::string& reason) {
  differ(reason);
  end();
}

void SteppingEngine::end() {
  state_.at = At::kEnd;
  if (state_.stop) report_stop(*state_.stop, &state_.report);
  // Where a run fails, rows behind the one that failed may have been under way.
  const std::size_t left = observed_.rows.size() - state_.rows_issued;
  if (follows_log() && left > 0 && !state_.stop)
    differ("the walk has ended, but the device has issued " + std::to_string(left) +
           " more rows, slot " + std::to_string(observed_.rows[state_.rows_issued].slot) +
           " first");
}

}  // namespace ppu::hw
