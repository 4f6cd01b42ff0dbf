// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The host of a platform under test: a thread that reaches the registers of a device by transport,
// blocking or not, and shows them as a device to whatever drives one. It may be a slow and moody
// one. Other threads may share its socket.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "hw/contract/device.hpp"

namespace ppu::systemc::test {

class BusMaster : public sc_core::sc_module,
                  public hw::Device,
                  public tlm::tlm_bw_transport_if<>,
                  public tlm::tlm_mm_interface {
 public:
  explicit BusMaster(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(BusMaster);
    socket.bind(*this);
    SC_THREAD(live);
    SC_THREAD(live_beside);
  }

  tlm::tlm_initiator_socket<> socket{"socket"};
  sc_core::sc_in<bool> irq_i{"irq_i"};
  bool approximate = false;  ///< Non-blocking transport.
  /// Random times up to this one before each request, annotated, and before the end of each
  /// response, which ends in any way.
  sc_core::sc_time delays = sc_core::SC_ZERO_TIME;
  std::function<void()> program;  ///< What the thread does.
  std::function<void()> beside;   ///< What another one does, on the same socket.
  bool done = false;              ///< The first one.

  tlm::tlm_response_status transport(tlm::tlm_command command, std::uint64_t address, void* data,
                                     unsigned size_bytes, unsigned char* enables = nullptr,
                                     unsigned width = 0) {
    auto payload = std::make_unique<tlm::tlm_generic_payload>(this);
    tlm::tlm_generic_payload& sent = *payload.release();
    sent.acquire();
    sent.set_command(command);
    sent.set_address(address);
    sent.set_data_ptr(static_cast<unsigned char*>(data));
    sent.set_data_length(size_bytes);
    sent.set_streaming_width(width == 0 ? size_bytes : width);
    sent.set_byte_enable_ptr(enables);
    sent.set_byte_enable_length(enables == nullptr ? 0 : size_bytes);
    approximate ? follow_phases(sent) : block(sent);
    const tlm::tlm_response_status response = sent.get_response_status();
    sent.release();
    return response;
  }

  // As a device.
  void write_register(std::uint32_t offset, std::uint32_t value) override {
    status = transport(tlm::TLM_WRITE_COMMAND, offset, &value, sizeof value);
  }
  std::uint32_t read_register(std::uint32_t offset) override {
    std::uint32_t value = 0;
    status = transport(tlm::TLM_READ_COMMAND, offset, &value, sizeof value);
    return value;
  }
  bool step() override {
    wait(sc_core::sc_time(1, sc_core::SC_US), irq_i.posedge_event());
    return (read_register(PPU_REGISTER_STATUS) & 1U) != 0;
  }
  [[nodiscard]] std::uint32_t interrupts() const override { return irq_i.read() ? 1 : 0; }
  std::uint32_t copy_profile(std::uint32_t, std::uint32_t) override { return 0; }

  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;  ///< Of the last access.

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (requesting_ == &payload) end_request();
    const auto found = under_way_.find(&payload);
    if (phase != tlm::BEGIN_RESP || found == under_way_.end()) return tlm::TLM_ACCEPTED;
    Response& response = *found->second;
    const auto way = delays > sc_core::SC_ZERO_TIME ? random_() % 3 : 0;
    response.ended = way > 0;
    if (way > 0) delay += pick();
    response.come.notify(delay);
    if (way == 2) phase = tlm::END_RESP;
    return way == 0 ? tlm::TLM_ACCEPTED : way == 1 ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload* payload) override { delete payload; }

 private:
  void live() {
    if (program) program();
    done = true;
  }
  void live_beside() {
    if (beside) beside();
  }
  void block(tlm::tlm_generic_payload& payload) {
    sc_core::sc_time delay = pick();
    socket->b_transport(payload, delay);
    wait(delay);
  }
  void follow_phases(tlm::tlm_generic_payload& payload) {
    while (requesting_ != nullptr) wait(request_ended_);
    requesting_ = &payload;
    Response response;
    under_way_[&payload] = &response;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = pick();
    const tlm::tlm_sync_enum status_now = socket->nb_transport_fw(payload, phase, delay);
    if (status_now != tlm::TLM_ACCEPTED) end_request();
    if (status_now == tlm::TLM_COMPLETED)
      wait(delay);
    else if (status_now == tlm::TLM_ACCEPTED || phase != tlm::BEGIN_RESP)
      wait(response.come);
    under_way_.erase(&payload);
    if (status_now == tlm::TLM_COMPLETED || response.ended) return;
    // Nothing else is answered meanwhile.
    wait(pick());
    phase = tlm::END_RESP;
    delay = pick();
    socket->nb_transport_fw(payload, phase, delay);
    wait(delay);
  }
  void end_request() {
    requesting_ = nullptr;
    request_ended_.notify(sc_core::SC_ZERO_TIME);
  }
  [[nodiscard]] sc_core::sc_time pick() {
    return delays * (static_cast<double>(random_() % 1000) / 1000);
  }

  struct Response {
    sc_core::sc_event come{sc_core::sc_gen_unique_name("come")};
    bool ended = false;  ///< On the return path.
  };
  std::map<const tlm::tlm_generic_payload*, Response*> under_way_;
  const tlm::tlm_generic_payload* requesting_ = nullptr;  ///< Its request has not ended.
  sc_core::sc_event request_ended_{sc_core::sc_gen_unique_name("request_ended")};
  std::minstd_rand random_{1};
};

}  // namespace ppu::systemc::test
