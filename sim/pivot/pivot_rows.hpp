// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The pivot of Lemke's method on the row pipe. A pivot adds the new row of the entering variable,
// scaled by f_i, to every other row i of a dense tableau. A row of the device does just that with
// twelve numbers, v += dx J_M: of two bodies, whose velocities are twelve cells of the tableau.
//
//     velocities   the cells of row i, twelve by twelve; 0 in the pivot's column
//     J_M          twelve cells of the new row         J = 0
//     b = -f_i,  d = 1,  no bounds                     so that dx = f_i
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/solve/options.hpp"

namespace ppu::sim {

/// All pivots of a few distances, on host and device in float32.
struct PivotStudy {
  std::size_t faces = 0;
  std::size_t equations = 0;        ///< Rows of the tableau.
  std::size_t pivots = 0;           ///< So many were done.
  std::size_t different = 0;        ///< Cells whose bits the device has not as the host.
  std::uint64_t rows = 0;           ///< Of the device, of all pivots: twelve cells each.
  std::uint64_t sweep_cycles = 0;   ///< From a run's first instruction to its last.
  std::uint64_t device_cycles = 0;  ///< With copies.
  std::uint64_t bytes_in = 0;       ///< Rows, impulses and velocities that the host uploads.
  double clock_mhz = 0;
  double host_us = 0;  ///< Of a pivot on the host, float32, mean.
};

/// `distances` pairs of polyhedra with `faces` faces. Throws what Solver does.
PivotStudy study_pivots(const Options& options, std::size_t faces, std::size_t distances);

}  // namespace ppu::sim
