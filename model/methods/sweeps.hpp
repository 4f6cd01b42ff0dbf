// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Who runs the sweeps of projected Gauss-Seidel for a method on the host: the host itself in double
// precision, or any device in float32 by way of a problem around the impulses reached so far.
#pragma once

#include <functional>
#include <vector>

#include "model/methods/scaled_rows.hpp"

namespace ppu::model::methods {

class Sweeps {
 public:
  Sweeps() = default;
  Sweeps(const Sweeps&) = delete;
  Sweeps& operator=(const Sweeps&) = delete;
  virtual ~Sweeps() = default;

  /// `count` sweeps from `impulse` (m, N s), which is within its bounds before and after; a row
  /// that the sweeps put to a bound is exactly there.
  virtual void sweep(std::vector<double>& impulse, int count) = 0;
};

/// In double precision: Algorithm 2.1 of Morales, Nocedal and Smelyanskiy (2008), (2.2) to (2.5)
/// with bounds on both sides; Example 5 of US 7,079,145. `rows` must outlive it.
class HostSweeps : public Sweeps {
 public:
  explicit HostSweeps(const ScaledRows& rows) : rows_(rows) {}
  void sweep(std::vector<double>& impulse, int count) override;

 private:
  const ScaledRows& rows_;
};

/// Runs `count` sweeps of a problem without parents from zero and returns its m impulses.
using RunSweeps = std::function<std::vector<float>(const RowProblem& problem, int count)>;

/// In float32 for a correction: the device is given the problem of y = x' - x,
///
///     b + A x (made in double precision),   lo - x <= y <= hi - x,   from y = 0,
///
/// so that its rounding is relative to what is left to be corrected, and sweeps stay useful far
/// below the 1e-7 of float32. Both problems must outlive it.
class CorrectionSweeps : public Sweeps {
 public:
  CorrectionSweeps(const RowProblem& problem, const ScaledRows& rows, RunSweeps run)
      : problem_(problem), rows_(rows), run_(std::move(run)) {}
  /// Throws MethodFailure where `run` returns another number of impulses, or one that is not
  /// finite.
  void sweep(std::vector<double>& impulse, int count) override;

 private:
  const RowProblem& problem_;
  const ScaledRows& rows_;
  RunSweeps run_;
};

/// The problem of y = x' - x, with zero as its warm start.
RowProblem correction_problem(const RowProblem& problem, const ScaledRows& rows,
                              const std::vector<double>& impulse);

}  // namespace ppu::model::methods
