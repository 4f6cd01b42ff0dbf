// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// ppu-device SOCKET_FD MEMORY_FD: one simulated device in a process of its own, started by the
// driver. SystemC elaborates once per process; this is that process. See ppu/hw/protocol.hpp.
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "device_module.hpp"
#include "ppu/hw/lockstep.hpp"
#include "ppu/hw/protocol.hpp"

namespace ppu::hw {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitStuck = 3;
/// A simulation that has not ended by itself this long after its host is ended.
constexpr std::chrono::seconds kEndPatience{1};

/// Cancels the run under way when the host is gone, so that the process can end in order.
void watch_host(int host_socket, RunControl* control) {
  std::thread([host_socket, control] {
    pollfd watched{host_socket, POLLRDHUP, 0};
    while ((watched.revents & (POLLHUP | POLLRDHUP | POLLERR)) == 0) poll(&watched, 1, -1);
    control->cancel = true;
    std::this_thread::sleep_for(kEndPatience);
    _exit(kExitStuck);
  }).detach();
}

/// Device memory without the run control behind it.
DeviceMemory map_memory(int memory_fd) {
  struct stat status {};
  if (fstat(memory_fd, &status) != 0 || status.st_size <= off_t{kRunControlBytes}) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
  if (data == MAP_FAILED) return {};
  return {static_cast<std::byte*>(data), size - kRunControlBytes};
}

/// The lockstep checker of a cosim device; null for systemc. Throws ConfigError.
std::unique_ptr<LockstepChecker> make_checker(const OpenRequest& request) {
  const std::string backend = request.backend;
  if (backend == "systemc") return nullptr;
  if (backend != "cosim") throw ConfigError("device process: no back end '" + backend + "'", true);
  auto pipe = RtlRowPipe::create(request.config);
  if (request.wave_path[0] != '\0')
    pipe->open_wave(request.wave_path, request.wave_first_cycle, request.wave_last_cycle);
  return std::make_unique<LockstepChecker>(std::move(pipe));
}

bool answer(int host_socket, const OpenRequest& request, const std::string& problem) {
  OpenReply reply;
  reply.spec_hash = PPU_SPEC_HASH;
  reply.ok = problem.empty() ? 1 : 0;
  reply.config_hash = config_hash(request.config);
  problem.copy(reply.message, sizeof reply.message - 1);
  return send(host_socket, &reply, sizeof reply, MSG_NOSIGNAL) == sizeof reply && reply.ok == 1;
}

int serve(int host_socket, int memory_fd) {
  OpenRequest request;
  if (recv(host_socket, &request, sizeof request, 0) != sizeof request ||
      request.spec_hash != PPU_SPEC_HASH) {
    answer(host_socket, request, "the driver and ppu-device were not built together");
    return kExitUsage;
  }
  const DeviceMemory memory = map_memory(memory_fd);
  std::unique_ptr<LockstepChecker> checker;
  std::string problem = memory.data == nullptr ? "cannot map device memory" : "";
  try {
    checker = make_checker(request);
  } catch (const ConfigError& error) {
    problem = error.what();
  }
  if (!answer(host_socket, request, problem)) return kExitUsage;
  auto* control = reinterpret_cast<RunControl*>(memory.data + memory.size_bytes);
  watch_host(host_socket, control);
  DeviceModule device("ppu", request.config, memory, checker.get(), control->cancel, host_socket);
  sc_core::sc_start();
  return 0;
}

}  // namespace
}  // namespace ppu::hw

int sc_main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("ppu-device is started by the PPU driver; run `ppu` instead\n", stderr);
    return ppu::hw::kExitUsage;
  }
  return ppu::hw::serve(std::atoi(argv[1]), std::atoi(argv[2]));
}

int main(int argc, char** argv) {
  // Standard output belongs to the host program: what SystemC has to say goes to standard error.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return sc_core::sc_elab_and_sim(argc, argv);
}
