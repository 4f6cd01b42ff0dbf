// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Two outcomes of the same work, compared: the one place that says how they differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/outcome/outcome.hpp"

namespace ppu::sim {

/// Whether two devices must agree in what depends on time: cycles, stalls, which engine a run is
/// on.
enum class Time { kCompared, kLeftOut };

/// Collects what differs, a line each: "run 0, counter flops: 120 on systemc, 122 on rtl".
class Comparison {
 public:
  Comparison(std::string name_a, std::string name_b, Time time = Time::kCompared)
      : name_a_(std::move(name_a)), name_b_(std::move(name_b)), time_(time) {}

  void text(const std::string& what, const std::string& a, const std::string& b);
  void number(const std::string& what, std::uint64_t a, std::uint64_t b);
  /// 64 bits that mean nothing as a number.
  void hash(const std::string& what, std::uint64_t a, std::uint64_t b);
  /// `run` stands in front of each line: "run 0, ".
  void report(const std::string& run, const ppu_run_report& a, const ppu_run_report& b);
  void device_counters(const DeviceCounters& a, const DeviceCounters& b);
  /// Names the first word that differs, and says how many do.
  void memory(const ReadBack& a, const ReadBack& b);

  [[nodiscard]] bool equal() const { return lines_.empty(); }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  template <class Counter>
  void counter(const std::string& where, const Counter& of, std::uint64_t a, std::uint64_t b);

  std::string name_a_;
  std::string name_b_;
  Time time_;
  std::vector<std::string> lines_;
};

/// Everything that two outcomes hold, compared.
std::vector<std::string> differences(const std::string& name_a, const Outcome& a,
                                     const std::string& name_b, const Outcome& b,
                                     Time time = Time::kCompared);

}  // namespace ppu::sim
