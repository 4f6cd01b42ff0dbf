// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/systemc_device.hpp"

#include <cstring>
#include <utility>

#include "hw/systemc/device_impl.hpp"

namespace ppu::hw {
namespace {

/// Simulated time of one step(), and how far the device runs ahead in it.
constexpr std::uint64_t kSliceNs = 20'000;

systemc::Settings settings_of(const Config& config) {
  systemc::Settings settings;
  settings.config_text = to_toml(config);
  settings.quantum = sc_core::sc_time(static_cast<double>(kSliceNs), sc_core::SC_NS);
  return settings;
}

}  // namespace

struct SystemcDevice::Platform {
  /// Host memory that the host of the process sees, too.
  class HostMemoryModule : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
   public:
    HostMemoryModule(const sc_core::sc_module_name& name, Memory memory)
        : sc_module(name), memory_(memory) {
      socket.bind(*this);
    }
    tlm::tlm_target_socket<> socket{"socket"};

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
      Beat beat;
      std::memcpy(beat.data(), payload.get_data_ptr(), beat.size());
      BeatAccess access{0, static_cast<std::uint32_t>(payload.get_address()), payload.is_write()};
      if (const unsigned char* const enables = payload.get_byte_enable_ptr()) {
        access.strobe = 0;
        for (std::size_t n = 0; n < beat.size(); ++n)
          access.strobe |= std::uint64_t{enables[n] == TLM_BYTE_ENABLED} << n;
      }
      memory_.access(access, beat);
      if (payload.is_read()) std::memcpy(payload.get_data_ptr(), beat.data(), beat.size());
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                       sc_core::sc_time& delay) override {
      b_transport(payload, delay);
      return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

   private:
    LocalHostMemory memory_;
  };

  Platform(const Config& config, Memory host_memory, const systemc::MakeDevice& make)
      : ppu("ppu", settings_of(config), make),
        memory("memory", host_memory),
        driver(host.platform(host_memory.data, host_memory.size_bytes)) {
    host.registers.bind(ppu.registers);
    ppu.host.bind(memory.socket);
    ppu.rst_ni.bind(reset);
    ppu.irq_o.bind(irq);
    host.irq_i.bind(irq);
  }
  systemc::AnyDevice ppu;
  HostMemoryModule memory;
  systemc::HostPort host{"host"};
  sc_core::sc_signal<bool> reset{"reset", true}, irq{"irq"};
  ppu_platform driver;
};

SystemcDevice::SystemcDevice(const Config& config, Memory host_memory, RowObservers observers,
                             TraceSink* trace) {
  platform_ = std::make_unique<Platform>(
      config, host_memory,
      [&](const sc_core::sc_object& device, const Config& resolved,
          const Surroundings& surroundings) {
        auto model = std::make_unique<systemc::Model>(
            device, resolved, surroundings,
            systemc::Model::Options{{}, std::move(observers), trace, host_memory});
        model_ = model.get();
        return model;
      });
  // Registers may be read at once: the ports inside are bound by then.
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

SystemcDevice::~SystemcDevice() = default;

void SystemcDevice::write_register(std::uint32_t offset, std::uint32_t value) {
  platform_->driver.write_register(platform_->driver.context, offset, value);
}

std::uint32_t SystemcDevice::read_register(std::uint32_t offset) {
  // Without time: the device goes on in step() alone.
  return model_->read_register(offset);
}

bool SystemcDevice::step() {
  if (model_->busy()) platform_->driver.pass_time(platform_->driver.context, kSliceNs);
  return model_->busy();
}

}  // namespace ppu::hw
