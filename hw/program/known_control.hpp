// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row loops are compiled specially for the control words of the kernels that ship.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

/// Value of control field `name` at its place in the control word.
constexpr std::uint32_t control_field(std::string_view name, std::string_view value) {
  for (const spec::ControlField& field : spec::kControlFields)
    if (field.name == name)
      for (std::uint32_t n = 0; n < field.values.size(); ++n)
        if (field.values[n] == value) return n << field.lsb;
  return ~0U;
}

/// Control words of the kernels that ship.
constexpr std::uint32_t kUpdate = control_field("step", "on") | control_field("axpy", "on") |
                                  control_field("store_velocity", "on") |
                                  control_field("store_impulse", "on");
constexpr std::uint32_t kBoxed = kUpdate | control_field("bias", "soft") |
                                 control_field("bounds", "cone") | control_field("clamp", "med");
constexpr std::uint32_t kSkip = control_field("skip", "on");
constexpr std::uint32_t kImpulse = control_field("form", "impulse");
/// Records are in the full form on chip, so that loops over reduced rows are the same.
constexpr std::uint32_t kReduced = control_field("matrix", "reduced");

/// Calls `run` with the control word as a constant if it is one of those, else with the word.
template <class Run>
auto with_known_control(spec::ControlWord control, Run run) {
  switch (control.bits & ~kReduced) {
    case kBoxed:
      return run(model::StaticControl<kBoxed>{});
    case kBoxed | kSkip:
      return run(model::StaticControl<kBoxed | kSkip>{});
    case kBoxed | kImpulse:
      return run(model::StaticControl<kBoxed | kImpulse>{});
    case kBoxed | kSkip | kImpulse:
      return run(model::StaticControl<kBoxed | kSkip | kImpulse>{});
    default:
      return run(control);
  }
}

}  // namespace ppu::hw
