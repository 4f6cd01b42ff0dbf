// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The host side of the protocol with a device process.
#include "driver/session/process_session.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "driver/base/failure.hpp"

namespace ppu::driver {

using files::FileDescriptor;
using process::ChildProcess;

namespace {

/// A device process whose socket is closed ends by itself, after it has closed its wave file.
constexpr std::chrono::milliseconds kEndPatience{2000};

FileDescriptor create_memory(std::size_t size_bytes) {
  // Beyond it, a signal would end this process.
  rlimit largest{};
  if (getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur < size_bytes)
    fail(PPU_ERROR_SYSTEM, "files may have ", largest.rlim_cur, " bytes here (ulimit -f), the ",
         "shared host memory takes ", size_bytes, "; raise the limit or lower host_memory_mib");
  FileDescriptor memory(memfd_create("ppu-host-memory", MFD_CLOEXEC));
  if (memory.get() < 0 || ftruncate(memory.get(), static_cast<off_t>(size_bytes)) != 0)
    fail(PPU_ERROR_SYSTEM, "cannot create ", size_bytes,
         " bytes of shared host memory: ", strerror(errno));
  return memory;
}

}  // namespace

ProcessSession::ProcessSession(const std::string& executable, const hw::OpenRequest& request,
                               std::uint64_t answer_timeout_ns)
    : executable_(executable), answer_timeout_ns_(answer_timeout_ns) {
  launch(std::size_t{request.config.host_memory_mib} << 20U);
  handshake(request);
}

void ProcessSession::launch(std::size_t memory_bytes) {
  const std::size_t file_bytes = memory_bytes + hw::kDeviceTextBytes;
  const FileDescriptor memory = create_memory(file_bytes);
  mapping_.emplace(file_bytes, memory.get());
  host_memory_ = {mapping_->memory().data, memory_bytes};
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0)
    fail(PPU_ERROR_SYSTEM, "cannot create a socket pair: ", strerror(errno));
  socket_ = FileDescriptor(pair[0]);
  // Closed on return: the end of the device process must be the end of its side of the socket.
  const FileDescriptor device_side(pair[1]);
  process_ = std::make_unique<ChildProcess>(kDeviceHelper, executable_,
                                            std::vector<int>{device_side.get(), memory.get()});
}

void ProcessSession::handshake(const hw::OpenRequest& request) {
  send(&request, sizeof request);
  hw::OpenReply reply;
  if (!receive(&reply, sizeof reply, Deadline(answer_timeout_ns_))) lose_silent();
  reply.message[sizeof reply.message - 1] = '\0';
  // A device of another specification may mean something else with the rest.
  if (reply.spec_hash != PPU_SPEC_HASH)
    fail(PPU_ERROR_VERSION, std::hex, "the device process '", executable_,
         "' was made from specification 0x", reply.spec_hash, ", this driver from 0x",
         PPU_SPEC_HASH);
  if (reply.ok != 1) fail(PPU_ERROR_CONFIG, reply.message);
}

ProcessSession::~ProcessSession() {
  hang_up();
  socket_.reset();
  if (process_) process_->end(kEndPatience);
}

void ProcessSession::write_register(std::uint32_t offset, std::uint32_t value) {
  const hw::HostMessage message{hw::HostMessageKind::kWrite, offset, value};
  const Lock lock(mutex_);
  send(&message, sizeof message);
}

std::uint32_t ProcessSession::read_register(std::uint32_t offset) {
  return ask({hw::HostMessageKind::kRead, offset, 0});
}

std::uint32_t ProcessSession::copy_profile(std::uint32_t engine, std::uint32_t address) {
  return ask({hw::HostMessageKind::kProfile, address, engine});
}

std::uint32_t ProcessSession::ask(const hw::HostMessage& message) {
  const std::lock_guard asking(ask_mutex_);
  Lock lock(mutex_);
  send(&message, sizeof message);
  answer_.reset();
  asked_ = true;
  if (!wait_for(lock, Deadline(answer_timeout_ns_), [this] { return answer_.has_value(); }))
    lose_silent();
  return *answer_;
}

bool ProcessSession::wait_interrupt(const Deadline& deadline, std::uint32_t context) {
  Lock lock(mutex_);
  const std::uint32_t line = 1U << context;
  const bool risen = wait_for(lock, deadline, [this, line] { return (interrupts_ & line) != 0; });
  interrupts_ &= ~line;
  return risen;
}

template <class There>
bool ProcessSession::wait_for(Lock& lock, const Deadline& deadline, There there) {
  while (true) {
    if (there()) return true;
    if (!lost_.empty()) lose();
    if (at_socket_) {
      // Somebody else takes the messages.
      const auto news = [&] { return there() || !lost_.empty() || !at_socket_; };
      if (deadline.never()) {
        news_.wait(lock, news);
      } else if (!news_.wait_until(lock, deadline.moment(), news)) {
        return false;
      }
      continue;
    }
    at_socket_ = true;
    lock.unlock();
    const bool arrived = ready(POLLIN, deadline);
    lock.lock();
    at_socket_ = false;
    news_.notify_all();
    if (!arrived) return there();
    take_message();
  }
}

void ProcessSession::take_message() {
  hw::DeviceMessage message;
  if (!lost_.empty()) lose();
  take(&message, sizeof message);
  if (message.kind == hw::DeviceMessageKind::kInterrupt) {
    interrupts_ |= message.value;
  } else {
    // A value that nobody asked for: no device of this build is there.
    if (!std::exchange(asked_, false)) lose();
    answer_ = message.value;
  }
}

std::string ProcessSession::device_text() {
  const auto* text = reinterpret_cast<const char*>(host_memory_.data + host_memory_.size_bytes);
  return {text, strnlen(text, hw::kDeviceTextBytes)};
}

void ProcessSession::close() {
  {
    const Lock lock(mutex_);
    if (!lost_.empty()) return;
    closing_ = true;
  }
  ask({hw::HostMessageKind::kClose, 0, 0});
}

void ProcessSession::send(const void* message, std::size_t size_bytes) {
  if (!lost_.empty()) lose();
  const Deadline deadline(answer_timeout_ns_);
  ssize_t sent = 0;
  do {
    sent = ::send(socket_.get(), message, size_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    // A device that takes no messages is as lost as one that does not answer.
    if (sent < 0 && errno == EAGAIN && !ready(POLLOUT, deadline)) lose_silent();
  } while (sent < 0 && (errno == EINTR || errno == EAGAIN));
  if (sent != static_cast<ssize_t>(size_bytes)) lose();
}

bool ProcessSession::ready(short events, const Deadline& deadline) const {
  pollfd watched{socket_.get(), events, 0};
  int result = 0;
  do {
    const auto left = deadline.left().count();
    const timespec limit{static_cast<time_t>(left / 1'000'000'000),
                         static_cast<long>(left % 1'000'000'000)};
    result = ppoll(&watched, 1, deadline.never() ? nullptr : &limit, nullptr);
  } while (result < 0 && errno == EINTR);
  return result != 0;
}

bool ProcessSession::receive(void* message, std::size_t size_bytes, const Deadline& deadline) {
  if (!lost_.empty()) lose();
  if (!ready(POLLIN, deadline)) return false;
  take(message, size_bytes);
  return true;
}

void ProcessSession::take(void* message, std::size_t size_bytes) {
  ssize_t received = 0;
  do {
    received = recv(socket_.get(), message, size_bytes, MSG_TRUNC);
  } while (received < 0 && errno == EINTR);
  // Nothing (end of file) or a message of another size: no device of this build is there.
  if (received != static_cast<ssize_t>(size_bytes)) lose();
}

void ProcessSession::hang_up() {
  // A process forked from this one may have the socket open, too; a thread may wait at it.
  shutdown(socket_.get(), SHUT_RDWR);
}

void ProcessSession::lose() {
  if (lost_.empty()) {
    hang_up();
    lost_ = process_->end(kEndPatience) + " without an answer";
    if (process_->exit_status() == hw::kDeviceFailed) lost_ = "has failed: " + device_text();
  }
  fail(PPU_ERROR_DEVICE_LOST, "the device process '", executable_, "' ", lost_,
       closing_ ? "" : "; close the device");
}

void ProcessSession::lose_silent() {
  lost_ = text::sentence_of("did not answer within ",
                            static_cast<double>(answer_timeout_ns_.load()) * 1e-9, " s");
  hang_up();
  process_->end(std::chrono::milliseconds(0));
  lose();
}

}  // namespace ppu::driver
