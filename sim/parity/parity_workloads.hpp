// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The workloads of the parity comparison, by what they go through.
#pragma once

#include <vector>

#include "sim/parity/parity.hpp"

namespace ppu::sim {

/// Problems given to ppu_solve.
std::vector<Workload> solve_workloads();
/// Command lists with runs of their own.
std::vector<Workload> run_workloads();
/// Command lists that move bytes, wait, interrupt, or are malformed.
std::vector<Workload> overlap_workloads();
std::vector<Workload> command_workloads();
/// Command lists with runs that fail.
std::vector<Workload> fault_workloads();

}  // namespace ppu::sim
