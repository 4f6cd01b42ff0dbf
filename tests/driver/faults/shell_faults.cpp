// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The command `ppu`, a process of its own, that is ended by signals, by limits and by its time
// limit: its device ends with it, no output is left, and the next one comes to the same.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/driver/faults/fault_bench.hpp"
#include "tests/driver/support/processes.hpp"

namespace ppu::driver::test {
namespace {

namespace fs = std::filesystem;

/// So small that RTL has begun with it in no time.
const char* const kBall = PPU_TEST_DATA "/ball_f110.h5";

/// A folder for outputs of a command, which goes with this.
class Folder {
 public:
  Folder() : path(fs::temp_directory_path() / "ppu-faults-XXXXXX") {
    std::string name = path;
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Files but what the command has said.
  [[nodiscard]] std::string outputs() const {
    std::string names;
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().filename() != "said") names += entry.path().filename().string() + " ";
    return names;
  }
  [[nodiscard]] std::string said() const {
    std::ostringstream text;
    text << std::ifstream(path / "said").rdbuf();
    return text.str();
  }
  fs::path path;
};

/// `ppu solve` in `folder`, where it says what it says in a file; `prepare` is called in it.
pid_t start_solve(const std::string& backend, const Folder& folder,
                  const std::vector<std::string>& options,
                  const std::function<void()>& prepare = {},
                  const std::string& problem = "wall10") {
  std::vector<std::string> words{"ppu",   "solve",    problem,  "--backend", backend,   "--config",
                                 "small", "--output", "out.h5", "--json",    "out.json"};
  if (backend != "functional") words.insert(words.end(), {"--trace", "out.trace"});
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t process = fork();
  if (process != 0) return process;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  const int said = ::open((folder.path / "said").c_str(), O_CREAT | O_WRONLY, 0600);
  if (chdir(folder.path.c_str()) != 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0) _exit(126);
  if (prepare) prepare();
  execv(PPU_TEST_COMMAND, arguments.data());
  _exit(127);
}

int status_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

FaultCase shell(const std::string& name, const std::string& how,
                const std::function<FaultOutcome(FaultBench&)>& provoke) {
  return fault("ppu-" + name, how, PPU_OK, "", provoke);
}

/// More than any test waits for.
const char* const kForEver = "1000000";

/// The process that is at work for `process`: its device, where that is another.
pid_t worker_of(pid_t process, const FaultBench& bench) {
  if (bench.backend != "functional") return wait_for_device(process);
  usleep(50'000);
  return process;
}

FaultCase signalled(int number, const std::string& name) {
  return shell(name, "`ppu solve` gets " + name + ": its device ends, too, no output is left",
               [number](FaultBench& bench) -> FaultOutcome {
                 const Folder folder;
                 const pid_t process = start_solve(bench.backend, folder, {"--sweeps", kForEver});
                 const int watched = handle_of(worker_of(process, bench));
                 kill(process, number);
                 const int status = status_of(process);
                 wait_for_end(watched);
                 if (!WIFSIGNALED(status) || WTERMSIG(status) != number)
                   return {PPU_ERROR_MISMATCH, "not ended by the signal: " + folder.said()};
                 if (!folder.outputs().empty()) return {PPU_ERROR_MISMATCH, folder.outputs()};
                 return {};
               });
}

/// It exits with `status` and says `part`.
FaultCase exits(const std::string& name, const std::string& how, int expected,
                const std::string& part, const std::vector<std::string>& options,
                const std::function<void()>& prepare = {}) {
  return shell(
      name, how + ": status " + std::to_string(expected) + ", \"" + part + "\"",
      [=](FaultBench& bench) -> FaultOutcome {
        const Folder folder;
        const int status = status_of(start_solve(bench.backend, folder, options, prepare,
                                                 bench.backend == "rtl" ? kBall : "wall10"));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != expected ||
            folder.said().find(part) == std::string::npos)
          return {PPU_ERROR_MISMATCH, "status " + std::to_string(status) + ": " + folder.said()};
        if (fs::exists(folder.path / "out.h5")) return {PPU_ERROR_MISMATCH, folder.outputs()};
        return {};
      });
}

void limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  const rlimit made{most, most};
  setrlimit(resource, &made);
}

std::string solution(const std::string& backend) {
  const Folder folder;
  if (status_of(start_solve(backend, folder, {"--sweeps", "2"}, {}, kBall)) != 0)
    return folder.said();
  std::ifstream json(folder.path / "out.json");
  for (std::string line; std::getline(json, line);)
    if (line.find("state_hash") != std::string::npos) return line;
  return "no hash";
}

FaultOutcome restarted(FaultBench& bench) {
  const std::string before = solution(bench.backend);
  const Folder folder;
  const pid_t process = start_solve(bench.backend, folder, {"--sweeps", kForEver});
  worker_of(process, bench);
  kill(process, SIGKILL);
  status_of(process);
  const std::string after = solution(bench.backend);
  if (before.find("state_hash") == std::string::npos || after != before)
    return {PPU_ERROR_MISMATCH, before + " and " + after};
  return {};
}

}  // namespace

FaultGroup shell_faults() {
  return {"The command",
          {signalled(SIGINT, "INT"), signalled(SIGTERM, "TERM"), signalled(SIGHUP, "HUP"),
           signalled(SIGKILL, "KILL"), signalled(SIGXCPU, "XCPU"),
           shell("restarted", "`ppu solve` gets KILL; the next one comes to the bits from before",
                 restarted),
           exits("timeout", "`ppu solve --timeout 0.1` of a solve without an end", 3,
                 "did not end within", {"--sweeps", kForEver, "--timeout", "0.1"}),
           exits("memory", "`ppu solve` with 48 MiB of memory", 3, "memory", {},
                 [] { limit(RLIMIT_AS, 48U << 20U); }),
           exits("descriptors", "`ppu solve` with 5 descriptors", 3, "ppu: ", {},
                 [] {
                   closefrom(3);  // What the caller of the test has left open.
                   limit(RLIMIT_NOFILE, 5);
                 }),
           exits("disk", "`ppu solve` where files may have 4096 bytes", 3, "ppu: ", {},
                 [] { limit(RLIMIT_FSIZE, 4096); })}};
}

}  // namespace ppu::driver::test
