// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A Verilated ppu_engine with device memory beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/rtl/engine/engine_job.hpp"

namespace ppu::test {

/// A memory with check bits, or one of the parts that its words are written in.
struct ProtectedMemory {
  std::string name;    ///< Of its ppu_safe_ram below the engine: u_sequencer.u_instructions.
  std::uint32_t part;  ///< Number of the part.
  std::uint32_t words;
  std::uint32_t bits;  ///< Of a word, or of this part of it; groups, check bits behind each one.
};

class EngineBench {
 public:
  virtual ~EngineBench() = default;
  /// The configuration that the engine was built for.
  [[nodiscard]] virtual const hw::Config& config() const = 0;
  /// Memories whose bits the upsets of a job may flip; none if the engine has no check bits.
  [[nodiscard]] virtual std::vector<ProtectedMemory> protected_memories() const = 0;
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
