// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The PPU as a module of a SystemC platform, with TLM-2.0 sockets: as a model (ppu::systemc::Ppu)
// and in Verilated RTL (ppu::systemc::PpuRtl), with the same bits in the same cycles. Needs SystemC
// 2.3.4 and, as Debian builds that, C++17 exactly.
//
//   find_package(ppu COMPONENTS systemc)  ->  ppu::systemc
//
// docs/guide/systemc.md says how each socket behaves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "ppu/platform.h"

namespace ppu::systemc {

/// How a device speaks on its initiator sockets.
enum class Coding {
  kLoose,       ///< b_transport, ahead of time by up to a quantum; DMI where it is granted.
  kApproximate  ///< nb_transport in four phases, each request in its cycle, many under way.
};

struct Settings {
  /// A named configuration or a TOML file; over it lines "key = value", as a ppu_platform_open is
  /// given them; over those "key=value" each. docs/reference/config.md has the keys.
  std::string config = "default";
  std::string config_text;
  std::vector<std::string> overrides;

  Coding coding = Coding::kLoose;
  /// How far it runs ahead of simulated time, one cycle at least; 0: tlm_global_quantum.
  sc_core::sc_time quantum{1, sc_core::SC_US};
  /// kLoose: uses DMI where the platform grants it.
  bool dmi = true;

  /// Where the platform has the device's host memory, of host_memory_mib: address 0 of the device
  /// is this one on socket `host`.
  std::uint64_t host_base = 0;
  /// Device memory is behind the socket `memory`, from this address on, with the time that it takes
  /// there; else it is inside, with the timing of the dram_ keys.
  bool memory_outside = false;
  std::uint64_t memory_base = 0;

  /// Ppu: instances that are Verilated RTL, by their names below the device; `[*]` is any number.
  /// An engine takes the place of the model's: "gen_engine[0].u_engine". A row pipe goes in
  /// lockstep with the model, and a difference ends the run:
  /// "gen_engine[*].u_engine.u_rows.gen_pipe[0].u_pipe.u_pipe".
  std::vector<std::string> rtl;
};

/// What the model and the RTL have in common.
class Device : public sc_core::sc_module {
 public:
  /// Registers: 32-bit words, docs/reference/registers.md.
  tlm::tlm_target_socket<> registers;
  /// Host memory: command ring, copies, fences, reports; 64 bytes at a time.
  tlm::tlm_initiator_socket<> host;
  /// Device memory, if it is outside; unbound else.
  tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
      memory;
  /// Reset, low: begins and ends at any time. Device memory stays as it is.
  sc_core::sc_in<bool> rst_ni;
  /// Interrupt: up until the host clears it.
  sc_core::sc_out<bool> irq_o;

  ~Device() override;
  /// The device cycle that comes next: it stands still while there is nothing to do.
  [[nodiscard]] std::uint64_t cycle() const;
  /// Of the clock.
  [[nodiscard]] sc_core::sc_time period() const;
  /// The configuration, resolved, as TOML.
  [[nodiscard]] std::string config_toml() const;
  /// Rows compared with RTL row pipes so far.
  [[nodiscard]] std::uint64_t rows_compared() const;

 protected:
  class Impl;
  Device(const sc_core::sc_module_name& name);
  void end_of_elaboration() override;
  std::unique_ptr<Impl> impl_;
};

/// The model, of modules under the names of the RTL: docs/inside/hierarchy.md.
class Ppu : public Device {
 public:
  /// Throws std::runtime_error if the settings are wrong.
  explicit Ppu(const sc_core::sc_module_name& name, const Settings& settings = {});
};

/// The RTL: rtl/device/ppu_top.sv, of the configurations "default", "small" and "wide".
class PpuRtl : public Device {
 public:
  /// Throws std::runtime_error if the settings are wrong, or if no RTL of that shape was built.
  explicit PpuRtl(const sc_core::sc_module_name& name, const Settings& settings = {});
};

/// The driver's way onto a platform: a socket to the registers and the interrupt, as callbacks for
/// ppu_device_def.platform. They may be called by an SC_THREAD, which waits while time passes, and
/// outside of the simulation, which then runs for as long as they take.
class HostPort : public sc_core::sc_module {
 public:
  tlm::tlm_initiator_socket<> registers;
  sc_core::sc_in<bool> irq_i;

  /// The registers are at this address of the platform.
  explicit HostPort(const sc_core::sc_module_name& name, std::uint64_t registers_base = 0);
  ~HostPort() override;
  /// `host_memory` is what the platform has at host_base, of host_memory_mib.
  [[nodiscard]] ppu_platform platform(void* host_memory, std::size_t host_memory_bytes);
  /// Times that an interrupt has risen.
  [[nodiscard]] std::uint64_t interrupts() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ppu::systemc
