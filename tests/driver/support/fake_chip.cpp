// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device that runs nothing.
#include "tests/driver/support/fake_chip.hpp"

#include <cstring>
#include <new>

#include "hw/contract/config.hpp"
#include "hw/contract/host_records.hpp"
#include "hw/contract/row_profile.hpp"

namespace ppu::driver::test {
namespace {

namespace field = spec::command_field;
using hw::get_field;
using spec::CommandOpcode;

}  // namespace

FakeChip::FakeChip(const hw::Config& config, hw::Memory host) : host_(host), memory_(kMemoryBytes) {
  const std::uint64_t hash = hw::config_hash(config);
  set_register(PPU_REGISTER_MAGIC, PPU_MAGIC);
  set_register(PPU_REGISTER_SPEC_HASH, PPU_SPEC_HASH);
  set_register(PPU_REGISTER_CONFIG_HASH_LO, static_cast<std::uint32_t>(hash));
  set_register(PPU_REGISTER_CONFIG_HASH_HI, static_cast<std::uint32_t>(hash >> 32U));
}

std::uint32_t FakeChip::irq_status() const {
  return registers_[PPU_REGISTER_IRQ_STATUS / 4];
}

std::uint32_t FakeChip::irq_mask() const {
  return registers_[PPU_REGISTER_IRQ_MASK / 4];
}

void FakeChip::write_register(std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case PPU_REGISTER_CONTROL:
      cancelled_ = running_ != nullptr;
      return;
    case PPU_REGISTER_IRQ_STATUS:
      if (holds_interrupts && irq_status() != 0) cleared_early = true;
      registers_[offset / 4] &= ~value;
      return;
    case PPU_REGISTER_ERROR_POP:
      errors_.pop_front();
      return;
    default:
      registers_[offset / 4] = value;
  }
}

std::uint32_t FakeChip::read_register(std::uint32_t offset) {
  switch (offset) {
    case PPU_REGISTER_ERROR_COUNT:
      return static_cast<std::uint32_t>(errors_.size());
    case PPU_REGISTER_ERROR_COMMAND:
    case PPU_REGISTER_ERROR_REASON:
    case PPU_REGISTER_ERROR_DETAIL:
      return errors_.front()[(offset - PPU_REGISTER_ERROR_COMMAND) / 4];
    default:
      return registers_[offset / 4];
  }
}

bool FakeChip::step() {
  if (holds) return true;
  if (holds_interrupts && irq_status() != 0) return true;
  if (running_ != nullptr) {
    if (!cancelled_) return true;
    end_run(PPU_RUN_CANCELLED);
    return true;
  }
  std::uint32_t& head = registers_[PPU_REGISTER_RING_HEAD / 4];
  if (head == registers_[PPU_REGISTER_RING_TAIL / 4]) return false;
  if (out_of_memory) throw std::bad_alloc();
  const std::uint32_t entry = head % registers_[PPU_REGISTER_RING_ENTRIES / 4];
  Command command;
  std::memcpy(command.data(),
              host_.data + registers_[PPU_REGISTER_RING_BASE / 4] + entry * spec::kCommandBytes,
              spec::kCommandBytes);
  commands.push_back(command);
  execute(commands.back());
  ++head;
  ++ended;
  return true;
}

std::uint32_t FakeChip::number() const {
  return registers_[PPU_REGISTER_RING_HEAD / 4];
}

void FakeChip::execute(const Command& command) {
  switch (hw::opcode_of(command)) {
    case CommandOpcode::kNop:
      if (loses_words) push_error(number(), PPU_COMMAND_ERROR_MEMORY, 514);
      return;
    case CommandOpcode::kBarrier:
    case CommandOpcode::kLoadProgram:
    case CommandOpcode::kFlip:
    case CommandOpcode::kReset:
    case CommandOpcode::kScrub:
      return;
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
      return copy(command);
    case CommandOpcode::kRun:
      return begin_run(command);
    case CommandOpcode::kFence:
      return write_fence(command);
    case CommandOpcode::kQuery:
      std::memset(host_.data + get_field(command, field::kHostAddress), 7,
                  sizeof(hw::DeviceCounters));
      return;
  }
  push_error(number(), PPU_COMMAND_ERROR_OPCODE, 0);
}

void FakeChip::copy(const Command& command) {
  move(command, {get_field(command, field::kHostAddress), get_field(command, field::kDeviceAddress),
                 get_field(command, field::kBytes), 0});
  for (std::uint32_t i = 0; i < get_field(command, field::kListCount); ++i) {
    Descriptor range;
    std::memcpy(&range, host_.data + get_field(command, field::kListAddress) + i * sizeof range,
                sizeof range);
    move(command, range);
  }
}

void FakeChip::move(const Command& command, const Descriptor& range) {
  std::byte* const device = memory_.data() + range.device_address;
  switch (hw::opcode_of(command)) {
    case CommandOpcode::kCopyIn:
      std::memcpy(device, host_.data + range.host_address, range.bytes);
      return;
    case CommandOpcode::kCopyOut:
      std::memcpy(host_.data + range.host_address, device, range.bytes);
      return;
    default:
      std::memcpy(device, memory_.data() + range.host_address, range.bytes);
  }
}

void FakeChip::begin_run(const Command& command) {
  if (rejects_runs) return push_error(number(), PPU_COMMAND_ERROR_CAPACITY, 0);
  rows_ = get_field(command, field::kRowCount);
  run_number_ = number();
  running_ = &command;
  if (rows_ == kEndlessRows) return;
  end_run(rows_ == kMismatchRows ? PPU_RUN_MISMATCH : PPU_RUN_OK);
}

void FakeChip::end_run(ppu_run_status status) {
  hw::RunReport report;
  report.status = status;
  report.progress = rows_;
  report.command = run_number_;
  for (std::uint32_t beat = 0; beat < hw::kReportBeats; ++beat) {
    const hw::Beat bytes = hw::report_beat(report, beat);
    std::memcpy(host_.data + get_field(*running_, field::kReportAddress) + beat * bytes.size(),
                bytes.data(), bytes.size());
  }
  running_ = nullptr;
  cancelled_ = false;
  if (status != PPU_RUN_OK) push_error(run_number_, PPU_COMMAND_ERROR_RUN_FAILED, status);
}

void FakeChip::write_fence(const Command& command) {
  if (silent) return;
  const std::uint64_t high = get_field(command, field::kValueHi);
  const hw::FenceRecord record{high << 32U | get_field(command, field::kValueLo), commands.size()};
  hw::write_fence(host_, get_field(command, field::kHostAddress), record);
  if (hw::has_flag(command, spec::kFlagInterrupt)) registers_[PPU_REGISTER_IRQ_STATUS / 4] |= 1U;
}

void FakeChip::push_error(std::uint32_t command, ppu_command_error reason, std::uint32_t detail) {
  registers_[PPU_REGISTER_IRQ_STATUS / 4] |= 2U;
  if (errors_.size() == spec::kErrorQueueEntries) {
    ++registers_[PPU_REGISTER_ERROR_LOST / 4];
    return;
  }
  errors_.push_back({command, static_cast<std::uint32_t>(reason), detail});
}

std::uint32_t FakeChip::copy_profile(std::uint32_t engine, std::uint32_t address) {
  std::vector<hw::RowProfile> profile(rows_);
  for (hw::RowProfile& row : profile) row.cycles = 1 + engine;
  std::memcpy(host_.data + address, profile.data(), profile.size() * sizeof(hw::RowProfile));
  return rows_;
}

}  // namespace ppu::driver::test
