// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A channel of a port: beats go to a memory, each takes the time of the port and that of the
// memory, and the answers come in order, one in a cycle at most.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "hw/uncore/beats.hpp"
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
  std::uint64_t accept(std::uint64_t cycle, std::uint32_t, std::uint32_t) {
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

template <class Timing>
class BeatChannel final : public BeatSlave {
 public:
  BeatChannel(BeatTarget& target, Timing timing) : target_(target), timing_(std::move(timing)) {}

  [[nodiscard]] bool ready(std::uint64_t cycle) override { return timing_.ready(cycle); }
  [[nodiscard]] std::uint64_t next_ready(std::uint64_t cycle) const override {
    return timing_.next_ready(cycle);
  }
  void access(std::uint64_t cycle, const BeatRequest& request, std::uint32_t master) override {
    if (last_ - first_ == kMost)
      throw std::runtime_error("too many beats under way in cycle " + std::to_string(cycle));
    Entry& entry = entries_[last_++ % kMost];
    const std::uint32_t beats = request.pair ? 2 : 1;
    entry.answer.master = master;
    entry.answer.address = request.address;
    entry.answer.write = request.write;
    entry.answer.pair = request.pair;
    if (request.write) entry.answer.data = request.data;
    entry.port_ps = timing_.accept(cycle, request.address, beats);
    entry.memory_ps =
        target_.access({cycle, request.address, request.write, request.strobe}, entry.answer.data);
    entry.second_ps = request.pair
                          ? target_.access({cycle, request.address + spec::kBeatBytes, false},
                                           entry.answer.second)
                          : 0;
    entry.answer.flaw = request.write ? flips_.write(request.address, request.strobe)
                                      : flips_.read(request.address, beats * spec::kBeatBytes);
  }
  const BeatAnswer* next(std::uint64_t least) override {
    if (first_ == last_) return nullptr;
    Entry& entry = entries_[first_ % kMost];
    if (!finish(&entry.memory_ps, entry.answer.data)) return nullptr;
    if (!finish(&entry.second_ps, entry.answer.second)) return nullptr;
    entry.answer.cycle =
        timing_.finish(entry.port_ps + std::max(entry.memory_ps, entry.second_ps), least);
    ++first_;
    return &entry.answer;
  }
  [[nodiscard]] bool waits() const override { return first_ != last_; }
  void peek(std::uint32_t address, std::size_t size_bytes) override {
    target_.peek(address, size_bytes);
  }
  void flip(std::uint32_t word, bool two) override { flips_.flip(word, two); }
  /// As after power-on.
  void reset(Timing timing) {
    timing_ = std::move(timing);
    flips_.clear();
    first_ = last_ = 0;
  }

 private:
  static constexpr std::size_t kMost = most_under_way();
  struct Entry {
    BeatAnswer answer;
    std::uint64_t port_ps = 0, memory_ps = 0, second_ps = 0;
  };
  /// The memory has said how long a beat takes, now or before.
  bool finish(std::uint64_t* ps, Beat& data) {
    if (*ps == BeatTarget::kLater) *ps = target_.finish(data);
    return *ps != BeatTarget::kLater;
  }
  BeatTarget& target_;
  Timing timing_;
  DeviceMemoryFlips flips_;
  std::array<Entry, kMost> entries_;
  std::size_t first_ = 0, last_ = 0;
};

/// Device memory and its timing.
class Dram {
 public:
  Dram(const Config& config, const Surroundings& surroundings)
      : power_on_(config, surroundings.memory_outside), channel_(surroundings.memory, power_on_) {}
  [[nodiscard]] BeatSlave& channel() { return channel_; }
  void reset() { channel_.reset(power_on_); }

 private:
  DramTiming power_on_;
  BeatChannel<DramTiming> channel_;
};

/// The host link: two directions, which may share its time.
class HostLink {
 public:
  HostLink(const Config& config, const Surroundings& surroundings)
      : power_on_(config),
        timing_(power_on_),
        reads_(surroundings.host_reads, LinkPort(timing_, LinkChannel::kRead)),
        writes_(surroundings.host_writes, LinkPort(timing_, LinkChannel::kWrite)) {}
  HostLink(const HostLink&) = delete;
  HostLink& operator=(const HostLink&) = delete;
  [[nodiscard]] BeatSlave& reads() { return reads_; }
  [[nodiscard]] BeatSlave& writes() { return writes_; }
  void reset() {
    timing_ = power_on_;
    reads_.reset({timing_, LinkChannel::kRead});
    writes_.reset({timing_, LinkChannel::kWrite});
  }

 private:
  LinkTiming power_on_, timing_;
  BeatChannel<LinkPort> reads_, writes_;
};

}  // namespace ppu::hw
