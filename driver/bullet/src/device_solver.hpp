// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device and the programs that do Bullet's iterations on it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "impulse_rows.hpp"
#include "ppu/bullet.h"
#include "profile_sum.hpp"
#include "stopping.hpp"

namespace ppu::bullet {

/// What came of some iterations over the same rows.
struct Iterated {
  std::uint32_t iterations = 0;  ///< Done; meaningless if undecided.
  float residual = 0;            ///< Largest |dx|/d of the last one; 0 where none was asked for.
  StopRule::Verdict verdict = StopRule::Verdict::kGoesOn;
};

/// The most iterations over the same rows; `last` if Bullet ends with them anyhow.
struct Limit {
  std::uint32_t iterations;
  bool last;
};

/// What the solves of a group leave.
struct GroupResult {
  BulletReport report;
  std::optional<ProfileSum> profile;  ///< Where somebody looks at it.
};

class DeviceSolver {
 public:
  explicit DeviceSolver(const ppu_device_def& def) : owned_(def), device_(owned_->get()) {}
  explicit DeviceSolver(ppu_device device) : device_(device) {}

  [[nodiscard]] ppu_device device() const { return device_; }
  /// At most `limit.iterations` over the rows, as many as Bullet does; Bullet's rows and bodies
  /// have the answer, unless what Bullet does is undecided: then they are untouched. Adds to
  /// `group`.
  Iterated iterate(const Pools& pools, const std::vector<Visit>& visits, Bank bank,
                   const Limit& limit, const StopRule& rule, GroupResult* group);

 private:
  enum Kind : std::size_t { kPlain, kTesting, kClasses, kClassesTesting, kKinds };
  ppu_program program(Kind kind);
  ppu_solve_report solve(ImpulseRows* rows, const Classes& classes, std::uint32_t iterations,
                         const StopRule& rule, std::vector<ppu_row_profile>* cycles);

  std::optional<Device> owned_;
  ppu_device device_;
  std::array<std::optional<Owner<ppu_program, ppu_program_destroy>>, kKinds> programs_;
};

}  // namespace ppu::bullet
