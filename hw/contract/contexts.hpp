// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the owner of a device says of every context: where its commands may reach, its ring, its
// quota (docs/inside/contexts.md). Context 0 is the owner itself.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "hw/contract/config.hpp"

namespace ppu::hw {

using ContextId = std::uint32_t;

/// A range of a memory.
struct Window {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  /// `size` from `address` on lie in it; where nothing is accessed, only its end counts.
  [[nodiscard]] bool contains(std::uint64_t address, std::uint64_t size) const {
    return (size == 0 || address >= first) && address + size <= end;
  }
};

struct Context {
  bool open = false;
  bool clean = false;      ///< Scrubbed since it was written, and since it was open.
  bool scrubbing = false;  ///< A scrub has begun, and nothing was written since.
  /// Times that it was closed: what is of another session is gone.
  std::uint32_t session = 0;
  std::uint32_t ring_base = 0;
  std::uint32_t ring_entries = 0;
  Window device, host;  ///< Bytes.
  Window program;       ///< Words of instruction memory.
  std::uint32_t quota = 0;

  /// Where command `number` is in host memory.
  [[nodiscard]] std::uint32_t command_address(std::uint32_t number) const {
    return ring_base + (number & (ring_entries - 1)) * spec::kCommandBytes;
  }
};

class ContextTable {
 public:
  explicit ContextTable(const Config& config);

  [[nodiscard]] const Context& operator[](ContextId id) const { return contexts_[id]; }
  /// Changes with every write: what was found out about a command holds as long as it does not.
  [[nodiscard]] std::uint32_t revision() const { return revision_; }

  /// A register of the owner's page; 0 if it does not describe contexts.
  [[nodiscard]] std::uint32_t read(std::uint32_t offset) const;
  /// What a write does to the context that is described.
  enum class Change { kNone, kOpened, kClosed };
  Change write(std::uint32_t offset, std::uint32_t value);
  [[nodiscard]] ContextId described() const { return described_; }

  /// The scrub of a closed context begins and ends.
  void begin_scrub(ContextId id) { contexts_[id].scrubbing = true; }
  void end_scrub(ContextId id) {
    Context& context = contexts_[id];
    context.clean = std::exchange(context.scrubbing, false) || context.clean;
  }

 private:
  static void describe(Context& context, std::uint32_t offset, std::uint32_t value);
  Change set_state(Context& context, bool open);

  std::array<Context, spec::kContexts> contexts_{};
  ContextId described_ = 0;
  std::uint32_t revision_ = 0;
};

}  // namespace ppu::hw
