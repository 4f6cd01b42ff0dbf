// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a solve costs, and how busy host link, DMA and device memory were meanwhile.
#include "sim/measure/solve_cost.hpp"

#include <algorithm>

#include "hw/contract/config.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {

std::vector<CostPart> cost_parts(const SolveResult& result) {
  const ppu_solve_report& report = result.report;
  const std::uint64_t sweeps = result.counter(PPU_COUNTER_CYCLES);
  const std::uint64_t load = report.load_cycles;
  const std::uint64_t store = result.counter(PPU_COUNTER_STORE_CYCLES);
  const std::uint64_t around = report.run_cycles - sweeps;
  const CostPart first = {"upload", "upload_cycles", report.upload_cycles};
  const CostPart middle = {"sweeps", "sweep_cycles", sweeps};
  const CostPart last = {"read-back", "read_back_cycles", report.download_cycles};
  if (report.runs > 1)
    return {first, {"loads, stores, reports", "load_store_report_cycles", around}, middle, last};
  return {first,
          {"load", "load_cycles", load},
          middle,
          {"store", "store_cycles", store},
          {"report", "report_cycles", around - load - store},
          last};
}

const CostPart& largest_part(const std::vector<CostPart>& parts) {
  return *std::max_element(parts.begin(), parts.end(), [](const CostPart& a, const CostPart& b) {
    return a.cycles < b.cycles;
  });
}

std::string cost_bound_in_words(const std::vector<CostPart>& parts, const std::string& config) {
  const CostPart& top = largest_part(parts);
  std::uint64_t cycles = 0;
  for (const CostPart& part : parts) cycles += part.cycles;
  const std::string bound = top.name + " (" +
                            percent(static_cast<double>(top.cycles) / static_cast<double>(cycles)) +
                            " of the device's cycles)";
  if (top.name == "sweeps") return bound;
  const bool over_link = top.name == "upload" || top.name == "read-back";
  return bound + ": rows, impulses and velocities move between " +
         (over_link ? "host and device; a faster host link (--config " + config + "+pcie4x8)"
                    : "device memory and chip; faster memory (--config " + config + "+hbm2)") +
         " helps, more pipes do not";
}

std::string cost_line(const SolveResult& result) {
  std::string line;
  for (const CostPart& part : cost_parts(result))
    if (part.cycles > 0)
      line += (line.empty() ? "" : " + ") + part.name + " " + grouped(part.cycles);
  return line + " = " + grouped(result.report.device_cycles);
}

std::uint64_t cost_part(const SolveResult& result, const std::string& key) {
  for (const CostPart& part : cost_parts(result))
    if (part.key == key) return part.cycles;
  return 0;
}

double microseconds(const SolveResult& result, std::uint64_t cycles) {
  return static_cast<double>(cycles) / result.device.clock_mhz;
}

std::uint64_t link_beats(const SolveResult& result, const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const std::uint64_t reads = result.counter(PPU_DEVICE_COUNTER_HOST_READ_BEATS);
  const std::uint64_t writes = result.counter(PPU_DEVICE_COUNTER_HOST_WRITE_BEATS);
  return config.link_full_duplex != 0 ? std::max(reads, writes) : reads + writes;
}

std::vector<UnitUse> unit_uses(const SolveResult& result, const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const auto total = static_cast<double>(result.report.device_cycles);
  const auto count = [&result](ppu_device_counter counter) {
    return static_cast<double>(result.counter(counter));
  };
  const auto beats = static_cast<double>(link_beats(result, options));
  const double cycles_per_beat =
      static_cast<double>((spec::kBeatBytes + config.link_overhead_bytes) * config.clock_mhz) /
      config.link_mb_per_s;
  return {{"host link", "host_link", beats * cycles_per_beat / total},
          {"DMA", "dma", count(PPU_DEVICE_COUNTER_DMA_BUSY_CYCLES) / total},
          {"device memory", "device_memory", count(PPU_DEVICE_COUNTER_MEMORY_BEATS) / total},
          {"engines", "engines",
           count(PPU_DEVICE_COUNTER_ENGINE_BUSY_CYCLES) / total / config.engines}};
}

}  // namespace ppu::sim
