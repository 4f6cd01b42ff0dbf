// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The float32 solver pass by pass: state, tags of bodies, and what a pass leaves behind.
#pragma once

#include <cstdint>
#include <vector>

#include "model/arithmetic/control.hpp"
#include "model/reference/replay.hpp"

namespace ppu::model {

/// What a pass has seen.
struct Pass {
  float max_residual = 0;
  std::vector<std::size_t> rows;  ///< Those not passed over.
};

class PassReplay {
 public:
  PassReplay(const RowProblem& problem, const SolveOptions& options, spec::Form form);

  /// Control of a kernel with the form, the projection and the friction rule of this replay.
  [[nodiscard]] RowControl kernel() const;
  /// Rows in the order that the options give.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

  void set_mark_threshold(float threshold) { mark_threshold_ = threshold; }
  void set_quotient(Quotient quotient) { quotient_ = quotient; }
  void set_lead_factor(float factor) { lead_factor_ = factor; }
  /// Rows start from their impulses, and go_ahead() from the velocities as they are.
  void settle();
  /// Velocities go on in the direction of their last change; rows start from their leads.
  void go_ahead();
  void tag_all() { next_tag_.assign(next_tag_.size(), 1); }
  void tag_next();

  /// A pass over `rows`, to the row that faults at most.
  Pass run(const RowControl& control, const std::vector<std::size_t>& rows);
  Pass run(const RowControl& control) { return run(control, order_); }
  [[nodiscard]] bool faulted() const { return state_.fault_row.has_value(); }
  [[nodiscard]] const Replay& state() const { return state_; }

 private:
  [[nodiscard]] bool is_tagged(std::size_t row) const;
  [[nodiscard]] RowOperands gather(std::size_t row) const;
  void scatter(const RowResult& result, const RowControl& control, std::size_t row);

  const RowProblem& problem_;
  SolveOptions options_;
  spec::Form form_;
  std::vector<std::size_t> order_;
  Replay state_;
  float mark_threshold_ = 0;
  Quotient quotient_ = device_quotient;
  std::vector<std::uint8_t> tag_, next_tag_;
  std::vector<float> lead_, base_;
  float lead_factor_ = 0;
  bool extrapolating_ = false;
};

}  // namespace ppu::model
