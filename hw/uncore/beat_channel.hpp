// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A channel of a port: beats go to a memory, each takes the time of the port and that of the
// memory, and the answers come in order, one in a cycle at most.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "hw/contract/beat_target.hpp"
#include "hw/uncore/dram_timing.hpp"
#include "hw/uncore/link_timing.hpp"

namespace ppu::hw {

/// As many as the longest dram_queue or link_queue, and the one of this cycle.
constexpr std::size_t most_under_way() {
  std::size_t most = 0;
  for (const spec::ConfigKey& key : spec::kConfigKeys)
    if (key.member == &spec::Config::dram_queue || key.member == &spec::Config::link_queue)
      most = std::max<std::size_t>(most, key.max);
  return most + 1;
}

/// One direction of the host link.
class LinkPort {
 public:
  LinkPort(LinkTiming& link, LinkChannel channel) : link_(&link), channel_(channel) {}
  [[nodiscard]] bool ready(std::uint64_t cycle) { return link_->ready(channel_, cycle); }
  std::uint64_t accept(std::uint64_t cycle, std::uint32_t) {
    return link_->accept(channel_, cycle);
  }
  std::uint64_t finish(std::uint64_t done_ps, std::uint64_t least) {
    return link_->finish(channel_, done_ps, least);
  }
  [[nodiscard]] std::uint64_t next_ready(std::uint64_t cycle) const {
    return link_->next_ready(channel_, cycle);
  }

 private:
  LinkTiming* link_;
  LinkChannel channel_;
};

/// `Tag` says whose beat it is.
template <class Timing, class Tag>
class BeatChannel {
 public:
  struct Answer {
    std::uint64_t cycle = 0;  ///< In which it comes.
    Tag tag{};
    std::uint32_t address = 0;
    bool write = false;
    Beat data{};  ///< What was read.
  };

  BeatChannel(BeatTarget& target, Timing timing) : target_(target), timing_(std::move(timing)) {}

  [[nodiscard]] bool ready(std::uint64_t cycle) { return timing_.ready(cycle); }
  [[nodiscard]] std::uint64_t next_ready(std::uint64_t cycle) const {
    return timing_.next_ready(cycle);
  }
  /// A beat is accepted; `data` counts for writes.
  void access(const BeatAccess& access, Tag tag, const Beat* data = nullptr) {
    if (last_ - first_ == kMost)
      throw std::runtime_error("too many beats under way in cycle " + std::to_string(access.cycle));
    Entry& entry = entries_[last_++ % kMost];
    entry.answer.tag = tag;
    entry.answer.address = access.address;
    entry.answer.write = access.write;
    if (data != nullptr) entry.answer.data = *data;
    entry.port_ps = timing_.accept(access.cycle, access.address);
    entry.memory_ps = target_.access(access, entry.answer.data);
  }
  /// The next beat in order of whose answer the cycle is known, `least` or later; null if there is
  /// none. Valid until the next access.
  const Answer* next(std::uint64_t least) {
    if (first_ == last_) return nullptr;
    Entry& entry = entries_[first_ % kMost];
    if (entry.memory_ps == BeatTarget::kLater) entry.memory_ps = target_.finish(entry.answer.data);
    if (entry.memory_ps == BeatTarget::kLater) return nullptr;
    entry.answer.cycle = timing_.finish(entry.port_ps + entry.memory_ps, least);
    ++first_;
    return &entry.answer;
  }
  /// There are beats of which next() has not told.
  [[nodiscard]] bool waits() const { return first_ != last_; }

 private:
  static constexpr std::size_t kMost = most_under_way();
  struct Entry {
    Answer answer;
    std::uint64_t port_ps = 0, memory_ps = 0;
  };
  BeatTarget& target_;
  Timing timing_;
  std::array<Entry, kMost> entries_;
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace ppu::hw
