// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A helper process: what it inherits, how it ends, and hosts with unusual settings.
#include "base/process/child_process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/base/support/old_system.hpp"

namespace ppu::process {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kForEver(600'000);
constexpr milliseconds kShort(200);
const Helper kHelper{"ppu_test_helper", "PPU_TEST_HELPER_PATH", "helper"};

ChildProcess started(const char* mode) {
  return {kHelper, PPU_TEST_HELPER, {}, {mode}};
}

/// The descriptors that a helper with one of its own finds open.
std::string inherited() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  ChildProcess helper(kHelper, PPU_TEST_HELPER, {to.get()}, {"descriptors"});
  to.reset();
  std::string text(100, '\0');
  const ssize_t size = read(from.get(), text.data(), text.size());
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  helper.end(kForEver);
  return text;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

/// No child is left, neither running nor waiting to be reaped.
bool childless() {
  return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
}

TEST(ChildProcess, TellsHowItEnded) {
  ChildProcess exits = started("exit");
  EXPECT_EQ(exits.end(kForEver), "exited with status 7");
  EXPECT_EQ(exits.exit_status(), 7);
  ChildProcess aborts = started("abort");
  EXPECT_EQ(aborts.end(kForEver), "was ended by signal 6 (Aborted)");
  EXPECT_EQ(aborts.exit_status(), std::nullopt);
  EXPECT_TRUE(childless());
}

TEST(ChildProcess, IsKilledAtTheEndOfThePatience) {
  for (const char* mode : {"stalls", "stops"}) {
    ChildProcess helper = started(mode);
    EXPECT_FALSE(helper.wait(kShort)) << mode;
    EXPECT_EQ(helper.end(kShort), "was ended by signal 9 (Killed)") << mode;
    EXPECT_TRUE(childless()) << mode;
  }
}

TEST(ChildProcess, IsWaitedForAndKilledOnAKernelWithoutHandlesOfProcesses) {
  const tests::WithoutProcessHandles old_kernel;
  EXPECT_EQ(started("exit").end(kForEver), "exited with status 7");
  ChildProcess helper = started("stalls");
  EXPECT_FALSE(helper.wait(kShort));
  EXPECT_EQ(helper.end(kShort), "was ended by signal 9 (Killed)");
  EXPECT_TRUE(childless());
}

TEST(ChildProcess, InheritsNothingButItsDescriptors) {
  const FileDescriptor leaky(open("/dev/null", O_RDONLY));
  EXPECT_EQ(inherited(), "0 1 2 3");
}

TEST(ChildProcess, LeavesNoDescriptorAndNoChildBehind) {
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 5; ++i) inherited();
  started("stalls");
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_TRUE(childless());
}

TEST(ChildProcess, NamesAnExecutableThatDoesNotExist) {
  try {
    const ChildProcess helper(kHelper, "/nowhere/helper", {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot start the helper '/nowhere/helper': No such file or directory");
  }
}

TEST(ChildProcess, MayBeOfAHostThatIgnoresTheEndOfChildren) {
  signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(inherited(), "0 1 2 3");
  EXPECT_EQ(started("stalls").end(kShort), "ended");
  signal(SIGCHLD, SIG_DFL);
}

TEST(ChildProcess, MayBeOfAHostThatReapsEveryChildItself) {
  signal(SIGCHLD, [](int) {
    const int error = errno;
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    errno = error;
  });
  EXPECT_EQ(inherited(), "0 1 2 3");
  started("stalls").end(kShort);
  EXPECT_TRUE(childless());
  signal(SIGCHLD, SIG_DFL);
}

TEST(ChildProcess, MayBeOfAHostWithoutStandardStreams) {
  FileDescriptor kept[3];
  for (int i = 0; i < 3; ++i) kept[i] = FileDescriptor(fcntl(i, F_DUPFD_CLOEXEC, 10));
  for (int i = 0; i < 3; ++i) close(i);
  const std::string found = inherited();
  for (int i = 0; i < 3; ++i) dup2(kept[i].get(), i);
  EXPECT_EQ(found, "0 1 2 3");
}

/// The helper has the other end of a pipe, which closes with it and not before.
TEST(ChildProcess, EndsWithItsHostAlsoWhileItIsStopped) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  const pid_t host = fork();
  if (host == 0) {
    const ChildProcess helper(kHelper, PPU_TEST_HELPER, {to.get()}, {"bound"});
    char told = 0;
    _exit(read(from.get(), &told, 1) == 1 ? 0 : 1);
  }
  to.reset();
  int status = -1;
  ASSERT_EQ(waitpid(host, &status, 0), host);
  EXPECT_EQ(status, 0);
  char nothing = 0;
  EXPECT_EQ(read(from.get(), &nothing, 1), 0);
}

TEST(ChildProcess, OutlivesTheThreadThatStartedIt) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor from(ends[0]);
  const FileDescriptor to(ends[1]);
  std::optional<ChildProcess> helper;
  std::thread([&] {
    helper.emplace(kHelper, PPU_TEST_HELPER, std::vector<int>{to.get()},
                   std::vector<std::string>{"bound"});
    char told = 0;
    EXPECT_EQ(read(from.get(), &told, 1), 1);
  }).join();
  EXPECT_FALSE(helper->wait(kShort));
}

}  // namespace
}  // namespace ppu::process
