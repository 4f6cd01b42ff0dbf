// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper refuses what it cannot run, naming row and array, and touches no output.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <ostream>
#include <string>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;
using test::solve;

constexpr float kNoBound = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Refusal {
  const char* name;
  std::function<void(model::RowProblem*)> spoil;
  const char* sentence;
  friend std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
    return out << refusal.name;
  }
};

/// Whether a plan is made, or rows go to the device as given, the sentences are the same.
class SolveRefuses : public testing::TestWithParam<Refusal> {
 protected:
  static void expect_sentence(ppu_order order);
};

void SolveRefuses::expect_sentence(ppu_order order) {
  const Device device;
  const Program program = Program::load(device, "boxed");
  model::RowProblem problem = test::column(5);
  GetParam().spoil(&problem);
  ppu_solve_def def = def_of(program);
  def.order = order;
  const Answer answer = solve(device, test::view(problem), def);
  EXPECT_EQ(answer.result, PPU_ERROR_PROBLEM);
  EXPECT_STREQ(ppu_last_error(), GetParam().sentence);
  EXPECT_TRUE(answer.untouched());
}

TEST_P(SolveRefuses, NamingRowAndArray) {
  expect_sentence(PPU_ORDER_SCHEDULED);
}
TEST_P(SolveRefuses, NamingRowAndArrayOfRowsAsGiven) {
  expect_sentence(PPU_ORDER_ENGINE);
}

using P = model::RowProblem;

INSTANTIATE_TEST_SUITE_P(
    Problems, SolveRefuses,
    testing::Values(
        Refusal{"BodyOutOfRange", [](P* p) { p->body[3][1] = 5; },
                "row 3: body names body 5, expected -1 to 4"},
        Refusal{"BodyBelowStatic", [](P* p) { p->body[3][0] = -2; },
                "row 3: body names body -2, expected -1 to 4"},
        Refusal{"SameBodyTwice",
                [](P* p) {
                  p->body[3] = {2, 2};
                },
                "row 3: body names body 2 twice, expected two different bodies"},
        Refusal{"SelfParent", [](P* p) { p->parent[2] = 2; },
                "row 2: parent is 2, expected an earlier row or -1"},
        Refusal{"LaterParent", [](P* p) { p->parent[2] = 4; },
                "row 2: parent is 4, expected an earlier row or -1"},
        Refusal{"ParentBelowNone", [](P* p) { p->parent[2] = -2; },
                "row 2: parent is -2, expected an earlier row or -1"},
        Refusal{"GrandParent", [](P* p) { p->parent[1] = 0, p->parent[2] = 1; },
                "row 2: parent is row 1, which has a parent itself, expected a row without one, or "
                "problem->impulse_form"},
        Refusal{"NanJacobian", [](P* p) { p->jacobian[4 * 12 + 7] = kNan; },
                "row 4: jacobian has nan at column 7, expected a finite number"},
        Refusal{"InfiniteBias", [](P* p) { p->rate_bias[1] = -kNoBound; },
                "row 1: rate_bias has -inf at column 0, expected a finite number"},
        Refusal{"NanVelocity", [](P* p) { p->velocity_change[2 * 6 + 5] = kNan; },
                "body 2: velocity_change has nan at column 5, expected a finite number"},
        Refusal{"BoundsSwapped", [](P* p) { p->lower[4] = 2, p->upper[4] = 1; },
                "row 4: lower is 2 and upper 1, expected lower <= upper (-inf and inf where there "
                "is no bound)"},
        Refusal{"NanBound", [](P* p) { p->upper[4] = kNan; },
                "row 4: lower is 0 and upper nan, expected lower <= upper (-inf and inf where "
                "there is no bound)"},
        Refusal{"LowerAtInfinity", [](P* p) { p->lower[4] = p->upper[4] = kNoBound; },
                "row 4: lower is inf and upper inf, expected lower <= upper (-inf and inf where "
                "there is no bound)"},
        Refusal{"UpperAtMinusInfinity", [](P* p) { p->lower[4] = p->upper[4] = -kNoBound; },
                "row 4: lower is -inf and upper -inf, expected lower <= upper (-inf and inf where "
                "there is no bound)"},
        Refusal{"NegativeFriction", [](P* p) { p->parent[4] = 1, p->friction[4] = -0.5F; },
                "row 4: friction is -0.5, expected a finite number >= 0"}),
    [](const auto& each) { return each.param.name; });

TEST(Solve, RefusesMissingArraysByName) {
  const Device device;
  const Program program = Program::load(device, "boxed");
  const model::RowProblem owner = test::column(5);
  ppu_problem problem = test::view(owner);
  problem.inv_diagonal = nullptr;
  ppu_solve_def def = def_of(program);
  for (const ppu_order order : {PPU_ORDER_SCHEDULED, PPU_ORDER_ENGINE}) {
    def.order = order;
    EXPECT_EQ(solve(device, problem, def).result, PPU_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(ppu_last_error()).find("problem->inv_diagonal is null"),
              std::string::npos);
  }
}

TEST(Solve, ColdStartNeedsNoWarmStartArrays) {
  const Device device;
  const Program program = Program::load(device, "boxed");
  const model::RowProblem owner = test::column(5);
  ppu_problem problem = test::view(owner);
  problem.impulse = nullptr;
  problem.velocity_change = nullptr;
  ppu_solve_def def = def_of(program);
  EXPECT_EQ(solve(device, problem, def).result, PPU_ERROR_INVALID_ARGUMENT);
  def.start = PPU_START_COLD;
  EXPECT_EQ(solve(device, problem, def).result, PPU_OK) << ppu_last_error();
}

TEST(Solve, NamesTheMemoryThatIsTooSmall) {
  const Device device =
      test::open("functional", "default",
                 {"row_memory_rows=16", "impulse_memory_rows=80", "body_memory_bodies=64"});
  const Program program = Program::load(device, "boxed");
  const auto sentence_of = [&](std::uint32_t count) {
    const model::RowProblem problem = test::column(count);
    const Answer answer = solve(device, test::view(problem), def_of(program));
    return answer.result == PPU_ERROR_CAPACITY ? ppu_last_error()
                                               : ppu_result_string(answer.result);
  };
  EXPECT_STREQ(sentence_of(81), "the problem has 81 rows, impulse_memory_rows is 80");
  EXPECT_STREQ(sentence_of(65), "the problem has 65 bodies, body_memory_bodies is 64");
  EXPECT_STREQ(sentence_of(64), "ok") << "more rows than row memory are streamed";
}

TEST(Solve, ProblemLargerThanHostMemoryIsRefused) {
  const Device device = test::open("functional", "default+resident", {"host_memory_mib=1"});
  const Program program = Program::load(device, "boxed");
  const model::RowProblem large = test::columns(2, 3500);
  EXPECT_EQ(solve(device, test::view(large), def_of(program)).result, PPU_ERROR_CAPACITY);
  EXPECT_NE(std::string(ppu_last_error()).find("host memory: "), std::string::npos);
  const model::RowProblem fitting = test::column(4);
  EXPECT_EQ(solve(device, test::view(fitting), def_of(program)).result, PPU_OK);
}

TEST(Solve, IsBusyWhileSomethingIsUnderWay) {
  const Device device;
  const Program endless = Program::assemble(device, "for-ever.s", "loop: j loop\n");
  const Buffer memory(device, 64);
  ppu_run_def run = ppu_default_run_def();
  run.program = endless.get();
  run.rows = run.impulses = run.velocities = memory.get();
  const Fence fence = Fence::submit(device, run);
  const model::RowProblem problem = test::column(2);
  const Answer answer = solve(device, test::view(problem), def_of(endless));
  EXPECT_EQ(answer.result, PPU_ERROR_BUSY);
  EXPECT_TRUE(answer.untouched());
  fence.cancel();
}

TEST(Solve, RefusesSettingsOutOfRange) {
  const Device device;
  const Program program = Program::load(device, "boxed");
  const model::RowProblem problem = test::column(2);
  ppu_solve_def def = def_of(program);
  def.threshold = kNan;
  EXPECT_EQ(solve(device, test::view(problem), def).result, PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(ppu_last_error(), "threshold is nan, expected a finite number >= 0");
  def = def_of(program);
  def.order = static_cast<ppu_order>(3);
  EXPECT_EQ(solve(device, test::view(problem), def).result, PPU_ERROR_INVALID_ARGUMENT);
}

TEST(Solve, RefusesAProgramOfTwoForms) {
  const Device device;
  const Program program = Program::assemble(device, "mixed.s", R"(
    kernel  rate
    rows    zero, a0
    kernel  impulse
    rows    zero, a0
    halt
.kernel rate
    ldrow   r
    ldvel   v, r.ia, r.ib
    dot     u, r.J, v, r.b
.end
.kernel impulse
    ldrow   r
    ldvel   dv, r.ia, r.ib
    relax   c, r.b, r.cfm, r.x
    dotp    q, r.J, dv
    corr    delta, c, r.d, q
    acc     sum, r.x, delta
.end
)");
  const model::RowProblem problem = test::column(2);
  EXPECT_EQ(solve(device, test::view(problem), def_of(program)).result, PPU_ERROR_PROGRAM);
  EXPECT_EQ(std::string(ppu_last_error()).find("the program has kernels of the rate form and"), 0U)
      << ppu_last_error();
}

/// What the solver says of a column with `change` in its def.
std::string sentence_for(const char* program_name,
                         const std::function<void(ppu_solve_def*)>& change) {
  const Device device;
  const Program program = Program::load(device, program_name);
  const model::RowProblem problem = test::column(2);
  ppu_solve_def def = def_of(program);
  change(&def);
  const Answer answer = solve(device, test::view(problem), def);
  EXPECT_EQ(answer.result, PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(answer.untouched());
  return ppu_last_error();
}

TEST(Solve, RefusesThresholdsForMarksThatAreNone) {
  EXPECT_EQ(sentence_for("filter", [](ppu_solve_def* def) { def->mark_threshold = -1; }),
            "mark_threshold is -1, expected a finite number >= 0");
}

TEST(Solve, RefusesRelaxationThatDoesNotConverge) {
  for (const float relaxation : {0.0F, -1.0F, 2.0F, kNan}) {
    const std::string sentence =
        sentence_for("boxed", [&](ppu_solve_def* def) { def->relaxation = relaxation; });
    EXPECT_NE(sentence.find("expected more than 0 and less than 2"), std::string::npos) << sentence;
  }
}

TEST(Solve, RefusesABudgetWithoutTime) {
  EXPECT_EQ(sentence_for("boxed", [](ppu_solve_def* def) { def->budget_cycles = 100; }),
            "def->budget_cycles is set, but back end 'functional' has no time; expected 0");
}

TEST(Solve, RefusesClassesThatTheProgramDoesNotTake) {
  EXPECT_EQ(sentence_for("boxed", [](ppu_solve_def* def) { def->class_sweeps[1] = 3; })
                .find("def->class_rows or class_sweeps is set, but the program has no `rows`"),
            0U);
  EXPECT_EQ(sentence_for("classes", [](ppu_solve_def* def) { def->threshold = 1; })
                .find("the program takes classes, which stand in the registers"),
            0U);
}

TEST(Solve, RefusesSweepsOfClassesBesideATestedResidual) {
  const Device device;
  const Program program = Program::assemble(
      device, "both.s",
      " kernel k\n rows a4, a6\n rdmax t0\n halt\n.kernel k\n ldrow r\n"
      " ldvel v, r.ia, r.ib\n dot u, r.J, v, r.b\n step t, r.x, r.d, u\n max x, 0, t\n"
      " sub dx, x, r.x\n resid dx\n axpy v, dx, r.JM\n stvel v, r.ia, r.ib\n stimp x\n.end\n");
  const model::RowProblem problem = test::column(2);
  ppu_solve_def def = test::def_of(program);
  def.class_rows[0] = 1;
  def.threshold = 0.5F;
  EXPECT_EQ(test::solve(device, test::view(problem), def).result, PPU_OK) << ppu_last_error();
  def.class_sweeps[0] = 2;
  EXPECT_EQ(test::solve(device, test::view(problem), def).result, PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(ppu_last_error())
                .find("the program takes classes, which stand in the registers of the thresholds; "
                      "expected class_sweeps and mark_threshold 0"),
            0U);
}

TEST(Solve, RefusesRowsInTheImpulseFormForProgramsOfTheRateForm) {
  const Device device;
  const Program program = Program::load(device, "boxed");
  const model::RowProblem problem = test::column(2);
  ppu_problem scaled = test::view(problem);
  scaled.impulse_form = true;
  EXPECT_EQ(test::solve(device, scaled, test::def_of(program)).result, PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(ppu_last_error())
                .find("problem->impulse_form is set, but the program has kernels of the rate form"),
            0U);
}

TEST(Solve, RefusesClassesOfMoreRowsThanThereAre) {
  EXPECT_EQ(sentence_for("classes",
                         [](ppu_solve_def* def) {
                           def->class_rows[0] = 2;
                           def->class_rows[1] = 0xffffffff;
                         }),
            "def->class_rows is 2 and 4294967295, but the problem has 2 rows");
}

TEST(Solve, RefusesTheReducedFormWithoutMasses) {
  EXPECT_EQ(sentence_for("reduced", [](ppu_solve_def*) {}).find("problem->inv_mass is null"), 0U);
}

TEST(Programs, OfTheFullAndOfTheReducedFormAreRefused) {
  const Device device;
  const char* const source = R"(
    kernel  full
    rows    zero, a0
    kernel  reduced
    rows    zero, a0
    halt
.kernel full
    ldrow   r
    ldvel   v, r.ia, r.ib
    dot     u, r.J, v, r.b
    step    t, r.x, r.d, u
    mov     x, t
    sub     dx, x, r.x
    axpy    v, dx, r.JM
    stvel   v, r.ia, r.ib
    stimp   x
.end
.kernel reduced
    ldrow   r
    ldvel   v, r.ia, r.ib
    dot     u, r.J, v, r.b
    step    t, r.x, r.d, u
    mov     x, t
    sub     dx, x, r.x
    axpy    v, dx, r.J
    stvel   v, r.ia, r.ib
    stimp   x
.end
)";
  ppu_program program;
  EXPECT_EQ(ppu_program_assemble(device.get(), "mixed.s", source, &program), PPU_ERROR_PROGRAM);
  EXPECT_STREQ(ppu_last_error(),
               "program 'mixed.s' has scaled adds of the full and of the reduced form, and a run "
               "has rows of one");
}

TEST(Solve, ReportIsOptional) {
  const Device device;
  const Program program = Program::load(device, "boxed");
  const model::RowProblem owner = test::column(2);
  const ppu_problem problem = test::view(owner);
  const ppu_solve_def def = def_of(program);
  float impulse[2];
  float velocity[12];
  EXPECT_EQ(ppu_solve(device.get(), &problem, &def, impulse, velocity, nullptr), PPU_OK);
}

}  // namespace
}  // namespace ppu::driver
