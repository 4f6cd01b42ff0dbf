// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random rows with the result they must have: plain ones as a solver makes them, hostile ones with
// NaNs, infinities, subnormals, huge values, signed zeros and bounds the wrong way round.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/bits/float_patterns.hpp"
#include "hw/cosim/rtl_row_pipe.hpp"
#include "model/arithmetic/control.hpp"

namespace ppu::test {

struct Stimulus {
  model::RowVector jacobian{};
  model::RowVector inv_mass_jacobian{};
  hw::RtlRow row;  ///< Its pointers point here: not to be copied.
  model::RowResult want;

  Stimulus() = default;
  Stimulus(const Stimulus&) = delete;
  Stimulus& operator=(const Stimulus&) = delete;
};

using Stimuli = std::vector<std::unique_ptr<Stimulus>>;

/// Every control word without an unused encoding of the fields that the row pipe looks at; the
/// others have any value.
inline std::vector<spec::ControlWord> legal_control_words() {
  constexpr std::uint32_t kOthers =
      model::control_bits("store_velocity", 1) | model::control_bits("store_impulse", 1) |
      model::control_bits("filter", 1) | model::control_bits("matrix", 1);
  std::vector<spec::ControlWord> words;
  for (std::uint32_t bits = 0; bits < 1U << spec::kControlBits; ++bits) {
    const bool looked_at = (bits & kOthers) == 0;
    if (looked_at && spec::ControlWord{bits}.clamp() <= spec::Clamp::kMed)
      words.push_back({bits | (bits * 0x9e3779b1U & kOthers)});
  }
  return words;
}

enum class Nature { kPlain, kHostile };

class RowMaker {
 public:
  explicit RowMaker(std::uint64_t seed) : random_(seed) {}

  /// Rows with tags 0, 1, ..., their control words all the legal ones in turn, under one mark
  /// threshold and one lead factor.
  Stimuli make(std::size_t count, Nature nature) {
    const auto words = legal_control_words();
    threshold_ = 3.0F * std::fabs(normal());
    lead_factor_ = normal();
    if (nature == Nature::kHostile && random_() % 2 == 0) {
      threshold_ = float_of(random_bits(random_));
      lead_factor_ = float_of(random_bits(random_));
    }
    Stimuli rows;
    for (std::size_t i = 0; i < count; ++i) {
      rows.push_back(std::make_unique<Stimulus>());
      fill(*rows.back(), words[i % words.size()], nature);
      rows.back()->row.tag = static_cast<std::uint32_t>(i);
    }
    return rows;
  }

  /// One row and the result it must have.
  void fill(Stimulus& out, spec::ControlWord control, Nature nature) {
    out.row.control = control;
    model::RowOperands& in = out.row.operands;
    in.jacobian = out.jacobian.data();
    in.inv_mass_jacobian = out.inv_mass_jacobian.data();
    in.mark_threshold = threshold_;
    in.lead_factor = lead_factor_;
    fill_plain(out);
    if (nature == Nature::kHostile) spoil(out);
    out.want = model::update_row(control, in);
  }

 private:
  float normal() { return normal_(random_); }

  void fill_plain(Stimulus& out) {
    model::RowOperands& in = out.row.operands;
    for (float& value : out.jacobian) value = normal();
    for (float& value : out.inv_mass_jacobian) value = normal();
    for (float& value : in.velocity) value = normal();
    in.bias = normal();
    in.inv_diagonal = 0.1F * std::fabs(normal());
    in.impulse = normal();
    in.stored = random_() % 4 == 0 ? in.impulse : normal();
    in.lower = -std::fabs(normal());
    in.upper = std::fabs(normal());
    in.compliance = random_() % 3 == 0 ? 0.0F : 0.01F * std::fabs(normal());
    in.has_parent = random_() % 3 == 0;
    in.parent_impulse = !in.has_parent ? 0.0F : random_() % 4 == 0 ? 0.0F : normal();
  }

  // Replaces everything, or a few operands, or one, by hostile bits.
  void spoil(Stimulus& out) {
    model::RowOperands& in = out.row.operands;
    std::vector<float*> all = {&in.bias,       &in.inv_diagonal, &in.lower,          &in.upper,
                               &in.compliance, &in.impulse,      &in.parent_impulse, &in.stored};
    for (auto* vector : {&out.jacobian, &out.inv_mass_jacobian, &in.velocity})
      for (float& value : *vector) all.push_back(&value);
    const auto kind = random_() % 4;
    if (kind == 0) {
      for (float* value : all) *value = float_of(random_bits(random_));
    } else if (kind == 1) {
      for (float* value : all)
        if (random_() % 2 == 0) *value = float_of(static_cast<Bits>(random_()) & 0x80ffffffU);
    } else {
      for (auto i = random_() % 3 + 1; i > 0; --i)
        *all[random_() % all.size()] = float_of(random_bits(random_));
      if (random_() % 4 == 0) std::swap(in.lower, in.upper);
      if (random_() % 4 == 0) in.upper = in.lower = in.impulse;
    }
  }

  Random random_;
  std::normal_distribution<float> normal_;
  float threshold_ = 0;
  float lead_factor_ = 0;
};

}  // namespace ppu::test
