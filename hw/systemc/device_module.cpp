// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/device_impl.hpp"

namespace ppu::systemc {

Device::Device(const sc_core::sc_module_name& name)
    : sc_module(name),
      registers("registers"),
      host("host"),
      memory("memory"),
      rst_ni("rst_ni"),
      irq_o("irq_o") {
}

Device::~Device() = default;

void Device::end_of_elaboration() {
  impl_->check_sockets();
}

std::uint64_t Device::cycle() const {
  return impl_->device().cycle();
}

sc_core::sc_time Device::period() const {
  return impl_->clock().period();
}

std::string Device::config_toml() const {
  return hw::to_toml(impl_->config());
}

std::uint64_t Device::rows_compared() const {
  if (sc_core::sc_get_status() < sc_core::SC_END_OF_ELABORATION) return 0;
  return impl_->peek(PPU_REGISTER_LOCKSTEP_ROWS);
}

}  // namespace ppu::systemc
