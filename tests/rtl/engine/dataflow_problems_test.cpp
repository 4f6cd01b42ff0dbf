// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The shipped problems in the engine's own order, on chip or streamed: rows that issue by dataflow
// do so in the same cycles on the RTL and on the model, to the same bits.
#include "model/files/row_problem_file.hpp"
#include "tests/hw/support/test_job.hpp"
#include "tests/rtl/engine/engine_fixture.hpp"
#include "tests/support/test_data.hpp"

namespace ppu::test {
namespace {

constexpr std::uint32_t kSweeps = 4;
constexpr float kMark = 0.01F;  ///< m/s, of `filter`: rows that change less may be passed over.
constexpr std::size_t kMostStreamed = 1000;  ///< Rows; so that the test does not take long.

std::vector<ppu_row> rows_of(const model::RowProblem& problem) {
  const auto number = [](std::int32_t index) {
    return index < 0 ? PPU_NONE : static_cast<std::uint32_t>(index);
  };
  std::vector<ppu_row> rows(problem.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ppu_row& row = rows[i];
    std::copy_n(&problem.jacobian[12 * i], 12, row.jacobian);
    std::copy_n(&problem.inv_mass_jacobian[12 * i], 12, row.inv_mass_jacobian);
    row.bias = problem.rate_bias[i];
    row.inv_diagonal = problem.inv_diagonal[i];
    row.lower = problem.lower[i];
    row.upper = problem.parent[i] < 0 ? problem.upper[i] : problem.friction[i];
    row.compliance = problem.compliance[i];
    row.body_a = number(problem.body[i][0]);
    row.body_b = number(problem.body[i][1]);
    row.parent = number(problem.parent[i]);
  }
  return rows;
}

class ShippedProblem : public Engine {
 protected:
  void expect_agreement(const std::string& name, const char* program) {
    const model::RowProblem problem = model::read_row_problem(tests::test_data(name + ".h5"));
    const bool streams = problem.rows() > bench_->config().row_memory_rows;
    if (streams && problem.rows() > kMostStreamed) return;
    hw::test::Job made(rows_of(problem), static_cast<std::uint32_t>(problem.bodies()),
                       hw::test::program(program));
    const auto argument = [&made](spec::Argument which) -> std::uint32_t& {
      return made.command.arguments[static_cast<std::size_t>(which)];
    };
    argument(spec::Argument::kMaxSweeps) = kSweeps;
    if (std::string(program) == "filter") argument(spec::Argument::kMarkThreshold) = bits_of(kMark);
    EngineJob job;
    job.name = name + ", " + program;
    job.words = made.words;
    job.command = made.command;
    const hw::Memory memory = made.memory();
    job.memory.assign(memory.data, memory.data + memory.size_bytes);
    ASSERT_TRUE(agree(job));
    EXPECT_EQ(status_, PPU_RUN_OK);
    // The functional model knows slot order only.
    hw::test::run_functional(made, bench_->config());
    const EngineOutcome model = run_model(bench_->config(), job);
    EXPECT_TRUE(std::equal(model.memory.begin(), model.memory.end(), made.memory().data));
  }
};

TEST_P(ShippedProblem, IssuesInTheCyclesOfTheModel) {
  // Each problem with two programs, and each program with three or four, or all with all.
  const char* const programs[] = {"pgs", "boxed", "threshold", "filter", "classes"};
  const std::size_t each = options().rounds > 1 ? std::size(programs) : 2;
  std::size_t next = 0;
  for (const char* name : {"ball_f110", "topple_f060", "wall10_f012", "wall10_f040", "ragdoll_f140",
                           "ragdollcfm_f070", "wall10cfm_f030", "massratio_f040"})
    for (std::size_t n = 0; n < each; ++n)
      ASSERT_NO_FATAL_FAILURE(expect_agreement(name, programs[next++ % std::size(programs)]));
}

TEST_P(ShippedProblem, IssuesInTheCyclesOfTheModelOnTheLargest) {
  for (const char* name : {"large/pile888_f172", "large/wall32_f020"})
    ASSERT_NO_FATAL_FAILURE(expect_agreement(name, "boxed"));
}

INSTANTIATE_TEST_SUITE_P(Shapes, ShippedProblem, testing::ValuesIn(engine_shapes()),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace ppu::test
