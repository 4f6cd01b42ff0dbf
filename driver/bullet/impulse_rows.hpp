// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows as the device gets them: Bullet's numbers, bit for bit, in the impulse form.
//
// A rolling row is bounded by min(mu*x, mu), x the impulse of its contact, which is mu*min(x, 1): a
// cap row stands between the two, without bodies, whose impulse becomes min(x, 1). It is bounded by
// its contact with mu = 1, and has b = cfm = d = 1, so that it aims at x0 + fl(1 - x0), which is 1
// for every float from 0 to 1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "driver/bullet/visits.hpp"
#include "ppu/ppu.h"

namespace ppu::bullet {

/// Bullet's two sets of velocities and impulses.
enum class Bank {
  kVelocity,  ///< m_appliedImpulse and the changes of the velocities.
  kPush       ///< m_appliedPushImpulse, push and turn velocities, of split impulses.
};

class ImpulseRows {
 public:
  /// `visits` must last as long as the rows. Rolling rows come last in them; with `own_caps` each
  /// of them has a cap of its own, else those of a contact have one.
  ImpulseRows(const Pools& pools, const std::vector<Visit>& visits, Bank bank, bool own_caps);

  /// For ppu_solve(); valid as long as the rows.
  [[nodiscard]] ppu_problem view() const;
  /// Rows before the caps, and the caps.
  [[nodiscard]] std::uint32_t plain() const { return plain_; }
  [[nodiscard]] std::uint32_t caps() const { return caps_; }
  /// Place of the visit that `row` is for; a cap's is its contact's.
  [[nodiscard]] std::size_t visit_of(std::size_t row) const;

  /// Where ppu_solve() writes the answer.
  float* impulse_answer() { return impulse_answer_.data(); }
  float* velocity_answer() { return velocity_answer_.data(); }
  /// Puts the answer into Bullet's rows and bodies.
  void write_back() const;

 private:
  /// For as many rows; every rolling row may have a cap of its own.
  void reserve(std::size_t rows);
  void append_row(const Visit& visit, std::int32_t parent);
  void append_caps(bool own_caps);
  void append_cap(std::int32_t contact);
  void append_body(const btSolverBody& body);

  const Pools& pools_;
  const std::vector<Visit>& visits_;
  Bank bank_;
  BodyNumbers numbers_;
  std::uint32_t plain_ = 0, caps_ = 0;
  std::vector<std::int32_t> cap_of_;  ///< Of each rolling row.

  std::vector<std::array<std::int32_t, 2>> body_;
  std::vector<std::int32_t> parent_;
  std::vector<float> jacobian_, inv_mass_jacobian_, rhs_, inv_diagonal_, lower_, upper_, friction_,
      cfm_, impulse_, velocity_, impulse_answer_, velocity_answer_;
};

}  // namespace ppu::bullet
