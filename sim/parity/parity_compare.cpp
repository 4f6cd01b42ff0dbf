// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Comparison of what two back ends made of a workload.
#include <algorithm>
#include <cstring>

#include "sim/base/text.hpp"
#include "sim/parity/parity.hpp"

namespace ppu::sim {
namespace {

class Comparison {
 public:
  Comparison(const std::string& name_a, const std::string& name_b)
      : name_a_(name_a), name_b_(name_b) {}

  void text(const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) lines_.push_back(what + ": " + a + " on " + name_a_ + ", " + b + " on " + name_b_);
  }
  void number(const std::string& what, std::uint64_t a, std::uint64_t b) {
    text(what, grouped(a), grouped(b));
  }
  void run(const std::string& what, const ppu_run_report& a, const ppu_run_report& b) {
    text(what + "status", ppu_run_status_string(a.status), ppu_run_status_string(b.status));
    number(what + "fault row", a.fault_row, b.fault_row);
    number(what + "fault detail", a.fault_detail, b.fault_detail);
    number(what + "progress", a.progress, b.progress);
    text(what + "last residual", bits(a.last_residual), bits(b.last_residual));
    number(what + "engine", a.engine, b.engine);
    for (int i = 0; i < PPU_COUNTER_COUNT; ++i)
      number(what + "counter " + ppu_counter_name(static_cast<ppu_counter>(i)), a.counters[i],
             b.counters[i]);
  }
  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  static std::string bits(float value) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return hex64(word);
  }

  const std::string& name_a_;
  const std::string& name_b_;
  std::vector<std::string> lines_;
};

}  // namespace

std::uint64_t Measurement::row_updates() const {
  std::uint64_t sum = 0;
  for (const ppu_run_report& run : runs) sum += run.counters[PPU_COUNTER_ROW_UPDATES];
  return sum;
}

std::vector<std::string> differences(const std::string& name_a, const Measurement& a,
                                     const std::string& name_b, const Measurement& b) {
  Comparison compare(name_a, name_b);
  compare.text("outcome", a.error.empty() ? "ok" : a.error, b.error.empty() ? "ok" : b.error);
  compare.text("state hash", hex64(a.state_hash), hex64(b.state_hash));
  compare.number("runs", a.runs.size(), b.runs.size());
  for (std::size_t i = 0; i < std::min(a.runs.size(), b.runs.size()); ++i)
    compare.run("run " + std::to_string(i) + ", ", a.runs[i], b.runs[i]);
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i)
    compare.number(std::string("device counter ") +
                       ppu_device_counter_name(static_cast<ppu_device_counter>(i)),
                   a.counters[i], b.counters[i]);
  for (std::size_t i = 0; i < std::min(a.cycles.size(), b.cycles.size()); ++i)
    compare.number(a.cycles[i].first, a.cycles[i].second, b.cycles[i].second);
  return std::move(compare).lines();
}

}  // namespace ppu::sim
