// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Sums over the solves of a group.
#include "driver/bullet/profile_sum.hpp"

#include <algorithm>
#include <utility>

namespace ppu::bullet {

ProfileSum::ProfileSum(std::vector<Visit> rows, bool keeps_cycles)
    : rows_(std::move(rows)), keeps_cycles_(keeps_cycles) {
  for (const Visit& visit : rows_) place_.emplace(visit.row, place_.size());
  if (keeps_cycles_) sum_.cycles.resize(rows_.size());
}

bool ProfileSum::same_order(const ImpulseRows& rows) const {
  if (rows.visits() != rows_.size()) return false;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (&rows.visit(i) != rows_[i].row) return false;
  return true;
}

void ProfileSum::add(const ImpulseRows& rows, bool classes, std::uint32_t runs,
                     const std::vector<ppu_row_profile>& cycles) {
  ++solves_;
  sum_.one_run = solves_ == 1 && runs == 1 && !classes && same_order(rows);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    ppu_row_profile& row = sum_.cycles[place_.at(&rows.row_of(i))];
    for (std::uint32_t ppu_row_profile::*field :
         {&ppu_row_profile::visits, &ppu_row_profile::cycles, &ppu_row_profile::body_stall,
          &ppu_row_profile::body_b_stall, &ppu_row_profile::parent_stall,
          &ppu_row_profile::fetch_stall, &ppu_row_profile::lane_stall, &ppu_row_profile::bank_stall,
          &ppu_row_profile::filter_stall})
      row.*field += cycles[i].*field;
  }
}

BulletProfile ProfileSum::take() {
  for (const Visit& visit : rows_) sum_.impulse.push_back(visit.row->m_appliedImpulse);
  return std::move(sum_);
}

}  // namespace ppu::bullet
