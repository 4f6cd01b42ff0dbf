// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device process around a device that runs nothing, which answers as PPU_FAKE_DEVICE says, for
// tests of the driver's side of the protocol.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "hw/contract/config.hpp"
#include "hw/contract/protocol.hpp"
#include "tests/driver/support/fake_chip.hpp"

namespace {

using ppu::driver::test::FakeChip;
using ppu::hw::DeviceMessage;
using ppu::hw::DeviceMessageKind;
using ppu::hw::HostMessage;
using ppu::hw::HostMessageKind;
using ppu::hw::OpenReply;
using ppu::hw::OpenRequest;

template <class Message>
bool receive(int socket, Message* message) {
  return recv(socket, message, sizeof *message, 0) == sizeof *message;
}

OpenReply reply_to(const OpenRequest& request, const std::string& mode) {
  OpenReply reply;
  reply.ok = mode != "refuse";
  if (mode == "refuse") std::strcpy(reply.message, "not built for 5 lanes");
  reply.spec_hash = mode == "wrong-spec" ? 1 : PPU_SPEC_HASH;
  reply.config_hash = ppu::hw::config_hash(request.config);
  return reply;
}

void answer(int socket, DeviceMessageKind kind, std::uint32_t value) {
  const DeviceMessage message{kind, value};
  send(socket, &message, sizeof message, MSG_NOSIGNAL);
}

/// Carries out the message.
void obey(const HostMessage& message, FakeChip* chip, int socket) {
  switch (message.kind) {
    case HostMessageKind::kWrite:
      return chip->write_register(message.offset, message.value);
    case HostMessageKind::kRead:
      return answer(socket, DeviceMessageKind::kValue, chip->read_register(message.offset));
    case HostMessageKind::kProfile:
      return answer(socket, DeviceMessageKind::kValue,
                    chip->copy_profile(message.value, message.offset));
    case HostMessageKind::kClose:
      return answer(socket, DeviceMessageKind::kValue, 0);
  }
}

void serve(FakeChip* chip, int socket, const std::string& mode) {
  if (mode == "deaf") pause();
  bool line = false;
  HostMessage message;
  while (receive(socket, &message)) {
    const bool doorbell =
        message.kind == HostMessageKind::kWrite && message.offset == PPU_REGISTER_RING_TAIL;
    if (mode == "abort-at-run" && doorbell) std::abort();
    if (mode == "mute" && message.kind == HostMessageKind::kRead) continue;
    if (mode == "fail-at-close" && message.kind == HostMessageKind::kClose)
      std::exit(ppu::hw::kDeviceFailed);
    obey(message, chip, socket);
    while (chip->step()) {
    }
    if (chip->interrupt() && !line) answer(socket, DeviceMessageKind::kInterrupt, 1);
    line = chip->interrupt();
    if (mode == "babble") answer(socket, DeviceMessageKind::kValue, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string mode = std::getenv("PPU_FAKE_DEVICE");
  const int socket = std::atoi(argv[1]);
  if (mode == "exit-3") return 3;
  OpenRequest request;
  if (!receive(socket, &request)) return 4;
  if (mode == "chatter") send(socket, "hello", 5, 0);
  const OpenReply reply = reply_to(request, mode);
  send(socket, &reply, sizeof reply, 0);
  const std::size_t host_bytes = std::size_t{request.config.host_memory_mib} << 20U;
  void* memory = mmap(nullptr, host_bytes + ppu::hw::kDeviceTextBytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED, std::atoi(argv[2]), 0);
  if (memory == MAP_FAILED) return 5;
  auto* const host = static_cast<std::byte*>(memory);
  std::strcpy(reinterpret_cast<char*>(host + host_bytes), "the adder differs");
  FakeChip chip(request.config, {host, host_bytes});
  serve(&chip, socket, mode);
  // The driver closed its end.
  return mode == "stubborn" ? pause() : 0;
}
