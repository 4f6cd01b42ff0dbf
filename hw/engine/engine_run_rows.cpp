// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The passes of a run on a timed engine, row by row.
#include <algorithm>

#include "hw/engine/engine_run.hpp"
#include "hw/program/known_control.hpp"

namespace ppu::hw {
namespace {

/// Passes that are not fully issued.
constexpr std::size_t kMostPasses = 2;

}  // namespace

bool EngineRun::queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) {
  const bool filtered = kernel.filters() || (!passes_.empty() && passes_.back().kernel.filters());
  if (passes_.size() == kMostPasses || (filtered && !passes_.empty())) return false;
  const bool early = is_early_pass(kernel, first, count);
  // Before that it is not known of an early run whether a row is apart.
  if (early_ && !early && !drain()) return false;
  const bool opens = dataflow_ != nullptr && dataflow_->opens(kernel, first);
  if (!early && (kernel.filters() || !joins(opens, kernel)) && !drain()) return false;
  // With one pass in the queue, the older end is that of the pass before it.
  sequencer_cycle_ = std::max(sequencer_cycle_, pass_ends_[passes_.size()]);
  if (dataflow_ != nullptr) sequencer_cycle_ = std::max(sequencer_cycle_, dataflow_->pass_from());
  if (is_stopped(sequencer_cycle_) && !drain()) return false;
  if (count == 0) return true;
  note(TraceKind::kPassBegin, sequencer_cycle_, first, count);
  if (sequencer_cycle_ >= over_budget_from_) {
    note(TraceKind::kPassCut, sequencer_cycle_, 0, 0);
    ++report_.counters[PPU_COUNTER_PASSES_CUT];
    return true;
  }
  if (kernel.extrapolates()) path_.impulses().keep_leads();
  passes_.push_back({kernel, first, first, first + count, sequencer_cycle_});
  passes_.back().come = first;
  passes_.back().number = queued_++;
  passes_.back().maximum = maxima_.current();
  last_kernel_ = kernel;
  if (opens && !dataflow_->is_open())
    dataflow_->open_resident(command_.body_count, [this] { bring_resident_rows(); });
  if (dataflow_ != nullptr)
    passes_.back().open = dataflow_->queue_pass(kernel, count, sequencer_cycle_);
  if (early) dataflow_->begin_linking(sequencer_cycle_ + 1);
  if (stream_) stream_->queue_pass(sequencer_cycle_, first, count);
  if (searches(passes_.back())) {
    const auto later = static_cast<std::uint64_t>(looked_at_cycles(engine_.config));
    search_.begin(sequencer_cycle_ + kFetchCycles + later, count);
  }
  return true;
}

bool EngineRun::run_pass(std::uint32_t* budget) {
  awaits_rows_ = false;
  if (passes_.empty()) return false;
  Pass& pass = passes_.front();
  if (pass.next == pass.first) {
    charge_program(pass.cycle + 1);
    issue_.begin_pass(searches(pass) ? PPU_COUNTER_FILTER_CYCLES : PPU_COUNTER_FETCH_STALL_CYCLES);
  }
  const Progress progress =
      cut_ ? Progress::kCut : with_known_control(pass.kernel.control, [&](auto control) {
        return run_rows(control, &pass, budget);
      });
  if (progress == Progress::kWaiting) return false;
  if (progress == Progress::kDecided) return true;
  if (progress == Progress::kCut && ends_at_ <= over_budget_from_) {
    settle();
    return false;
  }
  finish_pass(&pass, progress == Progress::kCut);
  passes_.pop_front();
  return true;
}

template <class Control>
EngineRun::Progress EngineRun::run_rows(Control control, Pass* pass, std::uint32_t* budget) {
  if (dataflow_ != nullptr) return run_dataflow(control, budget);
  if (stream_) return run_streamed_rows(control, pass, budget);
  if (control.filter() == spec::Filter::kOn) return run_found_rows(control, pass, budget);
  for (; pass->next < pass->end; ++pass->next) {
    if (*budget == 0) return Progress::kWaiting;
    --*budget;
    if (lost_bodies(pass->next))
      return end_before_row(pass->next, pass->cycle + kFetchCycles, flipped_.stop(pass->next));
    if (!run_row(control, pass, path_.row(pass->next), pass->cycle + kFetchCycles)) return held();
    if (decided_) return decide(pass);
  }
  return Progress::kDone;
}

void EngineRun::bring_rows() {
  if (rows_unseen_ && engine_.port.unwritten == 0) look_for_bad_rows();
  for (Pass& pass : passes_)
    for (; pass.come < pass.end; ++pass.come) {
      const std::uint32_t slot = pass.come;
      const auto cycle = stream_->take(slot, slot == pass.first);
      if (!cycle) return;
      const ppu_row& row = path_.memory(slot).arrive(records_[slot]);
      path_.memory(slot).next_place();
      const bool bad =
          lost_bodies(slot) || find_bad_field(row, slot, command_).detail != PPU_FAULT_NONE;
      const bool live = bad || !pass.kernel.filters() || path_.tags().live(row);
      dataflow_->arrive({names(row), slot, pass.open, *cycle, live, bad});
    }
}

void EngineRun::bring_resident_rows() {
  constexpr std::uint32_t kMostAtOnce = 64;
  for (Pass& pass : passes_) {
    if (pass.come == pass.end) continue;
    if (searches(pass)) return bring_found_rows(&pass);
    const std::uint32_t end = std::min(pass.end, pass.come + kMostAtOnce);
    for (; pass.come < end; ++pass.come)
      dataflow_->arrive({names(path_.row(pass.come)), pass.come, pass.open,
                         pass.cycle + kFetchCycles, true, false});
    return;
  }
}

void EngineRun::bring_found_rows(Pass* pass) {
  const auto is_live = [this](std::uint32_t slot) { return path_.tags().live(path_.row(slot)); };
  if (pass->group_end != 0) search_.gone(dataflow_->taken());
  pass->group_end = 0;
  const RowSearch::Found found = search_.next(is_live, std::min(limit(), horizon_));
  const std::uint32_t left_out = search_.take_passed_over();
  if (left_out > 0) dataflow_->pass_over(left_out, search_.last_cycle());
  if (found != RowSearch::Found::kGroup) return;
  for (std::uint32_t slot = search_.first(); slot < search_.end(); ++slot)
    dataflow_->arrive(
        {names(path_.row(slot)), slot, pass->open, search_.arrival(), is_live(slot), false});
  pass->group_end = search_.end();
}

void EngineRun::search_on(Pass* pass) {
  const auto is_live = [this](std::uint32_t slot) { return path_.tags().live(path_.row(slot)); };
  // The linker takes rows, though it links none, until its queue is full.
  OpenLinker::Entry entry = dataflow_->entry();
  bool group = pass->group_end != 0;
  do {
    if (group) search_.gone(std::min(limit(), entry.taken()));
    group = search_.next(is_live, limit()) == RowSearch::Found::kGroup;
    for (std::uint32_t slot = search_.first(); group && slot < search_.end(); ++slot)
      entry.take(search_.arrival());
  } while (group);
  report_.counters[PPU_COUNTER_ROWS_FILTERED] += search_.take_passed_over();
}

std::uint64_t EngineRun::quiet_until() const {
  // A pass does not end before its last row has come, one in a cycle at most; rows that issue give
  // their places back, and show their residuals, when they leave the pipe.
  const Pass& pass = passes_.front();
  const std::uint64_t left = early_ ? engine_.port.unwritten : pass.end - pass.come;
  const bool far = left > 0 && !pass.kernel.filters() && !has_bad_row_ && !rows_unseen_;
  const auto latency = static_cast<std::uint64_t>(body_latency(engine_.config));
  return dataflow_->now() + (far ? std::min(latency, left) : 1);
}

template <class Control>
EngineRun::Progress EngineRun::run_dataflow(Control control, std::uint32_t* budget) {
  const auto on_issue = [&](const DataflowIssue::Issued& issued) {
    Pass& pass = passes_[issued.pass];
    const ppu_row& row = path_.row(issued.place);
    if (dataflow_->is_open()) pass.sums.add(row);
    issue_.classes().visit(issued.slot);
    const bool good = update(control, &pass, row, issued.slot, {issued.cycle, issued.write});
    if (!good && flipped_.row_stop(control, row, issued.slot)) {
      // A memory that fails ends the run at once.
      stop_at_fault(pass.kernel, row, issued.slot, {issued.cycle, issued.write});
      return false;
    }
    if (!good) note_fault(pass, issued);
    count_residual(pass, issued.cycle);
    return !decided_;
  };
  auto bound = std::min(limit(), horizon_);
  if (stream_) {
    bring_rows();
    // Rows that are not known yet are linked after that.
    bound = std::min(bound, plus(stream_->known_until(seen_), spec::kLinkerCycles));
  }
  // A row is read by the linker in the cycle after that of its last beat.
  if (early_ && !bring_early_rows()) bound = std::min(bound, seen_ + 2);
  const auto progress = dataflow_->run(bound, budget, &issue_.classes(), on_issue);
  report_.counters[PPU_COUNTER_ROWS_FILTERED] += dataflow_->take_passed_over();
  note_links();
  switch (progress) {
    case DataflowIssue::Progress::kDone:
      return Progress::kDone;
    case DataflowIssue::Progress::kBudget:
      return Progress::kWaiting;
    case DataflowIssue::Progress::kStopped:
      decided_ = false;
      return Progress::kDecided;
    case DataflowIssue::Progress::kBad: {
      const std::uint32_t slot = dataflow_->bad_slot();
      const BadField bad = find_bad_field(records_[slot], slot, command_);
      const RunStop stop = lost_bodies(slot) ? flipped_.stop(slot) : bad_row(slot, bad);
      stop_before(dataflow_->now(), fault_ ? *fault_ : stop);
      return Progress::kCut;
    }
    default:
      awaits_rows_ = bound < std::min(limit(), horizon_);
      if (awaits_rows_ || held() == Progress::kWaiting) return Progress::kWaiting;
      if (searches(passes_.front())) search_on(&passes_.front());
      return Progress::kCut;
  }
}

void EngineRun::note_links() {
  if (flipped_.use(dataflow_->take_watched()) || stop_) return;
  if (engine_.observer != nullptr) engine_.observer->on_drained(last_row_out() - origin_);
  // Of a streamed row its place is known, which is the word, and not its slot.
  stop_before(dataflow_->used_from(), flipped_.stop(stream_ ? PPU_NONE : flipped_.flip.word));
}

void EngineRun::note_fault(const Pass& pass, const DataflowIssue::Issued& issued) {
  const std::uint32_t slot = issued.slot;
  if (fault_from_ == kNever) stop_program(issued.write + 1);
  if (fault_ && (fault_pass_ < pass.number || (fault_pass_ == pass.number && fault_->row < slot)))
    return;
  fault_ = fault_of(pass.kernel, path_.row(issued.place), slot);
  fault_pass_ = pass.number;
}

void EngineRun::stop_program(std::uint64_t cycle) {
  fault_from_ = cycle;
  if (!passes_.empty() && passes_.back().cycle >= cycle) {
    passes_.pop_back();
    dataflow_->drop_pass();
    if (stream_) stream_->drop_pass();
  }
  std::deque<EnginePort::Signal>& signals = engine_.port.signals;
  while (!signals.empty() && signals.back().cycle > cycle) signals.pop_back();
  const auto undone = [cycle](const TraceEvent& event) {
    return event.cycle >= cycle &&
           (event.kind == TraceKind::kPassBegin || event.kind == TraceKind::kRdlate);
  };
  events_.erase(std::remove_if(events_.begin(), events_.end(), undone), events_.end());
  sequencer_cycle_ = std::min(sequencer_cycle_, cycle);
  // Its `halt`.
  if (!stop_ && ends_at_ >= cycle && ends_at_ != kNever) {
    ends_at_ = kNever;
    set_limits();
  }
}

template <class Control>
EngineRun::Progress EngineRun::run_found_rows(Control control, Pass* pass, std::uint32_t* budget) {
  const auto is_live = [this](std::uint32_t slot) {
    return path_.tags().live(path_.row(slot)) || lost_bodies(slot);
  };
  while (true) {
    for (; pass->next < pass->group_end; ++pass->next) {
      if (lost_bodies(pass->next))
        return end_before_row(pass->next, search_.arrival(), flipped_.stop(pass->next));
      const auto gone = run_row(control, pass, path_.row(pass->next), search_.arrival());
      if (!gone) {
        if (held() == Progress::kWaiting) return Progress::kWaiting;
        // The search goes on without the issue stage until the run is over its budget.
        do search_.gone(limit());
        while (search_.next(is_live, limit()) == RowSearch::Found::kGroup);
        report_.counters[PPU_COUNTER_ROWS_FILTERED] += search_.take_passed_over();
        return Progress::kCut;
      }
      if (pass->next + 1 == pass->group_end) search_.gone(*gone);
      if (decided_) return decide(pass);
    }
    if (*budget == 0) return Progress::kWaiting;
    const std::uint32_t looked = search_.looked();
    const RowSearch::Found found = search_.next(is_live, std::min(limit(), horizon_));
    // Looking at a row counts as much as running one.
    *budget -= std::min(*budget, search_.looked() - looked);
    report_.counters[PPU_COUNTER_ROWS_FILTERED] += search_.take_passed_over();
    if (found == RowSearch::Found::kNone) return Progress::kDone;
    if (found == RowSearch::Found::kOverBudget && held() == Progress::kWaiting)
      return Progress::kWaiting;
    pass->next = search_.first();
    if (found == RowSearch::Found::kOverBudget) {
      issue_.never_arrives(pass->next);
      return Progress::kCut;
    }
    pass->group_end = search_.end();
  }
}

template <class Control>
EngineRun::Progress EngineRun::run_streamed_rows(Control control, Pass* pass,
                                                 std::uint32_t* budget) {
  for (; pass->next < pass->end; ++pass->next) {
    const std::uint32_t slot = pass->next;
    if (*budget == 0) return Progress::kWaiting;
    --*budget;
    const bool opens = slot == pass->first;
    const RowStream::Arrival arrival = stream_->arrival(slot, opens);
    if (arrival == RowStream::Arrival::kAwaited) return Progress::kWaiting;
    if (arrival == RowStream::Arrival::kMissed) {
      issue_.never_arrives(slot);
      return Progress::kCut;
    }
    const ppu_row& row = path_.memory(slot).arrive(records_[slot]);
    const std::uint64_t cycle = stream_->before_issue(slot, opens);
    if (lost_bodies(slot)) return end_before_row(slot, cycle, flipped_.stop(slot));
    const BadField bad = find_bad_field(row, slot, command_);
    if (bad.detail != PPU_FAULT_NONE) return end_before_row(slot, cycle, bad_row(slot, bad));
    const auto gone = run_row(control, pass, row, cycle);
    if (!gone) return held();
    path_.memory(slot).next_place();
    stream_->gone(slot, opens, *gone);
    if (decided_) return decide(pass);
  }
  return Progress::kDone;
}

EngineRun::Progress EngineRun::end_before_row(std::uint32_t slot, std::uint64_t arrival,
                                              const RunStop& stop) {
  const std::optional<std::uint64_t> end = issue_.wait_to_end(slot, arrival);
  if (!end) return held();
  stop_before(*end + 1, stop);
  return Progress::kCut;
}

template <class Control>
std::optional<std::uint64_t> EngineRun::run_row(Control control, Pass* pass, const ppu_row& row,
                                                std::uint64_t arrival) {
  const std::uint32_t slot = pass->next;
  const bool filtered = control.filter() == spec::Filter::kOn;
  if (filtered && !path_.tags().live(row)) {
    const std::optional<std::uint64_t> passed = issue_.pass_over(slot, arrival);
    if (passed) ++report_.counters[PPU_COUNTER_ROWS_FILTERED];
    return passed;
  }
  const std::optional<IssueStage::Issued> issued = issue_.issue(pass->kernel, row, slot, arrival);
  if (!issued) return std::nullopt;
  if (filtered) pass->sums.add(row);
  if (!update(control, pass, row, slot, *issued)) stop_at_fault(pass->kernel, row, slot, *issued);
  count_residual(*pass, issued->cycle);
  return issued->cycle;
}

bool EngineRun::update_watched(Pass* pass, const ppu_row& row, std::uint32_t slot,
                               const IssueStage::Issued& issued) {
  const std::uint32_t pipe = slot % engine_.config.pipes;
  note(TraceKind::kRowIssue, issued.cycle, slot, pipe);
  note(TraceKind::kRowRetire, issued.write, slot, pipe);
  if (stop_) return true;
  const spec::ControlWord control = pass->kernel.control;
  if (!flipped_.reads_well(control, row, slot)) return false;
  const std::uint64_t enters =
      issued.cycle + static_cast<std::uint64_t>(operand_cycles(engine_.config));
  const RowInPipe in = path_.run(control, row, slot, enters);
  if (engine_.observer != nullptr)
    engine_.observer->on_row(
        {slot, pipe, control, row, enters - origin_, in.cycle - origin_, in.operands, in.result});
  return path_.keep(control, in, &pass->sums, maximum_of(*pass));
}

RunStop EngineRun::fault_of(const LoadedKernel& kernel, const ppu_row& row,
                            std::uint32_t slot) const {
  if (const auto lost = flipped_.row_stop(kernel.control, row, slot)) return *lost;
  return path_.fault(kernel, row, slot);
}

void EngineRun::stop_at_fault(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
                              const IssueStage::Issued& issued) {
  if (engine_.observer != nullptr) engine_.observer->on_drained(last_row_out() - origin_);
  stop_before(issued.write + 1, fault_of(kernel, row, slot));
}

void EngineRun::finish_pass(Pass* pass, bool cut) {
  if (dataflow_ != nullptr) {
    dataflow_->end_pass([&](std::uint32_t slot) { pass->sums.add(path_.row(slot)); });
  } else if (!pass->kernel.filters()) {
    census_->add(pass->first, pass->next - pass->first, &pass->sums);
  }
  pass->sums.count(pass->kernel, &report_.counters);
  if (cut) {
    cut_ = true;
    note(TraceKind::kPassCut, over_budget_from_, 0, 0);
    ++report_.counters[PPU_COUNTER_PASSES_CUT];
  }
  const bool searched = searches(*pass) && dataflow_ == nullptr && !cut;
  issue_.end_pass(pass->end - 1, searched ? search_.last_cycle() + 1 : 0);
  const std::uint64_t end = cut ? over_budget_from_ + 1 : issue_.cursor();
  maxima_.ended(pass->maximum, end);
  // What comes behind a filtered pass waits for its end.
  pass_ends_ = {pass->kernel.filters() ? end : pass_ends_[1], end};
}

}  // namespace ppu::hw
