// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A Verilated ppu_engine with device memory beside it.
#pragma once

#include <memory>
#include <vector>

#include "tests/rtl/engine/engine_job.hpp"

namespace ppu::test {

class EngineBench {
 public:
  virtual ~EngineBench() = default;
  /// The configuration that the engine was built for.
  [[nodiscard]] virtual const hw::Config& config() const = 0;
  /// Runs a job, from its program in instruction memory to its report.
  virtual EngineOutcome run(const EngineJob& job) = 0;
  /// Cycles since the reset.
  [[nodiscard]] virtual std::uint64_t cycles() const = 0;
  /// Assertions that failed.
  [[nodiscard]] virtual int failures() const = 0;
};

/// Names of the shapes that were built.
std::vector<std::string> engine_shapes();
/// A new engine of that shape, in reset just before.
std::unique_ptr<EngineBench> make_engine_bench(const std::string& shape, int seed);

}  // namespace ppu::test
