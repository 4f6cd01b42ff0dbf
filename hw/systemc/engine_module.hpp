// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine as a SystemC module: lets the timed engine go on, decoupled from simulated
// time, when the uncore asks for it, and says when it stopped.
#pragma once

#include <systemc>

#include "hw/engine/timed_engine.hpp"

namespace ppu::hw {

class EngineModule : public sc_core::sc_module {
 public:
  EngineModule(sc_core::sc_module_name name, TimedEngine& engine)
      : sc_module(name), engine_(engine) {
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
    engine_.advance();
    advanced_.notify(sc_core::SC_ZERO_TIME);
  }

  TimedEngine& engine_;
  sc_core::sc_event go_{"go"};
  sc_core::sc_event advanced_{"advanced"};
};

}  // namespace ppu::hw
