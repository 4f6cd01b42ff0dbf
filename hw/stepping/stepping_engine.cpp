// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/stepping/stepping_engine.hpp"

#include <algorithm>
#include <sstream>

namespace ppu::hw {

SteppingEngine::SteppingEngine(const Config& config, Memory device_memory,
                               const RunCommand& command, Program program,
                               const ObservedRun& observed)
    : ComputingRowUnit(state_, state_.report.counters),
      pipes_(config.pipes),
      command_(command),
      program_(program),
      observed_(observed),
      streamed_(hw::is_streamed(config, command)),
      rows_(RowRecords(device_memory, command).first(command.row_count)),
      state_(config, program, command, &state_.report) {
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
    const bool cut = is_cut_here();
    if (state_.pass.next < state_.pass.end && !cut) {
      state_.at = At::kRow;
      return;
    }
    end_pass(cut);
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
  return follows_log() && log_is_used_up() && observed_.passes_cut > 0 &&
         state_.row_passes > observed_.passes - observed_.passes_cut;
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
  pass.sums.add(row);
  if (!state_.view().update(pass.kernel.control, row, slot, &pass.sums, &state_.max_residual))
    throw state_.fault(pass.kernel, row, slot);
  ++pass.next;
}

bool SteppingEngine::queue_pass(const LoadedKernel& kernel, std::uint32_t first,
                                std::uint32_t count) {
  ++state_.passes;
  if (count > 0) ++state_.row_passes;
  if (count == 0 || state_.cut) {
    if (count > 0) ++state_.report.counters[PPU_COUNTER_PASSES_CUT];
    ++state_.passes_ended;
    return true;
  }
  if (streamed_)
    state_.report.counters[PPU_COUNTER_ROW_BYTES_STREAMED] +=
        RowRecords::bytes(command_.reduced, first, count);
  if (kernel.extrapolates()) state_.set.keep_leads();
  state_.pass = {kernel, first, first, first + count};
  state_.in_pass = true;
  return true;
}

bool SteppingEngine::set_budget(std::uint32_t cycles) {
  return observed_.timed || cycles == 0;
}

std::optional<std::uint32_t> SteppingEngine::cut_passes() {
  const auto cut = static_cast<std::uint32_t>(state_.report.counters[PPU_COUNTER_PASSES_CUT]);
  const std::size_t number = state_.rdlate_values++;
  if (!follows_log()) return cut;
  if (number >= observed_.rdlate_values.size()) {
    differ("the walk comes to an `rdlate`, but the device has executed no more of them");
    return cut;
  }
  // Passes are seen to be cut in the cycle after: until then an `rdlate` reads 0.
  const std::uint32_t read = observed_.rdlate_values[number];
  if (read != cut && read != 0)
    differ("`rdlate` has read " + std::to_string(read) + " passes, expected " +
           std::to_string(cut));
  return read;
}

const RowTimes* SteppingEngine::times() const {
  const bool known = state_.at == At::kRow && follows_log() && !log_is_used_up();
  return known ? &observed_.rows[state_.rows_issued] : nullptr;
}

SteppingEngine::Waits SteppingEngine::waits() const {
  const std::uint32_t slot = state_.pass.next;
  const IssueRules::Ready ready = state_.rules.ready(state_.pass.kernel, rows_[slot], slot);
  return {state_.last_issue, ready.pipe, ready.bodies, ready.impulses,
          observed_.rows[state_.rows_issued].issue};
}

void SteppingEngine::match() {
  if (!follows_log()) return;
  const std::uint32_t slot = state_.pass.next;
  if (log_is_used_up())
    return differ("the walk comes to slot " + std::to_string(slot) +
                  ", but the device has issued no more row");
  const RowTimes& times = observed_.rows[state_.rows_issued];
  if (const std::string what = difference(times); !what.empty()) return differ(what);
  const LoadedKernel& kernel = state_.pass.kernel;
  const ppu_row& row = rows_[slot];
  state_.rules.issue(kernel, row, slot, state_.rules.use_of(kernel, row), times.issue);
  state_.last_issue = times.issue;
  ++state_.rows_issued;
}

std::string SteppingEngine::difference(const RowTimes& times) const {
  std::ostringstream text;
  const std::uint32_t slot = state_.pass.next;
  const std::uint32_t pipe = slot % pipes_;
  if (times.slot != slot || times.pipe != pipe) {
    text << "the walk comes to slot " << slot << " on pipe " << pipe
         << ", but the device issued slot " << times.slot << " on pipe " << times.pipe
         << " in cycle " << times.issue;
    return text.str();
  }
  const std::uint64_t written = state_.rules.write_of(times.issue);
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
