// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The host of a device under test: its memory, the command ring in it, and commands from fields.
#pragma once

#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/contract/command.hpp"
#include "hw/contract/config.hpp"
#include "hw/contract/device.hpp"
#include "hw/contract/device_registers.hpp"
#include "hw/contract/host_records.hpp"

namespace ppu::hw::test {

namespace field = spec::command_field;

/// A device with little memory whose link and memory take one beat per cycle: a read of host memory
/// is answered after 21 cycles, a write after 11, an access of device memory after 2.
inline Config plain_config(const std::vector<std::string>& overrides = {},
                           const std::string& name = "default") {
  std::vector<std::string> all = {
      "clock_mhz=100",        "host_memory_mib=1",       "device_memory_mib=1",
      "link_mb_per_s=6400",   "link_latency_ns=100",     "link_overhead_bytes=0",
      "link_full_duplex=1",   "link_queue=64",           "dram_bus_bits=512",
      "dram_queue=64",        "dram_mega_transfers=100", "dram_cas_ns=10",
      "dram_activate_ns=0",   "dram_precharge_ns=0",     "dram_refresh_interval_ns=1000000",
      "dram_controller_ns=0", "dram_refresh_ns=0"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return resolve_config(name, all);
}

using Fields = std::initializer_list<std::pair<spec::CommandField, std::uint32_t>>;

inline CommandWords make_command(spec::CommandOpcode opcode, Fields fields = {}) {
  CommandWords words{};
  words[field::kOpcode.word] |= static_cast<std::uint32_t>(opcode) << field::kOpcode.lsb;
  for (const auto& [where, value] : fields) words[where.word] |= value << where.lsb;
  return words;
}

inline CommandWords copy_command(spec::CommandOpcode opcode, const Descriptor& range,
                                 std::uint32_t list_address = 0, std::uint32_t list_count = 0) {
  return make_command(opcode, {{field::kHostAddress, range.host_address},
                               {field::kDeviceAddress, range.device_address},
                               {field::kBytes, range.bytes},
                               {field::kListAddress, list_address},
                               {field::kListCount, list_count}});
}

/// A load_program whose lines must have this CRC32C.
inline CommandWords checked_load(const Descriptor& range, std::uint32_t checksum) {
  CommandWords words = copy_command(spec::CommandOpcode::kLoadProgram, range);
  words[field::kFlags.word] |= spec::kFlagChecked << field::kFlags.lsb;
  words[field::kChecksum.word] = checksum;
  return words;
}

inline CommandWords fence_command(std::uint32_t address, std::uint32_t value,
                                  bool interrupt = false) {
  return make_command(spec::CommandOpcode::kFence,
                      {{field::kHostAddress, address},
                       {field::kValueLo, value},
                       {field::kFlags, interrupt ? spec::kFlagInterrupt : 0}});
}

inline CommandWords query_command(std::uint32_t address) {
  return make_command(spec::CommandOpcode::kQuery, {{field::kHostAddress, address}});
}

/// Host memory with the ring in its last 16 entries.
class DeviceHost {
 public:
  static constexpr std::uint32_t kEntries = 16;

  explicit DeviceHost(const Config& config)
      : bytes_(std::size_t{config.host_memory_mib} << 20U),
        ring_(static_cast<std::uint32_t>(bytes_.size()) - kEntries * spec::kCommandBytes) {}

  [[nodiscard]] Memory memory() { return {bytes_.data(), bytes_.size()}; }
  [[nodiscard]] std::uint32_t ring() const { return ring_; }
  [[nodiscard]] std::uint32_t tail() const { return tail_; }

  template <class T>
  void put(std::uint32_t address, const T& value) {
    std::memcpy(&bytes_.at(address), &value, sizeof value);
  }
  template <class T>
  [[nodiscard]] T get(std::uint32_t address) const {
    T value;
    std::memcpy(&value, &bytes_.at(address), sizeof value);
    return value;
  }
  void put_bytes(std::uint32_t address, const void* data, std::size_t size) {
    std::memcpy(&bytes_.at(address), data, size);
  }
  [[nodiscard]] std::vector<std::byte> bytes(std::uint32_t address, std::size_t size) const {
    return {&bytes_.at(address), &bytes_.at(address) + size};
  }
  /// Writes a command to the ring, without the doorbell.
  void add(const CommandWords& command) {
    put(ring_ + tail_++ % kEntries * spec::kCommandBytes, command);
  }
  void add(std::initializer_list<CommandWords> commands) {
    for (const CommandWords& command : commands) add(command);
  }

 private:
  std::vector<std::byte> bytes_;
  std::uint32_t ring_;
  std::uint32_t tail_ = 0;
};

/// A host with its device.
class DeviceSession {
 public:
  DeviceSession(DeviceHost& host, Device& device) : host_(host), device_(device) {
    device.write_register(PPU_REGISTER_RING_BASE, host.ring());
    device.write_register(PPU_REGISTER_RING_ENTRIES, DeviceHost::kEntries);
  }
  [[nodiscard]] std::uint32_t read(std::uint32_t offset) { return device_.read_register(offset); }
  void write(std::uint32_t offset, std::uint32_t value) { device_.write_register(offset, value); }
  /// One doorbell for all commands added.
  void ring() { write(PPU_REGISTER_RING_TAIL, host_.tail()); }
  void finish() {
    while (device_.step()) {
    }
  }
  /// Commands, one doorbell, and the end of them.
  void execute(std::initializer_list<CommandWords> commands) {
    host_.add(commands);
    ring();
    finish();
  }
  /// The oldest error, taken from the queue.
  CommandError take_error() {
    const CommandError error{read(PPU_REGISTER_ERROR_COMMAND),
                             static_cast<ppu_command_error>(read(PPU_REGISTER_ERROR_REASON)),
                             read(PPU_REGISTER_ERROR_DETAIL)};
    write(PPU_REGISTER_ERROR_POP, 1);
    return error;
  }

 private:
  DeviceHost& host_;
  Device& device_;
};

}  // namespace ppu::hw::test
