// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Two PPUs, model and RTL, each with a memory, on a platform of an outside project: both run a
// program through the driver, whose calls let simulated time pass.
#include <ppu/systemc.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>
#include <ppu/ppu.hpp>
#include <vector>

struct Memory : sc_core::sc_module {
  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), bytes(1 << 20) {
    socket.register_b_transport(this, &Memory::transport);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    unsigned char* const at = &bytes[payload.get_address()];
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned n = 0; n < payload.get_data_length(); ++n) {
      if (payload.is_read())
        payload.get_data_ptr()[n] = at[n];
      else if (enables == nullptr || enables[n] != 0)
        at[n] = payload.get_data_ptr()[n];
    }
    delay += sc_core::sc_time(80, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  std::vector<unsigned char> bytes;
};

template <class Module>
struct Board : sc_core::sc_module {
  Board(const sc_core::sc_module_name& name, const ppu::systemc::Settings& settings)
      : sc_module(name), ppu("ppu", settings) {
    host.registers.bind(ppu.registers);
    ppu.host.bind(memory.socket);
    ppu.rst_ni.bind(reset);
    ppu.irq_o.bind(irq);
    host.irq_i.bind(irq);
  }
  Module ppu;
  Memory memory{"memory"};
  ppu::systemc::HostPort host{"host"};
  sc_core::sc_signal<bool> reset{"reset", true}, irq{"irq"};
};

template <class Module>
unsigned long long run(Board<Module>& board) {
  const ppu_platform platform = board.host.platform(board.memory.bytes.data(), 1 << 20);
  const char* const overrides[] = {"host_memory_mib=1"};
  ppu_device_def def = ppu_default_device_def();
  def.backend = "platform";
  def.platform = &platform;
  def.overrides = overrides;
  def.override_count = 1;
  const ppu::Device device(def);
  const ppu::Program program = ppu::Program::assemble(device, "one.s", "signal a4\nhalt\n");
  const ppu::Buffer buffer(device, 64);
  ppu_run_def run = ppu_default_run_def();
  run.program = program.get();
  run.rows = run.impulses = run.velocities = buffer.get();
  run.arguments[4] = 42;
  const ppu::Fence fence = ppu::Fence::submit(device, run);
  fence.wait();
  if (fence.report().progress != 42) throw std::runtime_error("the program has not run");
  return board.ppu.cycle();
}

int sc_main(int, char**) try {
  ppu::systemc::Settings settings;
  settings.overrides = {"host_memory_mib=1"};
  Board<ppu::systemc::Ppu> model("model", settings);
  Board<ppu::systemc::PpuRtl> rtl("rtl", settings);
  const unsigned long long cycles = run(model), twin = run(rtl);
  std::printf("model %llu cycles, RTL %llu\n", cycles, twin);
  return cycles == twin ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
