// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Sums of reports. Each field is in one list: those of a solve here, the others in operator+=.
#include "driver/bullet/report.hpp"

#include <algorithm>

namespace ppu {
namespace {

/// A field and what it has of a solve.
template <class OfReport, class OfSolve>
struct Summed {
  OfReport BulletReport::*sum;
  OfSolve ppu_solve_report::*of_solve;
};

using R = BulletReport;
using S = ppu_solve_report;

constexpr Summed<std::uint64_t, std::uint64_t> kCycles[] = {
    {&R::engine_cycles, &S::engine_cycles}, {&R::upload_cycles, &S::upload_cycles},
    {&R::run_cycles, &S::run_cycles},       {&R::download_cycles, &S::download_cycles},
    {&R::device_cycles, &S::device_cycles}, {&R::load_cycles, &S::load_cycles},
};
constexpr Summed<double, double> kSeconds[] = {
    {&R::plan_seconds, &S::plan_seconds},
    {&R::transfer_seconds, &S::transfer_seconds},
    {&R::device_seconds, &S::device_seconds},
    {&R::overlap_seconds, &S::overlap_seconds},
};

constexpr double BulletReport::*kOfGroup[] = {&R::seconds, &R::convert_seconds,
                                              &R::write_back_seconds, &R::set_up_seconds,
                                              &R::finish_seconds};

}  // namespace

BulletReport& BulletReport::operator+=(const BulletReport& other) {
  groups += other.groups;
  refused += other.refused;
  by_bullet += other.by_bullet;
  rows += other.rows;
  row_updates += other.row_updates;
  sweeps += other.sweeps;
  solves += other.solves;
  runs += other.runs;
  for (const auto& field : kCycles) this->*field.sum += other.*field.sum;
  for (const auto& field : kSeconds) this->*field.sum += other.*field.sum;
  for (const auto field : kOfGroup) this->*field += other.*field;
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] += other.counters[i];
  for (std::size_t i = 0; i < device_counters.size(); ++i)
    device_counters[i] += other.device_counters[i];
  return *this;
}

BulletReport bullet::report_of(const ppu_solve_report& solved) {
  BulletReport report;
  report.solves = 1;
  report.runs = solved.runs;
  for (const auto& field : kCycles) report.*field.sum = solved.*field.of_solve;
  for (const auto& field : kSeconds) report.*field.sum = solved.*field.of_solve;
  std::copy_n(solved.run.counters, report.counters.size(), report.counters.begin());
  std::copy_n(solved.device_counters, report.device_counters.size(),
              report.device_counters.begin());
  return report;
}

}  // namespace ppu
