// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timing of device memory, step by step as docs/inside/device.md says it; all times in
// picoseconds.
#include "hw/uncore/dram_timing.hpp"

#include <algorithm>

#include "hw/uncore/time_units.hpp"

namespace ppu::hw {
namespace {

/// A draw from 0 to 99 for a cycle: the finalizer of splitmix64.
std::uint64_t draw_percent(std::uint64_t cycle) {
  std::uint64_t z = cycle + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return (z ^ (z >> 31U)) % 100;
}

/// Time of one beat on the data bus, rounded up.
std::uint64_t dram_beat_ps(const Config& config) {
  const std::uint64_t bits_per_us =
      std::uint64_t{config.dram_bus_bits} * config.dram_mega_transfers;
  return (spec::kBeatBytes * 8 * kPsPerUs + bits_per_us - 1) / bits_per_us;
}

}  // namespace

DramTiming::DramTiming(const Config& config, bool outside)
    : period_ps_(kPsPerUs / config.clock_mhz),
      controller_ps_(config.dram_controller_ns * kPsPerNs),
      cas_ps_(config.dram_cas_ns * kPsPerNs),
      activate_ps_(config.dram_activate_ns * kPsPerNs),
      precharge_ps_(config.dram_precharge_ns * kPsPerNs),
      refresh_interval_ps_(config.dram_refresh_interval_ns * kPsPerNs),
      refresh_ps_(config.dram_refresh_ns * kPsPerNs),
      beat_ps_(dram_beat_ps(config)),
      page_bytes_(config.dram_page_bytes),
      queue_(config.dram_queue),
      stall_percent_(outside ? 0 : config.dram_stall_percent),
      outside_(outside),
      banks_(config.dram_banks),
      next_refresh_ps_(refresh_interval_ps_) {
}

bool DramTiming::ready(std::uint64_t cycle) {
  while (!under_way_.empty() && under_way_.front() <= cycle) {
    under_way_.pop_front();
    --finished_;
  }
  if (under_way_.size() >= queue_) return false;
  return stall_percent_ == 0 || draw_percent(cycle) >= stall_percent_;
}

std::uint64_t DramTiming::accept(std::uint64_t cycle, std::uint32_t address, std::uint32_t beats) {
  under_way_.push_back(kNever);
  std::uint64_t done = cycle * period_ps_;
  if (outside_) return done;
  const std::uint64_t start = done + controller_ps_;
  for (std::uint32_t n = 0; n < beats; ++n) done = move(start, address + n * spec::kBeatBytes);
  return done;
}

std::uint64_t DramTiming::first_data(const Bank& bank, std::uint32_t row,
                                     std::uint64_t start) const {
  // Another page is opened once the last access to the bank has moved its data.
  if (bank.row != row) {
    start = std::max(start, bank.free_ps) + activate_ps_;
    if (bank.row != kClosed) start += precharge_ps_;
  }
  return std::max(start + cas_ps_, bus_free_ps_);
}

std::uint64_t DramTiming::move(std::uint64_t start, std::uint32_t address) {
  const auto bank_count = static_cast<std::uint32_t>(banks_.size());
  const std::uint32_t page = address / page_bytes_;
  const std::uint32_t row = page / bank_count;
  Bank& bank = banks_[page % bank_count];

  // A refresh closes all pages, and no data moves in it.
  std::uint64_t begin = first_data(bank, row, start);
  if (begin >= next_refresh_ps_) {
    const std::uint64_t refresh = begin - begin % refresh_interval_ps_;
    next_refresh_ps_ = refresh + refresh_interval_ps_;
    for (Bank& each : banks_) each.row = kClosed;
    begin = first_data(bank, row, std::max(start, refresh + refresh_ps_));
  }
  bank.row = row;
  bank.free_ps = bus_free_ps_ = begin + beat_ps_;
  return bus_free_ps_;
}

std::uint64_t DramTiming::finish(std::uint64_t done_ps, std::uint64_t least) {
  const std::uint64_t done = (done_ps + period_ps_ - 1) / period_ps_;
  last_done_ = std::max({done, last_done_ + 1, least});
  under_way_[finished_++] = last_done_;
  return last_done_;
}

std::uint64_t DramTiming::next_ready(std::uint64_t cycle) const {
  if (under_way_.size() < queue_) return cycle + 1;
  return std::max(cycle + 1, under_way_[under_way_.size() - queue_]);
}

}  // namespace ppu::hw
