// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One call of the solver helper with outputs that show whether they were touched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ppu/ppu.hpp"

namespace ppu::driver::test {

/// Outputs that were not touched.
inline constexpr float kUntouched = -7777.0F;

struct Answer {
  ppu_result result = PPU_OK;
  std::vector<float> impulse, velocity_change;
  ppu_solve_report report{};

  [[nodiscard]] bool untouched() const {
    const auto all = [](const std::vector<float>& values) {
      return std::all_of(values.begin(), values.end(), [](float v) { return v == kUntouched; });
    };
    return all(impulse) && all(velocity_change);
  }
  [[nodiscard]] std::uint64_t hash() const {
    return ppu_state_hash(impulse.data(), impulse.size(), velocity_change.data(),
                          velocity_change.size() / 6);
  }
};

/// With the true residual.
inline Answer solve(const Device& device, const ppu_problem& problem, ppu_solve_def def) {
  Answer answer;
  def.true_residual = true;
  answer.impulse.assign(problem.row_count, kUntouched);
  answer.velocity_change.assign(std::size_t{problem.body_count} * 6, kUntouched);
  answer.result = ppu_solve(device.get(), &problem, &def, answer.impulse.data(),
                            answer.velocity_change.data(), &answer.report);
  return answer;
}

inline ppu_solve_def def_of(const Program& program) {
  ppu_solve_def def = ppu_default_solve_def();
  def.program = program.get();
  return def;
}

}  // namespace ppu::driver::test
