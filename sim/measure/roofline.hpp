// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The roofline of a run: how many row updates row pipes, on-chip memory, device memory and host
// link allow, and how many there were. For `ppu profile` and for the report of a scene.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// A run as one memory or link sees it.
struct RooflineLevel {
  std::string name;       ///< "device memory".
  bool of_frame;          ///< It works over the whole frame, not in the sweeps alone.
  double roof_bytes;      ///< It moves at most per cycle.
  double bytes_per_row;   ///< It moved per row update; not 0.
  double rows_per_cycle;  ///< Row updates reached, in the sweeps or over the frame.

  /// Row updates per cycle that it allows.
  [[nodiscard]] double ceiling() const { return roof_bytes / bytes_per_row; }
};

/// Per cycle of the device's clock.
struct Roofline {
  double clock_mhz;
  double flops_per_row;         ///< Per row update.
  double ceiling;               ///< Row updates that all pipes take.
  double rows_per_cycle;        ///< Row updates reached in the sweeps.
  double rows_per_frame_cycle;  ///< ... over the frame.
  std::vector<RooflineLevel> levels;

  /// Millions of row updates per second.
  [[nodiscard]] double mega_rows(double rows) const { return rows * clock_mhz; }
  /// GFLOP/s at that many row updates per cycle.
  [[nodiscard]] double gflops(double rows) const { return mega_rows(rows) * flops_per_row / 1000; }
  /// GB/s.
  [[nodiscard]] double gigabytes(double bytes) const { return bytes * clock_mhz / 1000; }
  /// What of that which pipes and level allow together was reached, 0..1.
  [[nodiscard]] double share_of(const RooflineLevel& level) const;
};

/// Of a timed run; none without row updates. Levels that moved nothing are left out.
std::optional<Roofline> roofline_of(const Options& options, const SolveResult& result);

nlohmann::ordered_json json_of(const Roofline& roofline);

}  // namespace ppu::sim
