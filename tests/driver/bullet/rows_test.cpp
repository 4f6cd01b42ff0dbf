// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows as they are handed out, reports, observers, and devices that are not the solver's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "ppu/bullet.h"
#include "tests/driver/bullet/worlds.hpp"
#include "tests/driver/support/backends.hpp"

namespace ppu {
namespace {

using test::World;

std::vector<BulletRows> record(const char* scene, int frames) {
  std::vector<BulletRows> all;
  BulletRowRecorder solver([&](const BulletRows& rows) { all.push_back(rows); });
  World world(&solver);
  test::scene(scene).build(&world);
  for (int frame = 0; frame < frames; ++frame) world.step();
  return all;
}

/// The body that was here before the step.
btRigidBody& body_near(World* world, const float* place) {
  const btVector3 before(place[0], place[1], place[2]);
  for (int i = 1; i < (*world)->getNumCollisionObjects(); ++i) {
    btRigidBody& body = *btRigidBody::upcast((*world)->getCollisionObjectArray()[i]);
    if (body.getWorldTransform().getOrigin().distance(before) < 0.2F) return body;
  }
  throw std::logic_error("no body is there");
}

TEST(Recorder, SolvesAsBulletDoes) {
  btSequentialImpulseConstraintSolver engine;
  BulletRowRecorder recorder([](const BulletRows&) {});
  World expected(&engine);
  World found(&recorder);
  for (World* world : {&expected, &found}) test::build_towers(world);
  for (int frame = 0; frame < 30; ++frame) {
    expected.step();
    found.step();
  }
  EXPECT_EQ(found.bits(), expected.bits());
}

TEST(Recorder, HandsOutTheRowsOfAnIteration) {
  const std::vector<BulletRows> all = record("SlidersSpringsAndBalls", 60);
  ASSERT_EQ(all.size(), 60U);
  for (const BulletRows& rows : all) {
    EXPECT_TRUE(std::is_sorted(rows.kind.begin(), rows.kind.end())) << "not interleaved";
    for (std::size_t row = 0; row < rows.row_count(); ++row) {
      const std::int32_t parent = rows.parent[row];
      EXPECT_EQ(parent >= 0, rows.kind[row] == BulletRowKind::kFriction);
      if (parent >= 0) {
        EXPECT_EQ(rows.kind[static_cast<std::size_t>(parent)], BulletRowKind::kContact);
      }
      for (std::size_t i = 0; i < 12; ++i)
        if (rows.body[row][i / 6] < 0) {
          EXPECT_EQ(rows.jacobian[12 * row + i], 0);
        }
    }
    EXPECT_EQ(rows.iterations, 10U);
    EXPECT_EQ(rows.position.size(), std::size_t{3} * rows.body_count());
    EXPECT_EQ(rows.inv_inertia.size(), std::size_t{9} * rows.body_count());
    EXPECT_EQ(rows.velocity_free.size(), std::size_t{6} * rows.body_count());
  }
}

TEST(Recorder, WarmStartsAreInTheVelocities) {
  const BulletRows rows = record("TwoFrictionDirections", 40).back();
  std::vector<double> sum(rows.velocity_change.size(), 0);
  for (std::size_t row = 0; row < rows.row_count(); ++row)
    for (std::size_t i = 0; i < 12; ++i) {
      const std::int32_t body = rows.body[row][i / 6];
      if (body < 0) continue;
      sum[6 * static_cast<std::size_t>(body) + i % 6] +=
          double{rows.impulse[row]} * double{rows.inv_mass_jacobian[12 * row + i]};
    }
  EXPECT_GT(*std::max_element(sum.begin(), sum.end()), 0.1);
  for (std::size_t i = 0; i < sum.size(); ++i)
    EXPECT_NEAR(rows.velocity_change[i], sum[i], 1e-5 * (1 + std::fabs(sum[i])));
}

/// The velocity form rounds otherwise, so its answer is near Bullet's, not the same.
TEST(Recorder, RowsHaveBulletsAnswer) {
  std::vector<BulletRows> all;
  BulletRowRecorder solver([&](const BulletRows& rows) { all.push_back(rows); });
  World world(&solver);
  test::build_towers(&world);
  world.settings().m_leastSquaresResidualThreshold = -1;
  world.settings().m_splitImpulse = 0;
  for (int frame = 0; frame < 20; ++frame) world.step();
  const BulletRows& rows = all.back();
  const Device device;
  const Program program = Program::load(device, "boxed");
  ppu_solve_def def = ppu_default_solve_def();
  def.program = program.get();
  def.friction = PPU_FRICTION_SKIP;
  std::vector<float> impulse(rows.row_count()), velocity(std::size_t{6} * rows.body_count());
  device.solve(rows.view(), def, impulse.data(), velocity.data());
  for (std::size_t body = 0; body < rows.body_count(); ++body) {
    const btVector3 v = body_near(&world, &rows.position[3 * body]).getLinearVelocity();
    for (int k = 0; k < 3; ++k) {
      const std::size_t at = 6 * body + static_cast<std::size_t>(k);
      EXPECT_NEAR(rows.velocity_free[at] + velocity[at], v[k], 2e-5) << "body " << body;
    }
  }
}

TEST(Report, CountsWhatAStepTook) {
  BulletConstraintSolver solver("functional");
  World world(&solver);
  test::build_towers(&world);
  world.settings().m_minimumSolverBatchSize = 1;
  world.settings().m_leastSquaresResidualThreshold = -1;
  BulletReport sum;
  std::uint64_t rows = 0;
  solver.observe([&](const BulletRows& each, const BulletReport& group, const BulletProfile&) {
    EXPECT_EQ(group.groups, 1U);
    EXPECT_EQ(group.rows, each.row_count());
    rows += each.row_count();
    sum += group;
  });
  for (int frame = 0; frame < 30; ++frame) {
    sum = {};
    rows = 0;
    world.step();
    const BulletReport& step = solver.last_report();
    EXPECT_EQ(step.rows, rows);
    EXPECT_EQ(step.row_updates, sum.row_updates);
    EXPECT_EQ(step.runs, sum.runs);
    EXPECT_EQ(step.counters, sum.counters);
  }
  EXPECT_EQ(sum.groups, 3U) << "three towers";
  EXPECT_EQ(sum.sweeps % 10, 0U);
  EXPECT_GE(sum.row_updates, 10 * rows);
}

/// What a group and its rows took, in worlds in which groups take one solve or several.
struct Group {
  BulletRows rows;
  BulletReport report;
  BulletProfile profile;
};

std::vector<Group> profiled_groups(const char* scene, BulletConstraintSolver* solver) {
  std::vector<Group> groups;
  solver->profile_rows(true);
  solver->observe(
      [&](const BulletRows& rows, const BulletReport& report, const BulletProfile& profile) {
        groups.push_back({rows, report, profile});
      });
  World world(solver);
  test::scene(scene).build(&world);
  for (int frame = 0; frame < 12; ++frame) {
    test::scene(scene).before_frame(&world, frame);
    world.step();
  }
  solver->observe(nullptr);
  EXPECT_FALSE(groups.empty());
  return groups;
}

class ProfileOfRows : public testing::TestWithParam<std::tuple<std::string, const char*>> {};

TEST_P(ProfileOfRows, AddsUpToTheCyclesOfTheReport) {
  const auto& [backend, scene] = GetParam();
  BulletConstraintSolver solver(backend);
  for (const Group& group : profiled_groups(scene, &solver)) {
    ASSERT_EQ(group.profile.cycles.size(), group.rows.row_count());
    std::uint64_t sum = group.report.counters[PPU_COUNTER_DRAIN_CYCLES] +
                        group.report.counters[PPU_COUNTER_CONTROL_CYCLES];
    std::uint64_t parent_stall = 0;
    for (const ppu_row_profile& row : group.profile.cycles) {
      EXPECT_GT(row.cycles, 0U);
      sum += row.cycles;
      parent_stall += row.parent_stall;
    }
    EXPECT_EQ(sum, group.report.engine_cycles);
    EXPECT_EQ(parent_stall, group.report.counters[PPU_COUNTER_PARENT_STALL_CYCLES]);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, ProfileOfRows,
                         testing::Combine(testing::ValuesIn(driver::test::systemc_backend()),
                                          testing::Values("TwoFrictionDirections", "RandomOrder",
                                                          "SplitImpulseAlways",
                                                          "IterationsOfTheirOwn", "RollingFriction",
                                                          "ForgottenResidual")),
                         [](const auto& test) { return std::string(std::get<1>(test.param)); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ProfileOfRows);

TEST(Profile, TellsOneRunFromSeveralSolves) {
  BulletConstraintSolver solver("functional");
  for (const Group& group : profiled_groups("TwoFrictionDirections", &solver)) {
    EXPECT_EQ(group.profile.one_run, group.report.solves == 1);
    EXPECT_TRUE(group.profile.cycles.empty()) << "a back end without time";
  }
  for (const char* scene : {"RandomOrder", "RollingFriction"})
    for (const Group& group : profiled_groups(scene, &solver))
      EXPECT_EQ(group.profile.one_run, group.rows.rolling_rows == 0 && group.report.solves == 1);
}

TEST(Profile, HasTheImpulsesThatBulletKeeps) {
  std::vector<BulletRows> answers;
  BulletRowRecorder recorder(nullptr, [&](const BulletRows& rows) { answers.push_back(rows); });
  World world(&recorder);
  test::scene("RollingFriction").build(&world);
  for (int frame = 0; frame < 12; ++frame) world.step();
  BulletConstraintSolver solver("functional");
  const std::vector<Group> groups = profiled_groups("RollingFriction", &solver);
  ASSERT_EQ(groups.size(), answers.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    EXPECT_EQ(groups[i].profile.impulse, answers[i].impulse);
}

class ReportOfTime : public testing::TestWithParam<std::string> {};

TEST_P(ReportOfTime, HasTheCyclesOfAllParts) {
  BulletConstraintSolver timed(GetParam().c_str());
  World world(&timed);
  test::build_towers(&world);
  for (int frame = 0; frame < 20; ++frame) world.step();
  const BulletReport& report = timed.last_report();
  EXPECT_GT(report.engine_cycles, report.row_updates);
  EXPECT_EQ(report.upload_cycles + report.run_cycles + report.download_cycles,
            report.device_cycles);
}

INSTANTIATE_TEST_SUITE_P(Backends, ReportOfTime,
                         testing::ValuesIn(driver::test::process_backends()),
                         [](const auto& backend) { return driver::test::name_of(backend.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReportOfTime);

TEST(Report, HasTheTimeOfTheHostInItsParts) {
  BulletConstraintSolver solver("functional");
  World world(&solver);
  test::scene("Overlapping").build(&world);
  for (int frame = 0; frame < 5; ++frame) {
    world.step();
    const BulletReport& step = solver.last_report();
    EXPECT_GE(step.solves, 2U) << "contacts, and what pushes them apart";
    EXPECT_GT(step.convert_seconds, 0);
    EXPECT_GT(step.write_back_seconds, 0);
    EXPECT_GT(step.seconds, step.convert_seconds + step.plan_seconds + step.transfer_seconds +
                                step.device_seconds + step.write_back_seconds);
  }
}

TEST(OpenDevice, IsSharedAndOutlivesTheSolver) {
  const Device device;
  {
    BulletConstraintSolver one(device);
    BulletConstraintSolver other(device.get());
    EXPECT_EQ(one.device().index, device.get().index);
    World first(&one);
    World second(&other);
    for (World* world : {&first, &second}) test::build_towers(world);
    for (int frame = 0; frame < 10; ++frame) {
      first.step();
      second.step();
      EXPECT_EQ(first.bits(), second.bits());
    }
    EXPECT_GT(one.last_report().rows, 0U);
  }
  EXPECT_EQ(device.info().backend, std::string("functional"));
}

/// A threshold that Bullet's residual just meets, and the float below, which it does not.
TEST(Threshold, StopsInBulletsIterationToTheLastBit) {
  const auto build = [](World* world, float squares) {
    test::build_towers(world);
    world->settings().m_leastSquaresResidualThreshold = squares;
  };
  btSequentialImpulseConstraintSolver free;
  World before(&free);
  build(&before, 1e-3F);
  int frame = 0;
  do {
    before.step();
    ++frame;
  } while (free.m_analyticsData.m_numIterationsUsed == 1 ||
           free.m_analyticsData.m_numIterationsUsed == 10);
  const auto squares = static_cast<float>(free.m_analyticsData.m_remainingLeastSquaresResidual);
  ASSERT_GT(squares, 0);

  for (const float threshold : {squares, std::nextafter(squares, 0.0F)}) {
    btSequentialImpulseConstraintSolver engine;
    BulletConstraintSolver solver("functional");
    World expected(&engine);
    World found(&solver);
    for (World* world : {&expected, &found}) build(world, 1e-3F);
    for (int i = 1; i <= frame + 3; ++i) {
      for (World* world : {&expected, &found})
        world->settings().m_leastSquaresResidualThreshold = i == frame ? threshold : 1e-3F;
      expected.step();
      found.step();
      ASSERT_EQ(found.bits(), expected.bits()) << "frame " << i;
      ASSERT_EQ(solver.m_analyticsData.m_numIterationsUsed,
                engine.m_analyticsData.m_numIterationsUsed)
          << "frame " << i;
    }
  }
}

}  // namespace
}  // namespace ppu
