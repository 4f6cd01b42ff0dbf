// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Encoding of commands, field by field as the specification places them.
#include "driver/device/command.hpp"

#include <algorithm>

namespace ppu::driver {
namespace {

namespace field = spec::command_field;
using spec::CommandOpcode;

void set(Command* command, const spec::CommandField& field, std::uint32_t value) {
  (*command)[field.word] |= value << field.lsb;
}

}  // namespace

Command plain_command(CommandOpcode opcode) {
  Command command{};
  set(&command, field::kOpcode, static_cast<std::uint32_t>(opcode));
  return command;
}

Command copy_command(CommandOpcode opcode, const Descriptor& first, std::uint32_t list_address,
                     std::uint32_t list_count) {
  Command command = plain_command(opcode);
  set(&command, field::kHostAddress, first.host_address);
  set(&command, field::kDeviceAddress, first.device_address);
  set(&command, field::kBytes, first.bytes);
  set(&command, field::kListAddress, list_address);
  set(&command, field::kListCount, list_count);
  return command;
}

Command load_command(const Descriptor& range, std::uint32_t checksum) {
  Command command = copy_command(CommandOpcode::kLoadProgram, range);
  set(&command, field::kFlags, spec::kFlagChecked);
  set(&command, field::kChecksum, checksum);
  return command;
}

Command run_command(const hw::RunCommand& run, std::uint32_t report_address) {
  Command command = hw::encode_run(run);
  set(&command, field::kReportAddress, report_address);
  return command;
}

Command fence_command(std::uint32_t address, std::uint64_t value, bool interrupt) {
  Command command = plain_command(CommandOpcode::kFence);
  set(&command, field::kFlags, interrupt ? spec::kFlagInterrupt : 0);
  set(&command, field::kHostAddress, address);
  set(&command, field::kValueLo, static_cast<std::uint32_t>(value));
  set(&command, field::kValueHi, static_cast<std::uint32_t>(value >> 32U));
  return command;
}

Command query_command(std::uint32_t address) {
  Command command = plain_command(CommandOpcode::kQuery);
  set(&command, field::kHostAddress, address);
  return command;
}

Command scrub_command(std::uint32_t context) {
  Command command = plain_command(CommandOpcode::kScrub);
  set(&command, field::kScrubContext, context);
  return command;
}

const char* name_of(const Command& command) {
  for (const spec::CommandInfo& known : spec::kCommands)
    if (known.opcode == hw::opcode_of(command)) return known.name.data();
  return "an unknown command";
}

}  // namespace ppu::driver
