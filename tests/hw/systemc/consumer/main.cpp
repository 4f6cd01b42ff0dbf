// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Three PPUs, two models and one in RTL, beside each other on a platform of an outside project,
// with a slow memory that they share. Each runs a program through the driver, all at the same time.
#include <ppu/systemc.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <cstdio>
#include <cstring>
#include <ppu/ppu.hpp>
#include <vector>

constexpr std::size_t kMib = 1 << 20;

struct Memory : sc_core::sc_module {
  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), bytes(3 * kMib) {
    socket.register_b_transport(this, &Memory::transport);
  }
  void transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    unsigned char* const at = &bytes.at(payload.get_address());
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned n = 0; n < payload.get_data_length(); ++n) {
      if (payload.is_read())
        payload.get_data_ptr()[n] = at[n];
      else if (enables == nullptr || enables[n] != 0)
        at[n] = payload.get_data_ptr()[n];
    }
    delay += sc_core::sc_time(400, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::multi_passthrough_target_socket<Memory> socket{"socket"};
  std::vector<unsigned char> bytes;
};

template <class Module>
struct Board : sc_core::sc_module {
  Board(const sc_core::sc_module_name& name, Memory& memory, unsigned number)
      : sc_module(name), ppu("ppu", settings(number)), bytes(&memory.bytes[number * kMib]) {
    SC_HAS_PROCESS(Board);
    host.registers.bind(ppu.registers);
    ppu.host.bind(memory.socket);
    ppu.rst_ni.bind(reset);
    ppu.irq_o.bind(irq);
    host.irq_i.bind(irq);
    SC_THREAD(run);
  }
  static ppu::systemc::Settings settings(unsigned number) {
    ppu::systemc::Settings settings;
    settings.overrides = {"host_memory_mib=1"};
    settings.host_base = number * kMib;
    return settings;
  }
  void run() {
    const ppu_platform platform = host.platform(bytes, kMib);
    const char* const overrides[] = {"host_memory_mib=1"};
    ppu_device_def def = ppu_default_device_def();
    def.backend = "platform";
    def.platform = &platform;
    def.overrides = overrides;
    def.override_count = 1;
    const ppu::Device device(def);
    const ppu::Program program = ppu::Program::assemble(device, "one.s", "signal a4\nhalt\n");
    const ppu::Buffer buffer(device, 64);
    ppu_run_def run_def = ppu_default_run_def();
    run_def.program = program.get();
    run_def.rows = run_def.impulses = run_def.velocities = buffer.get();
    run_def.arguments[4] = 42;
    const ppu::Fence fence = ppu::Fence::submit(device, run_def);
    fence.wait();
    done = fence.report().progress == 42;
  }
  Module ppu;
  unsigned char* bytes;
  ppu::systemc::HostPort host{"host"};
  sc_core::sc_signal<bool> reset{"reset", true}, irq{"irq"};
  bool done = false;
};

int sc_main(int, char**) try {
  Memory memory("memory");
  Board<ppu::systemc::Ppu> first("first", memory, 0), second("second", memory, 1);
  Board<ppu::systemc::PpuRtl> rtl("rtl", memory, 2);
  while (!first.done || !second.done || !rtl.done) {
    sc_core::sc_start(100, sc_core::SC_US);
    if (sc_core::sc_time_stamp() > sc_core::sc_time(1, sc_core::SC_SEC)) return 1;
  }
  std::printf("models %llu and %llu cycles, RTL %llu\n",
              static_cast<unsigned long long>(first.ppu.cycle()),
              static_cast<unsigned long long>(second.ppu.cycle()),
              static_cast<unsigned long long>(rtl.ppu.cycle()));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
