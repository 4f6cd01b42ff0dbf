// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/dataflow_issue.hpp"

#include <algorithm>
#include <utility>

namespace ppu::hw {
namespace {

// Rows go in the order of tokens, all over memory: what of a row is needed in some cycles is
// fetched into the cache by then.
void fetch_ahead(const ppu_row& row) {
  __builtin_prefetch(&row.jacobian);
  __builtin_prefetch(&row.body_a);
}

}  // namespace

DataflowIssue::DataflowIssue(const Config& config)
    : config_(config),
      latency_(static_cast<std::uint64_t>(body_latency(config))),
      interval_(static_cast<std::uint64_t>(initiation_interval(config))),
      network_(config.pipes),
      pipes_(config.pipes) {
  ahead_ = latency_ - spec::kTokenCycles - network_.steps();
}

void DataflowIssue::link(std::vector<const ppu_row*> rows, std::uint32_t bodies) {
  rows_ = std::move(rows);
  rings_ = RowRings(config_, rows_, bodies);
  turn_.assign(rows_.size(), 0);
  token_.resize(rows_.size());
  for (std::uint32_t slot = 0; slot < rings_.size(); ++slot) token_[slot] = rings_[slot].token;
  for (const std::uint32_t slot : rings_.seeds())
    pipes_[slot % config_.pipes].parked.push_back(slot);
}

void DataflowIssue::open(std::uint32_t rows, std::uint32_t bodies) {
  open_.emplace(config_, rows, bodies);
  turn_.resize(config_.row_memory_rows);
  token_.resize(config_.row_memory_rows);
}

void DataflowIssue::link_early(std::uint32_t rows, std::uint32_t bodies) {
  early_.emplace(config_.pipes, rows, bodies);
  rings_ = RowRings(rows);
  rows_.reserve(rows);
  turn_.assign(rows, 0);
  token_.assign(rows, 0);
}

void DataflowIssue::open_resident(std::uint32_t bodies, OnEmpty on_empty) {
  std::vector<RowNames> names_of_rows;
  for (const ppu_row* const row : rows_) names_of_rows.push_back(names(*row));
  open_.emplace(config_, names_of_rows, bodies);
  on_empty_ = std::move(on_empty);
  pipes_.assign(config_.pipes, Pipe{});
  network_ = TokenNetwork(config_.pipes);
  free_rows_.clear();
  queued_ = limit_ = 0;
  limit_turn_ = 1;
}

std::uint64_t DataflowIssue::linked(const std::vector<std::uint64_t>& arrived,
                                    std::uint32_t bodies) const {
  std::uint64_t row = 0;
  for (std::uint32_t slot = 0; slot < rings_.size(); ++slot)
    row = std::max(row + 1, arrived[slot] + spec::kArrivalCycles + spec::kLinkerCycles) +
          (rings_[slot].two_cycles ? 1 : 0);
  // A body is looked at in each cycle behind that.
  return arrived.empty() ? 0 : row + bodies + spec::kCloseCycles;
}

bool DataflowIssue::opens(const LoadedKernel& kernel, std::uint32_t first) const {
  if (open_) return true;
  const Position stands = rings_.size() == 0 ? 0 : queued_ % rings_.size();
  return kernel.filters() || first != stands || (rings_.apart() && kernel.reads_parent());
}

std::uint32_t DataflowIssue::queue_pass(const LoadedKernel& kernel, std::uint32_t count,
                                        std::uint64_t cycle) {
  kernel_ = kernel;
  const Position end = open_ ? queued_ + kOpenTurn : queued_ + count;
  const auto turn = static_cast<std::uint32_t>((end - 1) / turn_positions() % 2);
  passes_.push_back({std::exchange(queued_, end), end, count, cycle, turn});
  return static_cast<std::uint32_t>(passes_.back().first / kOpenTurn);
}

DataflowIssue::Progress DataflowIssue::run(std::uint64_t bound, std::uint32_t* budget,
                                           CycleClasses* classes, const OnIssue& on_issue) {
  while (now_ < bound) {
    if (*budget == 0) return Progress::kBudget;
    admit_passes();
    const ppu_counter waits = stall();
    const std::uint64_t quiet = std::min(quiet_until(), bound);
    if (quiet > now_) {
      if (pending()) wait(classes, quiet, waits);
      now_ = quiet;
      continue;
    }
    held_ = linked_;
    passes_over_ = is_bad_ = false;
    for (Pipe& pipe : pipes_) pipe.begin_cycle();
    issue(on_issue);
    *budget -= std::min(*budget, 1 + issued_);
    move();
    charge(passes_over_ ? PPU_COUNTER_FILTER_CYCLES : waits, classes);
    ++now_;
    const bool stopped = std::exchange(stopped_, false);
    if (is_bad_) return Progress::kBad;
    if (pending() && passes_.front().left == 0) return Progress::kDone;
    if (stopped) return Progress::kStopped;
  }
  return Progress::kBound;
}

void DataflowIssue::admit_passes() {
  Position limit = limit_;
  for (const Pass& pass : passes_)
    if (pass.cycle < now_ && pass.end > limit) {
      limit = pass.end;
      limit_turn_ = pass.turn;
      if (open_ || early_) unlinked_ += pass.left;
    }
  if (limit == limit_) return;
  limit_ = limit;
  for (Pipe& pipe : pipes_) pipe.recheck = pipe.parked.size();
}

bool DataflowIssue::is_quiet() const {
  const auto moves = [this](const Pipe& pipe) {
    return !pipe.window.empty() || pipe.read || pipe.known || pipe.has_ready(early_.has_value()) ||
           pipe.recheck > 0 || pipe.linked || pipe.leaving;
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
  if (early_) next = std::min(next, early_->next(now_, linked_ == 0 ? drained_ : kNever));
  if (!free_rows_.empty()) next = std::min(next, free_rows_.front().first);
  if (!open_) return std::max(now_, next);
  if (wants_rows()) return now_;
  if (!left_out_.empty()) next = std::min(next, left_out_.front().first);
  const std::uint64_t links = open_->waits() ? (linked_ == 0 ? drained_ : kNever) : open_->next();
  return std::max(now_, std::min(next, links));
}

ppu_counter DataflowIssue::stall() const {
  bool lanes = false, held = false, fetch = false;
  for (const Pipe& pipe : pipes_) {
    held = held || !pipe.window.empty();
    fetch =
        fetch || pipe.read || pipe.known || pipe.has_ready(early_.has_value()) || pipe.recheck > 0;
    const bool has_row = std::any_of(pipe.window.begin(), pipe.window.end(),
                                     [](const auto& row) { return !row.after_same_bank; });
    if (has_row && pipe.free_from <= now_) return PPU_COUNTER_BANK_STALL_CYCLES;
    lanes = lanes || has_row;
  }
  if (lanes) return PPU_COUNTER_LANE_CYCLES;
  const bool searched = on_empty_ != nullptr && kernel_.filters();
  if (!held && !fetch && unlinked_ > 0 && searched) return PPU_COUNTER_FILTER_CYCLES;
  fetch = fetch || unlinked_ > 0;
  return fetch && !held ? PPU_COUNTER_FETCH_STALL_CYCLES : PPU_COUNTER_BODY_STALL_CYCLES;
}

void DataflowIssue::issue(const OnIssue& on_issue) {
  std::uint64_t banks = 0, blocked = 0;
  std::uint32_t parent_banks = 0;
  bool one_bank = false;
  issued_ = 0;
  conflict_ = false;
  for (std::uint32_t i = 0; i < config_.pipes; ++i) {
    const std::uint32_t p = from_last_ ? config_.pipes - 1 - i : i;
    Pipe& pipe = pipes_[p];
    if (pipe.window.empty() || pipe.free_from > now_) continue;
    bool has_row = false;
    std::size_t chosen = pipe.window.size();
    for (std::size_t place = 0; place < pipe.window.size() && chosen == pipe.window.size();
         ++place) {
      const RowWindow::Row& row = pipe.window[place];
      if (row.after_same_bank) continue;
      has_row = true;
      if ((row.banks & (banks | blocked_)) == 0 && (row.parent_bank & parent_banks) == 0 &&
          !(row.one_bank && one_bank) && network_.has_room(p))
        chosen = place;
    }
    if (chosen == pipe.window.size()) {
      conflict_ = conflict_ || has_row;
      continue;
    }
    const RowWindow::Row& row = pipe.window[chosen];
    banks |= row.banks;
    parent_banks |= row.parent_bank;
    if (row.one_bank) blocked = row.banks;
    one_bank = one_bank || row.one_bank;
    if (issued_++ == 0) {
      first_issued_ = open_ ? open_->at(row.slot).slot : row.slot;
      body_b_last_ = row.body_b_last;
    }
    if (!fire(p, chosen, on_issue)) stopped_ = true;
  }
  blocked_ = blocked;
  if (issued_ > 0) from_last_ = !from_last_;
  for (Pipe& pipe : pipes_) pipe.window.let_go();
}

void DataflowIssue::charge(ppu_counter waits, CycleClasses* classes) {
  if (!pending()) return;
  classes->add(PPU_COUNTER_BANK_CONFLICTS, conflict_ ? 1 : 0);
  wait(classes, now_ + 1, issued_ > 0 ? PPU_COUNTER_ISSUE_CYCLES : waits);
  if (issued_ == 0) return;
  if (body_b_last_) since_.body_b_stall = since_.body_stall;
  classes->credit(first_issued_, since_);
  since_ = {};
}

void DataflowIssue::wait(CycleClasses* classes, std::uint64_t until, ppu_counter cycle_class) {
  const std::uint32_t cycles = classes->charge_until(until, cycle_class);
  since_.cycles += cycles;
  switch (cycle_class) {
    case PPU_COUNTER_BODY_STALL_CYCLES:
      since_.body_stall += cycles;
      break;
    case PPU_COUNTER_FETCH_STALL_CYCLES:
      since_.fetch_stall += cycles;
      break;
    case PPU_COUNTER_LANE_CYCLES:
      since_.lane_stall += cycles;
      break;
    case PPU_COUNTER_BANK_STALL_CYCLES:
      since_.bank_stall += cycles;
      break;
    case PPU_COUNTER_FILTER_CYCLES:
      since_.filter_stall += cycles;
      break;
    default:
      break;
  }
}

bool DataflowIssue::fire(std::uint32_t p, std::size_t place, const OnIssue& on_issue) {
  Pipe& pipe = pipes_[p];
  const std::uint32_t slot = pipe.window[place].slot;
  const bool one_bank = pipe.window[place].one_bank;
  const bool next = pipe.window[place].position >= passes_.front().end;
  pipe.window.erase(place);
  pipe.free_from = now_ + interval_;
  const bool silent = !kernel_.stores_velocity() && !kernel_.stores_impulse();
  pipe.sent.emplace_back(now_ + (silent ? 1 : ahead_), Candidate{slot, one_bank, false});
  network_.owe(p);
  --passes_[next ? 1 : 0].left;
  const std::uint64_t write = now_ + latency_;
  const std::uint64_t rest = kernel_.divides() ? config_.fp_div_stages : one_bank ? 1 : 0;
  drained_ = std::max(drained_, write + 1 + rest);
  if (!open_) {
    __builtin_prefetch(&rings_[slot]);
    ++turn_[slot];
    if (early_) --linked_;
    return on_issue({slot, slot, next ? 1U : 0U, now_, write});
  }
  --linked_;
  left_[turn_[slot] % 4] = write + 1;
  gone(slot, write);
  return on_issue({slot, open_->at(slot).slot, next ? 1U : 0U, now_, write});
}

void DataflowIssue::gone(std::uint32_t place, std::uint64_t cycle) {
  if (!on_release_) return;
  open_->gone(place, cycle, [&](const OpenLinker::Release& release) {
    on_release_(place % config_.pipes, release);
  });
}

void DataflowIssue::move() {
  std::uint32_t reads = PPU_NONE;
  if (early_)
    reads = early_->begin_cycle(now_, pending() || now_ <= holds_until_, is_linked_quiet(),
                                kernel_.reads_parent());
  for (std::uint32_t p = 0; p < config_.pipes; ++p) {
    fetch(&pipes_[p], reads == PPU_NONE || reads % config_.pipes != p);
    deliver(p);
  }
  network_.move();
  send();
  if (open_) link_next();
  if (early_) link_on();
  if (!open_) park_free_rows();
}

void DataflowIssue::park_free_rows() {
  for (; !free_rows_.empty() && free_rows_.front().first <= now_; free_rows_.pop_front()) {
    const std::uint32_t place = free_rows_.front().second;
    Pipe& pipe = pipes_[place % config_.pipes];
    pipe.parked.push_back(place);
    if (pending()) pipe.recheck = pipe.parked.size();
  }
}

void DataflowIssue::link_on() {
  const EarlyLinker::Step step = early_->end_cycle();
  if (step == EarlyLinker::Step::kNothing) return;
  const std::uint32_t slot = early_->slot();
  ++linked_;
  unlinked_ -= std::min<std::uint64_t>(unlinked_, 1);
  token_[slot] = early_->has_token() ? 1 : 0;
  if (step == EarlyLinker::Step::kFree) free_rows_.emplace_back(seed_cycle(), slot);
}

std::uint64_t DataflowIssue::close_rings(std::uint64_t cut) {
  const auto bodies = static_cast<std::uint32_t>(early_->bodies());
  for (holds_until_ = cut; !early_->is_done() || now_ < std::max(drained_, cut + 1); ++now_) {
    blocked_ = 0;
    held_ = linked_;
    for (Pipe& pipe : pipes_) pipe.begin_cycle();
    move();
  }
  for (std::uint32_t body = 0; body < bodies; ++body) {
    if (!early_->rests(body)) continue;
    const std::uint32_t slot = early_->first_row(body);
    const ppu_row& row = *rows_[slot];
    if (!early_->is_free(body))
      token_[slot] ^= 1U;
    else if (row.body_a == body || row.body_a == PPU_NONE)
      pipes_[slot % config_.pipes].parked.push_back(slot);
  }
  // A body is looked at in each cycle, and its token brought in the one after that of its link.
  now_ += bodies + spec::kCloseCycles + 1;
  // Of a run that has not swept: rows that were linked last.
  park_free_rows();
  ++now_;
  rings_ = RowRings(config_, rows_, bodies);
  early_.reset();
  linked_ = unlinked_ = 0;
  return now_;
}

void DataflowIssue::link_next() {
  switch (open_->step(now_, is_linked_quiet(), kernel_.reads_parent())) {
    case OpenLinker::Step::kNothing:
      break;
    case OpenLinker::Step::kBad:
      is_bad_ = true;
      break;
    case OpenLinker::Step::kPassedOver:
      --unlinked_;
      --passes_.front().left;
      passes_over_ = true;
      ++passed_over_;
      gone(open_->place(), now_);
      break;
    case OpenLinker::Step::kFree:
      free_rows_.emplace_back(seed_cycle(), open_->place());
      [[fallthrough]];
    case OpenLinker::Step::kLinked:
      --unlinked_;
      ++linked_;
      turn_[open_->place()] = open_->at(open_->place()).pass;
      token_[open_->place()] = open_->has_token() ? 1 : 0;
  }
  park_free_rows();
  for (Pipe& pipe : pipes_) pipe.recheck = pipe.parked.size();
  if (wants_rows()) on_empty_();
  for (; !left_out_.empty() && left_out_.front().first <= now_; left_out_.pop_front()) {
    unlinked_ -= left_out_.front().second;
    passes_.front().left -= left_out_.front().second;
    passed_over_ += left_out_.front().second;
  }
}

void DataflowIssue::fetch(Pipe* pipe, bool is_free) {
  std::optional<Candidate> next;
  is_free = is_free && pipe->held < RowWindow::kPlaces;
  if (is_free && pipe->recheck > 0) {
    next = Candidate{pipe->parked.front(), false, false};
    pipe->parked.pop_front();
    --pipe->recheck;
  } else if (is_free && pipe->has_ready(early_.has_value())) {
    const std::uint32_t oldest = oldest_turn();
    std::deque<Candidate>& queue = pipe->ready[pipe->ready[oldest].empty() ? 1 - oldest : oldest];
    next = queue.front();
    queue.pop_front();
  }
  if (pipe->known) enter(pipe, *pipe->known);
  pipe->known = std::exchange(pipe->read, next);
}

void DataflowIssue::enter(Pipe* pipe, Candidate candidate) {
  const Position order = position(candidate.slot);
  if (order >= limit_) {
    pipe->parked.push_back(candidate.slot);
    return;
  }
  const RowNames names = names_of(candidate.slot);
  const auto bank = [this](std::uint32_t body) {
    return body == PPU_NONE ? 0 : std::uint64_t{1} << (body & (config_.velocity_banks - 1));
  };
  const std::uint64_t a = bank(names.body_a), b = bank(names.body_b);
  const bool reads = kernel_.reads_parent() && names.parent != PPU_NONE;
  RowWindow::Row& row = pipe->window.insert(order);
  row.banks = a | b;
  row.slot = candidate.slot;
  row.parent_bank = reads ? 1U << (names.parent % kParentBanks) : 0U;
  row.one_bank = (a & b) != 0;
  row.after_same_bank = candidate.after_same_bank;
  row.body_b_last = candidate.body_b_last;
}

void DataflowIssue::deliver(std::uint32_t p) {
  TokenNetwork::Arrivals& arrivals = network_.arrivals(p);
  // Both tokens of a row at once.
  const bool pair = !arrivals[0].empty() && !arrivals[1].empty() && !arrivals[0].front().full &&
                    arrivals[0].front().slot == arrivals[1].front().slot;
  if (pair) {
    arrivals[0].front().full = true;
    arrivals[0].front().of_body_b = false;
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
    if (!last) continue;
    if (!open_) fetch_ahead(*rows_[message.slot]);
    pipes_[p].ready[turn_[message.slot] % 2].push_back(
        {message.slot, message.after_same_bank, message.of_body_b});
  }
}

void DataflowIssue::send_rest() {
  for (; now_ < drained_; ++now_) {
    blocked_ = 0;
    for (Pipe& pipe : pipes_) pipe.begin_cycle();
    move();
  }
}

void DataflowIssue::use_watched(const std::array<RowRings::Link, 2>& links) {
  const std::uint32_t uses = (links[0].present ? 1 : 0) + (links[1].present ? 1 : 0);
  if (uses == 0) return;
  if (watched_uses_ == 0) used_from_ = now_ + 1;
  watched_uses_ += uses;
  stopped_ = true;
}

void DataflowIssue::send() {
  for (std::uint32_t p = 0; p < config_.pipes; ++p) {
    Pipe& pipe = pipes_[p];
    if (pipe.leaving) {
      if (pipe.leaving->slot == watched_links_) use_watched(pipe.leaving->links);
      for (std::uint32_t lane = 0; lane < 2; ++lane) {
        const RowRings::Link& link = pipe.leaving->links[lane];
        const Message message{link.slot, link.full, pipe.leaving->one_bank, link.of_body_b};
        network_.push(lane, p, link.present ? &message : nullptr);
      }
      pipe.leaving.reset();
    }
    if (pipe.linked) {
      const std::uint32_t from = pipe.linked->slot;
      pipe.leaving = Sent{from, pipe.linked->after_same_bank,
                          open_    ? open_->take_links(from)
                          : early_ ? early_->take_links(from)
                                   : rings_[from].next};
      pipe.linked.reset();
    }
    if (!pipe.sent.empty() && pipe.sent.front().first == now_) {
      pipe.linked = pipe.sent.front().second;
      pipe.sent.pop_front();
    }
  }
}

}  // namespace ppu::hw
