// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs for the tests of how and when runs end: three passes over 20 rows, resident, streamed and
// filtered ones.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "tests/hw/support/filter_programs.hpp"
#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {

/// The rate of a row with it is not finite.
inline constexpr float kBadBias = std::numeric_limits<float>::infinity();

/// Three passes without a wait between them; or, with a filtered kernel, one that marks bodies and
/// two over the rows of these.
inline std::string program_of(const Kernel& with) {
  const std::string tagged = "rows zero, a0\ntagnext\nkernel k\nrows zero, a0\nrows zero, a0\n";
  const std::string plain = "signal a0\nrows zero, a0\nrows zero, a0\nsignal a1\nrows zero, a0\n";
  return "budget a7\nsetmark a4\nkernel plain\n" + (with.tagged ? tagged : plain) +
         "rdlate t0\nsignal t0\nhalt\n" + kernel("plain", {false, true, false, with.reduced}) +
         kernel("k", with);
}

/// A run of 20 rows of one kind: resident, streamed, filtered or both.
struct Kind {
  bool streamed, filtered, reduced;
};
inline constexpr Kind kKinds[] = {{false, false, false}, {true, false, false}, {true, false, true},
                                  {false, true, false},  {true, true, false},  {true, true, true}};

struct EndJob {
  explicit EndJob(const Kind& kind, std::vector<ppu_row> records)
      : rows(std::move(records)),
        job(rows, kBodies, program_of({kind.filtered, true, false, kind.reduced}), kind.reduced) {
    job.command.stream = kind.streamed;
    job.command.arguments[4] = bits_of(0.4F);
  }
  static constexpr std::uint32_t kRows = 20, kBodies = 30;
  static std::vector<ppu_row> some_rows() { return filter_rows(kRows, kBodies, 1, true); }

  std::vector<ppu_row> rows;
  Job job;
};

/// The cycle of the first instruction of a run that comes to its `halt`.
inline std::uint64_t origin_of(const Job& whole, const Config& config, std::uint64_t pace) {
  Job job = whole;
  return run_timed_fully(job, config, {nullptr, nullptr, pace})
      .report.counters[PPU_COUNTER_START_CYCLE];
}

}  // namespace ppu::hw::test
