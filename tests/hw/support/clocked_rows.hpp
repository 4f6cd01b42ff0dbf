// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How rows get before the issue stage of the clocked engine: by the search of a filtered pass, or
// from device memory. Both are clocked tick by tick, from docs/inside/device.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw::test {

/// The search of one filtered pass over resident rows.
class ClockedSearch {
 public:
  struct Group {
    std::uint32_t next, end;  ///< Slots left.
    std::uint64_t from;       ///< Before the issue stage from this cycle on.
  };

  ClockedSearch(const Config& config, std::uint64_t start, std::uint32_t count,
                std::function<bool(std::uint32_t)> is_live)
      : pipes_(config.pipes),
        window_(config.pipes * config.filter_window),
        start_(start),
        count_(count),
        is_live_(std::move(is_live)) {}

  /// One cycle; returns the rows that are passed over without the issue stage.
  std::uint32_t clock(std::uint64_t cycle) {
    if (cycle < start_ || done()) return 0;
    if (!looking_) look();
    if (!live_.empty() && taken.size() < kCredit) {
      taken.push_back({live_.front(), std::min(live_.front() + pipes_, count_), cycle + 1});
      live_.pop_front();
    } else if (!live_.empty()) {
      return 0;
    }
    if (!live_.empty()) return 0;
    first_ += window_;
    looking_ = false;
    return others_;
  }

  [[nodiscard]] bool done() const { return first_ >= count_; }

  std::deque<Group> taken;  ///< And not yet gone.

 private:
  static constexpr std::size_t kCredit = 4;

  void look() {
    looking_ = true;
    others_ = 0;
    for (std::uint32_t group = first_; group < std::min(first_ + window_, count_);
         group += pipes_) {
      const std::uint32_t end = std::min(group + pipes_, count_);
      bool live = false;
      for (std::uint32_t slot = group; slot < end; ++slot) live = live || is_live_(slot);
      if (live)
        live_.push_back(group);
      else
        others_ += end - group;
    }
  }

  std::uint32_t pipes_, window_;
  std::uint64_t start_;
  std::uint32_t count_;
  std::function<bool(std::uint32_t)> is_live_;
  std::uint32_t first_ = 0;  ///< Of the window.
  bool looking_ = false;
  std::deque<std::uint32_t> live_;  ///< Groups of the window that are left to take.
  std::uint32_t others_ = 0;        ///< Rows of its groups without a live row.
};

/// Streamed rows: requests, a memory that takes one every `pace` cycles and answers it
/// `kMemoryLatency` cycles later, and arrivals.
class ClockedStream {
 public:
  static constexpr std::uint64_t kMemoryLatency = 20;

  ClockedStream(const Config& config, bool reduced, std::uint64_t pace)
      : pipes_(config.pipes),
        reduced_(reduced),
        pairs_(config.memory_port_beats == 2),
        pace_(pace),
        places_(config.pipes, config.row_memory_rows / config.pipes) {
    const std::uint64_t dot = config.fp_mul_stages + 3 * config.fp_add_stages;
    const std::uint64_t more = 12 / config.lanes - 1;
    last_jm_read_ = dot + more + dot + 2 + more + config.choice_stages;
  }

  void queue_pass(std::uint64_t cycle, std::uint32_t first, std::uint32_t count) {
    passes_.push_back({cycle + 1, first, first + count, 0, true});
  }
  /// The row in `slot` goes: its place is free again after the last read of its JM.
  void gone(std::uint64_t cycle, std::uint32_t slot) {
    arrived_.pop_front();
    releases_.push_back({cycle + last_jm_read_ + 1, slot % pipes_});
  }
  /// The run is over its budget, or over: nothing is requested anew.
  void stop() { passes_.clear(); }
  /// Beats are on their way.
  [[nodiscard]] bool busy() const { return wanted_ || !responses_.empty(); }
  /// The next row in order is before the issue stage.
  [[nodiscard]] bool there(std::uint64_t cycle) const {
    return !arrived_.empty() && arrived_.front() <= cycle;
  }
  /// Cycles in which a beat was accepted.
  [[nodiscard]] const std::vector<std::uint64_t>& reads() const { return reads_; }

  void clock(std::uint64_t cycle) {
    while (!releases_.empty() && releases_.front().cycle <= cycle) {
      ++places_[releases_.front().pipe];
      releases_.pop_front();
    }
    if (!responses_.empty() && responses_.front().cycle == cycle) {
      if (responses_.front().completes_row) arrived_.push_back(cycle + 3);
      responses_.pop_front();
    }
    if (!wanted_) request(cycle);
    if (!wanted_ || cycle % pace_ != 0) return;
    responses_.push_back({cycle + kMemoryLatency, wanted_->completes_row});
    reads_.insert(reads_.end(), wanted_->beats, cycle);
    wanted_.reset();
  }

 private:
  struct Pass {
    std::uint64_t from;
    std::uint32_t next, end;
    std::uint32_t beat;  ///< Of the next row: how many have been requested.
    bool opens;          ///< It is the first row.
  };
  /// A request on the port, which stays until it is accepted.
  struct Wanted {
    bool completes_row;
    std::uint32_t beats;
  };
  struct Response {
    std::uint64_t cycle;
    bool completes_row;
  };
  struct Release {
    std::uint64_t cycle;
    std::uint32_t pipe;
  };

  /// Requests the next beat, or both beats of a row, if there is a place for its row.
  void request(std::uint64_t cycle) {
    if (passes_.empty() || cycle < passes_.front().from) return;
    Pass& pass = passes_.front();
    std::uint32_t& places = places_[pass.next % pipes_];
    if (pass.beat == 0) {
      if (places == 0) return;
      --places;
    }
    const bool in_block = reduced_ && pass.next % 4 != 0;
    const std::uint32_t beats = in_block && !pass.opens ? 1 : 2;
    const std::uint32_t requested = pairs_ && !in_block ? 2 : 1;
    pass.beat += requested;
    const bool last = pass.beat == beats;
    wanted_ = Wanted{last, requested};
    if (!last) return;
    pass.beat = 0;
    pass.opens = false;
    if (++pass.next == pass.end) passes_.pop_front();
  }

  std::uint32_t pipes_;
  bool reduced_, pairs_;
  std::uint64_t pace_;
  std::vector<std::uint32_t> places_;
  std::uint64_t last_jm_read_ = 0;
  std::deque<Pass> passes_;
  std::optional<Wanted> wanted_;
  std::deque<Response> responses_;
  std::deque<std::uint64_t> arrived_;  ///< When rows are before the issue stage.
  std::deque<Release> releases_;
  std::vector<std::uint64_t> reads_;
};

}  // namespace ppu::hw::test
