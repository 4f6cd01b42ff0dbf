// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A command list between two queries of the counters: recorded, submitted, waited for, measured.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ppu/ppu.hpp"
#include "sim/outcome/outcome.hpp"

namespace ppu::sim {

/// The first bytes of a buffer.
struct Extent {
  const Buffer* buffer;
  std::size_t size_bytes;
};

class RecordedJob {
 public:
  explicit RecordedJob(const Device& device) : commands_(device), first_query_(commands_.query()) {}

  [[nodiscard]] const Commands& commands() const { return commands_; }
  /// To be called instead of commands().run().
  void run(const ppu_run_def& def);
  /// Records a reset command: the counters are measured from here on.
  void reset_counters();
  /// For lists with runs that fail: in how many cycles they do is not specified, so counters of
  /// time are left out of what is measured.
  void expect_faults() { expects_faults_ = true; }
  [[nodiscard]] bool expects_faults() const { return expects_faults_; }

  void submit();
  /// Waits for the end, which may be a bad one; then hashes what is in `results`. Nothing is
  /// measured where there was no end.
  Outcome finish(const std::vector<Extent>& results = {},
                 std::uint64_t timeout_ns = PPU_NO_TIMEOUT) const;

 private:
  void measure(Outcome* outcome) const;

  Commands commands_;
  std::uint32_t first_query_;
  std::uint32_t last_query_ = 0;
  bool reset_ = false;
  bool expects_faults_ = false;
  std::uint32_t runs_ = 0;
  std::optional<Fence> fence_;
};

/// What one run works on, on the device, and what the host puts there.
class RunBuffers {
 public:
  /// `rows` are `row_count` records as they lie in device memory.
  RunBuffers(const Device& device, std::vector<std::uint8_t> rows, std::size_t row_count,
             std::vector<float> impulses, std::vector<ppu_velocity> velocities);

  /// Records the copies in: of all, or of impulses and velocities, or of `size_bytes` of the rows.
  void upload(const Commands& commands) const;
  void upload_state(const Commands& commands) const;
  void upload_rows(const Commands& commands, std::size_t offset, std::size_t size_bytes) const;
  [[nodiscard]] std::size_t row_bytes() const { return host_rows_.size(); }
  /// A run of `program` over all of it; arguments and the rest are the caller's.
  [[nodiscard]] ppu_run_def run(const Program& program) const;
  /// Impulses and velocities.
  [[nodiscard]] std::vector<Extent> results() const;

 private:
  std::vector<std::uint8_t> host_rows_;
  std::size_t row_count_;
  std::vector<float> host_impulses_;
  std::vector<ppu_velocity> host_velocities_;
  Buffer rows_, impulses_, velocities_;
};

}  // namespace ppu::sim
