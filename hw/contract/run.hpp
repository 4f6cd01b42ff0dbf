// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What an engine is told to run and what it reports back; see docs/inside/device.md.
#pragma once

#include <array>
#include <cstdint>

#include "hw/contract/config.hpp"
#include "ppu_spec.hpp"

namespace ppu::hw {

/// A run command that has been checked. Addresses are byte offsets into device memory, 64-byte
/// aligned.
struct RunCommand {
  std::uint32_t command = 0;  ///< Number of the command since reset.
  std::uint32_t entry = 0;    ///< First word of the program in instruction memory.
  std::uint32_t program_words = 0;
  std::uint32_t row_count = 0;
  std::uint32_t body_count = 0;
  std::uint32_t rows_address = 0;        ///< Row records in slot order.
  std::uint32_t impulses_address = 0;    ///< float32 per row, in and out.
  std::uint32_t velocities_address = 0;  ///< A velocity record per body, in and out.
  bool stream = false;                   ///< Rows are streamed even if they fit on chip.
  bool reduced = false;                  ///< Rows are in the reduced form.
  std::uint32_t quota = 0;               ///< Cycles that the run may take; 0: any number.
  bool chained = false;                  ///< Rows come with copies behind the run.
  bool early = false;                    ///< Chained rows may issue while others come.
  std::array<std::uint32_t, spec::kArgumentCount> arguments{};
};

/// True if the rows of a run do not stay on chip.
inline bool is_streamed(const Config& config, const RunCommand& command) {
  return command.stream || command.row_count > config.row_memory_rows;
}

/// True if rows may issue while others come.
inline bool is_early(const Config& config, const RunCommand& command) {
  return command.early && command.chained && command.row_count > 0 && config.dataflow != 0 &&
         config.memory_protection == 0;
}

using Counters = std::array<std::uint64_t, PPU_COUNTER_COUNT>;
using DeviceCounters = std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT>;

/// What the command `flip` asks for.
struct MemoryFlip {
  ppu_fault_detail memory = PPU_FAULT_NONE;  ///< None: nothing.
  std::uint32_t word = PPU_NONE;
  bool two = false;  ///< Two bits of a group flip, not one.
};

struct RunReport {
  ppu_run_status status = PPU_RUN_OK;
  std::uint32_t fault_row = PPU_NONE;  ///< Slot.
  std::uint32_t fault_detail = 0;      ///< ppu_fault_detail, or a word address; see registers.toml.
  std::uint32_t fault_value = 0;       ///< The number found in a bad row; see registers.toml.
  std::uint32_t progress = 0;
  std::uint32_t last_residual = 0;  ///< Bits of a float32.
  std::uint32_t command = 0;
  std::uint32_t engine = 0;
  Counters counters{};  ///< 0 unless the status is ok.
};

}  // namespace ppu::hw
