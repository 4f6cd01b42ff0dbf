// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device process whose link to the driver misbehaves. The device behind it is the one that
// PPU_BAD_LINK_DEVICE names, whole and well; what the link does to the messages is PPU_BAD_LINK's
// word. An "open-" word is about the reply to the opening and the first reads; with every other the
// link is good until the driver reads `spec_hash` for the second time.
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/process/child_process.hpp"
#include "hw/contract/protocol.hpp"

namespace {

using ppu::hw::DeviceMessage;
using ppu::hw::DeviceMessageKind;
using ppu::hw::HostMessage;
using ppu::hw::HostMessageKind;
using ppu::hw::OpenReply;
using Bytes = std::vector<char>;

/// The interrupt line of the owner of a device.
constexpr std::uint32_t kOwner = 1;
/// Larger than every message.
constexpr std::size_t kMostBytes = 16384;

class BadLink {
 public:
  BadLink(int host, int device, std::string word)
      : host_(host),
        device_(device),
        word_(std::move(word)),
        armed_(word_.rfind("open-", 0) == 0) {}

  /// Until one side is gone.
  void run() {
    while (true) {
      std::array<pollfd, 2> ends{
          {{host_, static_cast<short>(deaf() ? 0 : POLLIN), 0}, {device_, POLLIN, 0}}};
      poll(ends.data(), ends.size(), -1);
      for (const pollfd& end : ends) {
        if (end.revents == 0) continue;
        Bytes message(kMostBytes);
        const ssize_t size = recv(end.fd, message.data(), message.size(), 0);
        if (size <= 0) return;
        message.resize(static_cast<std::size_t>(size));
        if (end.fd == device_) {
          from_device(message);
        } else if (!from_host(message)) {
          return;
        }
      }
    }
  }

 private:
  [[nodiscard]] bool is(const char* word) const { return armed_ && word_ == word; }
  [[nodiscard]] bool deaf() const { return is("takes-nothing"); }
  static void pass(int to, const Bytes& message) {
    send(to, message.data(), message.size(), MSG_NOSIGNAL);
  }

  /// False: the link hangs up.
  bool from_host(const Bytes& message) {
    HostMessage request;
    // The first one is the request to open.
    if (message.size() == sizeof request) {
      std::memcpy(&request, message.data(), sizeof request);
      if (request.kind == HostMessageKind::kRead) {
        reads_of_hash_ += request.offset == PPU_REGISTER_SPEC_HASH ? 1U : 0U;
        read_ = request.offset;
        armed_ = armed_ || reads_of_hash_ == 2;
      }
      const bool doorbell =
          request.kind == HostMessageKind::kWrite && request.offset == PPU_REGISTER_RING_TAIL;
      if (doorbell && is("hangs-up")) return false;
      if (doorbell && is("loses-doorbells")) return true;
      if (doorbell && is("repeats-doorbells")) pass(device_, message);
    }
    pass(device_, message);
    if (is("invents-interrupts")) interrupt();
    return true;
  }

  void interrupt() const {
    const DeviceMessage made{DeviceMessageKind::kInterrupt, kOwner};
    send(host_, &made, sizeof made, MSG_NOSIGNAL);
  }

  void from_device(Bytes& message) {
    if (message.size() == sizeof(OpenReply)) return from_opening(message);
    DeviceMessage answer;
    std::memcpy(&answer, message.data(), sizeof answer);
    if (answer.kind == DeviceMessageKind::kInterrupt) return from_line(message);
    if (is("loses-answers")) return;
    if (is("cuts-answers")) message.resize(message.size() / 2);
    if (is("lengthens-answers")) message.resize(2 * message.size());
    if (is("empties-answers")) message.clear();
    if (is("errors-for-ever") && read_ == PPU_REGISTER_ERROR_COUNT) {
      answer.value = 1;
      std::memcpy(message.data(), &answer, sizeof answer);
    }
    if ((is("open-magic") && read_ == PPU_REGISTER_MAGIC) ||
        (is("open-spec") && read_ == PPU_REGISTER_SPEC_HASH) ||
        (is("open-config") && read_ == PPU_REGISTER_CONFIG_HASH_LO)) {
      answer.value ^= 1U;
      std::memcpy(message.data(), &answer, sizeof answer);
    }
    pass(host_, message);
  }

  void from_opening(Bytes& message) const {
    if (is("open-silent")) return;
    if (is("open-cut")) message.resize(12);
    if (is("open-reply-spec")) message[0] = static_cast<char>(message[0] ^ 1);
    pass(host_, message);
  }

  /// The interrupt line has risen.
  void from_line(const Bytes& message) {
    const bool first = armed_ && !lost_one_;
    if (is("loses-interrupts")) return;
    if (is("loses-an-interrupt") && first) {
      lost_one_ = true;
      return;
    }
    if (is("delays-interrupts")) usleep(5000);
    for (int n = is("repeats-interrupts") ? 5 : 1; n > 0; --n) pass(host_, message);
  }

  int host_, device_;
  std::string word_;
  bool armed_;
  bool lost_one_ = false;
  unsigned reads_of_hash_ = 0;
  std::uint32_t read_ = 0;  ///< Register that the last read was of.
};

}  // namespace

int main(int argc, char** argv) {
  const char* const word = std::getenv("PPU_BAD_LINK");
  const char* const device = std::getenv("PPU_BAD_LINK_DEVICE");
  if (argc != 4 || word == nullptr || device == nullptr) return 2;
  if (!ppu::process::end_with_host(std::atoi(argv[3]))) return 3;
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair.data()) != 0) return 3;
  const std::string host = std::to_string(getpid());
  const pid_t process = fork();
  if (process == 0) {
    close(pair[0]);
    close(std::atoi(argv[1]));
    const std::string socket = std::to_string(pair[1]);
    execl(device, device, socket.c_str(), argv[2], host.c_str(), nullptr);
    _exit(3);
  }
  close(pair[1]);
  BadLink(std::atoi(argv[1]), pair[0], word).run();
  close(std::atoi(argv[1]));
  close(pair[0]);
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}
