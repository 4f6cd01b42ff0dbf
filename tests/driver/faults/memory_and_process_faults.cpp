// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in every memory with check bits, and processes that are ended, stopped or starved.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/driver/faults/fault_bench.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/processes.hpp"

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
    const int end = handle_of(device);
    kill(host, number);
    int status = 0;
    waitpid(host, &status, 0);
    wait_for_end(end);
    close(ends[0]);
    if (!has_begun || !WIFSIGNALED(status) || WTERMSIG(status) != number)
      return {PPU_ERROR_SYSTEM, "the host did not end by its signal"};
    return {};
  };
  return made;
}

/// A process of its own that sends SIGCONT to `stopped` after 0.2 s.
pid_t wake_later(pid_t stopped) {
  const pid_t waker = fork();
  if (waker != 0) return waker;
  usleep(200'000);
  kill(stopped, SIGCONT);
  _exit(0);
}

FaultOutcome work_across_a_stop(FaultBench& bench, pid_t stopped) {
  const std::vector<std::uint32_t> expected = bench.answer();
  const pid_t waker = wake_later(stopped);
  kill(stopped, SIGSTOP);
  FaultOutcome outcome = bench.sweep();
  waitpid(waker, nullptr, 0);
  if (outcome.result == PPU_OK && bench.answer() != expected)
    return {PPU_ERROR_MISMATCH, "the answer has changed"};
  return outcome;
}

/// Stopped and continued: nothing is lost.
std::vector<FaultCase> pauses() {
  FaultCase device;
  device.name = "device-STOP-CONT";
  device.how = "the device is stopped for 0.2 s while work comes: it goes on";
  device.expected = PPU_OK;
  device.where = Where::kProcesses;
  device.provoke = [](FaultBench& bench) {
    return work_across_a_stop(bench, children_of(getpid(), "ppu-device").front());
  };
  FaultCase host = device;
  host.name = "host-STOP-CONT";
  host.how = "the host is stopped for 0.2 s: it and its device go on";
  host.where = Where::kAll;
  host.provoke = [](FaultBench& bench) { return work_across_a_stop(bench, getpid()); };
  return {device, host};
}

/// Bytes of addresses that this process uses.
rlim_t address_space() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
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
                               ended_by(SIGHUP, "HUP"),   ended_by(SIGSEGV, "SEGV"),
                               ended_by(SIGABRT, "ABRT"), ended_by(SIGXCPU, "XCPU")};
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
                         FaultBench limited(def);
                         const Fence fence = limited.start_endless();
                         signal_device(SIGSTOP);
                         const FaultOutcome outcome = outcome_of(ppu_fence_cancel(fence.get()));
                         signal_device(SIGCONT);
                         return outcome;
                       }));
  cases.back().after = After::kSame;
  for (const FaultCase& one : pauses()) cases.push_back(one);
  for (const auto& [number, name] : {std::pair{SIGINT, "INT"},
                                     {SIGTERM, "TERM"},
                                     {SIGHUP, "HUP"},
                                     {SIGKILL, "KILL"},
                                     {SIGQUIT, "QUIT"},
                                     {SIGXCPU, "XCPU"},
                                     {SIGSEGV, "SEGV"}})
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
  made.name = "address-space";
  made.how = "a device is opened with 32 MiB of addresses left";
  made.sentence = "cannot map";
  made.where = Where::kAll;
  made.provoke = [](FaultBench& bench) {
    return open_within(bench, RLIMIT_AS, address_space() + (32U << 20U));
  };
  cases.push_back(made);
  return {"Processes", cases};
}

}  // namespace ppu::driver::test
