// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Comparison of what two back ends made of a case of the fuzz.
#include "sim/fuzz/fuzz_compare.hpp"

#include <algorithm>
#include <cstring>

#include "ppu_spec.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

std::string bits(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return hex64(word);
}

class Comparison {
 public:
  Comparison(const std::string& name_a, const std::string& name_b, bool cycles)
      : name_a_(name_a), name_b_(name_b), cycles_(cycles) {}

  void text(const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) lines_.push_back(what + ": " + a + " on " + name_a_ + ", " + b + " on " + name_b_);
  }
  void number(const std::string& what, std::uint64_t a, std::uint64_t b) {
    text(what, grouped(a), grouped(b));
  }

  void run(const std::string& run, const ppu_run_report& a, const ppu_run_report& b) {
    text(run + "status", ppu_run_status_string(a.status), ppu_run_status_string(b.status));
    number(run + "fault row", a.fault_row, b.fault_row);
    number(run + "fault detail", a.fault_detail, b.fault_detail);
    number(run + "progress", a.progress, b.progress);
    text(run + "last residual", bits(a.last_residual), bits(b.last_residual));
    if (cycles_) number(run + "engine", a.engine, b.engine);
    for (std::size_t i = 0; i < spec::kCounters.size(); ++i)
      counter(run + "counter ", spec::kCounters[i], a.counters[i], b.counters[i]);
  }
  template <class Counter>
  void counter(const std::string& where, const Counter& of, std::uint64_t a, std::uint64_t b) {
    if (cycles_ || !of.timed) number(where + std::string(of.name), a, b);
  }

  /// Words in memory: the first one that differs, of which element, and how many do.
  void words(const std::string& what, const std::vector<std::uint8_t>& a,
             const std::vector<std::uint8_t>& b, std::size_t of_element) {
    constexpr std::size_t kWord = sizeof(std::uint32_t);
    std::size_t first = a.size(), count = 0;
    for (std::size_t at = 0; at + kWord <= std::min(a.size(), b.size()); at += kWord) {
      if (std::memcmp(&a[at], &b[at], kWord) == 0) continue;
      first = std::min(first, at);
      ++count;
    }
    number(what + " bytes", a.size(), b.size());
    if (count == 0) return;
    const std::string place = what + " " + grouped(first / of_element) + ", word " +
                              grouped(first % of_element / kWord) + " (" + grouped(count) +
                              " words differ)";
    text(place, hex64(word_at(a, first)), hex64(word_at(b, first)));
  }

  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  static std::uint32_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, &bytes[at], sizeof word);
    return word;
  }

  const std::string& name_a_;
  const std::string& name_b_;
  bool cycles_;
  std::vector<std::string> lines_;
};

/// The driver's sentence has the detail of a fault.
std::string ending(const FuzzOutcome& outcome) {
  return outcome.ok() ? "ok" : "\"" + outcome.sentence + "\"";
}

}  // namespace

std::vector<std::string> differences(const std::string& name_a, const FuzzOutcome& a,
                                     const std::string& name_b, const FuzzOutcome& b, bool cycles) {
  Comparison compare(name_a, name_b, cycles);
  compare.text("outcome", ending(a), ending(b));
  compare.number("runs", a.runs.size(), b.runs.size());
  for (std::size_t i = 0; i < std::min(a.runs.size(), b.runs.size()); ++i)
    compare.run("run " + std::to_string(i) + ", ", a.runs[i], b.runs[i]);
  compare.words("impulse", a.impulses, b.impulses, sizeof(float));
  compare.words("velocity", a.velocities, b.velocities, sizeof(ppu_velocity));
  for (std::size_t i = 0; i < spec::kDeviceCounters.size(); ++i)
    compare.counter("device counter ", spec::kDeviceCounters[i], a.counters[i], b.counters[i]);
  return std::move(compare).lines();
}

}  // namespace ppu::sim
