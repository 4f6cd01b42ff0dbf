// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in every memory with check bits, and processes that are ended, stopped or starved.
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/driver/faults/fault_bench.hpp"
#include "tests/driver/support/backends.hpp"

namespace ppu::driver::test {
namespace {

CommandWords flip_of(ppu_fault_detail memory, std::uint32_t word, bool two) {
  namespace field = spec::command_field;
  CommandWords words{};
  const auto put = [&words](const spec::CommandField& at, std::uint32_t value) {
    words[at.word] |= value << at.lsb;
  };
  put(field::kOpcode, static_cast<std::uint32_t>(spec::CommandOpcode::kFlip));
  put(field::kFlags, two ? spec::kFlagTwo : 0);
  put(field::kFlipMemory, memory);
  put(field::kFlipBit, 3);
  put(field::kFlipWord, word);
  return words;
}

/// One bit is corrected: the answer is that of a sweep without it, and the device has counted.
FaultOutcome corrected_sweep(FaultBench& bench, const CommandWords& flip) {
  const std::vector<std::uint32_t> expected = bench.answer();
  const std::uint64_t before = bench.corrected();
  FaultOutcome outcome = bench.sweep(&flip);
  if (outcome.result == PPU_OK && bench.answer() != expected)
    return {PPU_ERROR_MISMATCH, "the answer has changed"};
  const bool is_device_memory = flip[1] % 256 == PPU_FAULT_DEVICE_MEMORY;
  if (is_device_memory && bench.corrected() == before)
    return {PPU_ERROR_MISMATCH, "no word was corrected"};
  return outcome;
}

/// Processes whose parent is `parent`.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string line;
    std::getline(std::ifstream(entry.path() / "stat"), line);
    // "pid (name) state ppid ..."; the name may hold anything.
    const std::size_t after_name = line.rfind(") ");
    if (after_name != std::string::npos && std::atoi(line.c_str() + after_name + 4) == parent)
      found.push_back(std::stoi(name));
  }
  return found;
}

void signal_device(int number) {
  for (const pid_t process : children_of(getpid())) kill(process, number);
}

FaultCase lost(const std::string& name, const std::string& how, const std::string& sentence,
               const std::function<FaultOutcome(FaultBench&)>& provoke) {
  FaultCase made;
  made.name = name;
  made.how = how;
  made.expected = PPU_ERROR_DEVICE_LOST;
  made.sentence = sentence;
  made.provoke = provoke;
  made.after = After::kLost;
  made.where = Where::kProcesses;
  return made;
}

FaultCase ended_by(int number, const std::string& name) {
  return lost("device-" + name, "the device gets " + name + " in a run", "was ended by signal",
              [number](FaultBench& bench) {
                const Fence fence = bench.start_endless();
                signal_device(number);
                return outcome_of(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT));
              });
}

/// The host is a process of its own here: its device ends with it.
FaultCase host_ended_by(int number, const std::string& name) {
  FaultCase made;
  made.name = "host-" + name;
  made.how = "the host gets " + name + " in a run: its device ends, too";
  made.expected = PPU_OK;
  made.where = Where::kProcesses;
  made.provoke = [number](FaultBench& bench) -> FaultOutcome {
    int ends[2];
    if (pipe(ends) != 0) return {PPU_ERROR_SYSTEM, "no pipe"};
    const pid_t host = fork();
    if (host == 0) {
      signal(number, SIG_DFL);
      FaultBench own(bench.backend, "small");
      static_cast<void>(own.start_endless());
      const pid_t device = children_of(getpid()).front();
      if (write(ends[1], &device, sizeof device) != sizeof device) _exit(1);
      pause();
      _exit(2);
    }
    close(ends[1]);  // so that the read ends if the host ends before it has written
    pid_t device = 0;
    const bool has_begun = read(ends[0], &device, sizeof device) == sizeof device;
    pollfd end{static_cast<int>(syscall(SYS_pidfd_open, device, 0U)), POLLIN, 0};
    kill(host, number);
    int status = 0;
    waitpid(host, &status, 0);
    if (end.fd >= 0) poll(&end, 1, -1);
    for (const int file : {ends[0], end.fd}) close(file);
    if (!has_begun || !WIFSIGNALED(status) || WTERMSIG(status) != number)
      return {PPU_ERROR_SYSTEM, "the host did not end by its signal"};
    return {};
  };
  return made;
}

/// Opens another device with `limit` of a resource.
FaultOutcome open_within(FaultBench& bench, decltype(RLIMIT_NOFILE) resource, rlim_t limit) {
  rlimit before{};
  getrlimit(resource, &before);
  const rlimit little{limit, before.rlim_max};
  setrlimit(resource, &little);
  ppu_device_def def = ppu_default_device_def();
  def.backend = bench.backend.c_str();
  def.config = "small";
  ppu_device other{};
  const FaultOutcome outcome = outcome_of(ppu_device_open(&def, &other));
  setrlimit(resource, &before);
  ppu_device_close(other);
  return outcome;
}

}  // namespace

FaultGroup flip_faults() {
  struct Memory {
    ppu_fault_detail number;
    std::uint32_t word;
    const char* name;
  };
  // The buffers of a bench lie one behind the other, rows first.
  constexpr Memory kMemories[] = {
      {PPU_FAULT_ROW_BODIES, 1, "row-bodies"},      {PPU_FAULT_ROW_JACOBIAN, 2, "row-jacobian"},
      {PPU_FAULT_ROW_SCALARS, 0, "row-scalars"},    {PPU_FAULT_ROW_MASS, 1, "row-mass"},
      {PPU_FAULT_VELOCITY_MEMORY, 2, "velocities"}, {PPU_FAULT_IMPULSE_MEMORY, 2, "impulses"},
      {PPU_FAULT_PARENT_MEMORY, 1, "parents"},      {PPU_FAULT_DEVICE_MEMORY, 2, "device-memory"}};
  FaultGroup group{"Memories", {}};
  for (const bool two : {false, true}) {
    for (const Memory& memory : kMemories) {
      FaultCase made;
      made.name = std::string(memory.name) + (two ? "-two" : "-one");
      made.how = std::string(two ? "two bits" : "a bit") + " of a word of " + memory.name +
                 (two ? " flip" : " flips: corrected");
      made.config = "protected";
      made.expected = two ? PPU_ERROR_FAULT : PPU_OK;
      made.sentence = two ? "two bits of " : "";
      const CommandWords flip = flip_of(memory.number, memory.word, two);
      made.provoke = [flip, two](FaultBench& bench) {
        return two ? bench.sweep(&flip) : corrected_sweep(bench, flip);
      };
      group.cases.push_back(made);
    }
  }
  return group;
}

FaultGroup process_faults() {
  std::vector<FaultCase> cases{ended_by(SIGKILL, "KILL"), ended_by(SIGTERM, "TERM"),
                               ended_by(SIGHUP, "HUP"), ended_by(SIGSEGV, "SEGV")};
  cases.push_back(
      lost("device-KILL-idle", "the device gets KILL between runs", "", [](FaultBench& bench) {
        signal_device(SIGKILL);
        return bench.sweep();
      }));
  cases.push_back(lost("device-STOP",
                       "the device is stopped; a cancel waits for it no longer "
                       "than its limit",
                       "did not answer within", [](FaultBench& bench) {
                         ppu_device_def def = ppu_default_device_def();
                         def.backend = bench.backend.c_str();
                         def.config = "small";
                         def.answer_timeout_ns = 1'000'000'000;
                         const Device limited(def);
                         const Program endless =
                             Program::assemble(limited, "for-ever.s", "loop: j loop\n");
                         const Buffer memory(limited, 128);
                         ppu_run_def run = ppu_default_run_def();
                         run.program = endless.get();
                         run.rows = run.impulses = run.velocities = memory.get();
                         const Fence fence = Fence::submit(limited, run);
                         signal_device(SIGSTOP);
                         const FaultOutcome outcome = outcome_of(ppu_fence_cancel(fence.get()));
                         signal_device(SIGCONT);
                         return outcome;
                       }));
  cases.back().after = After::kSame;
  for (const auto& [number, name] :
       {std::pair{SIGINT, "INT"}, {SIGTERM, "TERM"}, {SIGHUP, "HUP"}, {SIGKILL, "KILL"}})
    cases.push_back(host_ended_by(number, name));
  FaultCase made;
  made.name = "close-in-run";
  made.how = "the device is closed in a run";
  made.expected = PPU_OK;
  made.after = After::kLost;
  made.provoke = [](FaultBench& bench) {
    static_cast<void>(bench.start_endless());
    return outcome_of(ppu_device_close(bench.device.get()));
  };
  cases.push_back(made);
  made.name = "closed-device";
  made.how = "a call on a device that is closed";
  made.expected = PPU_ERROR_INVALID_HANDLE;
  made.sentence = "device";
  made.provoke = [](FaultBench& bench) {
    ppu_device_close(bench.device.get());
    return outcome_of(ppu_buffer_read(bench.witness.get(), 0, bench.destination.data(), 8));
  };
  cases.push_back(made);
  made = FaultCase();
  made.name = "descriptors";
  made.how = "a device is opened without descriptors left";
  made.expected = PPU_ERROR_SYSTEM;
  made.sentence = "Too many open files";
  made.where = Where::kProcesses;
  made.provoke = [](FaultBench& bench) { return open_within(bench, RLIMIT_NOFILE, 0); };
  cases.push_back(made);
  made.name = "disk";
  made.how = "a device is opened where files may have 4096 bytes";
  made.sentence = "files may have 4096 bytes here (ulimit -f)";
  made.provoke = [](FaultBench& bench) { return open_within(bench, RLIMIT_FSIZE, 4096); };
  cases.push_back(made);
  return {"Processes", cases};
}

}  // namespace ppu::driver::test
