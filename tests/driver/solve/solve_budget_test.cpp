// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves with a budget: when the last row issues, when the run ends, and what the answer is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "firmware/programs/programs.hpp"
#include "hw/contract/config.hpp"
#include "hw/contract/trace_log.hpp"
#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;

class Budget : public testing::TestWithParam<std::string> {
 protected:
  Budget() : path_(testing::TempDir() + "ppu_budget_test_" + std::to_string(getpid())) {}
  ~Budget() override { std::filesystem::remove(path_); }

  Answer run(std::uint32_t budget, const char* program_name = "boxed",
             ppu_order order = PPU_ORDER_ENGINE, bool stream = false,
             std::uint32_t max_sweeps = 5) {
    ppu_device_def device_def = ppu_default_device_def();
    device_def.backend = GetParam().c_str();
    device_def.trace_path = path_.c_str();
    const Device device(device_def);
    const Program program = Program::load(device, program_name);
    ppu_solve_def def = def_of(program);
    def.max_sweeps = max_sweeps;
    def.order = order;
    def.stream = stream;
    def.budget_cycles = budget;
    Answer answer = test::solve(device, test::view(problem_), def);
    EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
    return answer;
  }

  /// The last cycle of a row that issues, and of one that retires, after the first instruction.
  std::pair<std::uint64_t, std::uint64_t> last_rows(const Answer& answer) const {
    const std::uint64_t start = answer.report.run.counters[PPU_COUNTER_START_CYCLE];
    std::uint64_t issue = 0;
    std::uint64_t retire = 0;
    hw::TraceLogReader log(path_);
    for (hw::TraceEvent event; log.next(&event);) {
      if (event.kind == hw::TraceKind::kRowIssue) issue = std::max(issue, event.cycle - start);
      if (event.kind == hw::TraceKind::kRowRetire) retire = std::max(retire, event.cycle - start);
    }
    return {issue, retire};
  }

  /// The state after the rows that have issued, in the order in which they did.
  [[nodiscard]] model::Replay replay() const {
    std::vector<std::pair<std::uint64_t, std::size_t>> issued;
    hw::TraceLogReader log(path_);
    for (hw::TraceEvent event; log.next(&event);)
      if (event.kind == hw::TraceKind::kRowIssue) issued.emplace_back(event.cycle, event.a);
    std::stable_sort(issued.begin(), issued.end());
    model::Visits visits(1);
    for (const auto& [cycle, slot] : issued) visits.front().push_back(slot);
    model::SolveOptions options;
    options.friction = model::FrictionRule::kClamp;
    return model::replay_visits(problem_, options, visits);
  }

  std::string path_;
  model::RowProblem problem_ = test::read_test_data("ball_f110.h5");
};

/// A shipped program, as far as it decides when a run ends that is late.
struct LateProgram {
  explicit LateProgram(const std::string& name) {
    const auto assembly = firmware::assemble(name, firmware::find_program(name)->source);
    control_words = assembly.image.words.size();
    for (const firmware::Kernel& kernel : assembly.kernels) {
      control_words -= kernel.words;
      kernel_words = std::max<std::uint64_t>(kernel_words, kernel.words);
      divides = divides || kernel.control.resid() == spec::Resid::kQuotient;
    }
  }
  std::uint64_t control_words = 0;
  std::uint64_t kernel_words = 0;  ///< Of the longest one.
  bool divides = false;
};

/// Cycles from the end of a budget until the last row that issued before it has retired, one with
/// both bodies in one bank.
std::uint64_t pipe_cycles(const hw::Config& config, bool divides) {
  return static_cast<std::uint64_t>(hw::body_latency(config)) + 1 +
         (divides ? config.fp_div_stages : 0);
}

/// Cycles from the end of a budget until device memory owes nothing: the memory controller holds
/// `dram_queue` requests, one more waits on the port, and a refresh may have begun. They belong to
/// two passes at most, each a run of addresses whose pages are opened one after another.
std::uint64_t stream_cycles(const hw::Config& config) {
  const double period_ns = 1e3 / config.clock_mhz;
  const double beat_ns =
      spec::kBeatBytes * 8.0 * 1e3 / (double(config.dram_bus_bits) * config.dram_mega_transfers);
  const std::uint32_t beats = config.dram_queue + 1;
  const std::uint32_t pages = 2 * (beats * spec::kBeatBytes / config.dram_page_bytes + 2);
  const double ns = config.dram_refresh_ns + config.dram_controller_ns + config.dram_cas_ns +
                    pages * double(config.dram_precharge_ns + config.dram_activate_ns) +
                    beats * std::max(period_ns, beat_ns);
  return static_cast<std::uint64_t>(ns / period_ns) + 1;
}

/// The most cycles by which a run may end after its budget: its rows leave the pipe while what is
/// owed to their stream comes, and the program goes from where it is to its `halt`, on which way
/// it may load a kernel. It takes each of its instructions once; `classes` counts the passes that
/// were cut once for each of the two sweeps that they may belong to.
std::uint64_t most_late_cycles(const hw::Config& config, const std::string& name, bool stream) {
  const LateProgram program(name);
  const std::uint64_t rounds = name == "classes" ? 2 : 1;
  return std::max(pipe_cycles(config, program.divides), stream ? stream_cycles(config) : 0) +
         rounds * program.control_words + program.kernel_words;
}

/// All that take a budget; one where the back end is slow.
std::vector<std::string> programs_with_budget(const std::string& backend) {
  if (backend != "systemc") return {"boxed"};
  std::vector<std::string> names;
  for (const firmware::Program& program : firmware::programs())
    if (program.name != "nesterov") names.emplace_back(program.name);
  return names;
}

/// On back ends that tell which rows issued; a platform tells no events.
class BudgetWithEvents : public Budget {};

TEST_P(Budget, NoRowIssuesFromItsEndOnAndTheRunEndsWithPipeStreamAndProgram) {
  const hw::Config config = hw::resolve_config("default", {});
  for (const std::string& program : programs_with_budget(GetParam()))
    for (const bool stream : {false, true})
      for (const std::uint32_t budget : {1U, 60U, 333U, 1000U, 2222U}) {
        SCOPED_TRACE(program + (stream ? " streamed " : " ") + std::to_string(budget));
        const Answer answer = run(budget, program.c_str(), PPU_ORDER_ENGINE, stream, 1000);
        EXPECT_TRUE(answer.report.late);
        const auto [issue, retire] = last_rows(answer);
        EXPECT_LT(issue, budget);
        EXPECT_LT(retire, budget + static_cast<std::uint64_t>(hw::body_latency(config)));
        const std::uint64_t end = answer.report.run.counters[PPU_COUNTER_CYCLES];
        EXPECT_LE(end, budget + most_late_cycles(config, program, stream));
      }
}

TEST_P(BudgetWithEvents, AnswerIsTheStateAfterTheRowsThatWereDone) {
  // Slots are rows in both: the device finds out which row may issue.
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED}) {
    for (const std::uint32_t budget : {60U, 777U, 2222U}) {
      const Answer answer = run(budget, "boxed", order);
      const std::uint64_t updates = answer.report.run.counters[PPU_COUNTER_ROW_UPDATES];
      EXPECT_LT(updates, 5 * problem_.rows());
      // Sweeps overlap: rows of the next may have issued.
      EXPECT_LE(answer.report.sweeps, updates / problem_.rows());
      const model::Replay same = replay();
      EXPECT_EQ(answer.impulse, same.impulse) << budget;
      EXPECT_EQ(answer.velocity_change, same.velocity_change) << budget;
      const double residual =
          model::true_residual(problem_, answer.impulse, answer.velocity_change);
      EXPECT_NEAR(answer.report.max_residual, residual, 1e-12 * residual);
    }
  }
}

TEST_P(Budget, ThatIsLongEnoughChangesNothing) {
  const Answer free = run(0);
  const Answer limited = run(1'000'000);
  EXPECT_FALSE(free.report.late);
  EXPECT_FALSE(limited.report.late);
  EXPECT_EQ(limited.report.sweeps, 5U);
  EXPECT_EQ(limited.hash(), free.hash());
}

TEST_P(Budget, EndsEveryProgram) {
  for (std::size_t i = 0; ppu_program_name(i) != nullptr; ++i) {
    if (std::string_view(ppu_program_name(i)) == "nesterov") continue;  // It takes none.
    const Answer answer = run(300, ppu_program_name(i));
    EXPECT_TRUE(answer.report.late) << ppu_program_name(i);
    EXPECT_LT(answer.report.sweeps, 5U) << ppu_program_name(i);
  }
}

TEST_P(Budget, NeedsAProgramThatTakesOne) {
  const Device device = test::open(GetParam());
  const Program program = Program::assemble(device, "no-budget.s", "halt\n");
  ppu_solve_def def = def_of(program);
  def.budget_cycles = 5;
  const Answer answer = test::solve(device, test::view(problem_), def);
  EXPECT_EQ(answer.result, PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(ppu_last_error(),
               "def->budget_cycles is 5, but the program has no `budget`; expected 0");
  EXPECT_TRUE(answer.untouched());
}

INSTANTIATE_TEST_SUITE_P(Backends, Budget, testing::ValuesIn(test::process_backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Budget);
INSTANTIATE_TEST_SUITE_P(Backends, BudgetWithEvents, testing::ValuesIn(test::own_backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BudgetWithEvents);

class BudgetOnSeveralEngines : public testing::TestWithParam<std::string> {};

TEST_P(BudgetOnSeveralEngines, DoesNotCutIslands) {
  const Device device = test::open(GetParam(), "default", {"engines=4"});
  const Program program = Program::load(device, "boxed");
  const model::RowProblem problem = test::columns(6, 4);
  ppu_solve_def def = def_of(program);
  EXPECT_EQ(test::solve(device, test::view(problem), def).report.runs, 4U);
  def.budget_cycles = 1'000'000;
  EXPECT_EQ(test::solve(device, test::view(problem), def).report.runs, 1U);
}

INSTANTIATE_TEST_SUITE_P(Backends, BudgetOnSeveralEngines,
                         testing::ValuesIn(test::systemc_backend()),
                         [](const auto& backend) { return test::name_of(backend.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BudgetOnSeveralEngines);

}  // namespace
}  // namespace ppu::driver
