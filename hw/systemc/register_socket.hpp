// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The registers of a device on a TLM-2.0 target socket: blocking and non-blocking transport, debug
// access. There is no DMI: reading a register shows the device as it is then.
#pragma once

#include <deque>
#include <systemc>
#include <tlm>

namespace ppu::systemc {

/// Who has the registers. Both wait for the device's turn.
class Registers {
 public:
  virtual ~Registers() = default;
  /// In reset: none can be reached.
  [[nodiscard]] virtual bool in_reset() const = 0;
  /// Returns when the access is over.
  virtual sc_core::sc_time write(std::uint32_t offset, std::uint32_t value) = 0;
  virtual sc_core::sc_time read(std::uint32_t offset, std::uint32_t* value) = 0;
  /// Without time.
  [[nodiscard]] virtual std::uint32_t peek(std::uint32_t offset) = 0;
};

class RegisterSocket final : public tlm::tlm_fw_transport_if<> {
 public:
  RegisterSocket(tlm::tlm_target_socket<>& socket, Registers& registers);

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& range) override;

 private:
  struct Request {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time at;
  };
  /// Carries it out, sets the response, and returns when it is over.
  sc_core::sc_time carry_out(tlm::tlm_generic_payload& payload);
  /// Of non-blocking transport: one after another.
  void serve();

  tlm::tlm_target_socket<>& socket_;
  Registers& registers_;
  std::deque<Request> requests_;
  sc_core::sc_event request_, response_ended_;
  tlm::tlm_generic_payload* responding_ = nullptr;  ///< Its response has begun and not ended.
};

}  // namespace ppu::systemc
