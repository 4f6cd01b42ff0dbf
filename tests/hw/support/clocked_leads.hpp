// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Leads of impulses as the clocked engine keeps them: one for every row at any time.
#pragma once

#include <cstring>
#include <vector>

#include "hw/program/working_set.hpp"

namespace ppu::hw::test {

class ClockedLeads {
 public:
  using Velocities = std::vector<WorkingSet::Velocity>;

  explicit ClockedLeads(const std::vector<float>& impulses) : leads_(impulses) {}

  void set_factor(std::uint32_t bits) { std::memcpy(&factor_, &bits, sizeof bits); }
  void settle(const Velocities& velocities) {
    base_ = velocities;
    settled_ = true;
    ahead_ = false;
  }
  [[nodiscard]] bool settled() const { return settled_; }
  void go_ahead(Velocities& velocities) {
    const Velocities before = velocities;
    for (std::size_t body = 0; body < before.size(); ++body)
      for (std::size_t i = 0; i < before[body].size(); ++i) {
        const float change = before[body][i] - base_[body][i];
        velocities[body][i] = before[body][i] + factor_ * change;
      }
    base_ = before;
    ahead_ = true;
  }

  /// What the row in `slot` reads under `control`.
  void read(spec::ControlWord control, std::uint32_t slot, model::RowOperands& in) const {
    in.stored = in.impulse;
    in.lead_factor = factor_;
    if (ahead_ && control.lead() == spec::Lead::kOn) in.impulse = leads_[slot];
  }
  /// What it leaves, if it writes its impulse.
  void write(spec::ControlWord control, std::uint32_t slot, float stored, float impulse) {
    const bool leads = control.lead() == spec::Lead::kOn && control.form() == spec::Form::kRate;
    const float change = impulse - stored;
    leads_[slot] = leads ? impulse + factor_ * change : impulse;
  }

 private:
  std::vector<float> leads_;
  Velocities base_;
  float factor_ = 0;
  bool settled_ = false, ahead_ = false;
};

}  // namespace ppu::hw::test
