// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The driver's way onto a platform.
#include <functional>
#include <stdexcept>

#include "ppu/systemc.h"

namespace ppu::systemc {

class HostPort::Impl final : public tlm::tlm_bw_transport_if<> {
 public:
  Impl(HostPort& module, std::uint64_t base) : module_(module), base_(base) {
    module.registers.bind(*this);
    sc_core::sc_spawn([this] { serve(); }, "serve");
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&module.irq_i.pos());
    sc_core::sc_spawn([this] { ++interrupts_; }, "count", &options);
  }

  std::uint32_t access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t value) {
    in_process([&] { value = transport(command, offset, value); });
    return value;
  }
  bool wait_interrupt(std::uint64_t timeout_ns) {
    if (module_.irq_i.read() || timeout_ns == 0) return module_.irq_i.read();
    in_process([&] {
      const sc_core::sc_event& rises = module_.irq_i.posedge_event();
      if (timeout_ns == UINT64_MAX)
        sc_core::wait(rises);
      else
        sc_core::wait(static_cast<double>(timeout_ns), sc_core::SC_NS, rises);
    });
    return module_.irq_i.read();
  }
  void pass_time(std::uint64_t duration_ns) {
    in_process([&] {
      sc_core::wait(static_cast<double>(duration_ns), sc_core::SC_NS,
                    module_.irq_i.posedge_event());
    });
  }
  [[nodiscard]] std::uint64_t interrupts() const { return interrupts_; }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  /// Does it in an SC_THREAD: that of the caller, or this one while the simulation runs.
  void in_process(const std::function<void()>& act) {
    if (sc_core::sc_is_running() && sc_core::sc_get_current_process_handle().valid() &&
        sc_core::sc_get_status() == sc_core::SC_RUNNING)
      return act();
    act_ = &act;
    asked_.notify(sc_core::SC_ZERO_TIME);
    while (act_ != nullptr) {
      sc_core::sc_start();
      if (sc_core::sc_get_status() == sc_core::SC_STOPPED || !sc_core::sc_pending_activity()) break;
    }
    if (act_ == nullptr) return;
    act_ = nullptr;
    throw std::runtime_error("the simulation has ended");
  }
  void serve() {
    while (true) {
      while (act_ == nullptr) sc_core::wait(asked_);
      (*act_)();
      act_ = nullptr;
      sc_core::sc_pause();
      sc_core::wait(asked_);
    }
  }

  std::uint32_t transport(tlm::tlm_command command, std::uint32_t offset, std::uint32_t value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(base_ + offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    module_.registers->b_transport(payload, delay);
    if (delay > sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    // What no register answers reads as 0, as on every back end.
    if (payload.is_response_error()) return 0;
    return value;
  }

  HostPort& module_;
  std::uint64_t base_;
  const std::function<void()>* act_ = nullptr;  ///< What to do in the simulation.
  sc_core::sc_event asked_{"asked"};
  std::uint64_t interrupts_ = 0;
};

HostPort::HostPort(const sc_core::sc_module_name& name, std::uint64_t registers_base)
    : sc_module(name), registers("registers"), irq_i("irq_i") {
  impl_ = std::make_unique<Impl>(*this, registers_base);
}

HostPort::~HostPort() = default;

std::uint64_t HostPort::interrupts() const {
  return impl_->interrupts();
}

ppu_platform HostPort::platform(void* host_memory, std::size_t host_memory_bytes) {
  ppu_platform platform{};
  platform.context = impl_.get();
  platform.write_register = [](void* context, std::uint32_t offset, std::uint32_t value) {
    static_cast<Impl*>(context)->access(tlm::TLM_WRITE_COMMAND, offset, value);
  };
  platform.read_register = [](void* context, std::uint32_t offset) {
    return static_cast<Impl*>(context)->access(tlm::TLM_READ_COMMAND, offset, 0);
  };
  platform.wait_interrupt = [](void* context, std::uint64_t timeout_ns) {
    return static_cast<Impl*>(context)->wait_interrupt(timeout_ns);
  };
  platform.pass_time = [](void* context, std::uint64_t duration_ns) {
    static_cast<Impl*>(context)->pass_time(duration_ns);
  };
  platform.time_ns = [](void*) {
    return static_cast<std::uint64_t>(sc_core::sc_time_stamp() /
                                      sc_core::sc_time(1, sc_core::SC_NS));
  };
  platform.host_memory = host_memory;
  platform.host_memory_bytes = host_memory_bytes;
  return platform;
}

}  // namespace ppu::systemc
