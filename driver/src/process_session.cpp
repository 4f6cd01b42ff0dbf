// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The host side of the protocol with a device process.
#include "process_session.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>

#include "failure.hpp"

namespace ppu::driver {
namespace {

/// Elaboration and the end of a cancelled run take under a second; a device that says nothing for
/// this long is not one.
constexpr std::uint64_t kAnswerTimeoutNs = 60'000'000'000;
/// A device process whose socket is closed ends by itself, after it has closed its wave file.
constexpr std::chrono::milliseconds kEndPatience{2000};

FileDescriptor create_memory(std::size_t size_bytes) {
  FileDescriptor memory(memfd_create("ppu-device-memory", MFD_CLOEXEC));
  if (memory.get() < 0 || ftruncate(memory.get(), static_cast<off_t>(size_bytes)) != 0)
    fail(PPU_ERROR_SYSTEM, "cannot create ", size_bytes,
         " bytes of shared device memory: ", strerror(errno));
  return memory;
}

}  // namespace

ProcessSession::ProcessSession(const std::string& executable, const hw::OpenRequest& request)
    : executable_(executable) {
  launch(std::size_t{request.config.device_memory_mib} << 20U);
  handshake(request);
}

void ProcessSession::launch(std::size_t memory_bytes) {
  const std::size_t file_bytes = memory_bytes + hw::kRunControlBytes;
  const FileDescriptor memory = create_memory(file_bytes);
  mapping_.emplace(file_bytes, memory.get());
  memory_ = {mapping_->memory().data, memory_bytes};
  control_ = new (memory_.data + memory_bytes) hw::RunControl;
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0)
    fail(PPU_ERROR_SYSTEM, "cannot create a socket pair: ", strerror(errno));
  socket_ = FileDescriptor(pair[0]);
  // Closed on return: the end of the device process must be the end of its side of the socket.
  const FileDescriptor device_side(pair[1]);
  process_ = std::make_unique<ChildProcess>(executable_, device_side.get(), memory.get());
}

void ProcessSession::handshake(const hw::OpenRequest& request) {
  send(&request, sizeof request);
  hw::OpenReply reply;
  if (!receive(&reply, sizeof reply, Deadline(kAnswerTimeoutNs)))
    fail(PPU_ERROR_DEVICE_LOST, "the device process '", executable_, "' did not answer within ",
         kAnswerTimeoutNs / 1'000'000'000, " s of its start");
  identity_ = {reply.spec_hash, reply.config_hash};
  reply.message[sizeof reply.message - 1] = '\0';
  // A device of another specification cannot say more than its hash; the caller compares it.
  if (reply.spec_hash == PPU_SPEC_HASH && reply.ok != 1) fail(PPU_ERROR_CONFIG, reply.message);
}

ProcessSession::~ProcessSession() {
  socket_.reset();
  if (process_) process_->end(kEndPatience);
}

void ProcessSession::start(const hw::RunCommand& command) {
  control_->cancel = false;
  send(&command, sizeof command);
}

std::optional<hw::RunReport> ProcessSession::wait(std::uint64_t timeout_ns) {
  hw::RunReport report;
  if (!receive(&report, sizeof report, Deadline(timeout_ns))) return std::nullopt;
  report.message.back() = '\0';
  return report;
}

hw::RunReport ProcessSession::cancel() {
  control_->cancel = true;
  const auto report = wait(kAnswerTimeoutNs);
  if (!report) lose();
  return *report;
}

void ProcessSession::send(const void* message, std::size_t size_bytes) {
  if (!lost_.empty()) lose();
  ssize_t sent = 0;
  do {
    sent = ::send(socket_.get(), message, size_bytes, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent != static_cast<ssize_t>(size_bytes)) lose();
}

bool ProcessSession::receive(void* message, std::size_t size_bytes, const Deadline& deadline) {
  if (!lost_.empty()) lose();
  pollfd readable{socket_.get(), POLLIN, 0};
  int ready = 0;
  do {
    const auto left = deadline.left().count();
    const timespec limit{static_cast<time_t>(left / 1'000'000'000),
                         static_cast<long>(left % 1'000'000'000)};
    ready = ppoll(&readable, 1, deadline.never() ? nullptr : &limit, nullptr);
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) return false;

  ssize_t received = 0;
  do {
    received = recv(socket_.get(), message, size_bytes, MSG_TRUNC);
  } while (received < 0 && errno == EINTR);
  // Nothing (end of file) or a message of another size: no device of this build is there.
  if (received != static_cast<ssize_t>(size_bytes)) lose();
  return true;
}

void ProcessSession::lose() {
  if (lost_.empty()) {
    socket_.reset();
    lost_ = process_->end(kEndPatience);
  }
  fail(PPU_ERROR_DEVICE_LOST, "the device process '", executable_, "' ", lost_,
       " without an answer; close the device");
}

}  // namespace ppu::driver
