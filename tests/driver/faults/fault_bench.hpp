// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device with work on it whose answer is known, to be disturbed: what a case of the fault suite
// does, and what has to be as before afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ppu/ppu.hpp"
#include "ppu_spec.hpp"

namespace ppu::driver::test {

inline constexpr std::uint64_t kMillisecond = 1'000'000;
using CommandWords = std::array<std::uint32_t, 16>;

/// What the last call of a case came to.
struct FaultOutcome {
  ppu_result result = PPU_OK;
  std::string sentence;
};
/// With the sentence of this thread's last error.
FaultOutcome outcome_of(ppu_result result);

class FaultBench {
 public:
  FaultBench(const std::string& backend, const char* config);
  explicit FaultBench(const ppu_device_def& def);

  /// Words of a command, its fields from word 1 on.
  static CommandWords words(std::uint32_t opcode, const std::vector<std::uint32_t>& from_word_1);
  /// A list: data into memory, these commands, data out again to the destination. Waited for.
  FaultOutcome raw(const std::vector<CommandWords>& commands);
  /// A run of this source over the bench's buffers, waited for without a limit.
  FaultOutcome run(const char* source);
  [[nodiscard]] ppu_run_def run_of(const Program& program) const;
  /// A run that does not end.
  Fence start_endless();
  /// A chained run without the copies that it waits for.
  Fence start_rows_that_never_come();
  /// A list of so many commands that do nothing.
  Fence start_nops(std::size_t count);
  /// Three sweeps over three rows; `flip` arms bits of a memory before them.
  FaultOutcome sweep(const CommandWords* flip = nullptr);
  /// The row in slot 0 is `row` from now on; waited for: a sweep over it.
  FaultOutcome sweep_over(const ppu_row& row, bool stream);
  static ppu_row good_row();

  /// Impulses and velocities as memory has them.
  [[nodiscard]] std::vector<std::uint32_t> answer() const;
  /// Nothing of the host or of device memory that no call has succeeded to change has changed.
  [[nodiscard]] bool is_intact() const;

  [[nodiscard]] std::uint32_t host_bytes() const;
  [[nodiscard]] std::uint32_t device_bytes() const;
  [[nodiscard]] std::uint64_t corrected() const;

  const std::string backend;
  Device device;
  Program boxed, endless;
  Buffer rows, impulses, velocities, witness;
  std::vector<std::uint8_t> destination;  ///< Host memory of the caller.
  std::vector<Commands> lists;            ///< Their fences end with them.
};

/// What is left after a case.
enum class After {
  kSame,  ///< The device goes on.
  kLost,  ///< It is gone, or another took its place; a new one opens and works.
};
enum class Where { kAll, kProcesses, kPlatform, kSystemc };

struct FaultCase {
  std::string name, how;
  ppu_result expected;
  std::string sentence;  ///< A part of it; empty where the result is PPU_OK.
  std::function<FaultOutcome(FaultBench&)> provoke;
  const char* config = "small";
  After after = After::kSame;
  Where where = Where::kAll;
};
/// On all back ends, with the device as it was afterwards.
FaultCase fault(const std::string& name, const std::string& how, ppu_result expected,
                const std::string& sentence,
                const std::function<FaultOutcome(FaultBench&)>& provoke);
struct FaultGroup {
  std::string name;
  std::vector<FaultCase> cases;
};

FaultGroup command_faults();
FaultGroup program_faults();
FaultGroup row_faults();
FaultGroup call_faults();
FaultGroup flip_faults();
FaultGroup process_faults();
FaultGroup link_faults();
FaultGroup platform_faults();
FaultGroup shell_faults();

inline std::vector<FaultGroup> fault_groups() {
  return {command_faults(), program_faults(), row_faults(),      call_faults(), flip_faults(),
          process_faults(), link_faults(),    platform_faults(), shell_faults()};
}

}  // namespace ppu::driver::test
