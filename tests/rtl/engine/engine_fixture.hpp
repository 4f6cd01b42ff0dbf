// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The RTL engine beside the model of the engine: a job runs on both, and they must agree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "hw/contract/trace_log.hpp"
#include "tests/rtl/engine/engine_bench.hpp"
#include "tests/rtl/support/test_options.hpp"

namespace ppu::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

inline std::string describe(const Event& event) {
  return std::string(hw::name_of(event.kind)) + " " + std::to_string(event.a) + ", " +
         std::to_string(event.b) + " in cycle " + std::to_string(event.cycle);
}

inline void expect_same_report(const hw::RunReport& rtl, const hw::RunReport& model) {
  EXPECT_EQ(rtl.status, model.status);
  EXPECT_EQ(rtl.fault_row, model.fault_row);
  EXPECT_EQ(rtl.fault_detail, model.fault_detail);
  EXPECT_EQ(rtl.fault_value, model.fault_value);
  EXPECT_EQ(rtl.progress, model.progress);
  EXPECT_EQ(rtl.last_residual, model.last_residual);
  EXPECT_EQ(rtl.command, model.command);
  EXPECT_EQ(rtl.engine, model.engine);
  for (std::size_t i = 0; i < PPU_COUNTER_COUNT; ++i)
    EXPECT_EQ(rtl.counters[i], model.counters[i]) << spec::kCounters[i].name;
}

/// How many cycles the end of a run takes is specified where its program ended it.
inline void expect_same(const EngineOutcome& rtl, const EngineOutcome& model) {
  expect_same_report(rtl.report, model.report);
  EXPECT_EQ(rtl.memory, model.memory);
  if (model.report.status != PPU_RUN_OK && model.report.status != PPU_RUN_ILLEGAL_INSTRUCTION)
    return;
  for (std::size_t i = 0; i < std::min(rtl.events.size(), model.events.size()); ++i) {
    if (rtl.events[i] == model.events[i]) continue;
    ADD_FAILURE() << "event " << i << ": RTL " << describe(rtl.events[i]) << ", model "
                  << describe(model.events[i]);
    return;
  }
  EXPECT_EQ(rtl.events.size(), model.events.size());
}

constexpr std::uint32_t word(spec::Opcode opcode, std::uint32_t ra = 0, std::uint32_t rb = 0,
                             std::uint32_t imm = 0) {
  return spec::encode({static_cast<std::uint32_t>(opcode), ra, rb, imm, 0});
}

/// A control word with these fields at their second value.
inline std::uint32_t control_of(std::initializer_list<std::string_view> fields) {
  std::uint32_t bits = 0;
  for (const spec::ControlField& field : spec::kControlFields)
    bits |= static_cast<std::uint32_t>(std::count(fields.begin(), fields.end(), field.name))
            << field.lsb;
  return bits;
}

class Engine : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] EngineJob make(std::uint32_t rows, std::uint32_t bodies) {
    EngineJob job = make_job(bench_->config(), ++seed_, rows, bodies);
    job.name += ", " + std::to_string(rows) + " rows, " + std::to_string(bodies) + " bodies";
    return job;
  }

  /// Runs a job on both; true if they agree.
  bool agree(const EngineJob& job) {
    SCOPED_TRACE(job.name);
    const EngineOutcome model = run_model(bench_->config(), job);
    status_ = model.report.status;
    counters_ = model.report.counters;
    rtl_ = bench_->run(job);
    expect_same(rtl_, model);
    return !HasFailure();
  }

  /// The same, and every row issues.
  [[nodiscard]] EngineJob make_thorough(std::uint32_t rows, std::uint32_t bodies) {
    while (true) {
      EngineJob job = make(rows, bodies);
      std::set<std::uint64_t> issued;
      for (const Event& event : run_model(bench_->config(), job).events)
        if (event.kind == hw::TraceKind::kRowIssue) issued.insert(event.a);
      if (issued.size() == rows) return job;
    }
  }

  /// A job that ends with `status` on both, and one after it that must not notice.
  void expect_end(ppu_run_status status, const EngineJob& job) {
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, status) << job.name;
    ASSERT_TRUE(agree(make(40, 20)));
    EXPECT_EQ(status_, PPU_RUN_OK);
  }

  /// Jobs with one row edited, resident and streamed.
  void expect_row_end(ppu_run_status status, const std::function<void(ppu_row&)>& edit) {
    for (const bool stream : {false, true}) {
      EngineJob job = make_thorough(60, 30);
      job.command.stream = stream;
      edit_record(job, 40 - 7 * (seed_ % 5), edit);
      // Rows behind it with the same fault must not be named.
      edit_record(job, 50, edit);
      ASSERT_NO_FATAL_FAILURE(expect_end(status, job));
    }
  }

  /// A job with this program; the kernel behind it, at the last label, updates rows.
  void expect_illegal(const std::vector<std::uint32_t>& words, bool reduced = false) {
    ASSERT_NO_FATAL_FAILURE(expect_program_end(PPU_RUN_ILLEGAL_INSTRUCTION, words, reduced));
  }
  void expect_program_end(ppu_run_status status, const std::vector<std::uint32_t>& words,
                          bool reduced) {
    EngineJob job = make(30, 20);
    while (job.command.reduced != reduced) job = make(30, 20);
    job.words = words;
    job.command.program_words = static_cast<std::uint32_t>(words.size());
    job.command.entry = 32;
    ASSERT_NO_FATAL_FAILURE(expect_end(status, job));
  }

  void TearDown() override { EXPECT_EQ(bench_->failures(), 0); }

  std::unique_ptr<EngineBench> bench_ = make_engine_bench(GetParam(), 1);
  std::uint32_t seed_ = 0;
  // Of the last run.
  ppu_run_status status_ = PPU_RUN_OK;
  hw::Counters counters_{};
  EngineOutcome rtl_;
};

}  // namespace ppu::test
