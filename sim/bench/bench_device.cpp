// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Devices at work: whole frames, and copies by the DMA. The same work on every back end, so that
// simulated cycles per second can be compared.
#include <chrono>
#include <memory>
#include <vector>

#include "sim/bench/bench.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

constexpr std::size_t kCopyBytes = 128U << 10U;

/// A buffer, and a command list that fills it and reads it back.
class Copies {
 public:
  explicit Copies(const Options& options)
      : device_(open_device(options)),
        buffer_(device_, kCopyBytes),
        commands_(device_),
        data_(kCopyBytes) {
    commands_.copy_in(buffer_, data_.data(), kCopyBytes);
    commands_.copy_out(buffer_, data_.data(), kCopyBytes);
  }

  Sample run(std::uint32_t count) const {
    Sample sample;
    const auto before = device_.counters();
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < count; ++i) commands_.submit().wait();
    sample.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto after = device_.counters();
    const auto counted = [&](ppu_device_counter counter) {
      return after[counter] - before[counter];
    };
    sample.cycles = counted(PPU_DEVICE_COUNTER_DEVICE_CYCLES);
    sample.bytes = counted(PPU_DEVICE_COUNTER_BYTES_IN) + counted(PPU_DEVICE_COUNTER_BYTES_OUT);
    return sample;
  }

 private:
  Device device_;
  Buffer buffer_;
  Commands commands_;
  std::vector<char> data_;
};

}  // namespace

Contender bench_backend(const model::RowProblem& problem, const Options& options,
                        const std::string& backend) {
  return {backend + " back end", "sweeps", "wall",
          [&problem, options, backend](std::uint32_t sweeps) {
            Options mine = options;
            mine.backend = backend;
            const SolveResult result = Solver(mine).solve(problem, sweeps);
            return Sample{result.report.device_seconds, result.counter(PPU_COUNTER_ROW_UPDATES),
                          result.report.device_cycles, 0};
          }};
}

Contender bench_frames(const model::RowProblem& problem, const Options& options,
                       const std::string& name) {
  auto solver = std::make_shared<Solver>(options);
  const auto frames = [&problem, solver, sweeps = options.sweeps](std::uint32_t count) {
    Sample sum;
    for (std::uint32_t frame = 0; frame < count; ++frame) {
      const SolveResult result = solver->solve(problem, sweeps);
      sum.seconds += result.report.device_seconds;
      sum.row_updates += result.counter(PPU_COUNTER_ROW_UPDATES);
      sum.cycles += result.report.device_cycles;
      sum.bytes += result.counter(PPU_COUNTER_ROW_BYTES_STREAMED);
    }
    return sum;
  };
  return {name, "frames", "wall", frames};
}

Contender bench_dma(const Options& options, const std::string& name) {
  auto copies = std::make_shared<Copies>(options);
  return {name, "copies", "wall", [copies](std::uint32_t count) { return copies->run(count); }};
}

}  // namespace ppu::sim
