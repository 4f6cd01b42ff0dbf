// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The RTL as a module.
#include "hw/cosim/rtl_device.hpp"
#include "hw/systemc/device_impl.hpp"

namespace ppu::systemc {

PpuRtl::PpuRtl(const sc_core::sc_module_name& name, const Settings& settings) : Device(name) {
  impl_ = std::make_unique<Impl>(*this, settings,
                                 [](const sc_core::sc_object&, const hw::Config& config,
                                    const hw::Surroundings& surroundings) {
                                   return hw::create_rtl_device(config, surroundings);
                                 });
}

}  // namespace ppu::systemc
