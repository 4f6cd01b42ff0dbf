// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run in device memory for engine tests: random rows, a program, and a memory that answers every
// beat after a fixed time.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "firmware/programs/programs.hpp"
#include "hw/engine/timed_engine.hpp"
#include "hw/functional/functional_engine.hpp"

namespace ppu::hw::test {

/// Random rows over `bodies` bodies: contact rows, each followed by friction rows of it now and
/// then.
inline std::vector<ppu_row> random_rows(std::uint32_t count, std::uint32_t bodies, unsigned seed) {
  std::mt19937 engine(seed);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  std::uniform_real_distribution<float> real(-1.0F, 1.0F);
  std::vector<ppu_row> rows(count);
  std::uint32_t normal = PPU_NONE;
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    ppu_row& row = rows[slot];
    const bool friction = normal != PPU_NONE && random() % 3 != 0;
    row.body_a = friction ? rows[normal].body_a : random() % bodies;
    row.body_b =
        friction ? rows[normal].body_b : (row.body_a + 1 + random() % (bodies - 1)) % bodies;
    if (!friction && random() % 4 == 0) row.body_b = PPU_NONE;
    for (int i = 0; i < 12; ++i) {
      const bool present = i < 6 || row.body_b != PPU_NONE;
      row.jacobian[i] = present ? real(engine) : 0.0F;
      row.inv_mass_jacobian[i] = present ? 0.5F * real(engine) : 0.0F;
    }
    row.bias = real(engine);
    row.inv_diagonal = 0.2F;
    row.lower = 0.0F;
    row.upper = friction ? 0.5F : 1e10F;
    row.compliance = random() % 5 == 0 ? 0.01F : 0.0F;
    row.parent = friction ? normal : PPU_NONE;
    if (!friction) normal = slot;
  }
  return rows;
}

/// A row on each of these bodies, or PPU_NONE.
inline std::vector<ppu_row> rows_on(const std::vector<std::array<std::uint32_t, 2>>& bodies) {
  auto rows = random_rows(static_cast<std::uint32_t>(bodies.size()), 2, 1);
  for (std::size_t slot = 0; slot < rows.size(); ++slot) {
    rows[slot].body_a = bodies[slot][0];
    rows[slot].body_b = bodies[slot][1];
    rows[slot].parent = PPU_NONE;
  }
  return rows;
}

/// Rows as blocks of the reduced form, without their inv_mass_jacobian; the last block
/// ends behind its last head.
inline std::vector<std::byte> reduced_records(const std::vector<ppu_row>& rows) {
  std::vector<ppu_reduced_block> blocks((rows.size() + PPU_REDUCED_BLOCK_ROWS - 1) /
                                        PPU_REDUCED_BLOCK_ROWS);
  for (std::size_t slot = 0; slot < rows.size(); ++slot) {
    const ppu_row& row = rows[slot];
    ppu_reduced_block& block = blocks[slot / PPU_REDUCED_BLOCK_ROWS];
    block.tail[slot % PPU_REDUCED_BLOCK_ROWS] = {row.compliance, row.body_a, row.body_b,
                                                 row.parent};
    ppu_reduced_head& head = block.head[slot % PPU_REDUCED_BLOCK_ROWS];
    std::copy_n(row.jacobian, spec::kRowElements, head.jacobian);
    head.bias = row.bias;
    head.inv_diagonal = row.inv_diagonal;
    head.lower = row.lower;
    head.upper = row.upper;
  }
  std::vector<std::byte> bytes(rows.size() * sizeof(ppu_reduced_head) +
                               blocks.size() * sizeof(ppu_reduced_block::tail));
  if (!bytes.empty()) std::memcpy(bytes.data(), blocks.data(), bytes.size());
  return bytes;
}

/// Device memory with one run laid out in it.
class Job {
 public:
  Job(const std::vector<ppu_row>& rows, std::uint32_t bodies, const std::string& program_source,
      bool reduced = false)
      : words(firmware::assemble("test.s", program_source).image.words) {
    command.program_words = static_cast<std::uint32_t>(words.size());
    command.row_count = static_cast<std::uint32_t>(rows.size());
    command.body_count = bodies;
    command.reduced = reduced;
    const std::vector<std::byte> records =
        reduced ? reduced_records(rows) : std::vector<std::byte>();
    command.rows_address = reduced ? place(records.data(), records.size())
                                   : place(rows.data(), rows.size() * sizeof(ppu_row));
    const std::vector<float> impulses(rows.size(), 0.25F);
    const std::vector<float> velocities(kVelocityFloats * std::size_t{bodies}, 0.125F);
    command.impulses_address = place(impulses.data(), 4 * impulses.size());
    command.velocities_address = place(velocities.data(), 4 * velocities.size());
    command.arguments = {command.row_count, 3};
  }

  Memory memory() { return {bytes_.data(), bytes_.size()}; }

  /// Bits of impulses and velocities in device memory.
  std::vector<std::uint32_t> state() const {
    std::vector<std::uint32_t> bits(command.row_count);
    if (!bits.empty()) std::memcpy(bits.data(), &bytes_[command.impulses_address], 4 * bits.size());
    for (std::uint32_t body = 0; body < command.body_count; ++body) {
      std::array<std::uint32_t, 6> velocity;
      std::memcpy(velocity.data(),
                  &bytes_[command.velocities_address + body * spec::kVelocityBytes],
                  sizeof velocity);
      bits.insert(bits.end(), velocity.begin(), velocity.end());
    }
    return bits;
  }

  RunCommand command;
  std::vector<std::uint32_t> words;
  MemoryFlip flip;  ///< What flips in the memories of the engine.

 private:
  static constexpr std::size_t kVelocityFloats = spec::kVelocityBytes / sizeof(float);

  std::uint32_t place(const void* data, std::size_t size) {
    const std::size_t address = bytes_.size();
    bytes_.resize((address + size + 63) / 64 * 64);
    if (size > 0) std::memcpy(&bytes_[address], data, size);
    return static_cast<std::uint32_t>(address);
  }

  std::vector<std::byte> bytes_;
};

/// Takes a beat, or a pair, of an engine's port in cycles that are multiples of `pace`, and answers
/// it `kLatency` cycles later. Time goes on only as far as the port allows.
class PlainMemory {
 public:
  explicit PlainMemory(EnginePort& port, std::uint64_t pace = 1) : port_(port), pace_(pace) {}

  /// Goes on until the engine has to, but not beyond cycle `last`.
  void serve(TimedEngine& engine, std::uint64_t last = kNever) {
    // The engine may not post for a time that it has seen pass.
    for (std::size_t n = known_; n < port_.requests.size(); ++n)
      if (port_.requests[n].cycle < now_)
        throw std::logic_error("a request came for a cycle in the past");
    for (; known_signals_ < port_.signals.size(); ++known_signals_)
      if (port_.signals[known_signals_].cycle <= now_)
        throw std::logic_error("a signal came for a cycle in the past");
    for (std::uint64_t cycle = next(); cycle < port_.limit() && cycle <= last; cycle = next()) {
      const bool write = port_.requests.front().write;
      const std::uint32_t beats = port_.requests.front().pairs ? 2 : 1;
      if (write) engine.accept_write();
      port_.accept(cycle, cycle + kLatency);
      next_ = cycle + 1;
      if (!write) reads.insert(reads.end(), beats, cycle);
    }
    if (port_.limit() == kNever && last == kNever)
      throw std::logic_error("the engine waits for ever");
    now_ = std::max(now_, std::min(port_.limit(), last));
    known_ = port_.requests.size();
  }

  static constexpr std::uint64_t kLatency = 20;

  std::vector<std::uint64_t> reads;  ///< Cycles in which one was accepted.

 private:
  /// The cycle in which the next beat is taken.
  [[nodiscard]] std::uint64_t next() const {
    if (port_.stands_from() == kNever) return kNever;
    const std::uint64_t wanted = std::max(next_, port_.stands_from());
    return (wanted + pace_ - 1) / pace_ * pace_;
  }

  EnginePort& port_;
  std::uint64_t pace_;
  std::uint64_t next_ = 0;  ///< First cycle in which a beat may be taken.
  std::uint64_t now_ = 0;   ///< The engine knows of the cycles before it.
  std::size_t known_ = 0;   ///< Requests that are left and were there when it went on last.
  std::size_t known_signals_ = 0;
};

/// A configuration in which rows issue in slot order.
inline Config slot_order(const std::string& name, std::vector<std::string> overrides = {}) {
  overrides.emplace_back("dataflow=0");
  return resolve_config(name, overrides);
}

inline RunReport run_functional(Job& job, const Config& config) {
  const std::atomic<bool> cancel{false};
  FunctionalEngine engine(config, job.memory());
  engine.flip(job.flip);
  engine.load_program(0, job.words.data(), job.command.program_words);
  std::atomic<std::uint32_t> progress{0};
  return engine.run(job.command, cancel, &progress);
}

/// What a run on the timed engine leaves behind.
struct TimedRun {
  RunReport report;
  std::uint64_t done_cycle;
  std::string message;
  std::vector<RowProfile> profile;
  std::vector<std::uint64_t> reads;  ///< Cycles in which a beat was read.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> signals;  ///< Cycle and value.
};

/// What it meets on its way.
struct Surroundings {
  RowObserver* observer = nullptr;
  TraceSink* trace = nullptr;
  std::uint64_t pace = 1;  ///< Of the memory.
  std::uint64_t cancel_cycle = kNever;
};

inline TimedRun run_timed_fully(Job& job, const Config& config, Surroundings around = {}) {
  EnginePort port;
  PlainMemory memory(port, around.pace);
  TimedEngine engine(config, 0, job.memory(), port, around.observer, around.trace);
  engine.flip(job.flip);
  engine.load_program(0, job.words.data(), job.command.program_words);
  engine.start(100, job.command);
  while (port.done_cycle == kNever) {
    memory.serve(engine, around.cancel_cycle);
    if (port.limit() <= around.cancel_cycle)
      engine.advance();
    else
      engine.cancel(std::exchange(around.cancel_cycle, kNever));
  }
  TimedRun run{engine.report(),  port.done_cycle, engine.message(),
               engine.profile(), memory.reads,    {}};
  for (const EnginePort::Signal& signal : port.signals)
    run.signals.emplace_back(signal.cycle, signal.value);
  engine.release();
  return run;
}

inline RunReport run_timed(Job& job, const Config& config, RowObserver* observer = nullptr) {
  Surroundings around;
  around.observer = observer;
  return run_timed_fully(job, config, around).report;
}

inline std::string program(const std::string& name) {
  return std::string(firmware::find_program(name)->source);
}

/// Sum of the stall classes of a report.
inline std::uint64_t stall_sum(const RunReport& report) {
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n < spec::kCounters.size(); ++n)
    if (spec::kCounters[n].stall) sum += report.counters[n];
  return sum;
}

}  // namespace ppu::hw::test
