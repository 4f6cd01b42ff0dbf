// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lists of parity workloads: runs on made problems, and raw commands.
#pragma once

#include <cstdint>
#include <vector>

#include "ppu_spec.hpp"
#include "sim/outcome/recorded_job.hpp"
#include "sim/parity/parity.hpp"
#include "sim/parity/parity_problems.hpp"

namespace ppu::sim {

/// Bytes that differ from place to place, the same ones every time.
std::vector<std::uint8_t> pattern(std::size_t size_bytes, std::uint32_t seed);

/// Submits the list, waits for its end and hashes what is in `results` then. Throws Error, but not
/// for commands that the device rejects, and runs that are known to fail.
Outcome finish(RecordedJob* job, const std::vector<Extent>& results);

/// The upper end of host memory, which the driver does not get to: for commands that name
/// addresses.
std::uint32_t host_scratch(const Bench& bench);

/// What one run of a workload works on.
class ParityBuffers {
 public:
  ParityBuffers(const Device& device, const std::vector<ppu_row>& rows, std::uint32_t body_count);
  /// The rows of a problem, in the order that the driver gives them for this device.
  ParityBuffers(const Device& device, const model::RowProblem& problem,
                const RowLayout& layout = {});

  [[nodiscard]] const RunBuffers& buffers() const { return buffers_; }
  void upload(const Commands& commands) const { buffers_.upload(commands); }
  [[nodiscard]] ppu_run_def run(const Program& program, std::uint32_t sweeps) const;
  [[nodiscard]] std::vector<Extent> results() const { return buffers_.results(); }

 private:
  RunBuffers buffers_;
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
