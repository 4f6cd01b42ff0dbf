// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs a shipped program on the sequencer alone: notes what it asks of the row unit, in order, and
// plays the residuals and the budget that a test wants.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bits/float_bits.hpp"
#include "firmware/assembler/assembler.hpp"
#include "firmware/programs/programs.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::firmware::test {

inline Assembly shipped(std::string_view name) {
  return assemble(name, find_program(name)->source);
}

/// True if the program runs over rows of the reduced form.
inline bool takes_reduced_rows(const Assembly& program) {
  return std::any_of(program.kernels.begin(), program.kernels.end(), [](const Kernel& kernel) {
    return kernel.control.matrix() == spec::Matrix::kReduced;
  });
}

/// What the host gives and what the row pipe answers.
struct Play {
  std::uint32_t rows = 9;
  std::uint32_t sweeps = 3;
  float threshold = 0;
  std::uint32_t friction_rule = 0;
  float mark_threshold = 0;
  std::uint32_t budget = 0;
  std::array<std::uint32_t, 2> class_rows{};    ///< Of `classes`; the rest is the third class.
  std::array<std::uint32_t, 2> class_sweeps{};  ///< Their sweeps; `sweeps` are those of the rest.
  std::vector<float> residuals;     ///< Of one `rdmax` or taken `bmax` after the other; then 0.
  std::size_t passes_in_time = 99;  ///< Passes from this one on are cut.
  bool late_is_seen_late = false;   ///< `rdlate` tells of the cut passes only after a `wait`.
};

class RecordedRun final : public hw::RowUnit {
 public:
  explicit RecordedRun(Play play) : play_(std::move(play)) {}

  void spend(int more) override { cycles += more; }
  bool queue_pass(const hw::LoadedKernel& kernel, std::uint32_t first,
                  std::uint32_t count) override {
    ranges.emplace_back(first, count);
    controls.push_back(kernel.control);
    const bool changes = kernel.control.store_impulse() == spec::StoreImpulse::kOn;
    events.push_back(changes ? kernel.filters() ? "sweep of tagged rows" : "sweep" : "probe");
    if (controls.size() > play_.passes_in_time) ++cut_;
    return true;
  }
  bool drain() override {
    seen_ = true;
    return true;
  }
  void set_mark_threshold(std::uint32_t bits) override {
    events.push_back("setmark");
    mark_threshold_bits = bits;
  }
  void tag_all() override { events.push_back("tagall"); }
  void tag_next() override { events.push_back("tagnext"); }
  void set_lead_factor(std::uint32_t bits) override { lead_factors.push_back(bits); }
  void rebase() override { events.push_back("settle"); }
  bool extrapolate() override {
    events.push_back("ahead");
    return true;
  }
  bool set_budget(std::uint32_t cycles_left) override {
    EXPECT_TRUE(controls.empty()) << "a budget is set before the first pass";
    budgets.push_back(cycles_left);
    return true;
  }
  std::optional<std::uint32_t> cut_passes() override {
    return play_.late_is_seen_late && !seen_ ? 0U : cut_;
  }
  std::uint32_t take_max_residual() override {
    const std::size_t next = residuals_read++;
    return bits_of(next < play_.residuals.size() ? play_.residuals[next] : 0.0F);
  }

  std::optional<bool> residual_exceeds(std::uint32_t bits) override {
    const std::size_t next = residuals_read;
    const bool exceeds = next < play_.residuals.size() && bits_of(play_.residuals[next]) > bits;
    if (exceeds) ++residuals_read;
    return exceeds;
  }

  [[nodiscard]] std::size_t passes() const { return controls.size(); }
  [[nodiscard]] std::vector<std::string> passes_by_kind() const {
    std::vector<std::string> kinds;
    for (const std::string& event : events) {
      if (event == "probe" || event.substr(0, 5) == "sweep") kinds.push_back(event);
    }
    return kinds;
  }

  std::vector<std::string> events;
  std::vector<spec::ControlWord> controls;                      ///< Of the passes.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< First row and rows of them.
  std::vector<std::uint32_t> budgets;
  std::vector<std::uint32_t> lead_factors;
  std::uint32_t mark_threshold_bits = 0;
  std::size_t residuals_read = 0;
  int cycles = 0;
  std::uint32_t progress = 0;

 private:
  Play play_;
  std::uint32_t cut_ = 0;
  bool seen_ = false;
};

/// Runs the shipped program `name` to its end.
RecordedRun run(std::string_view name, const Play& play);

}  // namespace ppu::firmware::test
