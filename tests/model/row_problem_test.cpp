// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reading and writing sound row problems.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <random>
#include <system_error>

#include "base/files/file_replacement.hpp"
#include "model/files/row_problem_file.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

using files::check_replaceable;
using files::FileReplacement;
using testing::path_of;
using testing::shipped;

/// A fresh directory, removed with everything in it.
class RowProblemFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 ("ppu-" + std::string(test->name()) + "-" + std::to_string(getpid()));
    std::filesystem::create_directory(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (directory_ / name).string();
  }
  [[nodiscard]] std::size_t files() const {
    const std::filesystem::directory_iterator entries(directory_);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

 private:
  std::filesystem::path directory_;
};

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string text_of(const std::string& path) {
  const std::vector<char> bytes = bytes_of(path);
  return {bytes.begin(), bytes.end()};
}

void expect_equal(const RowProblem& a, const RowProblem& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_EQ(a.params, b.params);
  EXPECT_EQ(a.engine, b.engine);
  EXPECT_EQ(a.row_order, b.row_order);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.dt, b.dt);
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.jacobian, b.jacobian);
  EXPECT_EQ(a.inv_mass_jacobian, b.inv_mass_jacobian);
  EXPECT_EQ(a.rate_bias, b.rate_bias);
  EXPECT_EQ(a.inv_diagonal, b.inv_diagonal);
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.compliance, b.compliance);
  EXPECT_EQ(a.impulse, b.impulse);
  EXPECT_EQ(a.velocity_change, b.velocity_change);
  EXPECT_EQ(a.velocity_free, b.velocity_free);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.inv_mass, b.inv_mass);
  EXPECT_EQ(a.inv_inertia, b.inv_inertia);
  ASSERT_EQ(a.reference.has_value(), b.reference.has_value());
  if (a.reference) {
    EXPECT_EQ(a.reference->sweeps, b.reference->sweeps);
    EXPECT_EQ(a.reference->start, b.reference->start);
    EXPECT_EQ(a.reference->friction_rule, b.reference->friction_rule);
    EXPECT_EQ(a.reference->impulse, b.reference->impulse);
    EXPECT_EQ(a.reference->velocity_change, b.reference->velocity_change);
  }
  ASSERT_EQ(a.solution.has_value(), b.solution.has_value());
  if (a.solution) {
    EXPECT_EQ(a.solution->impulse, b.solution->impulse);
    EXPECT_EQ(a.solution->velocity_change, b.solution->velocity_change);
  }
}

TEST_F(RowProblemFile, ReadsWhatTheEngineWrote) {
  const RowProblem p = shipped("ball_f110");
  EXPECT_EQ(p.rows(), 105U);
  EXPECT_EQ(p.bodies(), 12U);
  EXPECT_EQ(p.name, "ball_f110");
  EXPECT_EQ(p.scene, "ball");
  EXPECT_EQ(p.frame, 110);
  EXPECT_NEAR(p.dt, 1.0 / 60, 1e-8);
  ASSERT_TRUE(p.reference);
  EXPECT_EQ(p.reference->sweeps, 10);
  EXPECT_EQ(p.reference->start, "warm");
  EXPECT_EQ(p.reference->friction_rule, "skip");
  EXPECT_FALSE(p.solution);
}

TEST_F(RowProblemFile, ComesBackUnchangedForEveryShippedProblem) {
  for (const char* name : testing::kShipped) {
    SCOPED_TRACE(name);
    const RowProblem p = shipped(name);
    write_row_problem(p, path("copy.h5"));
    expect_equal(p, read_row_problem(path("copy.h5")));
  }
}

TEST_F(RowProblemFile, KeepsASolutionAndLeavesOutWhatIsAbsent) {
  RowProblem p = shipped("ball_f110");
  p.reference.reset();
  p.position.clear();
  p.inv_inertia.clear();
  p.solution = Solution{std::vector<float>(p.rows(), 0.25F), p.velocity_change};
  write_row_problem(p, path("output.h5"));
  expect_equal(p, read_row_problem(path("output.h5")));
  const Solution solution = read_solution(path("output.h5"));
  EXPECT_EQ(solution.impulse, p.solution->impulse);
  EXPECT_EQ(solution.velocity_change, p.solution->velocity_change);
}

TEST_F(RowProblemFile, WithoutASolutionIsNoOutputFile) {
  try {
    read_solution(path_of("ball_f110"));
    FAIL() << "read a solution that is not there";
  } catch (const RowProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("/solution: found nothing"), std::string::npos)
        << error.what();
  }
}

TEST_F(RowProblemFile, ReadsTheSameFromMemory) {
  const auto bytes = bytes_of(path_of("topple_f060"));
  expect_equal(shipped("topple_f060"), read_row_problem(bytes.data(), bytes.size(), "embedded"));
}

TEST_F(RowProblemFile, KeepsInfiniteBounds) {
  RowProblem p = shipped("ball_f110");
  p.lower[0] = -INFINITY;
  p.upper[0] = INFINITY;
  write_row_problem(p, path("infinite.h5"));
  expect_equal(p, read_row_problem(path("infinite.h5")));
}

TEST_F(RowProblemFile, GivesEqualBytesForEqualProblems) {
  const RowProblem p = shipped("massratio_f040");
  write_row_problem(p, path("first.h5"));
  write_row_problem(p, path("second.h5"));
  EXPECT_EQ(bytes_of(path("first.h5")), bytes_of(path("second.h5")));
}

TEST_F(RowProblemFile, IsReplacedWholeOrNotAtAll) {
  const RowProblem p = shipped("ball_f110");
  write_row_problem(p, path("out.h5"));
  RowProblem broken = p;
  broken.impulse[3] = NAN;
  EXPECT_THROW(write_row_problem(broken, path("out.h5")), RowProblemError);
  expect_equal(p, read_row_problem(path("out.h5")));
  EXPECT_EQ(files(), 1U) << "a temporary file was left behind";
}

TEST_F(RowProblemFile, LeavesNothingWhereItCannotBeWritten) {
  const RowProblem p = shipped("ball_f110");
  std::filesystem::create_directory(path("taken"));
  std::ofstream(path("taken/inside")).put('x');
  for (const std::string& target : {path("missing/out.h5"), path("taken")}) {
    try {
      write_row_problem(p, target);
      FAIL() << "wrote " << target;
    } catch (const std::system_error& error) {
      EXPECT_EQ(std::string(error.what()).find(target + ": cannot be written: "), 0U)
          << error.what();
    }
    EXPECT_THROW(check_replaceable(target), std::system_error);
  }
  EXPECT_EQ(files(), 1U) << "a temporary file was left behind";
}

/// Silent is what is read without a word and is not what was written.
TEST_F(RowProblemFile, IsReadAsItWasWrittenOrNotAtAllWithABitFlipped) {
  const RowProblem problem = shipped("ball_f110");
  const std::vector<char> good = row_problem_image(problem, "ball");
  std::mt19937 random(3);
  for (int flip = 0; flip < 60; ++flip) {
    std::vector<char> bytes = good;
    const std::size_t bit = random() % (8 * bytes.size());
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1U << bit % 8);
    try {
      expect_equal(problem, read_row_problem(bytes.data(), bytes.size(), "flipped"));
    } catch (const RowProblemError&) {
    }
    ASSERT_FALSE(HasFailure()) << "bit " << bit;
  }
}

// HDF5's own checksums are of datasets: those of attributes are nowhere but in the digest.
TEST_F(RowProblemFile, IsRefusedByItsDigestWithABitOfAnAttributeFlipped) {
  RowProblem problem = shipped("ball_f110");
  problem.dt = 0.0123456789;
  const std::vector<char> good = row_problem_image(problem, "ball");
  const auto* const dt = reinterpret_cast<const char*>(&problem.dt);
  const auto at = std::search(good.begin(), good.end(), dt, dt + sizeof problem.dt);
  ASSERT_NE(at, good.end());
  constexpr std::size_t kMantissaBits = 52;
  for (std::size_t bit = 0; bit < kMantissaBits; ++bit) {
    std::vector<char> bytes = good;
    char& byte = bytes[static_cast<std::size_t>(at - good.begin()) + bit / 8];
    byte = static_cast<char>(byte ^ 1U << bit % 8);
    try {
      read_row_problem(bytes.data(), bytes.size(), "flipped");
      ADD_FAILURE() << "bit " << bit << " of dt was flipped, and nothing refused it";
    } catch (const RowProblemError& error) {
      EXPECT_NE(std::string(error.what()).find("attribute digest"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(RowProblemFile, AppearsOnlyWithTheCommit) {
  {
    const FileReplacement abandoned(path("out"), "new");
    EXPECT_FALSE(std::filesystem::exists(path("out")));
  }
  EXPECT_EQ(files(), 0U) << "a temporary file was left behind";
  FileReplacement replacement(path("out"), "new");
  replacement.commit();
  EXPECT_EQ(text_of(path("out")), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(RowProblemFile, FollowsLinksAndKeepsPermissions) {
  namespace fs = std::filesystem;
  fs::create_directory(path("data"));
  std::ofstream(path("data/old")) << "old";
  fs::permissions(path("data/old"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("data/old", path("link"));
  fs::create_symlink("data/absent", path("dangling"));
  for (const char* name : {"link", "dangling"}) {
    FileReplacement(path(name), "new").commit();
    EXPECT_TRUE(fs::is_symlink(path(name)));
    EXPECT_EQ(text_of(path(name)), "new");
  }
  EXPECT_EQ(fs::status(path("data/old")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(fs::is_regular_file(path("data/absent")));
  fs::create_symlink("endless", path("endless"));
  EXPECT_THROW(FileReplacement(path("endless"), "new"), std::system_error);
}

TEST_F(RowProblemFile, WritesToPipesAndDevicesInsteadOfReplacingThem) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  auto read = std::async(std::launch::async, [this] { return text_of(path("pipe")); });
  FileReplacement(path("pipe"), "through").commit();
  EXPECT_EQ(read.get(), "through");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(files(), 1U);
  EXPECT_THROW(FileReplacement("/dev/full", "too much"), std::system_error);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(Isolation, SaysWhatTheSystemRefusedInsteadOfBlamingTheFile) {
  const std::string image = text_of(path_of("ball_f110"));
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const rlimit none{0, usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_THROW(read_row_problem(image.data(), image.size(), "ball"), std::system_error);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_EQ(read_row_problem(image.data(), image.size(), "ball").rows(), 105U);
}

}  // namespace
}  // namespace ppu::model
