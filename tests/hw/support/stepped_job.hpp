// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A job on the timed engine with its log, and the same job on the stepping engine.
#pragma once

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include "hw/stepping/step_history.hpp"
#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {

/// Collects what a log says of the one run.
class RunLog final : public TraceSink {
 public:
  void on_event(const TraceEvent& event) override {
    switch (event.kind) {
      case TraceKind::kPassBegin:
        ++run_.passes;
        break;
      case TraceKind::kPassCut:
        ++run_.passes_cut;
        break;
      case TraceKind::kRdlate:
        run_.rdlate_values.push_back(static_cast<std::uint32_t>(event.a));
        break;
      case TraceKind::kRowIssue:
        run_.rows.push_back({event.cycle, kNever, static_cast<std::uint32_t>(event.a),
                             static_cast<std::uint32_t>(event.b)});
        break;
      case TraceKind::kRowRetire:
        retire(event);
        break;
      default:
        break;
    }
  }
  [[nodiscard]] ObservedRun observed() const {
    ObservedRun run = run_;
    run.timed = true;
    std::sort(run.rows.begin(), run.rows.end(), [](const RowTimes& a, const RowTimes& b) {
      return std::tie(a.issue, a.slot) < std::tie(b.issue, b.slot);
    });
    return run;
  }

 private:
  void retire(const TraceEvent& event) {
    std::size_t n = first_open_;
    while (run_.rows.at(n).slot != event.a || run_.rows[n].write != kNever) ++n;
    run_.rows[n].write = event.cycle;
    while (first_open_ < run_.rows.size() && run_.rows[first_open_].write != kNever) ++first_open_;
  }

  ObservedRun run_;
  std::size_t first_open_ = 0;  ///< All rows before it have been written.
};

/// Bits of a working set, as Job::state().
inline std::vector<std::uint32_t> bits_of(const WorkingSet& set) {
  std::vector<std::uint32_t> bits(set.impulses.size() + 6 * set.velocities.size());
  if (!set.impulses.empty()) std::memcpy(bits.data(), set.impulses.data(), 4 * set.impulses.size());
  if (!set.velocities.empty())
    std::memcpy(bits.data() + set.impulses.size(), set.velocities.data(),
                sizeof set.velocities.front() * set.velocities.size());
  return bits;
}

struct SteppedJob {
  SteppedJob(const Job& job, Config of_device, bool timed)
      : config(std::move(of_device)), device(job), walked(job) {
    if (timed) {
      RunLog log;
      report = run_timed_fully(device, config, {nullptr, &log}).report;
      observed = log.observed();
    } else {
      report = run_functional(device, config);
    }
    start();
  }

  /// The engine once more, with what is observed by now.
  void start() {
    engine = std::make_unique<SteppingEngine>(
        config, walked.memory(), walked.command,
        Program{walked.words.data(), walked.command.program_words}, observed);
  }

  Config config;
  Job device, walked;
  RunReport report;
  ObservedRun observed;
  std::unique_ptr<SteppingEngine> engine;
};

constexpr std::uint64_t kManySteps = 1'000'000;

/// Walks to the end and compares everything with the device.
inline void expect_same_end(SteppedJob& job) {
  const StepHistory history(*job.engine, kManySteps);
  const SteppingEngine::State& end = history.end();
  EXPECT_EQ(end.mismatch, "");
  EXPECT_EQ(end.report.status, job.report.status);
  EXPECT_EQ(end.report.fault_row, job.report.fault_row);
  EXPECT_EQ(end.report.fault_detail, job.report.fault_detail);
  if (job.report.status != PPU_RUN_OK) return;
  EXPECT_EQ(bits_of(end.set), job.device.state());
  EXPECT_EQ(end.report.progress, job.report.progress);
  EXPECT_EQ(end.report.last_residual, job.report.last_residual);
  for (std::size_t n = 0; n < spec::kCounters.size(); ++n) {
    const bool known = !spec::kCounters[n].timed || n == PPU_COUNTER_PASSES_CUT;
    const bool of_cut_pass = n == PPU_COUNTER_ROWS_FILTERED || n == PPU_COUNTER_ROW_BYTES_STREAMED;
    if (!known || (job.observed.passes_cut > 0 && of_cut_pass)) continue;
    EXPECT_EQ(end.report.counters[n], job.report.counters[n]) << spec::kCounters[n].name;
  }
}

}  // namespace ppu::hw::test
