// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The process that reads problem files: its limit of time, how it ends, and hosts with unusual
// settings.
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

using testing::path_of;

/// A variable of the environment, while this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

/// What is said of a reader that does as it is told.
std::string refusal_of(const char* mode, const char* limit = "600") {
  const Variable executable("PPU_READ_PROBLEM", PPU_TEST_STALLED_READER);
  const Variable how("PPU_STALLED_READER", mode);
  const Variable seconds("PPU_READ_SECONDS", limit);
  try {
    testing::shipped("ball_f110");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "read";
}

/// No child is left, neither running nor waiting to be reaped.
bool childless() {
  return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

class StalledReader : public ::testing::TestWithParam<const char*> {};

TEST_P(StalledReader, IsKilledAndNamedInOneSentence) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal_of(GetParam(), "1"),
            path_of("ball_f110") +
                ": the file: found no end of reading it in 1 s, expected a readable HDF5 file "
                "(PPU_READ_SECONDS sets the limit)");
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(900));
  EXPECT_TRUE(childless());
}

INSTANTIATE_TEST_SUITE_P(Any, StalledReader, ::testing::Values("stalls", "stops", "greets"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Reader, ThatSaysNothingIsNoFaultOfTheFile) {
  EXPECT_EQ(
      refusal_of("silent"),
      std::string("the reader of problem files '") + PPU_TEST_STALLED_READER +
          "' exited with status 7 without a greeting; expected ppu-read-problem of this build");
  EXPECT_TRUE(childless());
}

TEST(Reader, ThatDoesNotExistIsNamed) {
  const Variable executable("PPU_READ_PROBLEM", "/nowhere/ppu-read-problem");
  try {
    testing::shipped("ball_f110");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot start the reader of problem files '/nowhere/ppu-read-problem': No such "
                 "file or directory (the path comes from PPU_READ_PROBLEM)");
  }
}

TEST(Reader, LeavesNoDescriptorAndNoChildBehind) {
  testing::shipped("ball_f110");
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 5; ++i) testing::shipped("ball_f110");
  EXPECT_THROW(read_row_problem("not HDF5", 8, "text.h5"), RowProblemError);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_TRUE(childless());
}

/// A shell is the host; the reader has more to write than fits into a pipe that nobody empties.
TEST(Reader, EndsWithItsHost) {
  const int file = open(path_of("ball_f110").c_str(), O_RDONLY);
  int result[2];
  ASSERT_EQ(pipe(result), 0);
  fcntl(result[0], F_SETFD, FD_CLOEXEC);
  fcntl(result[1], F_SETPIPE_SZ, 4096);
  const std::string command = std::string(PPU_TEST_READER) + " " + std::to_string(file) + " " +
                              std::to_string(result[1]) + " $$ problem 1024 ball & read line";
  std::FILE* const host = popen(command.c_str(), "w");
  ASSERT_NE(host, nullptr);
  close(result[1]);
  constexpr int kForEverMs = 600'000;
  pollfd greeting{result[0], POLLIN, 0};
  EXPECT_EQ(poll(&greeting, 1, kForEverMs), 1);
  EXPECT_EQ(greeting.revents, POLLIN) << "the reader is at work";
  // The shell reads the end of its input, and ends.
  pclose(host);
  pollfd end{result[0], 0, 0};
  EXPECT_EQ(poll(&end, 1, kForEverMs), 1) << "the reader outlives its host";
  EXPECT_EQ(end.revents, POLLHUP);
  close(result[0]);
  close(file);
}

TEST(Reader, LimitOfTimeMustBeANumberOfSeconds) {
  for (const char* text : {"", "soon", "0", "-1", "10s", "99999999999999999999"}) {
    const Variable seconds("PPU_READ_SECONDS", text);
    try {
      testing::shipped("ball_f110");
      FAIL() << text;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "environment variable PPU_READ_SECONDS: found \"" +
                                  std::string(text) + "\", expected 1 to 1000000");
    }
  }
}

TEST(Host, MayIgnoreTheEndOfChildren) {
  signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(testing::shipped("ball_f110").rows(), 105U);
  EXPECT_NE(refusal_of("stalls", "1").find("no end of reading it in 1 s"), std::string::npos);
  signal(SIGCHLD, SIG_DFL);
}

TEST(Host, MayReapEveryChildItself) {
  signal(SIGCHLD, [](int) {
    const int error = errno;
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    errno = error;
  });
  EXPECT_EQ(testing::shipped("ball_f110").rows(), 105U);
  EXPECT_NE(refusal_of("stalls", "1").find("no end of reading it in 1 s"), std::string::npos);
  signal(SIGCHLD, SIG_DFL);
}

}  // namespace
}  // namespace ppu::model
