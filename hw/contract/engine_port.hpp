// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The seam between a timed engine, which goes on in time on its own, and what is around it, which
// steps cycle by cycle: memory requests stamped with the cycle from which they stand on the port,
// the cycles of their responses, and the cycle in which the engine is done; and what the uncore
// asks of the engine.
//
// An engine only posts for cycles after the last response or start that it has seen, so whoever
// steps time may go on until an engine has the responses it waits for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "hw/contract/command.hpp"
#include "hw/contract/cycles.hpp"
#include "hw/contract/host_records.hpp"
#include "hw/contract/run.hpp"

namespace ppu::hw {

struct EnginePort {
  /// A value that the program signals, visible from `cycle` on.
  struct Signal {
    std::uint64_t cycle;
    std::uint32_t value;
  };
  /// A run of consecutive beats, requested one after another from `cycle` on.
  struct Request {
    std::uint64_t cycle;
    std::uint32_t address;  ///< Byte offset in device memory, a multiple of 64.
    std::uint32_t beats;
    bool write;
    bool pairs = false;  ///< Two of them in a cycle, accepted and answered together; reads only.
    bool gated = false;  ///< Reads of what take_written() waits for, see capture().
  };

  std::deque<Request> requests;         ///< Posted by the engine; consumed beat by beat.
  std::deque<std::uint64_t> responses;  ///< Of each beat, in order; taken by the engine.
  std::size_t under_way = 0;            ///< Beats accepted whose response is not known yet.
  std::size_t owed = 0;                 ///< Responses to requests posted that were not taken yet.
  /// Responses that the engine needs before it can go on; 0 while it does not wait.
  std::size_t awaited = 0;
  // Beats that the engine takes from what copies write to device memory, one after another.
  std::uint32_t first_written = 0;    ///< Address of the first one.
  std::uint32_t next_written = 0;     ///< Address of the next one.
  std::size_t unwritten = 0;          ///< How many are still to come.
  std::deque<std::uint64_t> written;  ///< The cycles in which they came; taken by the engine.
  /// Those that the engine needs before it can go on; 0 while it does not wait.
  std::size_t awaited_written = 0;
  std::size_t captured = 0;       ///< Beats so far that capture() has answered.
  bool half_captured = false;     ///< The first beat of the pair that is requested next.
  std::uint64_t last_answer = 0;  ///< The cycle of the last response.
  /// The engine is done, its report complete, from this cycle on.
  std::uint64_t done_cycle = kNever;
  /// While there is more to do at once: nothing is posted for a cycle before this one.
  std::uint64_t quiet_until = 0;
  /// However it waits, the engine goes on before this cycle: the run is over its budget
  /// from then on, or over.
  std::uint64_t until = kNever;
  std::deque<Signal> signals;  ///< In order; taken when they are visible.

  void post(const Request& request) {
    requests.push_back(request);
    owed += request.beats;
  }
  /// Takes back the `beats` beats that were posted last; none has been accepted.
  void take_back(std::size_t beats) {
    owed -= beats;
    for (; beats > 0; requests.pop_back()) beats -= requests.back().beats;
  }
  /// The next beat, or pair, is accepted in `cycle`; respond() tells the cycle of each answer.
  /// Returns how many beats that are.
  std::uint32_t accept(std::uint64_t cycle) {
    Request& request = requests.front();
    const std::uint32_t beats = request.pairs ? 2 : 1;
    under_way += beats;
    request.address += beats * spec::kBeatBytes;
    request.beats -= beats;
    if (request.beats == 0) requests.pop_front();
    if (!requests.empty()) requests.front().cycle = std::max(requests.front().cycle, cycle + 1);
    return beats;
  }
  /// Both.
  void accept(std::uint64_t cycle, std::uint64_t response) {
    for (std::uint32_t left = accept(cycle); left > 0; --left) respond(response);
  }
  void respond(std::uint64_t response) {
    --under_way;
    responses.push_back(response);
    last_answer = response;
  }
  /// Takes `count` responses that are there; returns the cycle of the last one.
  std::uint64_t take(std::size_t count) {
    const std::uint64_t last = responses[count - 1];
    responses.erase(responses.begin(), responses.begin() + static_cast<std::ptrdiff_t>(count));
    owed -= count;
    return last;
  }
  /// Takes `beats` beats from `address` on of what will be written.
  void take_written(std::uint32_t address, std::uint32_t beats) {
    first_written = next_written = address;
    unwritten = beats;
  }
  /// Takes no more of it, and forgets what came; no request is gated.
  void ignore_written() {
    written.clear();
    unwritten = awaited_written = 0;
  }
  /// A beat was written in `cycle`; true if the engine takes it.
  bool write(std::uint64_t cycle, std::uint32_t address) {
    if (unwritten == 0 || address != next_written) return false;
    written.push_back(cycle + 1);
    next_written += spec::kBeatBytes;
    --unwritten;
    return true;
  }
  /// `cycle` begins: a beat that is gated and was written in the cycle before is taken as it comes,
  /// and is no request, if no answer to one is due. So is a pair of them.
  void capture(std::uint64_t cycle) {
    if (written.empty() || written.back() != cycle || requests.empty()) return;
    const Request& request = requests.front();
    if (!request.gated || request.cycle > cycle) return;
    const std::size_t wanted = (request.address - first_written) / spec::kBeatBytes;
    const bool comes = wanted + 1 == written.size() && under_way == 0 && last_answer < cycle;
    if (!half_captured && !comes) return;
    half_captured = request.pairs && !half_captured;
    if (half_captured) return;
    captured += request.pairs ? 2 : 1;
    accept(cycle, cycle);
  }
  /// The cycle from which the next beat, or pair, stands on the port, if that is known; else
  /// kNever. What is gated does when it has been written.
  [[nodiscard]] std::uint64_t stands_from() const {
    if (requests.empty()) return kNever;
    const Request& request = requests.front();
    if (!request.gated) return request.cycle;
    const std::size_t needed =
        (request.address - first_written) / spec::kBeatBytes + (request.pairs ? 2 : 1);
    if (written.size() < needed) return kNever;
    return std::max(request.cycle, written[needed - 1] + 1);
  }
  /// Nothing is requested any more but the beat, or pair, that has been on the port since `cycle`
  /// or before; the engine goes on.
  void withdraw(std::uint64_t cycle) {
    const bool waits = stands_from() <= cycle;
    requests.resize(waits ? 1 : 0);
    if (waits) {
      requests.front().beats = requests.front().pairs ? 2 : 1;
      requests.front().gated = false;
    }
    owed = responses.size() + under_way + (waits ? requests.front().beats : 0);
    awaited = 0;
    half_captured = false;
    ignore_written();
  }
  /// The engine waits and cannot go on yet.
  [[nodiscard]] bool blocked() const {
    return responses.size() < awaited || written.size() < awaited_written;
  }
  /// The first cycle that must not be stepped before the engine goes on.
  [[nodiscard]] std::uint64_t limit() const {
    if (done_cycle != kNever) return kNever;
    if (blocked()) return until;
    if (awaited == 0 && awaited_written == 0) return std::min(until, quiet_until);
    const std::uint64_t answered = awaited > 0 ? responses[awaited - 1] : 0;
    const std::uint64_t taken = awaited_written > 0 ? written[awaited_written - 1] : 0;
    return std::min(until, std::max(answered, taken) + 1);
  }
};

/// What the uncore asks of an engine.
class EngineUnit {
 public:
  virtual ~EngineUnit() = default;
  /// Writes words of instruction memory; the engine is idle.
  virtual void load_program(std::uint32_t address, const std::uint32_t* words,
                            std::uint32_t count) = 0;
  /// A `flip` of a device with memory_protection=1; the engine is idle.
  virtual void flip(const CommandWords& command) = 0;
  /// A run is begun in `cycle` (t0); the engine is idle.
  virtual void start(std::uint64_t cycle, const RunCommand& command) = 0;
  /// Goes on as far as the responses allow, or a good way of it. To be called when the cycle has
  /// come that the port names as its limit.
  virtual void advance() = 0;
  /// Ends the run if `cycle` is not after its end; what is on its way still comes.
  virtual void cancel(std::uint64_t cycle) = 0;
  /// The next beat of a store is accepted: its bytes are in device memory. Returns which they are,
  /// as a strobe.
  virtual std::uint64_t accept_write() = 0;
  /// What a beat has read that was requested: for an engine that does not look at device memory.
  virtual void answer(const Beat& /*data*/) {}
  /// The same of a beat that it takes from what copies write.
  virtual void take_written(const Beat& /*data*/) {}
  /// The report, once the port has its done cycle.
  [[nodiscard]] virtual const RunReport& report() const = 0;
  /// The report was acknowledged: idle again.
  virtual void release() = 0;
};

}  // namespace ppu::hw
