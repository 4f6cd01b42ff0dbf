// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device that three share: its owner, an attacker and a victim, each client with windows, a ring
// and a program of its own. What the victim has is known, so that whatever reaches it shows.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {

/// A client of the device: where the owner has put it, and its ring.
struct Client {
  ContextId id;
  std::uint32_t host, device;  ///< First bytes of its windows,
  std::uint32_t program;       ///< and first word.
  std::uint32_t tail = 0;

  static constexpr std::uint32_t kBytes = 0x8000;  ///< Of both windows.
  static constexpr std::uint32_t kWords = 64;
  static constexpr std::uint32_t kEntries = 16;
  // In the window of host memory: the ring, then these.
  [[nodiscard]] std::uint32_t source() const { return host + 0x1000; }
  [[nodiscard]] std::uint32_t report() const { return host + 0x2000; }
  [[nodiscard]] std::uint32_t fence() const { return host + 0x3000; }
  [[nodiscard]] std::uint32_t data() const { return host + 0x4000; }
  [[nodiscard]] std::uint32_t list() const { return host + 0x5000; }
  [[nodiscard]] std::uint32_t host_end() const { return host + kBytes; }
  [[nodiscard]] std::uint32_t device_end() const { return device + kBytes; }
  [[nodiscard]] std::uint32_t page(std::uint32_t offset) const {
    return id * spec::kContextPageBytes + offset;
  }
};

class ContextBench {
 public:
  static constexpr std::uint32_t kQuota = 20'000;
  static constexpr std::uint32_t kScratch = 0xa0000;  ///< Of the owner, in host memory.

  ContextBench(const Config& config, DeviceHost& its_host, Device& its_device)
      : host(its_host), device(its_device), owner(its_host, its_device) {
    host_bytes_ = static_cast<std::uint32_t>(host.memory().size_bytes);
    device_bytes_ = config.device_memory_mib << 20U;
    EXPECT_TRUE(open(attacker));
    EXPECT_TRUE(open(victim));
    fill_victim();
  }

  // ------------------------------------------------------------------------------- the owner

  void describe(const Client& client, std::uint32_t quota = kQuota) {
    owner.write(PPU_REGISTER_CONTEXT, client.id);
    owner.write(PPU_REGISTER_DEVICE_FIRST, client.device);
    owner.write(PPU_REGISTER_DEVICE_END, client.device_end());
    owner.write(PPU_REGISTER_HOST_FIRST, client.host);
    owner.write(PPU_REGISTER_HOST_END, client.host_end());
    owner.write(PPU_REGISTER_PROGRAM_FIRST, client.program);
    owner.write(PPU_REGISTER_PROGRAM_END, client.program + Client::kWords);
    owner.write(PPU_REGISTER_RING_BASE, client.host);
    owner.write(PPU_REGISTER_RING_ENTRIES, Client::kEntries);
    owner.write(PPU_REGISTER_QUOTA, quota);
    owner.write(PPU_REGISTER_CONTEXT, 0);
  }
  void scrub(ContextId id) { owner.execute({scrub_command(id)}); }
  static CommandWords scrub_command(ContextId id) {
    return make_command(spec::CommandOpcode::kScrub, {{field::kScrubContext, id}});
  }
  /// False if the device does not open it.
  bool set_open(ContextId id, bool open) {
    owner.write(PPU_REGISTER_CONTEXT, id);
    owner.write(PPU_REGISTER_CONTEXT_STATE, open ? 1 : 0);
    const bool is_open = (owner.read(PPU_REGISTER_CONTEXT_STATE) & 1U) != 0;
    owner.write(PPU_REGISTER_CONTEXT, 0);
    return is_open == open;
  }
  bool open(Client& client, std::uint32_t quota = kQuota) {
    client.tail = 0;
    describe(client, quota);
    scrub(client.id);
    if (!set_open(client.id, true)) return false;
    write(client, PPU_REGISTER_IRQ_MASK, 3);
    return true;
  }
  /// What device memory holds, as the owner sees it.
  std::vector<std::byte> device_bytes(std::uint32_t address, std::uint32_t size) {
    owner.execute({copy_command(spec::CommandOpcode::kCopyOut, {kScratch, address, size, 0})});
    return host.bytes(kScratch, size);
  }

  // ------------------------------------------------------------------------------- a client

  void write(const Client& client, std::uint32_t offset, std::uint32_t value) {
    device.write_register(client.page(offset), value);
  }
  [[nodiscard]] std::uint32_t read(const Client& client, std::uint32_t offset) {
    return device.read_register(client.page(offset));
  }
  void add(Client& client, const CommandWords& command) {
    host.put(client.host + client.tail++ % Client::kEntries * spec::kCommandBytes, command);
  }
  void ring(const Client& client) { write(client, PPU_REGISTER_RING_TAIL, client.tail); }
  void submit(Client& client, const std::vector<CommandWords>& commands) {
    for (const CommandWords& command : commands) add(client, command);
    ring(client);
  }
  void finish() {
    while (device.step()) {
    }
  }
  void execute(Client& client, const std::vector<CommandWords>& commands) {
    submit(client, commands);
    finish();
  }
  CommandError take_error(const Client& client) {
    const CommandError error{
        read(client, PPU_REGISTER_ERROR_COMMAND),
        static_cast<ppu_command_error>(read(client, PPU_REGISTER_ERROR_REASON)),
        read(client, PPU_REGISTER_ERROR_DETAIL)};
    write(client, PPU_REGISTER_ERROR_POP, 1);
    return error;
  }
  /// Puts a program into the client's memory; the command that loads it.
  CommandWords load(const Client& client, const std::string& source) {
    std::vector<std::uint32_t> words = firmware::assemble("test.s", source).image.words;
    words.resize(16);
    host.put_bytes(client.source(), words.data(), 64);
    return copy_command(spec::CommandOpcode::kLoadProgram,
                        {client.source(), client.program, 64, 0});
  }
  static CommandWords run(const Client& client, std::uint32_t flags = 0) {
    return make_command(spec::CommandOpcode::kRun, {{field::kProgramWords, 16},
                                                    {field::kEntry, client.program},
                                                    {field::kRowsAddress, client.device},
                                                    {field::kImpulsesAddress, client.device},
                                                    {field::kVelocitiesAddress, client.device},
                                                    {field::kReportAddress, client.report()},
                                                    {field::kFlags, flags}});
  }
  [[nodiscard]] ppu_run_status status(const Client& client) const {
    return static_cast<ppu_run_status>(host.get<std::uint32_t>(client.report()));
  }

  // ------------------------------------------------------------------------------- what is left

  /// While the victim does nothing its ring, report and fence are as they were.
  void expect_idle_victim() { EXPECT_EQ(host.bytes(victim.host, victim_own_.size()), victim_own_); }
  /// Everything of the victim and of the owner is as it was: memories, registers, its program; and
  /// nothing of them is where the attacker could read it.
  void expect_untouched() {
    EXPECT_EQ(host.bytes(victim.data(), victim_data_.size()), victim_data_);
    EXPECT_EQ(device_bytes(victim.device, Client::kBytes), victim_device_);
    for (const std::uint32_t offset :
         {PPU_REGISTER_ERROR_COUNT, PPU_REGISTER_ERROR_LOST, PPU_REGISTER_IRQ_STATUS})
      EXPECT_EQ(read(victim, offset), 0U) << "register " << offset << " of the victim";
    EXPECT_EQ(owner.read(PPU_REGISTER_ERROR_COUNT), 0U);
    EXPECT_FALSE(holds_secret(host.bytes(attacker.host, Client::kBytes)));
    EXPECT_FALSE(holds_secret(device_bytes(attacker.device, Client::kBytes)));
    // Its program is still its own.
    const std::uint32_t progress = read(victim, PPU_REGISTER_PROGRESS);
    EXPECT_EQ(progress, kSignal);
    execute(victim, {run(victim), fence_command(victim.fence(), ++fences_)});
    EXPECT_EQ(status(victim), PPU_RUN_OK);
    EXPECT_EQ(read(victim, PPU_REGISTER_PROGRESS), kSignal);
    EXPECT_EQ(host.get<std::uint64_t>(victim.fence()), fences_);
  }

  static bool holds_secret(const std::vector<std::byte>& bytes) {
    return std::search_n(bytes.begin(), bytes.end(), 16, kSecret) != bytes.end();
  }

  static constexpr std::byte kSecret{0x5e};
  static constexpr std::uint32_t kSignal = 77;

  DeviceHost& host;
  Device& device;
  DeviceSession owner;
  Client attacker{1, 0x20000, 0x40000, 128};
  Client victim{2, 0x60000, 0x80000, 256};

  [[nodiscard]] std::uint32_t host_size() const { return host_bytes_; }
  [[nodiscard]] std::uint32_t device_size() const { return device_bytes_; }

 private:
  void fill_victim() {
    const std::vector<std::byte> secret(0x1000, kSecret);
    host.put_bytes(victim.data(), secret.data(), secret.size());
    execute(victim, {copy_command(spec::CommandOpcode::kCopyIn,
                                  {victim.data(), victim.device + 0x1000, 0x1000, 0}),
                     load(victim, "li t0, 77\nsignal t0\nhalt\n"), run(victim),
                     fence_command(victim.fence(), ++fences_)});
    EXPECT_EQ(status(victim), PPU_RUN_OK);
    victim_data_ = host.bytes(victim.data(), Client::kBytes / 2);
    victim_own_ = host.bytes(victim.host, Client::kBytes / 2);
    victim_device_ = device_bytes(victim.device, Client::kBytes);
    EXPECT_TRUE(holds_secret(victim_device_));
  }

  std::uint32_t host_bytes_ = 0, device_bytes_ = 0;
  std::uint32_t fences_ = 0;
  std::vector<std::byte> victim_own_, victim_data_, victim_device_;
};

}  // namespace ppu::hw::test
