// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The run command a device executes and what it reports back. Plain data: it also crosses the
// process boundary between the driver and the device process.
#pragma once

#include <array>
#include <cstdint>

#include "ppu_spec.hpp"

namespace ppu::hw {

/// Addresses are byte offsets into device memory, 4-byte aligned.
struct RunCommand {
  std::uint64_t program_address = 0;           ///< Program words.
  std::uint64_t rows_address = 0;              ///< ppu_row records in slot order.
  std::uint64_t impulses_address = 0;          ///< float32 per row, in and out.
  std::uint64_t velocities_address = 0;        ///< 6 float32 per body, in and out.
  std::uint64_t profile_address = kNoProfile;  ///< RowProfile per row, out.
  std::uint32_t program_words = 0;
  std::uint32_t row_count = 0;
  std::uint32_t body_count = 0;
  std::array<std::uint32_t, spec::kArgumentCount> arguments{};

  static constexpr std::uint64_t kNoProfile = ~std::uint64_t{0};
};

/// Where the cycles of one row went, summed over a run, in slot order.
struct RowProfile {
  std::uint32_t cycles = 0;        ///< Issue, lanes and the stalls before the row.
  std::uint32_t body_stall = 0;    ///< ... of which waiting for a body.
  std::uint32_t parent_stall = 0;  ///< ... of which waiting for an impulse.
  std::uint32_t fetch_stall = 0;   ///< ... of which waiting for its record.
};

using Counters = std::array<std::uint64_t, PPU_COUNTER_COUNT>;

struct RunReport {
  ppu_run_status status = PPU_RUN_OK;
  std::uint32_t fault_row = PPU_NONE;  ///< Slot.
  std::uint32_t progress = 0;
  float last_residual = 0;
  Counters counters{};
  std::array<char, 1024> message{};  ///< One sentence without the row, terminated; empty if ok.
};

}  // namespace ppu::hw
