// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device and the programs that do Bullet's iterations on it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/base/stopwatch.hpp"
#include "driver/bullet/impulse_rows.hpp"
#include "driver/bullet/profile_sum.hpp"
#include "driver/bullet/stopping.hpp"
#include "ppu/bullet.h"

namespace ppu::bullet {

/// What came of some iterations over the same rows.
struct Iterated {
  std::uint32_t iterations = 0;
  float residual = 0;  ///< Bullet's |r| of the last one; no number where Bullet tests none.
  bool stops = false;  ///< Bullet's test ends the group here.
};

/// What the solves of a group leave.
struct GroupResult {
  BulletReport report;
  std::optional<ProfileSum> profile;  ///< Where somebody looks at it.
};

class DeviceSolver {
 public:
  explicit DeviceSolver(const ppu_device_def& def)
      : owned_(def), device_(owned_->get()), rows_(device_) {}
  explicit DeviceSolver(ppu_device device) : device_(device), rows_(device) {}

  [[nodiscard]] ppu_device device() const { return device_; }
  /// The rows that were converted last.
  [[nodiscard]] const ImpulseRows& rows() const { return rows_; }
  /// The order of rows on the device.
  void order(ppu_order order) { order_ = order; }
  /// 1 to `most` iterations over the rows that `each` adds (see ImpulseRows), and not past the one
  /// that Bullet stops in; Bullet's rows and bodies have the answer. Adds to `group`. Throws
  /// BulletUnsupported and SolveError.
  template <class Each>
  Iterated iterate(const Pools& pools, Bank bank, std::uint32_t most, const StopRule& rule,
                   GroupResult* group, Each each) {
    driver::Stopwatch stopwatch;
    rows_.convert(pools, bank, each);
    group->report.convert_seconds += stopwatch.lap();
    return iterate(most, rule, group);
  }

 private:
  enum Kind : std::size_t { kPlain, kTesting, kClasses, kClassesTesting, kRanges, kKinds };
  ppu_program program(Kind kind);
  Iterated iterate(std::uint32_t most, const StopRule& rule, GroupResult* group);
  /// The first `forgotten` rows are not in the residual.
  ppu_solve_report solve(std::uint32_t forgotten, std::uint32_t iterations, const StopRule& rule,
                         std::vector<ppu_row_profile>* cycles);

  std::optional<Device> owned_;
  ppu_device device_;
  ppu_order order_ = ppu_default_solve_def().order;
  ImpulseRows rows_;
  std::array<std::optional<Owner<ppu_program, ppu_program_destroy>>, kKinds> programs_;
};

}  // namespace ppu::bullet
