// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The RTL engine against the model of the engine: every event in the same cycle, every counter and
// every bit of the results the same.
#include <gtest/gtest.h>

#include "engine_bench.hpp"

namespace ppu::test {
namespace {

std::string describe(const Event& event) {
  static const char* const names[] = {"", "", "",      "",      "",      "memory",
                                      "", "", "phase", "issue", "retire"};
  return "cycle " + std::to_string(event.cycle) + " " + names[static_cast<int>(event.kind)] + " " +
         std::to_string(event.a) + " " + std::to_string(event.b);
}

void expect_same(const EngineOutcome& rtl, const EngineOutcome& model) {
  EXPECT_EQ(rtl.report.status, model.report.status);
  EXPECT_EQ(rtl.report.fault_row, model.report.fault_row);
  EXPECT_EQ(rtl.report.fault_detail, model.report.fault_detail);
  EXPECT_EQ(rtl.report.progress, model.report.progress);
  EXPECT_EQ(rtl.report.last_residual, model.report.last_residual);
  EXPECT_EQ(rtl.report.command, model.report.command);
  EXPECT_EQ(rtl.memory, model.memory);
  for (std::size_t i = 0; i < PPU_COUNTER_COUNT; ++i)
    EXPECT_EQ(rtl.report.counters[i], model.report.counters[i]) << spec::kCounters[i].name;
  if (model.report.status != PPU_RUN_OK) return;
  const std::size_t common = std::min(rtl.events.size(), model.events.size());
  for (std::size_t i = 0; i < common; ++i)
    if (!(rtl.events[i] == model.events[i])) {
      ADD_FAILURE() << "event " << i << ": rtl " << describe(rtl.events[i]) << ", model "
                    << describe(model.events[i]);
      return;
    }
  EXPECT_EQ(rtl.events.size(), model.events.size());
}

class Engine : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<EngineBench> bench_ = make_engine_bench(GetParam(), 1);
};

TEST_P(Engine, EqualsTheModelInEveryCycle) {
  std::uint64_t seed = 1;
  for (const std::uint32_t rows : {1U, 2U, 7U, 40U, 100U, 300U}) {
    for (const std::uint32_t bodies : {0U, 1U, 5U, 64U, 500U}) {
      const EngineJob job = make_job(bench_->config(), seed++, rows, bodies);
      SCOPED_TRACE(job.name + ", rows " + std::to_string(rows) + ", bodies " +
                   std::to_string(bodies));
      expect_same(bench_->run(job), run_model(bench_->config(), job));
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(bench_->failures(), 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Engine, testing::ValuesIn(engine_shapes()));

}  // namespace
}  // namespace ppu::test
