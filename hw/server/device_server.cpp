// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/server/device_server.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace ppu::hw {
namespace {

constexpr int kExitStuck = 3;
/// A device that has not ended by itself this long after its host is ended.
constexpr std::chrono::milliseconds kEndPatience{800};

/// Of the process: the watching thread may outlive everything else.
std::atomic<bool> g_host_gone{false};

void watch(int host_socket) {
  pollfd watched{host_socket, POLLRDHUP, 0};
  while ((watched.revents & (POLLHUP | POLLRDHUP | POLLERR)) == 0) poll(&watched, 1, -1);
  g_host_gone = true;
  std::this_thread::sleep_for(kEndPatience);
  _exit(kExitStuck);
}

}  // namespace

HostWatch::HostWatch(int host_socket) {
  std::thread(watch, host_socket).detach();
}

const std::atomic<bool>& HostWatch::gone() const {
  return g_host_gone;
}

bool DeviceServer::run() {
  bool busy = true;
  while (take_message(!busy)) {
    busy = device_.step();
    report();
  }
  return closing_;
}

bool DeviceServer::take_message(bool wait) {
  // All messages that are there, before time goes on.
  while (true) {
    HostMessage message;
    const ssize_t size = recv(socket_, &message, sizeof message, wait ? 0 : MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return true;
    if (size != sizeof message) return false;
    handle(message);
    if (closing_) return false;
    wait = false;
  }
}

void DeviceServer::handle(const HostMessage& message) {
  switch (message.kind) {
    case HostMessageKind::kWrite:
      device_.write_register(message.offset, message.value);
      // A line that is still up after a bit was cleared counts as risen again.
      if (message.offset % spec::kContextPageBytes == PPU_REGISTER_IRQ_STATUS)
        interrupts_ &= ~(1U << message.offset / spec::kContextPageBytes % spec::kContexts);
      report();
      break;
    case HostMessageKind::kRead:
      send(DeviceMessageKind::kValue, device_.read_register(message.offset));
      break;
    case HostMessageKind::kProfile:
      send(DeviceMessageKind::kValue, device_.copy_profile(message.value, message.offset));
      break;
    case HostMessageKind::kClose:
      closing_ = true;
      break;
  }
}

void DeviceServer::send(DeviceMessageKind kind, std::uint32_t value) const {
  const DeviceMessage message{kind, value};
  // If the host is gone, the next recv says so.
  ::send(socket_, &message, sizeof message, MSG_NOSIGNAL);
}

void DeviceServer::confirm_close() const {
  send(DeviceMessageKind::kValue, 0);
}

void DeviceServer::tell(const std::string& text) const {
  text_[text.copy(text_, kDeviceTextBytes - 1)] = '\0';
}

void DeviceServer::report() {
  tell(device_.message());
  const std::uint32_t lines = device_.interrupts();
  const std::uint32_t risen = lines & ~interrupts_;
  if (risen != 0) send(DeviceMessageKind::kInterrupt, risen);
  interrupts_ = lines;
}

}  // namespace ppu::hw
