// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/device_impl.hpp"

#include <algorithm>
#include <sstream>

namespace ppu::systemc {
namespace {

hw::Config resolve(const Settings& settings) {
  std::vector<std::string> overrides;
  std::istringstream lines(settings.config_text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::remove(line.begin(), line.end(), ' '), line.end());
    overrides.push_back(line);
  }
  overrides.insert(overrides.end(), settings.overrides.begin(), settings.overrides.end());
  return hw::resolve_config(settings.config, overrides);
}

/// Verilated code needs more than SystemC gives.
constexpr int kStackBytes = 1 << 20;

}  // namespace

class Device::Impl::Turn {
 public:
  explicit Turn(Impl& impl) : impl_(impl) {
    while (impl_.taken_) {
      // Whoever has it ends soon.
      impl_.device_->stop();
      sc_core::wait(impl_.free_);
    }
    impl_.taken_ = true;
    impl_.take_reset();
  }
  ~Turn() {
    impl_.taken_ = false;
    impl_.free_.notify(sc_core::SC_ZERO_TIME);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Impl& impl_;
};

Device::Impl::Impl(Device& module, const Settings& settings, const MakeDevice& make)
    : module_(module),
      settings_(settings),
      config_(resolve(settings)),
      clock_(config_.clock_mhz),
      host_(module.host,
            {settings.coding == Coding::kApproximate, settings.dmi, settings.host_base}, clock_,
            answered_),
      memory_(module.memory,
              {settings.coding == Coding::kApproximate, settings.dmi, settings.memory_base}, clock_,
              answered_),
      shadow_(std::size_t{config_.device_memory_mib} << 20U),
      inside_(shadow_.memory()),
      registers_(module.registers, *this) {
  module.host.bind(host_);
  module.memory.bind(memory_);
  hw::BeatTarget& memory = settings.memory_outside
                               ? static_cast<hw::BeatTarget&>(memory_.add_channel(shadow_.memory()))
                               : inside_;
  device_ = make(module, config_,
                 {host_.add_channel(), host_.add_channel(), memory, shadow_.memory(),
                  settings.memory_outside});
  for (BeatSocket* socket : {&host_, &memory_}) socket->on_request([this] { device_->stop(); });

  sc_core::sc_spawn_options options;
  options.set_stack_size(kStackBytes);
  sc_core::sc_spawn([this] { live(); }, "live", &options);
  sc_core::sc_spawn_options line;
  line.spawn_method();
  line.set_sensitivity(&line_);
  sc_core::sc_spawn([this] { drive_interrupt(); }, "drive_interrupt", &line);
  sc_core::sc_spawn_options begins;
  begins.spawn_method();
  begins.set_sensitivity(&module.rst_ni.neg());
  sc_core::sc_spawn([this] { reset_asked_ = true; }, "note_reset", &begins);
}

void Device::Impl::check_sockets() const {
  if (settings_.memory_outside && module_.memory.size() == 0)
    SC_REPORT_FATAL("/ppu/memory", "memory_outside is set, and the socket `memory` is not bound");
}

std::uint64_t Device::Impl::quantum_cycles() const {
  const sc_core::sc_time quantum = settings_.quantum != sc_core::SC_ZERO_TIME
                                       ? settings_.quantum
                                       : tlm::tlm_global_quantum::instance().get();
  return std::max<std::uint64_t>(clock_.cycles_in(quantum), 1);
}

void Device::Impl::live() {
  while (true) {
    if (reset_asked_) take_turn();
    if (in_reset() || !device_->busy())
      sc_core::wait(work_ | module_.rst_ni.value_changed_event());
    else
      go_on();
  }
}

void Device::Impl::take_turn() {
  const Turn turn(*this);
}

void Device::Impl::take_reset() {
  if (!reset_asked_) return;
  reset_asked_ = false;
  host_.reset();
  memory_.reset();
  device_->reset();
  clock_.reset();
  interrupts_.clear();
  interrupt_ = true;
  show_interrupt();
}

void Device::Impl::go_on() {
  if (waits_for_answers()) return follow_answers();
  const std::uint64_t ahead = std::max(device_->cycle(), clock_.cycle_now()) + quantum_cycles();
  run_until(ahead);
  // Simulated time catches up; requests without an answer are followed from their cycle on.
  const sc_core::sc_time left = clock_.until(device_->cycle());
  if (left > sc_core::SC_ZERO_TIME && !waits_for_answers())
    sc_core::wait(left, module_.rst_ni.value_changed_event());
}

void Device::Impl::follow_answers() {
  // What arrives with an edge is there in the cycle that it begins: each step comes after it.
  constexpr std::uint64_t kAfterEdgePs = 1;
  const std::uint64_t next = std::max(device_->next_change(), device_->cycle());
  const sc_core::sc_event& reset = module_.rst_ni.value_changed_event();
  if (next == hw::kNever) {
    sc_core::wait(answered_ | reset);
  } else {
    const sc_core::sc_time left = clock_.until_ps(clock_.begin_ps(next) + kAfterEdgePs);
    if (left > sc_core::SC_ZERO_TIME) sc_core::wait(left, answered_ | reset);
  }
  if (in_reset()) return;
  // All cycles that have begun.
  run_until(clock_.cycle_now());
}

void Device::Impl::run_until(std::uint64_t cycle) {
  const Turn turn(*this);
  device_->run_until(cycle);
  show_interrupt();
}

sc_core::sc_time Device::Impl::write(std::uint32_t offset, std::uint32_t value) {
  const Turn turn(*this);
  if (!device_->busy())
    clock_.start(device_->cycle());
  else if (device_->cycle() < clock_.cycle_now())
    device_->run_until(clock_.cycle_now());
  device_->write_register(offset, value);
  show_interrupt();
  work_.notify(sc_core::SC_ZERO_TIME);
  return sc_core::sc_time_stamp() + clock_.until(device_->cycle());
}

sc_core::sc_time Device::Impl::read(std::uint32_t offset, std::uint32_t* value) {
  const Turn turn(*this);
  *value = device_->read_register(offset);
  // It is so in the cycle that the device has come to.
  return sc_core::sc_time_stamp() + std::max(clock_.period(), clock_.until(device_->cycle()));
}

void Device::Impl::show_interrupt() {
  if (device_->interrupt() == interrupt_) return;
  interrupt_ = device_->interrupt();
  interrupts_.emplace_back(clock_.begin_ps(device_->cycle()), interrupt_);
  line_.notify(clock_.until_ps(interrupts_.front().first));
}

void Device::Impl::drive_interrupt() {
  for (; !interrupts_.empty() && interrupts_.front().first <= clock_.now_ps();
       interrupts_.pop_front())
    module_.irq_o.write(interrupts_.front().second);
  if (!interrupts_.empty()) line_.notify(clock_.until_ps(interrupts_.front().first));
}

}  // namespace ppu::systemc
