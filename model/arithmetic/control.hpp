// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Makes the control word of a row from its fields, at the bit positions of the specification.
#pragma once

#include <string_view>

#include "ppu_spec.hpp"

namespace ppu::model {

/// The fields of a row's control word; the defaults are Example 5 with friction and compliance.
struct RowControl {
  spec::Form form = spec::Form::kRate;
  spec::Bias bias = spec::Bias::kSoft;
  spec::Step step = spec::Step::kOn;
  spec::Bounds bounds = spec::Bounds::kCone;
  spec::Skip skip = spec::Skip::kOff;
  spec::Clamp clamp = spec::Clamp::kMed;
  spec::Axpy axpy = spec::Axpy::kOn;
  spec::StoreVelocity store_velocity = spec::StoreVelocity::kOn;
  spec::StoreImpulse store_impulse = spec::StoreImpulse::kOn;
  spec::Resid resid = spec::Resid::kNone;
  spec::Filter filter = spec::Filter::kOff;
  spec::Mark mark = spec::Mark::kOff;
  spec::Matrix matrix = spec::Matrix::kFull;
  spec::Lead lead = spec::Lead::kOff;
};

/// `value` at the position of the control field `name`.
template <class Value>
constexpr std::uint32_t control_bits(std::string_view name, Value value) {
  for (const auto& field : spec::kControlFields) {
    if (field.name == name) return static_cast<std::uint32_t>(value) << field.lsb;
  }
  return 0;
}

constexpr spec::ControlWord control_word(const RowControl& c) {
  return {control_bits("form", c.form) | control_bits("bias", c.bias) |
          control_bits("step", c.step) | control_bits("bounds", c.bounds) |
          control_bits("skip", c.skip) | control_bits("clamp", c.clamp) |
          control_bits("axpy", c.axpy) | control_bits("store_velocity", c.store_velocity) |
          control_bits("store_impulse", c.store_impulse) | control_bits("resid", c.resid) |
          control_bits("filter", c.filter) | control_bits("mark", c.mark) |
          control_bits("matrix", c.matrix) | control_bits("lead", c.lead)};
}

}  // namespace ppu::model
