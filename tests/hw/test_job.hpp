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
#include <vector>

#include "ppu/firmware/assembler.hpp"
#include "ppu/firmware/programs.hpp"
#include "ppu/hw/functional_engine.hpp"
#include "ppu/hw/timed_engine.hpp"

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

/// Device memory with one run laid out in it.
class Job {
 public:
  Job(const std::vector<ppu_row>& rows, std::uint32_t bodies, const std::string& program_source)
      : words(firmware::assemble("test.s", program_source).image.words),
        bytes_(std::size_t{1} << 20) {
    command.program_words = static_cast<std::uint32_t>(words.size());
    command.row_count = static_cast<std::uint32_t>(rows.size());
    command.body_count = bodies;
    command.rows_address = place(rows.data(), rows.size() * sizeof(ppu_row));
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
    std::memcpy(bits.data(), &bytes_[command.impulses_address], 4 * bits.size());
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

 private:
  static constexpr std::size_t kVelocityFloats = spec::kVelocityBytes / sizeof(float);

  std::uint32_t place(const void* data, std::size_t size) {
    const std::size_t address = used_;
    if (size > 0) std::memcpy(&bytes_[address], data, size);
    used_ = (used_ + size + 63) / 64 * 64;
    return static_cast<std::uint32_t>(address);
  }

  std::vector<std::byte> bytes_;
  std::size_t used_ = 0;
};

/// Takes a beat of an engine's port every cycle and answers it `latency` cycles later.
class PlainMemory {
 public:
  explicit PlainMemory(EnginePort& port) : port_(port) {}

  void serve(TimedEngine& engine) {
    for (; !port_.requests.empty(); port_.requests.pop_front()) {
      const EnginePort::Request& request = port_.requests.front();
      // The engine may not post for a time that it has seen pass.
      if (request.cycle <= seen_) throw std::logic_error("a request came for a cycle in the past");
      for (std::uint32_t beat = 0; beat < request.beats; ++beat) {
        next_ = std::max(next_, request.cycle) + 1;
        port_.responses.push_back(next_ + kLatency);
        if (request.write) engine.accept_write();
      }
    }
    if (port_.awaited > 0) seen_ = port_.responses.at(port_.awaited - 1);
  }

  static constexpr std::uint64_t kLatency = 20;

 private:
  EnginePort& port_;
  std::uint64_t next_ = 0;
  std::uint64_t seen_ = 0;
};

inline RunReport run_functional(Job& job, const Config& config) {
  const std::atomic<bool> cancel{false};
  FunctionalEngine engine(config, job.memory());
  engine.load_program(0, job.words.data(), job.command.program_words);
  return engine.run(job.command, cancel);
}

/// What a run on the timed engine leaves behind.
struct TimedRun {
  RunReport report;
  std::uint64_t done_cycle;
  std::string message;
  std::vector<RowProfile> profile;
};

inline TimedRun run_timed_fully(Job& job, const Config& config, RowObserver* observer = nullptr,
                                TraceSink* trace = nullptr) {
  EnginePort port;
  PlainMemory memory(port);
  TimedEngine engine(config, 0, job.memory(), port, observer, trace);
  engine.load_program(0, job.words.data(), job.command.program_words);
  engine.start(100, job.command);
  while (port.done_cycle == kNever) {
    memory.serve(engine);
    engine.advance();
  }
  const TimedRun run{engine.report(), port.done_cycle, engine.message(), engine.profile()};
  engine.release();
  return run;
}

inline RunReport run_timed(Job& job, const Config& config, RowObserver* observer = nullptr) {
  return run_timed_fully(job, config, observer).report;
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
