// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a frame costs, and how busy host link, DMA and device memory were meanwhile.
#include "sim/measure/frame_cost.hpp"

#include <algorithm>

#include "hw/contract/config.hpp"
#include "sim/base/text.hpp"
#include "sim/base/words.hpp"

namespace ppu::sim {

std::vector<FramePart> frame_parts(const Run& run) {
  const ppu_solve_report& report = run.report;
  const std::uint64_t sweeps = run.counter(PPU_COUNTER_CYCLES);
  const std::uint64_t load = run.counter(PPU_COUNTER_LOAD_CYCLES);
  const std::uint64_t store = run.counter(PPU_COUNTER_STORE_CYCLES);
  const std::uint64_t around = report.run_cycles - sweeps;
  const FramePart first = {"upload", "upload_cycles", report.upload_cycles};
  const FramePart middle = {"sweeps", "sweep_cycles", sweeps};
  const FramePart last = {"read-back", "read_back_cycles", report.download_cycles};
  if (report.runs > 1)
    return {first, {"loads, stores, reports", "load_store_report_cycles", around}, middle, last};
  return {first,
          {"load", "load_cycles", load},
          middle,
          {"store", "store_cycles", store},
          {"report", "report_cycles", around - load - store},
          last};
}

const FramePart& largest_part(const std::vector<FramePart>& parts) {
  return *std::max_element(parts.begin(), parts.end(), [](const FramePart& a, const FramePart& b) {
    return a.cycles < b.cycles;
  });
}

std::string frame_bound_in_words(const std::vector<FramePart>& parts, const std::string& config) {
  const FramePart& top = largest_part(parts);
  std::uint64_t cycles = 0;
  for (const FramePart& part : parts) cycles += part.cycles;
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

std::string frame_line(const Run& run) {
  std::string line;
  for (const FramePart& part : frame_parts(run))
    line += (line.empty() ? "" : " + ") + part.name + " " + grouped(part.cycles);
  return line + " = " + grouped(run.report.device_cycles);
}

std::uint64_t frame_part(const Run& run, const std::string& key) {
  for (const FramePart& part : frame_parts(run))
    if (part.key == key) return part.cycles;
  return 0;
}

double microseconds(const Run& run, std::uint64_t cycles) {
  return static_cast<double>(cycles) / run.device.clock_mhz;
}

std::uint64_t link_beats(const Run& run, const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const std::uint64_t reads = run.counter(PPU_DEVICE_COUNTER_HOST_READ_BEATS);
  const std::uint64_t writes = run.counter(PPU_DEVICE_COUNTER_HOST_WRITE_BEATS);
  return config.link_full_duplex != 0 ? std::max(reads, writes) : reads + writes;
}

std::vector<UnitUse> unit_uses(const Run& run, const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const auto total = static_cast<double>(run.report.device_cycles);
  const auto count = [&run](ppu_device_counter counter) {
    return static_cast<double>(run.counter(counter));
  };
  const auto beats = static_cast<double>(link_beats(run, options));
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
