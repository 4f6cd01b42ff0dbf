// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The lockstep checker against a stand-in for the RTL that can be told to go wrong.
#include "hw/cosim/lockstep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {
namespace {

/// A row pipe of the right latency made of update_row; `spoil` may change what comes out.
class StandInPipe : public RtlRowPipe {
 public:
  using Spoil = void (*)(RtlResult&);
  explicit StandInPipe(int latency, Spoil spoil = nullptr)
      : latency_(static_cast<std::uint64_t>(latency)), spoil_(spoil) {}

  void open_wave(const std::string&, std::uint64_t, std::uint64_t) override {}
  void show_from(std::optional<std::uint64_t>) override {}
  void close_wave() override {}
  Step step(const RtlRow* row) override {
    Step step;
    if (!queue_.empty() && queue_.front().cycle == cycle_) {
      out_ = queue_.front().result;
      max_residual_ = std::max(max_residual_, out_.values.residual);
      if (queue_.front().quotient) out_.values.residual = 0;
      queue_.pop_front();
      if (spoil_ != nullptr) spoil_(out_);
      step.result = &out_;
    }
    if (row != nullptr) {
      queue_.push_back({cycle_ + latency_,
                        row->control.resid() == spec::Resid::kQuotient,
                        {row->tag, model::update_row(row->control, row->operands)}});
      step.accepted = true;
    }
    ++cycle_;
    return step;
  }
  std::uint64_t cycle() const override { return cycle_; }
  float take_max_residual() override { return std::exchange(max_residual_, 0.0F); }
  int assertion_failures() const override { return 0; }

 private:
  struct Leaving {
    std::uint64_t cycle;
    bool quotient;  ///< Its residual shows in the maximum only.
    RtlResult result;
  };

  std::uint64_t latency_;
  Spoil spoil_;
  std::uint64_t cycle_ = 0;
  float max_residual_ = 0;
  RtlResult out_;
  std::deque<Leaving> queue_;
};

/// One whose maximum is wrong in the last place.
class WrongMaximum final : public StandInPipe {
 public:
  using StandInPipe::StandInPipe;
  float take_max_residual() override {
    return std::nextafter(StandInPipe::take_max_residual(), 0.0F);
  }
};

constexpr const char* kQuotients = R"(
        kernel  k
        rows    zero, a0
        rdmax   t0
        halt
.kernel k
        ldrow   r
        ldvel   dv, r.ia, r.ib
        relax   c, r.b, r.cfm, r.x
        dotp    q, r.J, dv
        corr    delta, c, r.d, q
        acc     sum, r.x, delta
        cone    lo, hi, r.mu, r.xp
        limit   x, dx, lo, sum, hi, delta
        resid   dx, r.d
        axpy    dv, dx, r.JM
        stvel   dv, r.ia, r.ib
        stimp   x
.end
)";

/// A checker with one stand-in for each pipe.
LockstepChecker make_checker(const Config& config, int extra_latency = 0,
                             StandInPipe::Spoil spoil = nullptr) {
  std::vector<std::unique_ptr<RtlRowPipe>> pipes;
  for (std::uint32_t pipe = 0; pipe < config.pipes; ++pipe)
    pipes.push_back(std::make_unique<StandInPipe>(row_pipe_latency(config) + extra_latency, spoil));
  return LockstepChecker(std::move(pipes));
}

TimedRun run_lockstep(int extra_latency, StandInPipe::Spoil spoil) {
  const Config config = resolve_config("default");
  Job job(random_rows(120, 20, 5), 20, program("threshold"));
  LockstepChecker checker = make_checker(config, extra_latency, spoil);
  return run_timed_fully(job, config, {&checker});
}

TEST(Lockstep, PassesAndCountsEveryRowOfEveryPipeWhereBothAgree) {
  for (const char* pipes : {"pipes=1", "pipes=4"}) {
    const Config config = resolve_config("default", {pipes});
    Job job(random_rows(120, 20, 5), 20, program("threshold"));
    LockstepChecker checker = make_checker(config);
    const TimedRun run = run_timed_fully(job, config, {&checker});
    EXPECT_EQ(run.report.status, PPU_RUN_OK) << run.message;
    EXPECT_EQ(checker.rows_checked(), run.report.counters[PPU_COUNTER_ROW_UPDATES]);
  }
}

TEST(Lockstep, ReportsTheFirstDifferentLaneWithBothValues) {
  const TimedRun run = run_lockstep(0, [](RtlResult& out) {
    if (out.tag == 17) out.values.velocity[4] = 8.5F;
  });
  EXPECT_EQ(run.report.status, PPU_RUN_MISMATCH);
  EXPECT_EQ(run.report.fault_row, 17U);
  const std::string& message = run.message;
  EXPECT_NE(message.find(", lane 4, signal v: model "), std::string::npos) << message;
  EXPECT_NE(message.find("RTL 8.5 (0x41080000)"), std::string::npos) << message;
}

TEST(Lockstep, ReportsARowThatComesOneCycleLate) {
  const TimedRun run = run_lockstep(1, nullptr);
  EXPECT_EQ(run.report.status, PPU_RUN_MISMATCH);
  EXPECT_NE(run.message.find("signal out_valid"), std::string::npos);
}

TEST(Lockstep, ReportsADifferentResidualMaximum) {
  const TimedRun run = run_lockstep(0, [](RtlResult& out) { out.values.residual = 100.0F; });
  EXPECT_EQ(run.report.status, PPU_RUN_MISMATCH);
  EXPECT_NE(run.message.find("signal residual"), std::string::npos);
}

TEST(Lockstep, ReportsAMarkThatOneSideDoesNotSet) {
  const TimedRun run = run_lockstep(0, [](RtlResult& out) {
    if (out.tag == 17) out.values.mark_b = true;
  });
  EXPECT_EQ(run.report.status, PPU_RUN_MISMATCH);
  EXPECT_EQ(run.report.fault_row, 17U);
  EXPECT_NE(run.message.find("signal mark_b: model 0, RTL 1"), std::string::npos) << run.message;
}

TEST(Lockstep, ComparesQuotientsAtTheirMaximum) {
  const Config config = resolve_config("default");
  Job job(random_rows(120, 20, 5), 20, kQuotients);
  LockstepChecker checker = make_checker(config);
  const TimedRun run = run_timed_fully(job, config, {&checker});
  EXPECT_EQ(run.report.status, PPU_RUN_OK) << run.message;
  EXPECT_EQ(checker.rows_checked(), 120U);

  std::vector<std::unique_ptr<RtlRowPipe>> pipes;
  pipes.push_back(std::make_unique<WrongMaximum>(row_pipe_latency(config)));
  LockstepChecker wrong(std::move(pipes));
  const TimedRun found = run_timed_fully(job, config, {&wrong});
  EXPECT_EQ(found.report.status, PPU_RUN_MISMATCH);
  EXPECT_NE(found.message.find("signal max_residual"), std::string::npos) << found.message;
}

TEST(Lockstep, ReportsALateOperandAskedForOutOfTurn) {
  const TimedRun run = run_lockstep(0, [](RtlResult& out) {
    if (out.tag == 9) throw std::runtime_error("late request for another row");
  });
  EXPECT_EQ(run.report.status, PPU_RUN_MISMATCH);
  EXPECT_EQ(run.report.fault_row, 9U);
  EXPECT_NE(run.message.find("signal axpy_tag"), std::string::npos);
}

TEST(Lockstep, AgreesOnARowFault) {
  const Config config = resolve_config("default");
  auto rows = random_rows(30, 10, 2);
  rows[12].bias = std::numeric_limits<float>::quiet_NaN();
  Job job(rows, 10, program("boxed"));
  LockstepChecker checker = make_checker(config);
  const RunReport report = run_timed(job, config, &checker);
  EXPECT_EQ(report.status, PPU_RUN_ROW_FAULT);
  EXPECT_EQ(report.fault_row, 12U);
}

TEST(Lockstep, GoesOnAfterARunThatEndedEarly) {
  const Config config = resolve_config("default");
  auto rows = random_rows(30, 10, 2);
  LockstepChecker checker = make_checker(config);
  // The second pass runs off the rows while the first is in flight.
  Job broken(rows, 10,
             "kernel k\nrows zero, a0\nrows a1, a0\nhalt\n.kernel k\n ldrow r\n"
             " ldvel v, r.ia, r.ib\n dot u, r.J, v, r.b\n.end\n");
  EXPECT_EQ(run_timed(broken, config, &checker).status, PPU_RUN_ILLEGAL_INSTRUCTION);
  Job good(rows, 10, program("boxed"));
  const RunReport report = run_timed(good, config, &checker);
  EXPECT_EQ(report.status, PPU_RUN_OK);
}

}  // namespace
}  // namespace ppu::hw::test
