// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// ppu-device SOCKET_FD MEMORY_FD HOST_PID: one simulated device in a process of its own, started by
// the driver (back ends systemc, cosim and rtl). See hw/contract/protocol.hpp.
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <systemc>

#include "base/process/child_process.hpp"
#include "hw/process/device_factory.hpp"
#include "hw/server/device_server.hpp"

namespace ppu::hw {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitFailed = 3;

/// Host memory with the device's text behind it.
Memory map_file(int memory_fd) {
  struct stat status {};
  if (fstat(memory_fd, &status) != 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
  if (data == MAP_FAILED) return {};
  return {static_cast<std::byte*>(data), size};
}

/// Where the signal handler writes.
char* g_text = nullptr;

/// What was mapped cannot be written: the waves' working files, on a full disk.
void end_for_want_of_room(int) {
  constexpr char kText[] = "no room for a file that is mapped: the disk or the memory is full";
  std::memcpy(g_text, kText, sizeof kText);
  _exit(kDeviceFailed);
}

/// Want of room becomes an error that says so, not a signal that says nothing.
void expect_want_of_room(char* text) {
  g_text = text;
  signal(SIGBUS, end_for_want_of_room);
  signal(SIGXFSZ, SIG_IGN);
}

bool answer(int host_socket, const OpenRequest& request, const std::string& problem) {
  OpenReply reply;
  reply.spec_hash = PPU_SPEC_HASH;
  reply.ok = problem.empty() ? 1 : 0;
  reply.config_hash = config_hash(request.config);
  problem.copy(reply.message, sizeof reply.message - 1);
  return send(host_socket, &reply, sizeof reply, MSG_NOSIGNAL) == sizeof reply && reply.ok == 1;
}

/// Serves the host until the end. The files that the device writes are complete, and appear, only
/// if the host has asked for it.
int serve_host(DeviceServer& server, const OpenDevice& device, const HostWatch& watch) {
  std::string problem;
  try {
    if (!server.run()) return 0;
    device.close();
    server.confirm_close();
    return 0;
  } catch (const sc_core::sc_report& report) {
    problem = report.get_msg();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  server.tell(problem);
  if (watch.gone()) std::fprintf(stderr, "ppu-device: %s\n", problem.c_str());
  return kDeviceFailed;
}

int serve(int host_socket, int memory_fd) {
  OpenRequest request;
  if (recv(host_socket, &request, sizeof request, 0) != sizeof request ||
      request.spec_hash != PPU_SPEC_HASH) {
    answer(host_socket, request, "the driver and ppu-device were not built together");
    return kExitUsage;
  }
  const Memory file = map_file(memory_fd);
  const std::size_t host_bytes = std::size_t{request.config.host_memory_mib} << 20U;
  HostWatch watch(host_socket);
  OpenDevice device;
  std::string problem;
  if (file.size_bytes != host_bytes + kDeviceTextBytes) {
    problem = "cannot map " + std::to_string(host_bytes) + " bytes of host memory and a text";
  } else {
    expect_want_of_room(reinterpret_cast<char*>(file.data + host_bytes));
    try {
      device = open_device(request, {file.data, host_bytes}, watch.gone());
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }
  if (!answer(host_socket, request, problem)) return kExitUsage;
  DeviceServer server(host_socket, *device.device, reinterpret_cast<char*>(file.data + host_bytes));
  return serve_host(server, device, watch);
}

}  // namespace
}  // namespace ppu::hw

int sc_main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("ppu-device is started by the PPU driver; run `ppu` instead\n", stderr);
    return ppu::hw::kExitUsage;
  }
  if (!ppu::process::end_with_host(std::atoi(argv[3]))) return ppu::hw::kExitFailed;
  try {
    return ppu::hw::serve(std::atoi(argv[1]), std::atoi(argv[2]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ppu-device: %s\n", error.what());
    return ppu::hw::kExitFailed;
  }
}

int main(int argc, char** argv) {
  // Standard output belongs to the host program: what SystemC has to say goes to standard error.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return sc_core::sc_elab_and_sim(argc, argv);
}
