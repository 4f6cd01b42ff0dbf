// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A memory on a TLM-2.0 target socket, in whatever manner a test asks for: with a latency or
// random ones, annotated or waited for, with all ways through the phases, and with DMI.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>
#include <systemc>
#include <tlm>

namespace ppu::systemc::test {

struct Manner {
  sc_core::sc_time latency = sc_core::SC_ZERO_TIME;
  bool waits = false;   ///< b_transport waits instead of annotating.
  bool random = false;  ///< Times up to the latency, any phases, answers in any order.
  bool dmi = false;
  unsigned seed = 1;
};

class PlatformMemory : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  PlatformMemory(const sc_core::sc_module_name& name, std::byte* data, std::size_t size_bytes,
                 const Manner& manner)
      : sc_module(name),
        data_(reinterpret_cast<unsigned char*>(data)),
        size_(size_bytes),
        manner_(manner) {
    SC_HAS_PROCESS(PlatformMemory);
    socket.bind(*this);
    SC_THREAD(end_requests);
    SC_THREAD(respond);
  }

  tlm::tlm_target_socket<> socket{"socket"};

  /// Other bytes, as many.
  void use(std::byte* data) { data_ = reinterpret_cast<unsigned char*>(data); }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    if (manner_.waits) {
      wait(delay + pick(payload));
      delay = sc_core::SC_ZERO_TIME;
    } else {
      delay += pick(payload);
    }
    access(payload);
    payload.set_dmi_allowed(manner_.dmi);
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      responding_ = false;
      response_ended_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    access(payload);
    switch (manner_.random ? draw(payload, 1) % 5 : 2) {
      case 0:  // At once.
        delay += pick(payload);
        return tlm::TLM_COMPLETED;
      case 1:  // The response on the return path.
        if (responding_) break;
        delay += pick(payload);
        responding_ = true;
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
      case 2:  // The end of the request on the return path.
        queue(payload);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      case 3:  // The response ends the request.
        queue(payload);
        return tlm::TLM_ACCEPTED;
      default:
        break;
    }
    payload.acquire();
    requests_.push_back(&payload);
    request_.notify(pick(payload));
    return tlm::TLM_ACCEPTED;
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& range) override {
    range.set_start_address(0);
    range.set_end_address(size_ - 1);
    range.set_dmi_ptr(data_);
    range.set_read_latency(manner_.latency / 64);
    range.set_write_latency(manner_.latency / 64);
    range.allow_read_write();
    return manner_.dmi;
  }

  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    if (payload.get_address() + payload.get_data_length() > size_) return 0;
    std::memcpy(payload.get_data_ptr(), data_ + payload.get_address(), payload.get_data_length());
    return payload.get_data_length();
  }

 private:
  /// Depends on the access alone, so that two devices that do the same meet the same.
  [[nodiscard]] std::uint32_t draw(const tlm::tlm_generic_payload& payload, unsigned salt) const {
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    std::minstd_rand random((address / 64 * 7919 + (payload.is_write() ? 13 : 1)) * 31 + salt);
    random.discard(3 + manner_.seed);
    return static_cast<std::uint32_t>(random());
  }
  [[nodiscard]] sc_core::sc_time pick(const tlm::tlm_generic_payload& payload) const {
    if (!manner_.random) return manner_.latency;
    return manner_.latency * (static_cast<double>(draw(payload, 2) % 1000) / 1000);
  }

  void access(tlm::tlm_generic_payload& payload) {
    const std::size_t length = payload.get_data_length();
    if (payload.get_address() + length > size_)
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    unsigned char* const at = data_ + payload.get_address();
    for (std::size_t n = 0; n < length; ++n) {
      const unsigned char* const enables = payload.get_byte_enable_ptr();
      if (enables != nullptr && enables[n % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED)
        continue;
      if (payload.is_write())
        at[n] = payload.get_data_ptr()[n];
      else
        payload.get_data_ptr()[n] = at[n];
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  void queue(tlm::tlm_generic_payload& payload) {
    payload.acquire();
    responses_.push_back({&payload, sc_core::sc_time_stamp() + pick(payload)});
    response_.notify(sc_core::SC_ZERO_TIME);
  }

  void end_requests() {
    while (true) {
      while (requests_.empty()) wait(request_);
      tlm::tlm_generic_payload& payload = *requests_.front();
      requests_.pop_front();
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_bw(payload, phase, delay);
      queue(payload);
      payload.release();
    }
  }

  void respond() {
    while (true) {
      while (responses_.empty()) wait(response_);
      const auto first = std::min_element(
          responses_.begin(), responses_.end(),
          [](const Response& left, const Response& right) { return left.at < right.at; });
      const Response next = *first;
      if (next.at > sc_core::sc_time_stamp()) {
        wait(next.at - sc_core::sc_time_stamp(), response_);
        continue;
      }
      responses_.erase(first);
      while (responding_) wait(response_ended_);
      responding_ = true;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_bw(*next.payload, phase, delay) != tlm::TLM_ACCEPTED)
        responding_ = false;
      next.payload->release();
    }
  }

  struct Response {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time at;
  };
  unsigned char* data_;
  std::size_t size_;
  Manner manner_;
  std::deque<tlm::tlm_generic_payload*> requests_;
  std::deque<Response> responses_;
  sc_core::sc_event request_, response_, response_ended_;
  bool responding_ = false;
};

}  // namespace ppu::systemc::test
