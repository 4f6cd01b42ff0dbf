// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Jobs for one engine: device memory with rows, impulses and velocities, a program and its command,
// and the pace of device memory. What comes out of a job can be compared, cycle for cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "hw/contract/command.hpp"
#include "hw/contract/config.hpp"
#include "hw/contract/run.hpp"
#include "hw/contract/trace.hpp"

namespace ppu::test {

/// Device memory's pace: pseudo-random in the cycle, the same for everybody who asks.
class MemoryPace {
 public:
  MemoryPace(std::uint64_t seed, std::uint32_t stall_percent, std::uint32_t latency)
      : seed_(seed), stall_percent_(stall_percent), latency_(latency) {}

  [[nodiscard]] bool ready(std::uint64_t cycle) const {
    return draw(cycle) % 100 >= stall_percent_;
  }
  /// A request is accepted in `cycle`: the cycle of its response.
  std::uint64_t access(std::uint64_t cycle) {
    const std::uint64_t jitter = stall_percent_ == 0 ? 0 : draw(~cycle) % 7;
    last_ = std::max(last_ + 1, cycle + 1 + latency_ + jitter);
    return last_;
  }

 private:
  [[nodiscard]] std::uint64_t draw(std::uint64_t cycle) const {
    std::uint64_t x = (cycle + seed_) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  }

  std::uint64_t seed_;
  std::uint32_t stall_percent_, latency_;
  std::uint64_t last_ = 0;
};

/// What a particle does to a word of a memory of the RTL with check bits, while the run is under
/// way. No model knows of it.
struct Upset {
  std::uint64_t cycle;              ///< Bits flip before the clock edge of this cycle.
  std::size_t memory;               ///< One of EngineBench::protected_memories().
  std::uint32_t word;               ///< In that memory.
  std::vector<std::uint32_t> bits;  ///< Of the word as it is stored, check bits included.
};

struct EngineJob {
  std::string name;
  std::vector<std::uint32_t> words;  ///< Of the program, at the command's entry.
  hw::RunCommand command;
  std::vector<std::byte> memory;
  MemoryPace pace{1, 0, 10};
  /// Of a chained run: the cycles in which a copy may write the next beat of its rows.
  MemoryPace copies{1, 0, 0};
  /// A `flip` before the program is loaded, if there are fields.
  hw::CommandWords flip{};
  /// The run is cancelled in this cycle, if it is still under way.
  std::uint64_t cancel_cycle = ~std::uint64_t{0};
  std::vector<Upset> upsets;
  /// A run that has not ended by this cycle hangs.
  std::uint64_t last_cycle = 5'000'000;
};

/// In this cycle every run is begun.
inline constexpr std::uint64_t kStartCycle = 20;

struct Event {
  std::uint64_t cycle;
  hw::TraceKind kind;
  std::uint64_t a, b;
  friend bool operator==(const Event& x, const Event& y) {
    return std::tie(x.cycle, x.kind, x.a, x.b) == std::tie(y.cycle, y.kind, y.a, y.b);
  }
  friend bool operator<(const Event& x, const Event& y) {
    return std::tie(x.cycle, x.kind, x.a, x.b) < std::tie(y.cycle, y.kind, y.a, y.b);
  }
};

struct EngineOutcome {
  hw::RunReport report;
  std::vector<Event> events;  ///< In order.
  std::vector<std::byte> memory;
};

/// Makes jobs at random, but plain ones: rows as a solver makes them.
EngineJob make_job(const hw::Config& config, std::uint64_t seed, std::uint32_t rows,
                   std::uint32_t bodies);

/// A copy writes a beat of the rows of a job in this cycle, if there is one left.
inline bool copies_in(const EngineJob& job, std::uint64_t cycle) {
  return job.command.chained && cycle > kStartCycle && job.copies.ready(cycle);
}
/// How many there are.
std::uint32_t copied_beats(const EngineJob& job);

/// Changes the record of a row, in the form that it has.
void edit_record(EngineJob& job, std::uint32_t slot, const std::function<void(ppu_row&)>& edit);

/// What the model of the engine makes of a job.
EngineOutcome run_model(const hw::Config& config, const EngineJob& job);

}  // namespace ppu::test
