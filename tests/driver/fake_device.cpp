// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device process that answers as PPU_FAKE_DEVICE says, for tests of the driver's side.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "ppu/hw/config.hpp"
#include "ppu/hw/protocol.hpp"

namespace {

using ppu::hw::OpenReply;
using ppu::hw::OpenRequest;
using ppu::hw::RunCommand;
using ppu::hw::RunReport;

template <class Message>
bool receive(int socket, Message* message) {
  return recv(socket, message, sizeof *message, 0) == sizeof *message;
}

OpenReply reply_to(const OpenRequest& request, const std::string& mode) {
  OpenReply reply;
  reply.ok = mode != "refuse";
  if (mode == "refuse") std::strcpy(reply.message, "not built for 5 lanes");
  reply.spec_hash = mode == "wrong-spec" ? 1 : PPU_SPEC_HASH;
  reply.config_hash = ppu::hw::config_hash(request.config) + (mode == "wrong-config" ? 1 : 0);
  return reply;
}

/// Writes the row count to the start of device memory and reports it as the progress.
RunReport run(const RunCommand& command, void* memory) {
  std::memcpy(memory, &command.row_count, sizeof command.row_count);
  RunReport report;
  report.progress = command.row_count;
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string mode = std::getenv("PPU_FAKE_DEVICE");
  const int socket = std::atoi(argv[1]);
  if (mode == "exit-3") return 3;
  OpenRequest request;
  if (!receive(socket, &request)) return 4;
  if (mode == "chatter") send(socket, "hello", 5, 0);
  const OpenReply reply = reply_to(request, mode);
  send(socket, &reply, sizeof reply, 0);
  void* memory = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(argv[2]), 0);
  RunCommand command;
  while (receive(socket, &command)) {
    if (mode == "abort-at-run") std::abort();
    const RunReport report = run(command, memory);
    send(socket, &report, sizeof report, 0);
  }
  // The driver closed its end.
  return mode == "stubborn" ? pause() : 0;
}
