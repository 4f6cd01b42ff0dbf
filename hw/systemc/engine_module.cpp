// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "engine_module.hpp"

#include <stdexcept>

namespace ppu::hw {

EngineModule::EngineModule(sc_core::sc_module_name name, const Config& config, DeviceMemory memory,
                           RowObserver* observer, const std::atomic<bool>& cancel,
                           sc_core::sc_time cycle)
    : sc_module(name), engine_(config, memory, *this, observer), cancel_(cancel), cycle_(cycle) {
  SC_HAS_PROCESS(EngineModule);
  SC_THREAD(execute);
}

void EngineModule::execute() {
  for (;;) {
    const RunCommand command = commands.read();
    run_start_ = sc_core::sc_time_stamp();
    reports.write(engine_.run(command, cancel_));
  }
}

std::uint64_t EngineModule::read(std::uint64_t cycle, std::uint64_t address, void* data,
                                 std::size_t bytes) {
  return transport(tlm::TLM_READ_COMMAND, cycle, address, data, bytes);
}

std::uint64_t EngineModule::write(std::uint64_t cycle, std::uint64_t address, const void* data,
                                  std::size_t bytes) {
  return transport(tlm::TLM_WRITE_COMMAND, cycle, address, const_cast<void*>(data), bytes);
}

void EngineModule::advance(std::uint64_t cycle) {
  const sc_core::sc_time target = run_start_ + cycle_ * static_cast<double>(cycle);
  if (target > sc_core::sc_time_stamp()) wait(target - sc_core::sc_time_stamp());
}

std::uint64_t EngineModule::transport(tlm::tlm_command command, std::uint64_t cycle,
                                      std::uint64_t address, void* data, std::size_t bytes) {
  tlm::tlm_generic_payload burst;
  burst.set_command(command);
  burst.set_address(address);
  burst.set_data_ptr(static_cast<unsigned char*>(data));
  burst.set_data_length(static_cast<unsigned>(bytes));
  burst.set_streaming_width(static_cast<unsigned>(bytes));
  burst.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  sc_core::sc_time delay = run_start_ + cycle_ * static_cast<double>(cycle) - now;
  socket->b_transport(burst, delay);
  if (burst.is_response_error()) throw std::logic_error("engine: " + burst.get_response_string());
  return (now + delay - run_start_).value() / cycle_.value();
}

}  // namespace ppu::hw
