// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/early_linker.hpp"

#include <algorithm>

namespace ppu::hw {

bool EarlyLinker::is_apart(std::uint32_t slot, bool reads_parents) const {
  const std::array<std::uint32_t, 2> own = bodies_of(slot);
  const std::uint32_t parent = names_[slot].parent;
  if (!reads_parents || parent == PPU_NONE) return false;
  if (parent > slot) return true;
  const std::array<std::uint32_t, 2> others = bodies_of(parent);
  const auto shared = [&others](std::uint32_t body) {
    return body != PPU_NONE && (body == others[0] || body == others[1]);
  };
  return !shared(own[0]) && !shared(own[1]);
}

std::uint32_t EarlyLinker::begin_cycle(std::uint64_t now, bool holds, bool quiet,
                                       bool reads_parents) {
  held_ = two_ = apart_ = false;
  if (stage1_) {
    const std::array<std::uint32_t, 2> body = bodies_of(linked_);
    apart_ = is_apart(linked_, reads_parents);
    held_ = holds && !second_ && (apart_ || fence_) && !quiet;
    two_ = !second_ && has_rows(body[0]) && has_rows(body[1]) &&
           bodies_[body[0]].lane == bodies_[body[1]].lane && !follows_one(linked_);
  }
  reads_ = now >= from_ && read_ < came_.size() && came_[read_] < now &&
           !(stage0_ && queued_ == kLinkerQueue);
  return reads_ ? read_ : PPU_NONE;
}

bool EarlyLinker::link(std::uint32_t side) {
  const std::uint32_t index = bodies_of(linked_)[side];
  if (!has_rows(index)) return false;
  const std::array<std::uint32_t, 2> own = bodies_of(linked_);
  const bool alone = own[0] == PPU_NONE || own[1] == PPU_NONE;
  const Body& body = bodies_[index];
  links_[body.last][body.lane] = {linked_, true, alone, side == 1};
  return !body.rests;
}

EarlyLinker::Step EarlyLinker::end_cycle() {
  Step step = Step::kNothing;
  bool stalls = stage1_;
  if (stage1_ && !held_ && two_) {
    waits_a_ = link(0);
  } else if (stage1_ && !held_) {
    const std::array<std::uint32_t, 2> body = bodies_of(linked_);
    const bool both = follows_one(linked_);
    if (both) links_[bodies_[body[0]].last][linked_ / pipes_ % 2] = {linked_, true, true};
    const bool waits_a = both ? !bodies_[body[0]].rests : second_ ? waits_a_ : link(0);
    const bool waits_b = both ? waits_a : link(1);
    const bool alone = body[0] == PPU_NONE || body[1] == PPU_NONE;
    if (body[0] == PPU_NONE && body[1] == PPU_NONE) links_[linked_][0] = {linked_, true, true};
    has_token_ = waits_a != waits_b && !alone;
    for (std::uint8_t side = 0; side < 2; ++side) {
      if (body[side] == PPU_NONE) continue;
      Body& one = bodies_[body[side]];
      if (one.first == PPU_NONE) one.first = linked_;
      one.last = linked_;
      one.lane = side;
      one.rests = false;
    }
    fence_ = apart_;
    stalls = false;
    ++linked_;
    step = waits_a || waits_b ? Step::kLinked : Step::kFree;
  }
  second_ = stalls && !held_;
  const bool enters = stage0_ && queued_ < kLinkerQueue;
  const bool advances = queued_ > 0 && !stalls;
  queued_ += (enters ? 1U : 0U) - (advances ? 1U : 0U);
  stage0_ = reads_ || (stage0_ && !enters);
  stage1_ = advances || stalls;
  if (reads_) ++read_;
  return step;
}

std::uint64_t EarlyLinker::next(std::uint64_t now, std::uint64_t quiet_from) const {
  const std::uint64_t read =
      !stage0_ && read_ < came_.size() ? std::max({now, from_, came_[read_] + 1}) : kNever;
  if (stage0_ && queued_ < kLinkerQueue) return now;
  if (held_ && stage1_) return std::min(read, std::max(now, quiet_from));
  return stage0_ || queued_ > 0 || stage1_ ? now : read;
}

std::array<RowRings::Link, 2> EarlyLinker::take_links(std::uint32_t slot) {
  const std::array<std::uint32_t, 2> body = bodies_of(slot);
  for (std::uint32_t side = 0; side < 2; ++side) {
    const RowRings::Link& other = links_[slot][1 - side];
    const bool pair = other.present && other.full && names_[other.slot].body_a != PPU_NONE &&
                      names_[other.slot].body_b != PPU_NONE;
    if (body[side] != PPU_NONE && !links_[slot][side].present && !pair)
      bodies_[body[side]].rests = true;
  }
  return links_[slot];
}

bool EarlyLinker::is_free(std::uint32_t body) const {
  const std::uint32_t slot = bodies_[body].first;
  const auto first = [&](std::uint32_t one) {
    return one == PPU_NONE || bodies_[one].first == slot;
  };
  return first(names_[slot].body_a) && first(names_[slot].body_b);
}

}  // namespace ppu::hw
