// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a solve's def means for its plan and for the commands of its runs.
#pragma once

#include <cstddef>

#include "driver/device/device.hpp"
#include "driver/device/objects.hpp"
#include "driver/plan/plan.hpp"
#include "driver/solve/row_packing.hpp"
#include "hw/contract/config.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

PlanTarget target_of(const hw::Config& config, const Program& program, const ppu_solve_def& def);
/// Refuses a plan with a run that no engine takes, or with several where one must see all rows.
void check_plan(const hw::Config& config, const Program& program, const ppu_solve_def& def,
                const ppu_problem& problem, const Plan& plan);
RowScale scale_of(const Program& program, const ppu_problem& problem, const ppu_solve_def& def);
/// The command of a run, without its addresses.
hw::RunCommand command_of(const Device& device, const Program& program, const ppu_solve_def& def,
                          std::size_t rows, std::size_t bodies);

}  // namespace ppu::driver
