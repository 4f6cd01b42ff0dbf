// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A platform whose memories answer with errors, late or not at all, as PPU_BAD_PLATFORM says: "rtl"
// or "model", then the fault. They are well until `spec_hash` is read for the second time.
#include <cstdlib>
#include <cstring>
#include <random>

#include "ppu/spec.h"
#include "ppu/systemc.h"

namespace {

/// What the environment asks for.
struct Fault {
  std::string word;
  bool armed = false;
  [[nodiscard]] bool is(const std::string& asked) const { return armed && word == asked; }
};
Fault g_fault;

class BadMemory : public sc_core::sc_module, tlm::tlm_fw_transport_if<> {
 public:
  BadMemory(const sc_core::sc_module_name& name, void* data, std::size_t size_bytes)
      : sc_module(name), data_(static_cast<unsigned char*>(data)), size_(size_bytes) {
    socket.bind(*this);
  }
  tlm::tlm_target_socket<> socket{"socket"};

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const std::string kind = std::string(name()) + (payload.is_read() ? "-read" : "-write");
    if (g_fault.is(kind + "-fails"))
      return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (g_fault.is(kind + "-stays")) sc_core::wait(never_);
    if (g_fault.is("all-late")) delay += sc_core::sc_time(lateness_(random_), sc_core::SC_NS);
    access(payload);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    b_transport(payload, delay);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    access(payload);
    return payload.is_response_ok() ? payload.get_data_length() : 0;
  }

 private:
  void access(tlm::tlm_generic_payload& payload) {
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
  }

  unsigned char* data_;
  std::size_t size_;
  sc_core::sc_event never_{"never"};
  std::mt19937 random_{1};
  std::uniform_int_distribution<int> lateness_{0, 3000};
};

std::size_t device_bytes(const std::string& config) {
  const std::string key = "device_memory_mib = ";
  return std::stoul(config.substr(config.find(key) + key.size())) << 20U;
}

struct Platform {
  Platform(bool rtl, ppu::systemc::Settings settings, void* host_memory, std::size_t size_bytes)
      : device_memory(device_bytes(settings.config_text)),
        host_side("host", host_memory, size_bytes),
        device_side("memory", device_memory.data(), device_memory.size()) {
    settings.memory_outside = true;
    if (rtl)
      ppu = std::make_unique<ppu::systemc::PpuRtl>("ppu", settings);
    else
      ppu = std::make_unique<ppu::systemc::Ppu>("ppu", settings);
    port.registers.bind(ppu->registers);
    ppu->host.bind(host_side.socket);
    ppu->memory.bind(device_side.socket);
    ppu->rst_ni.bind(reset);
    ppu->irq_o.bind(irq);
    port.irq_i.bind(irq);
  }
  std::vector<unsigned char> device_memory;
  BadMemory host_side, device_side;
  std::unique_ptr<ppu::systemc::Device> ppu;
  ppu::systemc::HostPort port{"port"};
  sc_core::sc_signal<bool> reset{"reset", true}, irq{"irq"};
};

ppu_platform g_good;

std::uint32_t read_register(void* context, std::uint32_t offset) {
  static int reads_of_hash = 0;
  if (offset == PPU_REGISTER_SPEC_HASH && ++reads_of_hash == 2) g_fault.armed = true;
  return g_good.read_register(context, offset);
}

}  // namespace

extern "C" bool ppu_platform_open(const char* config, void* host_memory,
                                  std::size_t host_memory_bytes, ppu_platform* platform,
                                  char* problem, std::size_t problem_bytes) try {
  const char* const asked = std::getenv("PPU_BAD_PLATFORM");
  const std::string words = asked == nullptr ? "model well" : asked;
  g_fault.word = words.substr(words.find(' ') + 1);
  ppu::systemc::Settings settings;
  settings.config_text = config;
  // SystemC elaborates once in a process: the platform stays until its end.
  static Platform* const only =
      new Platform(words.rfind("rtl", 0) == 0, settings, host_memory, host_memory_bytes);
  g_good = only->port.platform(host_memory, host_memory_bytes);
  *platform = g_good;
  platform->read_register = read_register;
  return true;
} catch (const std::exception& error) {
  std::strncpy(problem, error.what(), problem_bytes - 1);
  return false;
}
