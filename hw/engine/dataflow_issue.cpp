// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/dataflow_issue.hpp"

#include <algorithm>
#include <utility>

namespace ppu::hw {

DataflowIssue::DataflowIssue(const Config& config)
    : config_(config),
      latency_(static_cast<std::uint64_t>(body_latency(config))),
      interval_(static_cast<std::uint64_t>(initiation_interval(config))),
      network_(config.pipes),
      pipes_(config.pipes) {
  early_ = latency_ - 5 - network_.steps();
}

void DataflowIssue::link(const std::vector<ppu_row>& rows, std::uint32_t bodies) {
  names_.clear();
  for (const ppu_row& row : rows) names_.push_back({row.body_a, row.body_b, row.parent});
  rings_ = RowRings(config_, rows, bodies);
  turn_.assign(rows.size(), 0);
  token_.resize(rows.size());
  for (std::uint32_t slot = 0; slot < rings_.size(); ++slot) token_[slot] = rings_[slot].token;
  for (const std::uint32_t slot : rings_.seeds())
    pipes_[slot % config_.pipes].parked.push_back(slot);
}

std::uint64_t DataflowIssue::linked(const std::vector<std::uint64_t>& arrived,
                                    std::uint32_t bodies) const {
  std::uint64_t row = 0;
  for (std::uint32_t slot = 0; slot < rings_.size(); ++slot)
    row = std::max(row + 1, arrived[slot] + 3) + (rings_[slot].two_cycles ? 1 : 0);
  return arrived.empty() ? 0 : row + 1 + bodies;
}

bool DataflowIssue::takes(const LoadedKernel& kernel, std::uint32_t first) const {
  const Position stands = rings_.size() == 0 ? 0 : queued_ % rings_.size();
  return !kernel.filters() && first == stands && !(rings_.apart() && kernel.reads_parent());
}

void DataflowIssue::queue_pass(const LoadedKernel& kernel, std::uint32_t count,
                               std::uint64_t cycle) {
  kernel_ = kernel;
  passes_.push_back({queued_, queued_ + count, count, cycle});
  queued_ += count;
}

DataflowIssue::Progress DataflowIssue::run(std::uint64_t bound, std::uint32_t* budget,
                                           CycleClasses* classes, const OnIssue& on_issue) {
  while (now_ < bound) {
    if (*budget == 0) return Progress::kBudget;
    admit_passes();
    const std::uint64_t quiet = std::min(quiet_until(), bound);
    if (quiet > now_) {
      if (pending()) wait(classes, quiet, PPU_COUNTER_BODY_STALL_CYCLES);
      now_ = quiet;
      continue;
    }
    for (Pipe& pipe : pipes_) pipe.held = pipe.window.size() + (pipe.read ? 1 : 0);
    const std::uint32_t issued = issue(classes, on_issue);
    *budget -= std::min(*budget, 1 + issued);
    move();
    ++now_;
    const bool stopped = std::exchange(stopped_, false);
    if (pending() && passes_.front().left == 0) return Progress::kDone;
    if (stopped) return Progress::kStopped;
  }
  return Progress::kBound;
}

void DataflowIssue::admit_passes() {
  Position limit = limit_;
  for (const Pass& pass : passes_)
    if (pass.cycle < now_) limit = std::max(limit, pass.end);
  if (limit == limit_) return;
  limit_ = limit;
  for (Pipe& pipe : pipes_) pipe.recheck = pipe.parked.size();
}

bool DataflowIssue::is_quiet() const {
  const auto moves = [](const Pipe& pipe) {
    return !pipe.window.empty() || pipe.read || pipe.has_ready() || pipe.recheck > 0 || pipe.linked;
  };
  for (std::uint32_t pipe = 0; pipe < config_.pipes; ++pipe)
    if (network_.has_arrivals(pipe)) return false;
  return blocked_ == 0 && network_.is_empty() && std::none_of(pipes_.begin(), pipes_.end(), moves);
}

std::uint64_t DataflowIssue::quiet_until() const {
  if (!is_quiet()) return now_;
  std::uint64_t next = kNever;
  for (const Pipe& pipe : pipes_)
    if (!pipe.sent.empty()) next = std::min(next, pipe.sent.front().first);
  for (const Pass& pass : passes_)
    if (pass.cycle >= now_) next = std::min(next, pass.cycle + 1);
  if (pending() && passes_.front().left == 0) next = now_;
  return next;
}

ppu_counter DataflowIssue::stall() const {
  bool lanes = false, held = false, fetch = false;
  for (const Pipe& pipe : pipes_) {
    held = held || !pipe.window.empty();
    fetch = fetch || pipe.read || pipe.has_ready() || pipe.recheck > 0;
    const bool has_row = std::any_of(pipe.window.begin(), pipe.window.end(),
                                     [](const Entry& entry) { return !entry.after_same_bank; });
    if (has_row && pipe.free_from <= now_) return PPU_COUNTER_BANK_STALL_CYCLES;
    lanes = lanes || has_row;
  }
  if (lanes) return PPU_COUNTER_LANE_CYCLES;
  return fetch && !held ? PPU_COUNTER_FETCH_STALL_CYCLES : PPU_COUNTER_BODY_STALL_CYCLES;
}

std::uint32_t DataflowIssue::issue(CycleClasses* classes, const OnIssue& on_issue) {
  const ppu_counter waits = stall();
  std::uint64_t banks = 0, blocked = 0;
  std::uint32_t parent_banks = 0;
  std::uint32_t issued = 0, first = 0;
  bool one_bank = false, conflict = false;
  for (std::uint32_t i = 0; i < config_.pipes; ++i) {
    Pipe& pipe = pipes_[from_last_ ? config_.pipes - 1 - i : i];
    if (pipe.window.empty() || pipe.free_from > now_) continue;
    bool has_row = false;
    std::size_t chosen = pipe.window.size();
    for (std::size_t place = 0; place < pipe.window.size() && chosen == pipe.window.size();
         ++place) {
      const Entry& entry = pipe.window[place];
      if (entry.after_same_bank) continue;
      has_row = true;
      if ((entry.banks & (banks | blocked_)) == 0 && (entry.parent_bank & parent_banks) == 0 &&
          !(entry.one_bank && one_bank) && network_.has_room(entry.slot % config_.pipes))
        chosen = place;
    }
    if (chosen == pipe.window.size()) {
      conflict = conflict || has_row;
      continue;
    }
    const Entry& entry = pipe.window[chosen];
    banks |= entry.banks;
    parent_banks |= entry.parent_bank;
    if (entry.one_bank) blocked = entry.banks;
    one_bank = one_bank || entry.one_bank;
    if (issued++ == 0) first = entry.slot;
    if (!fire(&pipe, chosen, on_issue)) stopped_ = true;
  }
  blocked_ = blocked;
  if (issued > 0) from_last_ = !from_last_;
  for (Pipe& pipe : pipes_)
    for (Entry& entry : pipe.window) entry.after_same_bank = false;
  if (!pending()) return issued;
  classes->add(PPU_COUNTER_BANK_CONFLICTS, conflict ? 1 : 0);
  wait(classes, now_ + 1, issued > 0 ? PPU_COUNTER_ISSUE_CYCLES : waits);
  if (issued == 0) return 0;
  classes->credit(first, since_);
  since_ = {};
  return issued;
}

void DataflowIssue::wait(CycleClasses* classes, std::uint64_t until, ppu_counter cycle_class) {
  const std::uint32_t cycles = classes->charge_until(until, cycle_class);
  since_.cycles += cycles;
  since_.body_stall += cycle_class == PPU_COUNTER_BODY_STALL_CYCLES ? cycles : 0;
  since_.fetch_stall += cycle_class == PPU_COUNTER_FETCH_STALL_CYCLES ? cycles : 0;
}

bool DataflowIssue::fire(Pipe* pipe, std::size_t chosen, const OnIssue& on_issue) {
  const Entry entry = pipe->window[chosen];
  pipe->window.erase(pipe->window.begin() + static_cast<std::ptrdiff_t>(chosen));
  pipe->free_from = now_ + interval_;
  const bool silent = !kernel_.stores_velocity() && !kernel_.stores_impulse();
  pipe->sent.emplace_back(now_ + (silent ? 1 : early_), Candidate{entry.slot, entry.one_bank});
  network_.owe(entry.slot % config_.pipes);
  const bool next = position(entry.slot) >= passes_.front().end;
  --passes_[next ? 1 : 0].left;
  ++turn_[entry.slot];
  const std::uint64_t write = now_ + latency_;
  const std::uint64_t rest = kernel_.divides() ? config_.fp_div_stages : entry.one_bank ? 1 : 0;
  drained_ = std::max(drained_, write + 1 + rest);
  return on_issue({entry.slot, next ? 1U : 0U, now_, write});
}

void DataflowIssue::move() {
  for (std::uint32_t p = 0; p < config_.pipes; ++p) {
    fetch(&pipes_[p]);
    deliver(p);
  }
  network_.move();
  send();
}

std::uint32_t DataflowIssue::oldest_turn() const {
  const Position end = pending() ? passes_.front().end : limit_;
  return end == 0 ? 1 : static_cast<std::uint32_t>((end - 1) / rings_.size() % 2);
}

void DataflowIssue::fetch(Pipe* pipe) {
  std::optional<Candidate> next;
  if (pipe->held < kWindow && pipe->recheck > 0) {
    next = Candidate{pipe->parked.front(), false};
    pipe->parked.pop_front();
    --pipe->recheck;
  } else if (pipe->held < kWindow && pipe->has_ready()) {
    const std::uint32_t oldest = oldest_turn();
    std::deque<Candidate>& queue = pipe->ready[pipe->ready[oldest].empty() ? 1 - oldest : oldest];
    next = queue.front();
    queue.pop_front();
  }
  if (pipe->read) enter(pipe, *pipe->read);
  pipe->read = next;
}

void DataflowIssue::enter(Pipe* pipe, Candidate candidate) {
  if (position(candidate.slot) >= limit_) {
    pipe->parked.push_back(candidate.slot);
    return;
  }
  const Names& row = names_[candidate.slot];
  const auto bank = [this](std::uint32_t body) {
    return body == PPU_NONE ? 0 : std::uint64_t{1} << (body & (config_.velocity_banks - 1));
  };
  const std::uint64_t a = bank(row.body_a), b = bank(row.body_b);
  const bool reads = kernel_.reads_parent() && row.parent != PPU_NONE;
  const Position order = position(candidate.slot);
  const auto younger = std::find_if(pipe->window.begin(), pipe->window.end(),
                                    [order](const Entry& entry) { return entry.position > order; });
  pipe->window.insert(younger,
                      {order, candidate.slot, a | b, reads ? 1U << (row.parent % kParentBanks) : 0U,
                       (a & b) != 0, candidate.after_same_bank});
}

void DataflowIssue::deliver(std::uint32_t p) {
  TokenNetwork::Arrivals& arrivals = network_.arrivals(p);
  // Both tokens of a row at once.
  const bool pair = !arrivals[0].empty() && !arrivals[1].empty() && !arrivals[0].front().full &&
                    arrivals[0].front().slot == arrivals[1].front().slot;
  if (pair) {
    arrivals[0].front().full = true;
    arrivals[0].front().after_same_bank =
        arrivals[0].front().after_same_bank || arrivals[1].front().after_same_bank;
    arrivals[1].pop_front();
  }
  for (std::deque<Message>& lane : arrivals) {
    if (lane.empty()) continue;
    const Message message = lane.front();
    lane.pop_front();
    const bool last = message.full || token_[message.slot] != 0;
    if (!message.full) token_[message.slot] ^= 1U;
    if (last)
      pipes_[p].ready[turn_[message.slot] % 2].push_back({message.slot, message.after_same_bank});
  }
}

void DataflowIssue::send() {
  for (std::uint32_t p = 0; p < config_.pipes; ++p) {
    Pipe& pipe = pipes_[p];
    if (pipe.linked) {
      for (std::uint32_t lane = 0; lane < 2; ++lane) {
        const RowRings::Link& link = rings_[pipe.linked->slot].next[lane];
        const Message message{link.slot, link.full, pipe.linked->after_same_bank};
        network_.push(lane, p, link.present ? &message : nullptr);
      }
      pipe.linked.reset();
    }
    if (!pipe.sent.empty() && pipe.sent.front().first == now_) {
      pipe.linked = pipe.sent.front().second;
      pipe.sent.pop_front();
    }
  }
}

}  // namespace ppu::hw
