// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// In place of the adapters around Verilated RTL, for tests of the model alone: there is none.
#include "hw/cosim/rtl_device.hpp"
#include "hw/cosim/rtl_engine.hpp"
#include "hw/cosim/rtl_row_pipe.hpp"

namespace ppu::hw {
namespace {

[[noreturn]] void refuse() {
  throw ConfigError("these tests are built without RTL", false);
}

}  // namespace

std::unique_ptr<ClockedDevice> create_rtl_device(const Config& /*config*/,
                                                 const Surroundings& /*surroundings*/,
                                                 const WaveRequest& /*waves*/, TraceSink* /*trace*/,
                                                 int /*seed*/) {
  refuse();
}

std::unique_ptr<RtlEngine> RtlEngine::create(const Config& /*config*/, std::uint32_t /*index*/,
                                             Memory /*device_memory*/, EnginePort& /*port*/,
                                             int /*seed*/) {
  refuse();
}

std::unique_ptr<RtlRowPipe> RtlRowPipe::create(const Config& /*config*/, int /*seed*/) {
  refuse();
}

}  // namespace ppu::hw
