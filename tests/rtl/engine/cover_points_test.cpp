// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cover points: each operation of a kernel, in a run that ends in each way, whose rows lie in each
// form and place, and wait for each reason. RTL and model agree on every run that is counted.
//   PPU_COVER_JOBS=3000 PPU_COVER_PAGE=cover.md rtl_safe_test --gtest_filter=CoverPoints.*
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

#include "tests/rtl/engine/engine_fixture.hpp"

namespace ppu::test {
namespace {

constexpr std::array<const char*, 8> kHazards = {"body a", "body b", "parent", "record",
                                                 "lanes",  "bank",   "filter", "drain"};
constexpr std::array<const char*, 4> kPlaces = {"resident", "resident, reduced", "streamed",
                                                "streamed, reduced"};
constexpr std::array<const char*, 7> kEnds = {"halt",      "cut by its budget",   "bad row",
                                              "row fault", "illegal instruction", "memory fault",
                                              "cancelled"};

using Point = std::tuple<std::size_t, std::size_t, std::size_t>;  // hazard, place, end
using Points = std::map<Point, std::set<std::uint32_t>>;          // the operations met there

std::set<std::uint32_t> operations_of(const EngineJob& job) {
  std::set<std::uint32_t> found;
  for (const std::uint32_t word : job.words)
    for (const spec::KernelOp& op : spec::kKernelOps)
      if (op.opcode == word >> 24U) found.insert(op.opcode);
  return found;
}

std::size_t end_of(const hw::RunReport& report) {
  switch (report.status) {
    case PPU_RUN_OK:
      return report.counters[PPU_COUNTER_PASSES_CUT] == 0 ? 0 : 1;
    case PPU_RUN_BAD_ROW:
      return 2;
    case PPU_RUN_ROW_FAULT:
      return 3;
    case PPU_RUN_ILLEGAL_INSTRUCTION:
      return 4;
    case PPU_RUN_MEMORY_FAULT:
      return 5;
    default:
      return 6;
  }
}

/// A job that may end in the way that its number says.
EngineJob job_of(const hw::Config& config, std::uint32_t number) {
  constexpr std::uint32_t kBodies[] = {3, 12, 40};
  EngineJob job = make_job(config, number, 40 + number % 60, kBodies[number / 7 % 3]);
  const std::uint32_t row = number * 31 % job.command.row_count;
  switch (number % 7) {
    case 1:
      job.command.arguments[static_cast<std::size_t>(spec::Argument::kBudgetCycles)] =
          200 + number % 700;
      break;
    case 2:
      edit_record(job, row, [](ppu_row& record) { record.body_a = PPU_NONE - 1; });
      break;
    case 3:
      edit_record(job, row, [](ppu_row& record) { record.bias = kNan; });
      break;
    case 4:
      for (std::uint32_t& word : job.words)
        if (word == test::word(spec::Opcode::kHalt)) word = 0x7f000000;
      break;
    case 5:
      job.flip = flip_of(number / 7 % 2 == 0 ? PPU_FAULT_ROW_JACOBIAN : PPU_FAULT_IMPULSE_MEMORY,
                         row, 0, 3, true);
      break;
    case 6:
      job.cancel_cycle = kStartCycle + 300 + number % 900;
      break;
    default:
      break;
  }
  return job;
}

void write_page(const std::string& path, const Points& points) {
  std::ofstream page(path);
  page << "| rows are | wait for";
  for (const char* end : kEnds) page << " | " << end;
  page << " |\n|---|---|---|---|---|---|---|---|---|\n";
  for (std::size_t place = 0; place < kPlaces.size(); ++place)
    for (std::size_t hazard = 0; hazard < kHazards.size(); ++hazard) {
      page << "| " << kPlaces[place] << " | " << kHazards[hazard];
      for (std::size_t end = 0; end < kEnds.size(); ++end) {
        const auto found = points.find({hazard, place, end});
        page << " | " << (found == points.end() ? 0 : found->second.size());
      }
      page << " |\n";
    }
}

TEST(CoverPoints, AreMetByRunsThatAgreeWithTheModel) {
  const char* many = std::getenv("PPU_COVER_JOBS");
  const std::uint32_t jobs = many == nullptr ? 40 : static_cast<std::uint32_t>(std::atoi(many));
  Points points;
  for (const std::string& shape : engine_shapes()) {
    const auto bench = make_engine_bench(shape, 1);
    for (std::uint32_t number = 1; number <= jobs; ++number) {
      const EngineJob job = job_of(bench->config(), number);
      SCOPED_TRACE(shape + ", " + job.name);
      const EngineOutcome model = run_model(bench->config(), job);
      expect_same(bench->run(job), model);
      ASSERT_FALSE(HasFailure());
      const std::size_t place = (job.command.stream ? 2U : 0U) + (job.command.reduced ? 1U : 0U);
      const auto operations = operations_of(job);
      for (std::size_t hazard = 0; hazard < kHazards.size(); ++hazard)
        if ((model.waits >> hazard & 1U) != 0)
          points[{hazard, place, end_of(model.report)}].insert(operations.begin(),
                                                               operations.end());
    }
    EXPECT_EQ(bench->failures(), 0);
  }
  std::size_t met = 0;
  for (const auto& [point, operations] : points) met += operations.size();
  const std::size_t all = kHazards.size() * kPlaces.size() * kEnds.size() * spec::kKernelOps.size();
  std::cout << met << " of " << all << " cover points\n";
  if (const char* path = std::getenv("PPU_COVER_PAGE")) write_page(path, points);
  EXPECT_GT(met, all * 6 / 10);
}

}  // namespace
}  // namespace ppu::test
