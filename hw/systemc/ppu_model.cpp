// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The model as a module.
#include "hw/systemc/device_impl.hpp"
#include "hw/systemc/model.hpp"

namespace ppu::systemc {

Ppu::Ppu(const sc_core::sc_module_name& name, const Settings& settings) : Device(name) {
  impl_ = std::make_unique<Impl>(
      *this, settings,
      [&settings](const sc_core::sc_object& module, const hw::Config& config,
                  const hw::Surroundings& surroundings) {
        return std::make_unique<Model>(module, config, surroundings,
                                       Model::Options{settings.rtl, {}, nullptr, {}});
      });
}

}  // namespace ppu::systemc
