// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A virtual platform: two PPUs, a memory and a DMA of somebody else on one bus, and two threads of
// a host that solve a problem, one on each PPU, through the driver. See docs/guide/systemc.md.
//   ./platform tests/data/wall10_f012.h5 [--rtl | --rtl=INSTANCE...] [--waves FILE]
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "parts.hpp"
#include "ppu/ppu.hpp"
#include "ppu/systemc.h"
#include "problem_file.hpp"

namespace {

constexpr std::size_t kMemoryMib = 16;
constexpr std::uint64_t kMemoryBase = 0x8000'0000, kRegisterBytes = 0x1000;

/// A PPU, its place on the bus, and the thread of the host that uses it.
struct Station : sc_core::sc_module {
  Station(const sc_core::sc_module_name& name, int number, Bus& bus, Memory& memory,
          const ppu_problem& problem, const std::vector<std::string>& rtl)
      : sc_module(name), memory_(memory), problem_(problem), number_(number) {
    SC_HAS_PROCESS(Station);
    settings_.overrides = {"host_memory_mib=" + std::to_string(kMemoryMib)};
    settings_.host_base = kMemoryBase + (static_cast<std::uint64_t>(number) * kMemoryMib << 20);
    const bool all_rtl = rtl == std::vector<std::string>{""};
    if (!all_rtl) settings_.rtl = rtl;
    if (all_rtl)
      ppu = std::make_unique<ppu::systemc::PpuRtl>("ppu", settings_);
    else
      ppu = std::make_unique<ppu::systemc::Ppu>("ppu", settings_);
    const std::uint64_t registers = static_cast<std::uint64_t>(number) * kRegisterBytes;
    host = std::make_unique<ppu::systemc::HostPort>("host", registers);
    bus.add_target(registers, kRegisterBytes).bind(ppu->registers);
    ppu->host.bind(bus.add_initiator());
    host->registers.bind(bus.add_initiator());
    ppu->rst_ni.bind(reset);
    ppu->irq_o.bind(irq);
    host->irq_i.bind(irq);
    SC_THREAD(solve);
  }

  std::unique_ptr<ppu::systemc::Device> ppu;
  std::unique_ptr<ppu::systemc::HostPort> host;
  sc_core::sc_signal<bool> reset{"reset", true}, irq{"irq"};
  bool done = false;

 private:
  void solve() try {
    const ppu_platform platform =
        host->platform(&memory_.bytes[settings_.host_base - kMemoryBase], kMemoryMib << 20);
    const std::string override = "host_memory_mib=" + std::to_string(kMemoryMib);
    const char* const overrides[] = {override.c_str()};
    ppu_device_def def = ppu_default_device_def();
    def.backend = "platform";
    def.platform = &platform;
    def.overrides = overrides;
    def.override_count = 1;
    const ppu::Device device(def);
    const ppu::Program program = ppu::Program::load(device, "boxed");
    ppu_solve_def solve_def = ppu_default_solve_def();
    solve_def.program = program.get();
    solve_def.max_sweeps = 10;
    std::vector<float> impulse(problem_.row_count), velocity(std::size_t{6} * problem_.body_count);
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
    const ppu_solve_report report =
        device.solve(problem_, solve_def, impulse.data(), velocity.data());
    const double us = (sc_core::sc_time_stamp() - begin) / sc_core::sc_time(1, sc_core::SC_US);
    const std::uint64_t hash =
        ppu_state_hash(impulse.data(), impulse.size(), velocity.data(), problem_.body_count);
    std::printf(
        "ppu %d: %u rows in %.3f us, %llu device cycles, state 0x%016llx, %llu interrupts\n",
        number_, problem_.row_count, us, static_cast<unsigned long long>(report.device_cycles),
        static_cast<unsigned long long>(hash), static_cast<unsigned long long>(host->interrupts()));
    done = true;
  } catch (const ppu::Error& error) {
    std::printf("ppu %d: %s\n", number_, error.what());
    sc_core::sc_stop();
  }

  ppu::systemc::Settings settings_;
  Memory& memory_;
  ppu_problem problem_;
  int number_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty())
    return std::puts("usage: platform PROBLEM.h5 [--rtl | --rtl=INSTANCE...] [--waves FILE]"), 2;
  const ProblemFile file(arguments[0]);
  std::vector<std::string> rtl;  // Instances in RTL; "" is the whole device.
  sc_core::sc_trace_file* waves = nullptr;
  for (std::size_t n = 1; n < arguments.size(); ++n) {
    if (arguments[n] == "--waves" && n + 1 < arguments.size())
      waves = sc_core::sc_create_vcd_trace_file(arguments[++n].c_str());
    else
      rtl.push_back(arguments[n].substr(std::min(arguments[n].size(), std::size_t{6})));
  }

  // 4 bytes per nanosecond, and a memory 60 ns away.
  Bus bus("bus", 5, 3, 4);
  Memory memory("memory", (2 * kMemoryMib + 1) << 20, sc_core::sc_time(60, sc_core::SC_NS));
  Traffic traffic("traffic", kMemoryBase + (2 * kMemoryMib << 20),
                  sc_core::sc_time(400, sc_core::SC_NS));
  bus.add_target(kMemoryBase, memory.bytes.size()).bind(memory.socket);
  traffic.socket.bind(bus.add_initiator());
  Station first("station0", 0, bus, memory, file.view(), rtl);
  Station second("station1", 1, bus, memory, file.view(), rtl);
  if (waves != nullptr) {
    sc_core::sc_trace(waves, first.irq, "ppu0_irq");
    sc_core::sc_trace(waves, second.irq, "ppu1_irq");
    sc_core::sc_trace(waves, bus.busy, "bus_busy");
  }

  while (!(first.done && second.done) && sc_core::sc_get_status() != sc_core::SC_STOPPED)
    sc_core::sc_start(1, sc_core::SC_US);
  const double percent = 100 * (bus.taken() / sc_core::sc_time_stamp());
  std::printf("%.0f us, bus taken %.1f %%, %llu KiB of other traffic\n",
              sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_US), percent,
              static_cast<unsigned long long>(traffic.bytes >> 10));
  if (waves != nullptr) sc_core::sc_close_vcd_trace_file(waves);
  return first.done && second.done ? 0 : 1;
}
