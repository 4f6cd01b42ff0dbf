// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine as a SystemC module: lets the timed engine run ahead of simulated time when the uncore
// asks for it, and says when it stopped.
#pragma once

#include <systemc>

#include "hw/timed/device_core.hpp"

namespace ppu::hw {

class EngineModule : public sc_core::sc_module {
 public:
  EngineModule(sc_core::sc_module_name name, DeviceCore& core, std::size_t index)
      : sc_module(name), core_(core), index_(index) {
    SC_HAS_PROCESS(EngineModule);
    SC_METHOD(advance);
    sensitive << go_;
    dont_initialize();
  }

  /// Asks it to go on.
  void go() { go_.notify(sc_core::SC_ZERO_TIME); }
  /// It has gone on as far as it could.
  [[nodiscard]] const sc_core::sc_event& advanced() const { return advanced_; }

 private:
  void advance() {
    core_.advance(index_);
    advanced_.notify(sc_core::SC_ZERO_TIME);
  }

  DeviceCore& core_;
  std::size_t index_;
  sc_core::sc_event go_{"go"};
  sc_core::sc_event advanced_{"advanced"};
};

}  // namespace ppu::hw
