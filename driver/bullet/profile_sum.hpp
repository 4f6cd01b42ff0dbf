// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the solves of a group say of single rows, summed for an observer.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "driver/bullet/impulse_rows.hpp"
#include "ppu/bullet.h"

namespace ppu::bullet {

class ProfileSum {
 public:
  /// `rows`: those of the first iteration, before a random order. Later ones have no others.
  ProfileSum(std::vector<Visit> rows, bool keeps_cycles);

  [[nodiscard]] bool keeps_cycles() const { return keeps_cycles_; }
  /// A solve of `rows` in `runs` runs. `classes`: its kernels take them in several passes.
  /// `cycles`: of each of them; empty if none are kept.
  void add(const ImpulseRows& rows, bool classes, std::uint32_t runs,
           const std::vector<ppu_row_profile>& cycles);
  /// After the last iteration, with the impulses that Bullet's rows have now.
  [[nodiscard]] BulletProfile take();

 private:
  [[nodiscard]] bool same_order(const ImpulseRows& rows) const;

  std::vector<Visit> rows_;
  std::unordered_map<const btSolverConstraint*, std::size_t> place_;
  bool keeps_cycles_;
  std::size_t solves_ = 0;
  BulletProfile sum_;
};

}  // namespace ppu::bullet
