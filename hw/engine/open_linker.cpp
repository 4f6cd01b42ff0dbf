// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/open_linker.hpp"

#include <algorithm>

namespace ppu::hw {
namespace {

constexpr std::uint32_t kMostParts = 32;

/// The parts of the places of a pipe: a power of two of them.
std::uint32_t parts_of(std::uint32_t places) {
  std::uint32_t parts = 1;
  while (parts < kMostParts && places % (2 * parts) == 0) parts *= 2;
  return parts;
}

}  // namespace

OpenLinker::OpenLinker(const Config& config, std::uint32_t rows, std::uint32_t bodies)
    : resident_(false),
      pipe_count_(config.pipes),
      pipe_places_(config.row_memory_rows / config.pipes),
      part_places_(pipe_places_ / parts_of(pipe_places_)),
      rows_(config.row_memory_rows),
      links_(config.row_memory_rows),
      bodies_(bodies),
      bodies_of_(rows),
      pipes_(config.pipes) {
  for (Pipe& pipe : pipes_) pipe.parts.resize(parts_of(pipe_places_));
}

OpenLinker::OpenLinker(const Config& config, const std::vector<RowNames>& rows,
                       std::uint32_t bodies)
    : OpenLinker(config, static_cast<std::uint32_t>(rows.size()), bodies) {
  resident_ = true;
  known_ = static_cast<std::uint32_t>(rows.size());
  for (std::size_t slot = 0; slot < rows.size(); ++slot) bodies_of_[slot] = bodies_of(rows[slot]);
}

bool OpenLinker::is_apart(const Arrival& arrival, bool reads_parents) const {
  const std::array<std::uint32_t, 2> own = bodies_of(arrival.names);
  if (own[0] == PPU_NONE && own[1] == PPU_NONE) return true;
  const std::uint32_t parent = arrival.names.parent;
  if (!reads_parents || parent == PPU_NONE) return false;
  if (parent >= known_) return true;
  const std::array<std::uint32_t, 2>& others = bodies_of_[parent];
  const auto shared = [&others](std::uint32_t body) {
    return body != PPU_NONE && (body == others[0] || body == others[1]);
  };
  return !shared(own[0]) && !shared(own[1]);
}

bool OpenLinker::link(std::uint32_t side, bool full) {
  const std::uint32_t index = bodies_of(rows_[place_].names)[side];
  if (index == PPU_NONE || bodies_[index].rests) return false;
  links_[bodies_[index].last][bodies_[index].lane] = {place_, true, full, side == 1};
  return true;
}

OpenLinker::Step OpenLinker::step(std::uint64_t now, bool quiet, bool reads_parents) {
  waits_ = false;
  if (now < next()) return Step::kNothing;
  const Arrival& arrival = arrivals_.front();
  if (arrival.bad) {
    waits_ = !quiet;
    return quiet ? Step::kBad : Step::kNothing;
  }
  const std::uint32_t pipe = arrival.slot % pipe_count_;
  place_ = resident_ ? arrival.slot : pipes_[pipe].next * pipe_count_ + pipe;
  if (!arrival.live) {
    leave(now);
    return Step::kPassedOver;
  }
  const bool apart = is_apart(arrival, reads_parents);
  if ((apart || fence_) && !quiet && !second_) {
    waits_ = true;
    return Step::kNothing;
  }
  if (!second_) {
    fence_ = apart;
    rows_[place_] = arrival;
    links_[place_] = {};
  }
  const std::array<std::uint32_t, 2> body = bodies_of(arrival.names);
  const auto out = [&](std::uint32_t side) {
    return body[side] != PPU_NONE && !bodies_[body[side]].rests;
  };
  const bool two = out(0) && out(1);
  const bool both = two && bodies_[body[0]].last == bodies_[body[1]].last;
  std::uint32_t links = second_ ? 1 : 0;
  if (both && !second_) {
    const std::uint32_t lane = arrival.slot / pipe_count_ % 2;
    links_[bodies_[body[0]].last][lane] = {place_, true, true};
  } else {
    if (!second_ && link(0, false)) ++links;
    if (!second_ && two && bodies_[body[0]].lane == bodies_[body[1]].lane) {
      second_ = true;
      from_ = now + 1;
      return Step::kNothing;
    }
    if (link(1, false)) ++links;
  }
  second_ = false;
  has_token_ = links == 1;
  for (std::uint32_t side = 0; side < 2; ++side)
    if (body[side] != PPU_NONE) bodies_[body[side]] = {false, place_, side};
  leave(now);
  return links == 0 && !both ? Step::kFree : Step::kLinked;
}

void OpenLinker::leave(std::uint64_t now) {
  const Arrival& arrival = arrivals_.front();
  entry_.take(arrival.cycle);
  entry_.link(now);
  from_ = now + 1;
  if (arrival.slot == known_) ++known_;
  bodies_of_[arrival.slot] = bodies_of(arrival.names);
  Pipe& pipe = pipes_[arrival.slot % pipe_count_];
  pipe.next = (pipe.next + 1) % pipe_places_;
  arrivals_.pop_front();
}

OpenLinker::Entry OpenLinker::entry_without_links() const {
  Entry entry = entry_;
  for (const Arrival& arrival : arrivals_) entry.take(arrival.cycle);
  return entry;
}

std::array<RowRings::Link, 2> OpenLinker::take_links(std::uint32_t place) {
  const std::array<RowRings::Link, 2> links = links_[place];
  const std::array<std::uint32_t, 2> body = bodies_of(rows_[place].names);
  // A link that brings both tokens lies on one side.
  const bool both = (links[0].present && links[0].full) || (links[1].present && links[1].full);
  for (std::uint32_t side = 0; side < 2; ++side)
    if (body[side] != PPU_NONE && !links[side].present && !both) bodies_[body[side]].rests = true;
  return links;
}

}  // namespace ppu::hw
