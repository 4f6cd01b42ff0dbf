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
  if (config.dataflow != 0 && observed.timed) {
    issues_of_.resize(command.row_count);
    state_.issues.resize(command.row_count);
    for (std::uint32_t n = 0; n < observed.rows.size(); ++n)
      if (observed.rows[n].slot < command.row_count) issues_of_[observed.rows[n].slot].push_back(n);
  }
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
  Sequencer::Step step = Sequencer::Step::kFetched;
  while (step == Sequencer::Step::kFetched) step = state_.sequencer.step(*this);
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
  // Rows that flow have issued in any order when their pass is cut.
  if (flow() && pass_is_cut())
    while (pass.next < pass.end && next_issue(pass.next) == nullptr) ++pass.next;
  if (!pass.kernel.filters()) return;
  for (; pass.next < pass.end && !state_.tags.live(rows_[pass.next]); ++pass.next)
    ++pass.passed_over;
}

bool SteppingEngine::pass_is_cut() const {
  return follows_log() && state_.row_passes + observed_.cuts.size() > observed_.passes.size();
}

bool SteppingEngine::is_cut_here() const {
  return pass_is_cut() && (flow() ? state_.pass.next == state_.pass.end : log_is_used_up());
}

const RowTimes* SteppingEngine::next_issue(std::uint32_t slot) const {
  if (!flow()) return log_is_used_up() ? nullptr : &observed_.rows[state_.rows_issued];
  const std::vector<std::uint32_t>& issues = issues_of_[slot];
  const std::uint32_t number = state_.issues[slot];
  return number < issues.size() ? &observed_.rows[issues[number]] : nullptr;
}

void SteppingEngine::end_pass(bool cut) {
  Pass& pass = state_.pass;
  Counters& counters = state_.report.counters;
  pass.sums.count(pass.kernel, &counters);
  counters[PPU_COUNTER_ROWS_FILTERED] += pass.passed_over;
  if (cut) {
    if (pass.sums.rows == pass.end - pass.first && !pass.kernel.filters())
      differ("the device has cut a pass of which all rows have issued");
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
  if (count > 0) match_pass(first, count);
  // Where passes overlap, rows of the one behind the first that is cut may have issued.
  const bool dropped = state_.cut && !(flow() && follows_log() && !log_is_used_up());
  if (count == 0 || dropped) {
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
  const std::size_t number = state_.rdlates++;
  if (!follows_log()) return cut;
  if (number >= observed_.rdlates.size()) {
    differ("the walk comes to an `rdlate`, but the device has executed no more of them");
    return cut;
  }
  match_rdlate(observed_.rdlates[number], cut);
  return observed_.rdlates[number].value;
}

const RowTimes* SteppingEngine::times() const {
  const bool known = state_.at == At::kRow && follows_log();
  return known ? next_issue(state_.pass.next) : nullptr;
}

SteppingEngine::Waits SteppingEngine::waits() const {
  const std::uint32_t slot = state_.pass.next;
  const IssueRules::Ready ready = state_.rules.ready(state_.pass.kernel, rows_[slot], slot);
  const std::uint64_t issue = next_issue(slot)->issue;
  if (flow())
    return {observed_.passes[state_.row_passes - 1].begin, 0, ready.bodies, ready.impulses, issue};
  return {state_.last_issue, ready.pipe, ready.bodies, ready.impulses, issue};
}

void SteppingEngine::match() {
  if (!follows_log()) return;
  const std::uint32_t slot = state_.pass.next;
  const RowTimes* const next = next_issue(slot);
  if (next == nullptr)
    return differ("the walk comes to slot " + std::to_string(slot) +
                  ", but the device has issued " +
                  (flow() && !log_is_used_up() ? "it no more" : "no more row"));
  const RowTimes& times = *next;
  if (const std::string what = difference(times); !what.empty()) return differ(what);
  const LoadedKernel& kernel = state_.pass.kernel;
  const ppu_row& row = rows_[slot];
  state_.rules.issue(kernel, row, slot, state_.rules.use_of(kernel, row), times.issue);
  state_.last_issue = times.issue;
  ++state_.rows_issued;
  if (flow()) ++state_.issues[slot];
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
  if (times.issue <= observed_.passes[state_.row_passes - 1].begin ||
      (!observed_.cuts.empty() && times.issue >= observed_.cuts.front()))
    text << "slot " << slot << " was issued in cycle " << times.issue
         << ", outside of its pass in the log";
  const Waits could = waits();
  const std::uint64_t earliest = std::max({could.turn, could.pipe, could.bodies, could.impulses});
  if (times.issue < earliest)
    text << "slot " << slot << " was issued in cycle " << times.issue
         << ", but what it waits for is there from cycle " << earliest << " on";
  return text.str();
}

void SteppingEngine::match_pass(std::uint32_t first, std::uint32_t count) {
  const std::size_t number = state_.row_passes++;
  if (!follows_log()) return;
  std::ostringstream text;
  text << "the walk comes to a pass over " << count << " rows from slot " << first << " on, but ";
  if (number >= observed_.passes.size()) {
    text << "the device has begun no more of them";
    return differ(text.str());
  }
  const ObservedPass& pass = observed_.passes[number];
  if (pass.first != first || pass.count != count) {
    text << "the device has begun one over " << pass.count << " from slot " << pass.first << " on";
    return differ(text.str());
  }
  match_order(pass.begin, "rows");
  const std::size_t cut = number + observed_.cuts.size();
  if (cut < observed_.passes.size()) return;
  // It is cut with the first one, or dropped on arrival.
  const std::uint64_t cycle = observed_.cuts[cut - observed_.passes.size()];
  const std::uint64_t expected = std::max(observed_.cuts.front(), pass.begin);
  if (cycle != expected)
    differ("the pass that began in cycle " + std::to_string(pass.begin) + " was cut in cycle " +
           std::to_string(cycle) + ", expected " + std::to_string(expected));
}

void SteppingEngine::match_rdlate(const ObservedRdlate& rdlate, std::uint32_t cut) {
  match_order(rdlate.cycle, "rdlate");
  // Passes are seen to be cut in the cycle after.
  const auto seen = std::lower_bound(observed_.cuts.begin(), observed_.cuts.end(), rdlate.cycle);
  const auto expected = std::min<std::ptrdiff_t>(cut, seen - observed_.cuts.begin());
  if (rdlate.value != expected)
    differ("`rdlate` has read " + std::to_string(rdlate.value) + " passes in cycle " +
           std::to_string(rdlate.cycle) + ", expected " + std::to_string(expected));
}

void SteppingEngine::match_order(std::uint64_t cycle, const char* instruction) {
  if (cycle <= state_.sequenced)
    differ(std::string("`") + instruction + "` has executed in cycle " + std::to_string(cycle) +
           ", but an instruction before it in cycle " + std::to_string(state_.sequenced));
  state_.sequenced = cycle;
}

std::uint32_t SteppingEngine::first_left() const {
  if (!flow()) return observed_.rows[state_.rows_issued].slot;
  std::size_t first = observed_.rows.size() - 1;
  for (std::size_t slot = 0; slot < issues_of_.size(); ++slot)
    if (state_.issues[slot] < issues_of_[slot].size())
      first = std::min<std::size_t>(first, issues_of_[slot][state_.issues[slot]]);
  return observed_.rows[first].slot;
}

void SteppingEngine::match_end() {
  const auto expect_none = [this](const char* done, std::size_t left, const std::string& what) {
    if (left > 0)
      differ(std::string("the walk has ended, but the device has ") + done + " " +
             std::to_string(left) + " more " + what);
  };
  if (!log_is_used_up())
    expect_none("issued", observed_.rows.size() - state_.rows_issued,
                "rows, slot " + std::to_string(first_left()) + " first");
  expect_none("begun", observed_.passes.size() - state_.row_passes, "passes");
  expect_none("executed", observed_.rdlates.size() - state_.rdlates, "`rdlate`");
  expect_none("cut", observed_.cuts.size() - state_.report.counters[PPU_COUNTER_PASSES_CUT],
              "passes");
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
  if (follows_log() && !state_.stop) match_end();
}

}  // namespace ppu::hw
