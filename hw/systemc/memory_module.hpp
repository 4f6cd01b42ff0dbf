// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Device memory as a TLM-2.0 target: bytes shared with the host, time from DramTiming.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "ppu/hw/device.hpp"
#include "ppu/hw/dram_timing.hpp"

namespace ppu::hw {

class MemoryModule : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<MemoryModule> socket{"socket"};

  MemoryModule(sc_core::sc_module_name name, const Config& config, DeviceMemory memory,
               sc_core::sc_time cycle);

 private:
  void b_transport(tlm::tlm_generic_payload& burst, sc_core::sc_time& delay);

  DramTiming timing_;
  DeviceMemory memory_;
  sc_core::sc_time cycle_;
};

}  // namespace ppu::hw
