// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "memory_module.hpp"

#include <cstring>

namespace ppu::hw {

MemoryModule::MemoryModule(sc_core::sc_module_name name, const Config& config, DeviceMemory memory,
                           sc_core::sc_time cycle)
    : sc_module(name), timing_(config), memory_(memory), cycle_(cycle) {
  socket.register_b_transport(this, &MemoryModule::b_transport);
}

void MemoryModule::b_transport(tlm::tlm_generic_payload& burst, sc_core::sc_time& delay) {
  const std::uint64_t address = burst.get_address();
  const std::uint64_t bytes = burst.get_data_length();
  if (address > memory_.size_bytes || bytes > memory_.size_bytes - address) {
    burst.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (burst.is_read())
    std::memcpy(burst.get_data_ptr(), memory_.data + address, bytes);
  else
    std::memcpy(memory_.data + address, burst.get_data_ptr(), bytes);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const std::uint64_t done = timing_.access((now + delay).value() / cycle_.value(), bytes);
  delay = cycle_ * static_cast<double>(done) - now;
  burst.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace ppu::hw
