// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device and the programs that do Bullet's iterations on it.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
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
  float residual = 0;  ///< Bullet's |r| of the last one; no number where Bullet goes on.
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
    if (!fits(pools)) return iterate_in_parts(pools, bank, most, rule, group, each);
    driver::Stopwatch stopwatch;
    rows_.look(pools, bank, each);
    const Iterated done = iterate(most, rule, group, stopwatch, [&] { rows_.convert(each); });
    if (rows_.visits() > 0) group->report.sweeps += done.iterations;
    return finite(done);
  }
  /// The rows that the device takes at once.
  [[nodiscard]] BulletLimits limits() const;
  /// True if it takes those of a group at once.
  [[nodiscard]] bool fits(const Pools& pools) const;

 private:
  template <class Each>
  Iterated iterate_in_parts(const Pools& pools, Bank bank, std::uint32_t most, const StopRule& rule,
                            GroupResult* group, Each each) {
    const BulletLimits at_once = limits();
    for (std::uint32_t iteration = 1;; ++iteration) {
      float residual = 0;
      std::uint32_t first = 0;
      for (bool more = true; more;) {
        driver::Stopwatch stopwatch;
        more = rows_.convert_part(pools, bank, at_once, &first, each);
        group->report.row_updates += rows_.left_out();
        // Bullet's maximum: behind what is no number it begins anew.
        const float of_part = iterate(1, rule, group, stopwatch, [] {}).residual;
        if (rows_.visits() == 0) continue;
        residual = residual > of_part ? residual : of_part;
      }
      ++group->report.sweeps;
      const bool stops = rule.stops(residual);
      if (stops || iteration == most) return finite({iteration, residual, stops});
    }
  }
  /// Bullet tells nothing of an infinite residual but that it goes on.
  static Iterated finite(Iterated done) {
    if (std::isinf(done.residual)) done.residual = std::numeric_limits<float>::quiet_NaN();
    return done;
  }
  enum Kind : std::size_t { kPlain, kTesting, kClasses, kClassesTesting, kRanges, kKinds };
  ppu_program program(Kind kind);
  /// Of rows that were looked at, and that `write` writes. `stopwatch` has run since the first
  /// look. The residual may be infinite.
  template <class Write>
  Iterated iterate(std::uint32_t most, const StopRule& rule, GroupResult* group,
                   driver::Stopwatch& stopwatch, Write write) {
    std::optional<Begun> begun;
    if (rows_.visits() > 0) {
      begun.emplace(begin(most, rule, group));
      write();
      rows_.finish();
    }
    group->report.convert_seconds += stopwatch.lap();
    if (begun) return end(*begun, group);
    // Nothing changes, and the residual of nothing is 0, less than any R.
    return {rule.tests() ? 1 : most, 0, rule.tests()};
  }
  /// A solve whose rows are not written yet.
  struct Begun {
    const StopRule& rule;
    std::optional<float> unknown;  ///< The residual, where Bullet goes on whatever it is.
    bool classes = false;          ///< Kernels take the rows in several passes.
    std::vector<ppu_row_profile> cycles;
  };
  Begun begin(std::uint32_t most, const StopRule& rule, const GroupResult* group);
  Iterated end(const Begun& begun, GroupResult* group);
  /// The first `forgotten` rows are not in the residual.
  ppu_solve_def def_of(std::uint32_t forgotten, std::uint32_t iterations, const StopRule& rule);

  std::optional<Device> owned_;
  ppu_device device_;
  ppu_order order_ = ppu_default_solve_def().order;
  ImpulseRows rows_;
  std::array<std::optional<Owner<ppu_program, ppu_program_destroy>>, kKinds> programs_;
};

}  // namespace ppu::bullet
