// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/row_pipe.hpp"

namespace ppu::hw {
namespace {

// How long the stages are, as rtl/pipe/ppu_row_pipe.sv has it.
constexpr spec::Moment kDot{1, 3, 0};
constexpr spec::Moment kStep{1, 3, 1};
constexpr spec::Moment kAxpy{1, 1, 0};
static_assert(kDot.mul_stages + kStep.mul_stages + kAxpy.mul_stages == spec::kPipeEnd.mul_stages &&
              kDot.add_stages + kStep.add_stages + kAxpy.add_stages == spec::kPipeEnd.add_stages &&
              kDot.cycles + kStep.cycles + kAxpy.cycles == spec::kPipeEnd.cycles);

std::uint64_t cycles_of(const spec::Moment& stage, const Config& config) {
  return static_cast<std::uint64_t>(stage.mul_stages) * config.fp_mul_stages +
         static_cast<std::uint64_t>(stage.add_stages) * config.fp_add_stages +
         static_cast<std::uint64_t>(stage.cycles);
}

/// A cycle more for each element after the first that a lane has.
std::uint64_t cycles_of_lanes(const spec::Moment& stage, const Config& config) {
  return cycles_of(stage, config) + static_cast<std::uint64_t>(initiation_interval(config)) - 1;
}

}  // namespace

DotLanes::DotLanes(const Config& config) : cycles_(cycles_of_lanes(kDot, config)) {
}

RowStep::RowStep(const Config& config) : cycles_(cycles_of(kStep, config)) {
}

AxpyLanes::AxpyLanes(const Config& config) : cycles_(cycles_of_lanes(kAxpy, config)) {
}

}  // namespace ppu::hw
