// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/register_socket.hpp"

#include <algorithm>
#include <cstring>

#include "hw/contract/contexts.hpp"
#include "ppu_registers.hpp"

namespace ppu::systemc {
namespace {

constexpr unsigned kWord = sizeof(std::uint32_t);

/// In the page of any context.
const spec::Register* find_register(sc_dt::uint64 address) {
  if (address >= spec::kContexts * spec::kContextPageBytes) return nullptr;
  const sc_dt::uint64 offset = address % spec::kContextPageBytes;
  const auto* const found =
      std::find_if(spec::kRegisters.begin(), spec::kRegisters.end(),
                   [&](const spec::Register& candidate) { return candidate.offset == offset; });
  return found == spec::kRegisters.end() ? nullptr : found;
}

/// Byte `n` is enabled.
bool enabled(const tlm::tlm_generic_payload& payload, unsigned n) {
  const unsigned length = payload.get_byte_enable_length();
  return payload.get_byte_enable_ptr() == nullptr || length == 0 ||
         payload.get_byte_enable_ptr()[n % length] == TLM_BYTE_ENABLED;
}

/// All bytes of the word at byte `first` are enabled, or none: others are refused.
enum class Enables { kAll, kNone, kSome };
Enables enables_of(const tlm::tlm_generic_payload& payload, unsigned first) {
  unsigned count = 0;
  for (unsigned n = first; n < first + kWord; ++n) count += enabled(payload, n) ? 1 : 0;
  return count == kWord ? Enables::kAll : count == 0 ? Enables::kNone : Enables::kSome;
}

/// What is wrong with an access, before anything is done.
tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  if (payload.get_data_ptr() == nullptr || length == 0 || length % kWord != 0 ||
      payload.get_streaming_width() < length || payload.get_address() % kWord != 0)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  for (unsigned n = 0; n < length; n += kWord) {
    const spec::Register* const found = find_register(payload.get_address() + n);
    if (found == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.is_read() && !found->readable) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (payload.is_write() && !found->writable) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (enables_of(payload, n) == Enables::kSome) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace

RegisterSocket::RegisterSocket(tlm::tlm_target_socket<>& socket, Registers& registers)
    : socket_(socket), registers_(registers) {
  socket_.bind(*this);
  sc_core::sc_spawn([this] { serve(); }, sc_core::sc_gen_unique_name("serve_registers"));
}

sc_core::sc_time RegisterSocket::carry_out(tlm::tlm_generic_payload& payload) {
  payload.set_dmi_allowed(false);
  sc_core::sc_time end = sc_core::sc_time_stamp();
  if (payload.is_read() || payload.is_write()) {
    payload.set_response_status(check(payload));
    if (registers_.in_reset()) payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (payload.is_response_error()) return end;
    for (unsigned n = 0; n < payload.get_data_length(); n += kWord) {
      if (enables_of(payload, n) == Enables::kNone) continue;
      const auto offset = static_cast<std::uint32_t>(payload.get_address()) + n;
      std::uint32_t value = 0;
      if (payload.is_write()) {
        std::memcpy(&value, payload.get_data_ptr() + n, kWord);
        end = registers_.write(offset, value);
      } else {
        end = registers_.read(offset, &value);
        std::memcpy(payload.get_data_ptr() + n, &value, kWord);
      }
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return end;
}

void RegisterSocket::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  // An access is where initiator and device meet in time.
  if (delay > sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  const sc_core::sc_time end = carry_out(payload);
  delay = end > sc_core::sc_time_stamp() ? end - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME;
}

tlm::tlm_sync_enum RegisterSocket::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire();
    requests_.push_back({&payload, sc_core::sc_time_stamp() + delay});
    request_.notify(delay);
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_RESP && responding_ == &payload) {
    responding_ = nullptr;
    response_ended_.notify(delay);
    return tlm::TLM_COMPLETED;
  }
  return tlm::TLM_ACCEPTED;
}

void RegisterSocket::serve() {
  while (true) {
    while (requests_.empty()) sc_core::wait(request_);
    const Request request = requests_.front();
    requests_.pop_front();
    if (request.at > sc_core::sc_time_stamp()) sc_core::wait(request.at - sc_core::sc_time_stamp());
    const sc_core::sc_time end = carry_out(*request.payload);

    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket_->nb_transport_bw(*request.payload, phase, delay) == tlm::TLM_COMPLETED) {
      request.payload->release();
      continue;
    }
    if (end > sc_core::sc_time_stamp()) sc_core::wait(end - sc_core::sc_time_stamp());
    phase = tlm::BEGIN_RESP;
    delay = sc_core::SC_ZERO_TIME;
    responding_ = request.payload;
    const tlm::tlm_sync_enum status = socket_->nb_transport_bw(*request.payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) {
      while (responding_ != nullptr) sc_core::wait(response_ended_);
    } else {
      responding_ = nullptr;
      if (delay > sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    }
    request.payload->release();
  }
}

unsigned RegisterSocket::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() || check(payload) != tlm::TLM_OK_RESPONSE || registers_.in_reset())
    return 0;
  for (unsigned n = 0; n < payload.get_data_length(); n += kWord) {
    const std::uint32_t value =
        registers_.peek(static_cast<std::uint32_t>(payload.get_address()) + n);
    std::memcpy(payload.get_data_ptr() + n, &value, kWord);
  }
  return payload.get_data_length();
}

bool RegisterSocket::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& range) {
  range.set_start_address(payload.get_address());
  range.set_end_address(payload.get_address());
  range.allow_none();
  return false;
}

}  // namespace ppu::systemc
