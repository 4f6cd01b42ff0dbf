// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run in device memory for engine tests: random rows, a program, and a bus with plain DRAM
// timing.
#pragma once

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "ppu/firmware/assembler.hpp"
#include "ppu/firmware/programs.hpp"
#include "ppu/hw/dram_timing.hpp"
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
      : bytes_(std::size_t{1} << 20) {
    const auto words = firmware::assemble("test.s", program_source).image.words;
    command.program_address = place(words.data(), 4 * words.size());
    command.program_words = static_cast<std::uint32_t>(words.size());
    command.row_count = static_cast<std::uint32_t>(rows.size());
    command.body_count = bodies;
    command.rows_address = place(rows.data(), rows.size() * sizeof(ppu_row));
    const std::vector<float> impulses(rows.size(), 0.25F);
    const std::vector<float> velocities(6 * std::size_t{bodies}, 0.125F);
    command.impulses_address = place(impulses.data(), 4 * impulses.size());
    command.velocities_address = place(velocities.data(), 4 * velocities.size());
    command.arguments = {command.row_count, 3};
  }

  DeviceMemory memory() { return {bytes_.data(), bytes_.size()}; }

  /// Bits of impulses and velocities in device memory.
  std::vector<std::uint32_t> state() const {
    std::vector<std::uint32_t> bits(command.row_count + 6 * std::size_t{command.body_count});
    std::memcpy(bits.data(), &bytes_[command.impulses_address], 4 * std::size_t{command.row_count});
    std::memcpy(&bits[command.row_count], &bytes_[command.velocities_address],
                24 * std::size_t{command.body_count});
    return bits;
  }

  RunCommand command;

 private:
  std::uint64_t place(const void* data, std::size_t size) {
    const std::uint64_t address = used_;
    if (size > 0) std::memcpy(&bytes_[address], data, size);
    used_ = (used_ + size + 63) / 64 * 64;
    return address;
  }

  std::vector<std::byte> bytes_;
  std::uint64_t used_ = 0;
};

/// Device memory behind DramTiming, without SystemC.
class PlainBus final : public EngineBus {
 public:
  PlainBus(const Config& config, DeviceMemory memory) : timing_(config), memory_(memory) {}
  std::uint64_t read(std::uint64_t cycle, std::uint64_t address, void* data,
                     std::size_t bytes) override {
    earliest_violated_ = earliest_violated_ || cycle < reached_;
    std::memcpy(data, memory_.data + address, bytes);
    return timing_.access(cycle, bytes);
  }
  std::uint64_t write(std::uint64_t cycle, std::uint64_t address, const void* data,
                      std::size_t bytes) override {
    earliest_violated_ = earliest_violated_ || cycle < reached_;
    std::memcpy(memory_.data + address, data, bytes);
    return timing_.access(cycle, bytes);
  }
  void advance(std::uint64_t cycle) override { reached_ = std::max(reached_, cycle); }

  /// True if a request came before a cycle that the engine had declared passed.
  bool went_back() const { return earliest_violated_; }

 private:
  DramTiming timing_;
  DeviceMemory memory_;
  std::uint64_t reached_ = 0;
  bool earliest_violated_ = false;
};

inline RunReport run_functional(Job& job, const Config& config) {
  const std::atomic<bool> cancel{false};
  return FunctionalEngine(config, job.memory()).run(job.command, cancel);
}

inline RunReport run_timed(Job& job, const Config& config, RowObserver* observer = nullptr) {
  const std::atomic<bool> cancel{false};
  PlainBus bus(config, job.memory());
  const RunReport report =
      TimedEngine(config, job.memory(), bus, observer).run(job.command, cancel);
  if (bus.went_back()) throw std::logic_error("a request came before the engine's own time");
  return report;
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
