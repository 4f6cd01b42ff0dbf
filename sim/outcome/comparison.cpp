// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Two outcomes of the same work, compared.
#include "sim/outcome/comparison.hpp"

#include <algorithm>
#include <cstring>

#include "base/bits/float_bits.hpp"
#include "ppu_spec.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

std::uint32_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, &bytes[at], sizeof word);
  return word;
}

/// The driver's sentence has the detail of a fault.
std::string ending(const Outcome& outcome) {
  return outcome.ok() ? "ok" : "\"" + outcome.error + "\"";
}

}  // namespace

void Comparison::text(const std::string& what, const std::string& a, const std::string& b) {
  if (a != b) lines_.push_back(what + ": " + a + " on " + name_a_ + ", " + b + " on " + name_b_);
}

void Comparison::number(const std::string& what, std::uint64_t a, std::uint64_t b) {
  text(what, grouped(a), grouped(b));
}

void Comparison::hash(const std::string& what, std::uint64_t a, std::uint64_t b) {
  text(what, hex64(a), hex64(b));
}

template <class Counter>
void Comparison::counter(const std::string& where, const Counter& of, std::uint64_t a,
                         std::uint64_t b) {
  if (time_ == Time::kCompared || !of.timed) number(where + std::string(of.name), a, b);
}

void Comparison::report(const std::string& run, const ppu_run_report& a, const ppu_run_report& b) {
  text(run + "status", ppu_run_status_string(a.status), ppu_run_status_string(b.status));
  number(run + "fault row", a.fault_row, b.fault_row);
  number(run + "fault detail", a.fault_detail, b.fault_detail);
  number(run + "progress", a.progress, b.progress);
  hash(run + "last residual", bits_of(a.last_residual), bits_of(b.last_residual));
  if (time_ == Time::kCompared) number(run + "engine", a.engine, b.engine);
  for (std::size_t i = 0; i < spec::kCounters.size(); ++i)
    counter(run + "counter ", spec::kCounters[i], a.counters[i], b.counters[i]);
}

void Comparison::device_counters(const DeviceCounters& a, const DeviceCounters& b) {
  for (std::size_t i = 0; i < spec::kDeviceCounters.size(); ++i)
    counter("device counter ", spec::kDeviceCounters[i], a[i], b[i]);
}

void Comparison::memory(const ReadBack& a, const ReadBack& b) {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  std::size_t first = 0, count = 0;
  for (std::size_t at = 0; at + kWord <= std::min(a.bytes.size(), b.bytes.size()); at += kWord) {
    if (word_at(a.bytes, at) == word_at(b.bytes, at)) continue;
    if (count++ == 0) first = at;
  }
  number(a.item + " bytes", a.bytes.size(), b.bytes.size());
  if (count == 0) return;
  hash(a.item + " " + grouped(first / a.item_bytes) + ", word " +
           grouped(first % a.item_bytes / kWord) + " (" + grouped(count) + " words differ)",
       word_at(a.bytes, first), word_at(b.bytes, first));
}

std::vector<std::string> differences(const std::string& name_a, const Outcome& a,
                                     const std::string& name_b, const Outcome& b, Time time) {
  Comparison compare(name_a, name_b, time);
  compare.text("outcome", ending(a), ending(b));
  compare.hash("state hash", a.state_hash, b.state_hash);
  compare.number("runs", a.runs.size(), b.runs.size());
  for (std::size_t i = 0; i < std::min(a.runs.size(), b.runs.size()); ++i)
    compare.report("run " + std::to_string(i) + ", ", a.runs[i], b.runs[i]);
  compare.number("memories read back", a.memory.size(), b.memory.size());
  for (std::size_t i = 0; i < std::min(a.memory.size(), b.memory.size()); ++i) {
    compare.text("memory", a.memory[i].item, b.memory[i].item);
    compare.memory(a.memory[i], b.memory[i]);
  }
  compare.device_counters(a.counters, b.counters);
  if (time == Time::kCompared) compare.number("measured parts", a.cycles.size(), b.cycles.size());
  for (std::size_t i = 0; i < std::min(a.cycles.size(), b.cycles.size()); ++i)
    compare.number(a.cycles[i].first, a.cycles[i].second, b.cycles[i].second);
  return compare.lines();
}

}  // namespace ppu::sim
