// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Beats between the blocks of the device: whoever asks for them, and device memory and host link,
// which carry them out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/contract/beat_target.hpp"
#include "hw/contract/device_memory_flips.hpp"

namespace ppu::hw {

/// A beat that is asked for.
struct BeatRequest {
  std::uint32_t address;  ///< A multiple of 64.
  bool write = false;
  std::uint64_t strobe = 0;  ///< The bytes to write, a bit each.
  Beat data{};               ///< What to write.
  bool pair = false;         ///< A read of the beat behind it, too.
};

struct BeatAnswer {
  std::uint64_t cycle = 0;   ///< In which it comes.
  std::uint32_t master = 0;  ///< To whom: its number at the port.
  std::uint32_t address = 0;
  bool write = false;
  Beat data{};  ///< What was read.
  bool pair = false;
  Beat second{};    ///< Of a pair: what was read of the beat behind it.
  MemoryFlaw flaw;  ///< What was wrong with it.
};

/// Asks a port for beats, one after another.
class BeatMaster {
 public:
  virtual ~BeatMaster() = default;
  /// There is a request in `cycle`.
  [[nodiscard]] virtual bool requests(std::uint64_t cycle) const = 0;
  /// The request is accepted in `cycle`.
  virtual BeatRequest accept(std::uint64_t cycle) = 0;
  /// What it asks for, if anything, is not accepted in this cycle, and has to stay.
  virtual void hold() {}
  /// The oldest request without an answer has one. It is told as soon as its cycle is known, which
  /// may be long before.
  virtual void answer(const BeatAnswer& answer) = 0;
};

/// Carries beats out: device memory, or a direction of the host link.
class BeatSlave {
 public:
  virtual ~BeatSlave() = default;
  /// A beat can be accepted in `cycle`. Cycles must not go back.
  [[nodiscard]] virtual bool ready(std::uint64_t cycle) = 0;
  /// The next cycle after `cycle` in which that may become true.
  [[nodiscard]] virtual std::uint64_t next_ready(std::uint64_t cycle) const = 0;
  /// What `master` asks for is accepted in `cycle`.
  virtual void access(std::uint64_t cycle, const BeatRequest& request, std::uint32_t master) = 0;
  /// The next answer in order, if its cycle is known: `least` or later. Valid until the next
  /// access.
  virtual const BeatAnswer* next(std::uint64_t least) = 0;
  /// There are beats of which next() has not told.
  [[nodiscard]] virtual bool waits() const = 0;
  /// Reads `size_bytes` of what will be read in beats, without time.
  virtual void peek(std::uint32_t address, std::size_t size_bytes) = 0;
  /// See DeviceMemoryFlips.
  virtual void flip(std::uint32_t word, bool two) = 0;
};

}  // namespace ppu::hw
