// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Commands as the device sees them: 64 bytes from the ring, their fields where the specification
// puts them, and the checks that every command passes before it is begun (docs/inside/device.md).
#pragma once

#include <array>
#include <cstdint>

#include "hw/contract/config.hpp"
#include "hw/contract/contexts.hpp"
#include "hw/contract/run.hpp"

namespace ppu::hw {

using CommandWords = std::array<std::uint32_t, spec::kCommandBytes / sizeof(std::uint32_t)>;

/// The value of a field.
constexpr std::uint32_t get_field(const CommandWords& words, const spec::CommandField& field) {
  return words[field.word] >> field.lsb & (~std::uint32_t{0} >> (32U - field.width));
}
constexpr spec::CommandOpcode opcode_of(const CommandWords& words) {
  return static_cast<spec::CommandOpcode>(get_field(words, spec::command_field::kOpcode));
}
constexpr bool has_flag(const CommandWords& words, std::uint32_t flag) {
  return (get_field(words, spec::command_field::kFlags) & flag) != 0;
}

/// One range of a copy, as it lies in host memory.
struct Descriptor {
  std::uint32_t host_address;  ///< copy_within: the source in device memory.
  std::uint32_t device_address;
  std::uint32_t bytes;
  std::uint32_t zero;
};
static_assert(sizeof(Descriptor) == spec::kDescriptorBytes);

/// The range in the command itself, before those of its list.
Descriptor first_descriptor(const CommandWords& words);
/// Which context a scrub is for.
ContextId scrubbed_context(const CommandWords& words);
/// A run command that has been checked; `number` is that of the command in its ring.
RunCommand decode_run(const CommandWords& words, std::uint32_t number);
/// A flip command.
MemoryFlip decode_flip(const CommandWords& words);
/// decode_run() the other way round, but for the address of the report, which is 0.
CommandWords encode_run(const RunCommand& run);

/// Checks commands against the sizes of one device and the windows of their contexts.
class CommandChecker {
 public:
  explicit CommandChecker(const Config& config) : config_(config) {}

  /// The first thing that is wrong with a command of context `id`, in the order of the
  /// specification.
  [[nodiscard]] ppu_command_error check(const CommandWords& words, const ContextTable& contexts,
                                        ContextId id) const;
  /// The same for a descriptor in the list of a copy.
  [[nodiscard]] static bool is_valid(const Descriptor& descriptor, spec::CommandOpcode opcode,
                                     const Context& context);

 private:
  [[nodiscard]] ppu_command_error check_fields(const CommandWords& words,
                                               const Context& context) const;
  [[nodiscard]] ppu_command_error check_windows(const Context& scrubbed) const;
  [[nodiscard]] ppu_command_error check_run(const CommandWords& words,
                                            const Context& context) const;

  Config config_;
};

}  // namespace ppu::hw
