// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What is at the other end of a port of the device: a memory that carries out one beat after
// another. Memory of this process answers at once; a memory on a bus may take time of its own, and
// may not know yet how much.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/contract/cycles.hpp"
#include "hw/contract/host_records.hpp"
#include "hw/contract/mapped_memory.hpp"

namespace ppu::hw {

/// A beat that a port has accepted.
struct BeatAccess {
  std::uint64_t cycle;    ///< In which it was accepted.
  std::uint32_t address;  ///< A multiple of 64.
  bool write;
  std::uint64_t strobe = ~std::uint64_t{0};  ///< The bytes to write, a bit each.
};

class BeatTarget {
 public:
  /// Not known yet.
  static constexpr std::uint64_t kLater = kNever;

  virtual ~BeatTarget() = default;
  /// Carries it out: `data` is written, or receives what was read. Returns the picoseconds that it
  /// takes beyond the timing of the port, or kLater: then finish() tells.
  virtual std::uint64_t access(const BeatAccess& access, Beat& data) = 0;
  /// The same of the oldest access that was answered with kLater and is not finished.
  virtual std::uint64_t finish(Beat&) { return kLater; }
  /// Reads `size_bytes` of what will be read in beats, without time.
  virtual void peek(std::uint32_t address, std::size_t size_bytes) = 0;
};

/// Device memory in this process.
class LocalMemory final : public BeatTarget {
 public:
  explicit LocalMemory(Memory memory) : memory_(memory) {}
  std::uint64_t access(const BeatAccess& access, Beat& data) override;
  void peek(std::uint32_t, std::size_t) override {}

 private:
  Memory memory_;
};

/// Host memory in this process, or shared with it: what the host sees of a beat, it sees in the
/// order of write_host_beat(). Reads outside of it give 0.
class LocalHostMemory final : public BeatTarget {
 public:
  explicit LocalHostMemory(Memory memory) : memory_(memory) {}
  std::uint64_t access(const BeatAccess& access, Beat& data) override;
  void peek(std::uint32_t, std::size_t) override {}

 private:
  Memory memory_;
};

/// The memories that a device is attached to.
struct Surroundings {
  BeatTarget& host_reads;
  BeatTarget& host_writes;
  BeatTarget& memory;
  /// Device memory: what engines have read of it, and what they have written, is here.
  Memory device_memory;
  /// It has its own time: of the dram_ keys of the configuration, only the queue counts.
  bool memory_outside = false;
};

/// Those of a device whose memories are both in this process.
class LocalMemories {
 public:
  LocalMemories(Memory host_memory, Memory device_memory)
      : host_(host_memory), memory_(device_memory), device_memory_(device_memory) {}
  [[nodiscard]] Surroundings surroundings() { return {host_, host_, memory_, device_memory_}; }

 private:
  LocalHostMemory host_;
  LocalMemory memory_;
  Memory device_memory_;
};

/// Device memory of a device of its own, among them.
struct OwnMemories {
  OwnMemories(const Config& config, Memory host_memory)
      : memory(std::size_t{config.device_memory_mib} << 20U), all(host_memory, memory.memory()) {}
  MappedMemory memory;
  LocalMemories all;
};

}  // namespace ppu::hw
