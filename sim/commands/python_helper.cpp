// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Starting Python.
#include "sim/commands/python_helper.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "base/process/child_process.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"

extern char** environ;

namespace ppu::sim {
namespace {

constexpr process::Helper kExplore{"explore/explore.py", "PPU_EXPLORE", "engine of studies"};

/// Python, its script and the words.
class PythonWords {
 public:
  explicit PythonWords(const std::vector<std::string>& words) {
    const char* named = std::getenv("PPU_PYTHON");
    all_ = {named != nullptr ? named : "python3", "-B", ""};
    try {
      all_.back() = process::find_helper(kExplore);
    } catch (const std::runtime_error& error) {
      throw CliError(kExitEnvironment, error.what());
    }
    char self[4096] = {};
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) setenv("PPU_COMMAND", self, 1);
    all_.insert(all_.end(), words.begin(), words.end());
    for (std::string& word : all_) arguments_.push_back(word.data());
    arguments_.push_back(nullptr);
  }
  [[nodiscard]] const std::string& python() const { return all_.front(); }
  [[nodiscard]] char* const* arguments() const { return arguments_.data(); }
  [[noreturn]] void missing() const {
    throw CliError(kExitEnvironment, "there is no program '" + python() +
                                         "', expected Python 3.9 or later (PPU_PYTHON names one)");
  }

 private:
  std::vector<std::string> all_;
  std::vector<char*> arguments_;
};

/// What a script has said, without its own name.
std::string sentence_of(std::string said) {
  constexpr std::string_view kName = "ppu: ";
  if (said.rfind(kName, 0) == 0) said.erase(0, kName.size());
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.empty() ? "Python has failed, and has not said why" : said;
}

}  // namespace

void become_explore(const std::vector<std::string>& words) {
  const PythonWords python(words);
  execvp(python.python().c_str(), python.arguments());
  python.missing();
}

void run_explore(const std::vector<std::string>& words) {
  const PythonWords python(words);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const TemporaryFile said;
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said.path().c_str(), O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, python.python().c_str(), &actions, nullptr, python.arguments(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) python.missing();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw CliError(kExitEnvironment, sentence_of(read_file(said.path())));
}

}  // namespace ppu::sim
