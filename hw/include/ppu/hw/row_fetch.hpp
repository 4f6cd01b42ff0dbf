// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row fetch: rows stay in row memory for the whole run if they fit, else they are streamed from
// device memory through a prefetch buffer in every pass.
#pragma once

#include <vector>

#include "ppu/hw/config.hpp"
#include "ppu/hw/engine_bus.hpp"
#include "ppu/hw/run.hpp"

namespace ppu::hw {

class RowFetch {
 public:
  struct Fetched {
    const ppu_row* row;     ///< Valid until the next fetch when streamed.
    std::uint64_t arrival;  ///< First cycle at which the row may issue.
  };

  RowFetch(const Config& config, const RunCommand& command, EngineBus& bus);

  [[nodiscard]] bool streamed() const { return streamed_; }

  /// Brings the rows on chip if they stay there; returns the cycle when that is done.
  std::uint64_t load(std::uint64_t cycle);

  /// Rows of a pass may be requested from `cycle` on.
  void start_pass(std::uint64_t cycle) { pass_start_ = cycle; }

  /// The next row of the pass.
  Fetched fetch(std::uint32_t slot);

  /// No later request comes before this cycle.
  [[nodiscard]] std::uint64_t horizon() const;

  /// The row fetched last issues in `cycle` and frees its place in the buffer.
  void issued(std::uint64_t cycle);

 private:
  EngineBus& bus_;
  std::uint64_t rows_address_;
  bool streamed_;
  std::vector<ppu_row> rows_;         ///< Row memory, or the prefetch buffer.
  std::vector<std::uint64_t> freed_;  ///< Cycle at which a place of the buffer was freed last.
  std::size_t place_ = 0;             ///< Place of the row fetched last.
  std::uint64_t pass_start_ = 0;
};

}  // namespace ppu::hw
