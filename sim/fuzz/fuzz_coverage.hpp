// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the programs of a fuzz have gone through: counts of everything that the specification lists.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/fuzz/fuzz_bench.hpp"
#include "sim/fuzz/fuzz_points.hpp"

namespace ppu::firmware {
struct Assembly;
}  // namespace ppu::firmware

namespace ppu::sim {

class FuzzCoverage {
 public:
  FuzzCoverage();

  void add(const FuzzCase& fuzz, const FuzzResult& result);
  void add(const FuzzCoverage& other);

  [[nodiscard]] std::uint64_t programs() const { return programs_; }
  [[nodiscard]] std::uint64_t kernels() const { return kernels_; }
  /// Rows that a kernel updated, in runs that ended well.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// Everything that the specification lists was met; cover points are no part of it.
  [[nodiscard]] bool complete() const;

  /// How programs ended, what was seen how often, what never.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  /// A list of the specification, and how often each of its entries was seen.
  struct Group {
    std::string name;
    std::vector<std::pair<std::string, std::uint64_t>> seen;
  };
  enum Index { kInstructions, kOperations, kControl, kFaults, kRunCounters, kGroups };

  static void count(Group* group, const std::string& name);
  void add_program(const firmware::Assembly& assembly);
  /// The counters that are not 0.
  void add_counters(const Outcome& outcome);

  std::uint64_t programs_ = 0, kernels_ = 0, rows_ = 0;
  std::map<std::string, std::uint64_t> endings_;
  std::vector<Group> groups_;
  FuzzPoints points_;
};

}  // namespace ppu::sim
