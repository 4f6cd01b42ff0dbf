// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Lockstep: every row that the model issues also goes through the RTL row pipe, in the same cycle,
// and must come out in the predicted cycle with the same bits. The first difference ends the run.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "hw/contract/row_observer.hpp"
#include "hw/cosim/rtl_row_pipe.hpp"

namespace ppu::hw {

class PipeChecker {
 public:
  /// Steps `pipe` with the rows of a model of the same configuration.
  explicit PipeChecker(std::unique_ptr<RtlRowPipe> pipe) : pipe_(std::move(pipe)) {}

  void begin_run(std::uint64_t cycle);
  void on_row(const RowEvent& event);
  void on_drained(std::uint64_t cycle);
  /// Compares the residual maximum, which is read and cleared, with that of the rows.
  void on_residual();
  [[nodiscard]] std::uint64_t rows_checked() const { return rows_checked_; }

 private:
  /// A row in the RTL, with what must come out of it.
  struct InFlight {
    ppu_row row;
    std::uint32_t slot;
    spec::ControlWord control;
    std::uint64_t retire_cycle;
    model::RowOperands operands;
    model::RowResult expected;
  };

  /// Cycle of the run that the RTL steps through next.
  [[nodiscard]] std::uint64_t rtl_cycle() const { return pipe_->cycle() - origin_; }
  /// Steps the RTL once, offering `row` (may be null), and checks what comes out.
  void step(const RtlRow* row);
  RtlRowPipe::Step advance(const RtlRow* row);
  void check(const InFlight& model, const model::RowResult& rtl) const;
  [[noreturn]] void differ(std::uint32_t slot, const std::string& what) const;

  std::unique_ptr<RtlRowPipe> pipe_;
  std::uint64_t origin_ = 0;  ///< RTL cycle of the run's first cycle.
  std::uint64_t cycle_ = 0;   ///< Cycle of the run that the RTL stepped through last.
  std::uint64_t rows_checked_ = 0;
  float max_residual_ = 0;  ///< Of the rows since it was last read.
  std::deque<InFlight> in_flight_;
};

/// The pipes of one engine.
class LockstepChecker final : public RowObserver {
 public:
  explicit LockstepChecker(std::vector<std::unique_ptr<RtlRowPipe>> pipes);
  /// Those of somebody else; null where a pipe is not RTL.
  explicit LockstepChecker(std::vector<PipeChecker*> pipes) : pipes_(std::move(pipes)) {}

  void begin_run(std::uint64_t cycle) override;
  void on_row(const RowEvent& event) override;
  void on_drained(std::uint64_t cycle) override;
  void on_residual(float) override;
  [[nodiscard]] std::uint64_t rows_checked() const override;

 private:
  std::deque<PipeChecker> own_;
  std::vector<PipeChecker*> pipes_;
};

}  // namespace ppu::hw
