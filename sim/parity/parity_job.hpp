// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lists of parity workloads: recorded between two queries, then measured.
#pragma once

#include <cstdint>
#include <vector>

#include "ppu_spec.hpp"
#include "sim/parity/parity.hpp"
#include "sim/parity/parity_problems.hpp"

namespace ppu::sim {

/// Bytes that differ from place to place, the same ones every time.
std::vector<std::uint8_t> pattern(std::size_t size_bytes, std::uint32_t seed);

/// The first bytes of a buffer.
struct Extent {
  const Buffer* buffer;
  std::size_t size_bytes;
};

class ListJob {
 public:
  explicit ListJob(const Bench& bench);

  [[nodiscard]] const Commands& commands() const { return commands_; }
  /// To be called instead of commands().run().
  void run(const ppu_run_def& def);
  /// Records a reset command: the counters are measured from here on.
  void reset_counters();
  /// For lists with runs that fail: counters of time are left out of what is measured.
  void times_are_not_specified() { times_count_ = false; }
  /// Submits the list, waits for its end and hashes what is in `results` then. Throws Error, but
  /// not for commands that the device rejects, and runs that are known to fail.
  Measurement finish(const std::vector<Extent>& results);

 private:
  const Device& device_;
  Commands commands_;
  std::uint32_t first_query_;
  bool reset_ = false;
  bool times_count_ = true;
  std::uint32_t runs_ = 0;
};

/// The upper end of host memory, which the driver does not get to: for commands that name
/// addresses.
std::uint32_t host_scratch(const Bench& bench);

/// The memory of one run on the device, and what the host puts there.
class RunMemory {
 public:
  RunMemory(const Device& device, std::vector<ppu_row> rows, std::uint32_t body_count);
  /// The rows of a problem, in the order that the driver gives them for this device.
  RunMemory(const Device& device, const model::RowProblem& problem, const RowLayout& layout = {});

  /// Records the copies in.
  void upload(const Commands& commands) const;
  [[nodiscard]] ppu_run_def run(const Program& program, std::uint32_t sweeps) const;
  /// Impulses and velocities.
  [[nodiscard]] std::vector<Extent> results() const;

 private:
  std::vector<ppu_row> host_rows_;
  std::vector<float> host_impulses_;
  std::vector<ppu_velocity> host_velocities_;
  Buffer rows_, impulses_, velocities_;
};

/// Sixteen words, for ppu_commands_raw().
using RawCommand = std::array<std::uint32_t, spec::kCommandBytes / sizeof(std::uint32_t)>;
RawCommand raw_command(spec::CommandOpcode opcode);
/// Sets a field that has been 0.
void set_field(RawCommand* command, const spec::CommandField& field, std::uint32_t value);
/// A copy, or load_program.
RawCommand raw_copy(spec::CommandOpcode opcode, std::uint32_t host_address,
                    std::uint32_t device_address, std::uint32_t bytes);
RawCommand raw_fence(std::uint32_t host_address, std::uint64_t value, bool interrupt);

}  // namespace ppu::sim
