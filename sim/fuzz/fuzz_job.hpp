// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A case of the fuzz on one device, from the copies in to the counters.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "sim/fuzz/fuzz_case.hpp"
#include "sim/outcome/recorded_job.hpp"

namespace ppu::sim {

class FuzzJob {
 public:
  /// Loads the program and submits the list.
  FuzzJob(const Device& device, const FuzzCase& fuzz, const std::vector<std::byte>& image,
          bool reduced);
  /// Waits for its end. Impulses and velocities of all runs are read back, however it ended.
  Outcome finish();

 private:
  void record(const FuzzCase& fuzz);
  /// The list fills what is read back only where it ends well.
  void read_memory();
  /// Calls `each(buffer, bytes, size)` for impulses and velocities of every run.
  template <class Each>
  void for_each_result(Each each);

  Program program_;
  std::deque<RunBuffers> buffers_;
  std::vector<ReadBack> memory_;
  RecordedJob job_;
};

}  // namespace ppu::sim
