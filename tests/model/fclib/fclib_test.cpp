// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FCLIB problems of one block on a plane, whose answers are known, through files and rows.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "base/files/file_replacement.hpp"
#include "model/fclib/cone_sweeps.hpp"
#include "model/fclib/fclib_problem.hpp"
#include "model/fclib/fclib_rows.hpp"
#include "model/problem/row_problem.hpp"

namespace ppu::model::fclib {
namespace {

/// A block of 2 kg, its centre in the plane, that falls at 1 m/s and slides at (x, y) m/s.
Problem block(double x, double y, double mu) {
  Problem p;
  p.name = "block";
  p.is_global = true;
  p.m.rows = p.m.columns = p.h.rows = 6;
  p.h.columns = 3;
  for (std::int32_t i = 0; i < 6; ++i) p.m.entry.push_back({i, i, 2});
  // Normal along z, tangents along x and y.
  p.h.entry = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}};
  p.force = {2 * x, 2 * y, -2, 0, 0, 0};
  p.offset = {0, 0, 0};
  p.friction = {mu};
  return p;
}

std::vector<double> solved(const Problem& p, std::size_t directions) {
  methods::ExplicitOptions options;
  options.threshold = 1e-12;
  const auto solution = methods::solve_explicit(explicit_of(p, directions), options);
  EXPECT_TRUE(solution.reached);
  return contact_impulses(p, directions, solution.impulse);
}

std::string refusal(const Problem& p) {
  try {
    check(p);
    rows_of(p, 2);
  } catch (const RowProblemError& error) {
    return error.what();
  }
  return "nothing";
}

void expect_refused(const Problem& p, const std::string& words) {
  EXPECT_NE(refusal(p).find(words), std::string::npos) << refusal(p);
}

class TemporaryPath {
 public:
  explicit TemporaryPath(const std::vector<char>& bytes)
      : path_(::testing::TempDir() + "/fclib" + std::to_string(getpid()) + ".hdf5") {
    files::FileReplacement(path_, {bytes.data(), bytes.size()}).commit();
  }
  ~TemporaryPath() { unlink(path_.c_str()); }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Fclib, ABlockThatSlidesAlongATangentIsSlowedByMu) {
  const Problem p = block(1, 0, 0.5);
  const std::vector<double> r = solved(p, 2);
  EXPECT_NEAR(r[0], 2, 1e-12);
  EXPECT_NEAR(r[1], -1, 1e-12);
  EXPECT_NEAR(r[2], 0, 1e-12);
  EXPECT_LT(natural_error(localized(p), r), 1e-12);
}

TEST(Fclib, ABlockThatSticksStopsWithEveryPyramid) {
  const Problem p = block(0.1, 0.2, 0.5);
  for (const std::size_t directions : {2U, 4U, 8U}) {
    const std::vector<double> r = solved(p, directions);
    EXPECT_NEAR(r[1], -0.2, 1e-10);
    EXPECT_NEAR(r[2], -0.4, 1e-10);
    EXPECT_LT(natural_error(localized(p), r), 1e-10) << directions;
  }
}

TEST(Fclib, AcrossTheDirectionsAPyramidSticksOutOfItsCone) {
  // Of 2 n corners around the circle of radius 1: the farthest is 1 / cos(pi / 2n) away.
  const double pi = std::acos(-1.0);
  for (const std::size_t directions : {2U, 4U, 8U}) {
    const double corner = pi / (2 * static_cast<double>(directions));
    const Problem p = block(9 * std::cos(corner), 9 * std::sin(corner), 0.5);
    const std::vector<double> r = solved(p, directions);
    EXPECT_NEAR(std::hypot(r[1], r[2]), 1 / std::cos(corner), 1e-9) << directions;
    const double size = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    EXPECT_NEAR(cone_excess(p, r), (1 / std::cos(corner) - 1) / size, 1e-9);
    EXPECT_GT(natural_error(localized(p), r), 1e-3);
    EXPECT_LT(cone_excess(p, in_cones(p, r)), 1e-12);
    // Put into the cone it is the answer: friction points straight against the motion.
    EXPECT_LT(std::fabs(in_cones(p, r)[1] / r[1] - in_cones(p, r)[2] / r[2]), 1e-9);
  }
}

TEST(ConeSweeps, ABlockIsSlowedAgainstItsSlipWhateverTheDirections) {
  for (const double angle : {0.0, 0.3, 0.785, 2.0}) {
    const Problem p = localized(block(3 * std::cos(angle), 3 * std::sin(angle), 0.5));
    const ConeSolution solution = solve_cones(p, {100, 1e-12});
    EXPECT_TRUE(solution.reached) << angle;
    // 2 N s stop the fall; friction takes half of that, straight against the slip.
    EXPECT_NEAR(solution.r[0], 2, 1e-11);
    EXPECT_NEAR(solution.r[1], -std::cos(angle), 1e-11);
    EXPECT_NEAR(solution.r[2], -std::sin(angle), 1e-11);
  }
}

TEST(ConeSweeps, ABlockSticksOrLeaves) {
  const Problem sticks = localized(block(0.3, 0.2, 0.5));
  EXPECT_LT(natural_error(sticks, solve_cones(sticks, {10, 1e-14}).r), 1e-14);
  Problem leaves = block(0.3, 0.2, 0.5);
  leaves.force[2] = 1;
  for (const double r : solve_cones(localized(leaves), {10, 1e-14}).r) EXPECT_EQ(r, 0);
}

TEST(ConeSweeps, ASweepTooFewIsNotTheEndAndASingularBlockIsRefused) {
  Problem p = localized(block(3, 1, 0.5));
  EXPECT_FALSE(solve_cones(p, {0, 1e-12}).reached);
  for (Entry& e : p.w.entry) e.value = e.row == 1 ? 0 : e.value;
  EXPECT_THROW(solve_cones(p, {10, 1e-12}), RowProblemError);
}

TEST(Fclib, ABlockThatLeavesThePlaneGetsNothing) {
  Problem p = block(1, 0, 0.5);
  p.force[2] = 2;
  EXPECT_EQ(solved(p, 2), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(natural_error(localized(p), {0, 0, 0}), 0);
  EXPECT_GT(natural_error(localized(p), {0.1, 0, 0}), 0.01);
}

TEST(Fclib, RowsHaveTheMassesAndRatesOfTheProblem) {
  const RowProblem rows = rows_of(block(1, 3, 0.5), 2);
  validate(rows, "rows");
  EXPECT_EQ(rows.rows(), 3U);
  EXPECT_EQ(rows.body[0], (std::array<std::int32_t, 2>{0, -1}));
  EXPECT_EQ(rows.rate_bias, (std::vector<float>{-1, 1, 3}));
  EXPECT_EQ(rows.parent, (std::vector<std::int32_t>{-1, 0, 0}));
  EXPECT_EQ(rows.inv_mass, std::vector<float>{0.5F});
  EXPECT_EQ(rows.inv_diagonal, (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(rows.velocity_free[2], -1);
  EXPECT_EQ(rows_of(block(1, 3, 0.5), 8).rows(), 9U);
}

TEST(Fclib, RowsAndBackAreTheSameProblem) {
  const Problem p = block(1, 3, 0.5);
  const Problem back = global_of(rows_of(p, 2));
  const std::vector<double> ramp{1, 2, 3, 4, 5, 6};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(back.m.times(ramp)[i], p.m.times(ramp)[i], 1e-14);
    EXPECT_NEAR(back.force[i], p.force[i], 1e-14);
  }
  EXPECT_EQ(back.h.times({1, 2, 3}), p.h.times({1, 2, 3}));
  EXPECT_EQ(back.offset, p.offset);
  EXPECT_EQ(back.friction, p.friction);
}

TEST(Fclib, FilesKeepGlobalAndLocalProblems) {
  for (const bool is_local : {false, true}) {
    Problem p = block(1, 3, 0.5);
    p.solution = {2, -1, 0};
    if (is_local) p = localized(p);
    const TemporaryPath file(image(p, "file"));
    const Problem back = read(file.path());
    EXPECT_EQ(back.is_global, !is_local);
    EXPECT_EQ(back.offset, p.offset);
    EXPECT_EQ(back.force, p.force);
    EXPECT_EQ(back.solution, p.solution);
    EXPECT_EQ(localized(back).w.times({1, 2, 3}), localized(p).w.times({1, 2, 3}));
  }
}

TEST(Fclib, TwoDimensionsGoToTheMatrix) {
  Problem p;
  p.name = "flat";
  p.dimension = 2;
  p.w.rows = p.w.columns = 2;
  p.w.entry = {{0, 0, 0.5}, {1, 1, 0.5}};
  p.offset = {-1, 1};
  p.friction = {0.5};
  const std::vector<double> r = solved(p, 2);
  EXPECT_NEAR(r[0], 2, 1e-12);
  EXPECT_NEAR(r[1], -1, 1e-12);
  EXPECT_LT(natural_error(p, r), 1e-12);
  EXPECT_THROW(rows_of(p, 2), RowProblemError);
}

TEST(Fclib, RefusesWhatRowsCannotSay) {
  Problem p = block(1, 0, 0.5);
  p.m.entry.push_back({0, 4, 0.1});
  expect_refused(p, "symmetric, positive definite");
  p = block(1, 0, 0.5);
  p.m.entry[0].value = 3;
  expect_refused(p, "a mass that differs with the direction");
  p = block(1, 0, 0.5);
  p.m.entry[5].value = -2;
  expect_refused(p, "symmetric, positive definite");
  p = block(1, 0, 0.5);
  p.h.entry.clear();
  expect_refused(p, "no body at contact 0");
  p = block(1, 0, -0.5);
  expect_refused(p, "vectors/mu row 0");
  p = block(1, 0, NAN);
  expect_refused(p, "vectors/mu row 0");
  p = block(1, 0, 0.5);
  p.offset.pop_back();
  expect_refused(p, "vectors/w: found 2 values, expected 3");
  p = block(1, 0, 0.5);
  p.dimension = 4;
  expect_refused(p, "spacedim: found 4, expected 2 or 3");
  p = block(1, 0, 0.5);
  p.m.rows = p.m.columns = p.h.rows = 18;
  p.force.assign(18, 0);
  for (std::int32_t i = 6; i < 18; ++i) p.m.entry.push_back({i, i, 2});
  p.h.entry.push_back({8, 0, 1});
  p.h.entry.push_back({14, 0, 1});
  expect_refused(p, "a third body of contact 0");
  p.m.entry.push_back({0, 14, 1});
  expect_refused(p, "a matrix of rigid bodies");
}

TEST(Fclib, RefusesAMatrixThatIsNotSymmetric) {
  Problem p = localized(block(1, 0, 0.5));
  p.w.entry.push_back({0, 1, 0.1});
  p.w.put_in_order();
  EXPECT_THROW(explicit_of(p, 2), RowProblemError);
}

}  // namespace
}  // namespace ppu::model::fclib
