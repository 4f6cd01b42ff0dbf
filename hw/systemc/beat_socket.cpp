// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/beat_socket.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace ppu::systemc {
namespace {

constexpr unsigned kBeatBytes = spec::kBeatBytes;

unsigned char* bytes_of(hw::Beat& beat) {
  return reinterpret_cast<unsigned char*>(beat.data());
}

/// Copies to and from a memory that a pointer reaches.
void copy(const hw::BeatAccess& access, unsigned char* memory, hw::Beat& data) {
  if (!access.write) {
    std::memcpy(data.data(), memory, data.size());
    return;
  }
  // A host of another thread may look at a fence meanwhile.
  hw::write_host_beat({reinterpret_cast<std::byte*>(memory), data.size()}, 0, data, access.strobe);
}

}  // namespace

void BeatTransaction::prepare(std::uint64_t address, const hw::BeatAccess& access,
                              const hw::Beat& data) {
  data_ = data;
  set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  set_address(address);
  set_data_ptr(bytes_of(data_));
  set_data_length(kBeatBytes);
  set_streaming_width(kBeatBytes);
  set_byte_enable_ptr(nullptr);
  set_byte_enable_length(0);
  if (access.write && ~access.strobe != 0) {
    for (std::size_t n = 0; n < enables_.size(); ++n) {
      const bool enabled = (access.strobe >> n & 1U) != 0;
      bytes_of(enables_)[n] = enabled ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    set_byte_enable_ptr(bytes_of(enables_));
    set_byte_enable_length(kBeatBytes);
  }
  set_dmi_allowed(false);
  set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

const tlm::tlm_dmi* DmiRanges::find(std::uint64_t address, bool write) const {
  for (const tlm::tlm_dmi& range : ranges_)
    if (address >= range.get_start_address() && address <= range.get_end_address() &&
        range.get_end_address() - address >= kBeatBytes - 1 &&
        (write ? range.is_write_allowed() : range.is_read_allowed()))
      return &range;
  return nullptr;
}

void DmiRanges::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  const auto overlaps = [&](const tlm::tlm_dmi& range) {
    return range.get_start_address() <= last && range.get_end_address() >= first;
  };
  ranges_.erase(std::remove_if(ranges_.begin(), ranges_.end(), overlaps), ranges_.end());
}

BeatSocket::BeatSocket(Socket& socket, const Rules& rules, const DeviceClock& clock,
                       sc_core::sc_event& answered)
    : socket_(socket), rules_(rules), clock_(clock), answered_(answered) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&free_);
  sc_core::sc_spawn([this] { send(); }, sc_core::sc_gen_unique_name("send"), &options);
}

BeatSocket::~BeatSocket() = default;

BeatSocket::Channel& BeatSocket::add_channel(hw::Memory shadow) {
  return channels_.emplace_back(*this, shadow);
}

std::uint64_t BeatSocket::Channel::access(const hw::BeatAccess& access, hw::Beat& data) {
  if (!socket_.rules_.approximate) return socket_.block(access, data);
  // The request goes out in its cycle, not before.
  const sc_core::sc_time ahead = socket_.clock_.until(access.cycle);
  if (ahead > sc_core::SC_ZERO_TIME) sc_core::wait(ahead);
  BeatTransaction& transaction = socket_.allocate();
  transaction.acquire();
  transaction.prepare(socket_.rules_.base + access.address, access, data);
  pending_.push_back({&transaction, socket_.clock_.now_ps(), false, {}});
  ++socket_.waits_;
  socket_.to_send_.push_back(&transaction);
  socket_.send();
  socket_.stop_();
  return kLater;
}

std::uint64_t BeatSocket::Channel::finish(hw::Beat& data) {
  const Pending& oldest = pending_.front();
  if (!oldest.done) return kLater;
  const std::uint64_t begin = oldest.begin_ps;
  const std::uint64_t end = socket_.clock_.to_ps(oldest.at);
  if (oldest.transaction->is_read())
    data = oldest.transaction->is_response_ok() ? oldest.transaction->data() : hw::Beat{};
  oldest.transaction->release();
  pending_.pop_front();
  --socket_.waits_;
  return end > begin ? end - begin : 0;
}

void BeatSocket::Channel::peek(std::uint32_t address, std::size_t size_bytes) {
  tlm::tlm_generic_payload payload;
  const std::size_t size = std::min(size_bytes, shadow_.size_bytes - address);
  if (size == 0) return;
  payload.set_read();
  payload.set_address(socket_.rules_.base + address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(shadow_.data + address));
  payload.set_data_length(static_cast<unsigned>(size));
  payload.set_streaming_width(static_cast<unsigned>(size));
  if (socket_.socket_->transport_dbg(payload) != size)
    SC_REPORT_WARNING("/ppu/memory",
                      "no debug access to device memory: counters of rows that "
                      "are never visited may be those of an earlier run");
}

std::uint64_t BeatSocket::block(const hw::BeatAccess& access, hw::Beat& data) {
  std::uint64_t latency_ps = 0;
  if (access_directly(access, data, &latency_ps)) return latency_ps;
  BeatTransaction transaction(nullptr);
  transaction.prepare(rules_.base + access.address, access, data);
  const std::uint64_t begin = clock_.begin_ps(access.cycle);
  sc_core::sc_time delay = clock_.until(access.cycle);
  socket_->b_transport(transaction, delay);
  check(transaction);
  if (transaction.is_read()) data = transaction.is_response_ok() ? transaction.data() : hw::Beat{};
  if (rules_.dmi && transaction.is_dmi_allowed()) {
    tlm::tlm_dmi range;
    if (socket_->get_direct_mem_ptr(transaction, range)) dmi_.add(range);
  }
  const std::uint64_t end = clock_.now_ps() + clock_.to_ps(delay);
  return end > begin ? end - begin : 0;
}

bool BeatSocket::access_directly(const hw::BeatAccess& access, hw::Beat& data,
                                 std::uint64_t* latency_ps) const {
  const std::uint64_t address = rules_.base + access.address;
  const tlm::tlm_dmi* const range = dmi_.find(address, access.write);
  if (range == nullptr) return false;
  copy(access, range->get_dmi_ptr() + (address - range->get_start_address()), data);
  const sc_core::sc_time per_byte =
      access.write ? range->get_write_latency() : range->get_read_latency();
  *latency_ps = clock_.to_ps(kBeatBytes * per_byte);
  return true;
}

void BeatSocket::send() {
  if (requesting_ != nullptr || to_send_.empty()) return;
  // Also if it was asked to before the request before has ended.
  if (free_at_ > sc_core::sc_time_stamp()) return free_.notify(free_at_ - sc_core::sc_time_stamp());
  BeatTransaction& transaction = *to_send_.front();
  requesting_ = &transaction;
  to_send_.pop_front();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket_->nb_transport_fw(transaction, phase, delay);
  follow(transaction, status, phase, delay);
}

void BeatSocket::end_request(const BeatTransaction& transaction, const sc_core::sc_time& delay) {
  if (requesting_ != &transaction) return;
  requesting_ = nullptr;
  free_at_ = sc_core::sc_time_stamp() + delay;
  free_.notify(delay);
}

void BeatSocket::follow(BeatTransaction& transaction, tlm::tlm_sync_enum status,
                        const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  if (status == tlm::TLM_ACCEPTED) return;
  end_request(transaction, delay);
  const bool answered = status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP;
  if (!answered) return;
  if (status == tlm::TLM_UPDATED) {
    // The answer is taken where it begins.
    tlm::tlm_phase end = tlm::END_RESP;
    sc_core::sc_time at = delay;
    socket_->nb_transport_fw(transaction, end, at);
  }
  complete(transaction, delay);
}

tlm::tlm_sync_enum BeatSocket::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  auto& transaction = static_cast<BeatTransaction&>(payload);
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  // A response ends the request, too.
  end_request(transaction, delay);
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  complete(transaction, delay);
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

void BeatSocket::complete(BeatTransaction& transaction, const sc_core::sc_time& delay) {
  check(transaction);
  for (Channel& channel : channels_)
    for (Channel::Pending& pending : channel.pending_) {
      if (pending.transaction != &transaction) continue;
      pending.done = true;
      pending.at = sc_core::sc_time_stamp() + delay;
      answered_.notify(sc_core::SC_ZERO_TIME);
      return;
    }
  // Its device was reset meanwhile.
  transaction.release();
}

void BeatSocket::reset() {
  for (BeatTransaction* transaction : to_send_) transaction->release();
  for (Channel& channel : channels_) {
    for (const Channel::Pending& pending : channel.pending_) {
      const bool unsent =
          std::find(to_send_.begin(), to_send_.end(), pending.transaction) != to_send_.end();
      if (pending.done && !unsent) pending.transaction->release();
    }
    channel.pending_.clear();
  }
  to_send_.clear();
  waits_ = 0;
}

void BeatSocket::check(const tlm::tlm_generic_payload& payload) const {
  if (payload.is_response_ok()) return;
  std::ostringstream text;
  text << payload.get_response_string() << " to a "
       << (payload.is_write() ? "write" : "read, which counts as zeros,") << " at address 0x"
       << std::hex << payload.get_address();
  SC_REPORT_WARNING("/ppu/bus", text.str().c_str());
}

BeatTransaction& BeatSocket::allocate() {
  if (unused_.empty()) {
    all_.push_back(std::make_unique<BeatTransaction>(this));
    unused_.push_back(all_.back().get());
  }
  BeatTransaction& transaction = *unused_.back();
  unused_.pop_back();
  return transaction;
}

void BeatSocket::free(tlm::tlm_generic_payload* payload) {
  payload->reset();
  unused_.push_back(static_cast<BeatTransaction*>(payload));
}

}  // namespace ppu::systemc
