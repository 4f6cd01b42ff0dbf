// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The smallest platform as a library for the driver: one PPU and a memory, which takes no time.
//   ppu solve PROBLEM --backend platform:./libone_ppu.so
#include <cstring>

#include "ppu/systemc.h"

namespace {

/// The host memory of the driver behind a socket; DMI makes it as fast as it can be.
struct HostMemory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  HostMemory(const sc_core::sc_module_name& name, void* data, std::size_t size_bytes)
      : sc_module(name), data_(static_cast<unsigned char*>(data)), size_(size_bytes) {
    socket.bind(*this);
  }
  tlm::tlm_target_socket<> socket{"socket"};

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    const std::uint64_t at = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (at > size_ || size_ - at < length)
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned n = 0; n < length; ++n) {
      if (payload.is_read())
        payload.get_data_ptr()[n] = data_[at + n];
      else if (enables == nullptr || enables[n % payload.get_byte_enable_length()] != 0)
        data_[at + n] = payload.get_data_ptr()[n];
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.set_dmi_allowed(true);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& range) override {
    range.set_dmi_ptr(data_);
    range.set_start_address(0);
    range.set_end_address(size_ - 1);
    range.allow_read_write();
    return true;
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    b_transport(payload, delay);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

 private:
  unsigned char* data_;
  std::size_t size_;
};

struct Platform {
  Platform(const ppu::systemc::Settings& settings, void* host_memory, std::size_t size_bytes)
      : ppu("ppu", settings), memory("memory", host_memory, size_bytes) {
    host.registers.bind(ppu.registers);
    ppu.host.bind(memory.socket);
    ppu.rst_ni.bind(reset);
    ppu.irq_o.bind(irq);
    host.irq_i.bind(irq);
  }
  ppu::systemc::Ppu ppu;
  HostMemory memory;
  ppu::systemc::HostPort host{"host"};
  sc_core::sc_signal<bool> reset{"reset", true}, irq{"irq"};
};

}  // namespace

extern "C" bool ppu_platform_open(const char* config, void* host_memory,
                                  std::size_t host_memory_bytes, ppu_platform* platform,
                                  char* problem, std::size_t problem_bytes) try {
  ppu::systemc::Settings settings;
  settings.config_text = config;
#ifdef ONE_PPU_APPROXIMATE
  settings.coding = ppu::systemc::Coding::kApproximate;
#endif
  // SystemC elaborates once in a process: the platform stays until its end.
  static Platform* const only = new Platform(settings, host_memory, host_memory_bytes);
  *platform = only->host.platform(host_memory, host_memory_bytes);
  return true;
} catch (const std::exception& error) {
  std::strncpy(problem, error.what(), problem_bytes - 1);
  return false;
}
