// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Batches of commands.
#include "driver/device/batch.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "driver/base/failure.hpp"
#include "driver/device/command.hpp"
#include "driver/device/report.hpp"
#include "hw/contract/host_records.hpp"
#include "hw/contract/row_profile.hpp"

namespace ppu::driver {
namespace {

hw::FenceRecord read_fence(const HostBlock& block) {
  hw::FenceRecord record;
  std::memcpy(&record, block.data(), sizeof record);
  return record;
}

}  // namespace

Batch::Batch(HostMemory memory)
    : memory_(std::move(memory)), closing_fence_(memory_.allocate(sizeof(hw::FenceRecord))) {
}

HostBlock& Batch::stage(std::uint64_t size_bytes) {
  if (blocks_used_ == blocks_.size()) blocks_.push_back(std::make_unique<HostBlock>());
  HostBlock& block = *blocks_[blocks_used_];
  block = memory_.allocate(size_bytes);
  ++blocks_used_;
  return block;
}

void Batch::add_copy(spec::CommandOpcode opcode, const Descriptor* ranges, std::size_t count) {
  const std::size_t more = count - 1;
  if (more == 0) return add(copy_command(opcode, ranges[0]));
  const HostBlock& list = stage(more * sizeof(Descriptor));
  std::memcpy(list.data(), ranges + 1, more * sizeof(Descriptor));
  add(copy_command(opcode, ranges[0], list.address(), static_cast<std::uint32_t>(more)));
}

std::uint32_t Batch::add_run(const hw::RunCommand& run, const ProgramWords& words, bool profile) {
  const HostBlock& report = stage(hw::kReportBytes);
  const HostBlock* rows = nullptr;
  if (profile && run.row_count > 0) rows = &stage(run.row_count * sizeof(hw::RowProfile));
  const auto index = static_cast<std::uint32_t>(commands_.size());
  add(run_command(run, report.address()));
  runs_.push_back({index, run, words, &report, rows, {}});
  return runs() - 1;
}

std::uint32_t Batch::add_time_stamp() {
  time_stamps_.push_back(&stage(sizeof(hw::FenceRecord)));
  add(fence_command(time_stamps_.back()->address(), 0, false));
  return static_cast<std::uint32_t>(time_stamps_.size() - 1);
}

std::uint32_t Batch::add_query() {
  queries_.push_back(&stage(sizeof(hw::DeviceCounters)));
  const std::uint32_t address = queries_.back()->address();
  add(memory_.of_client() ? fence_command(address, 0, false) : query_command(address));
  return static_cast<std::uint32_t>(queries_.size() - 1);
}

void Batch::deliver_to(void* target, const std::byte* source, std::size_t size_bytes) {
  deliveries_.push_back({target, source, size_bytes});
}

void Batch::clear() {
  commands_.clear();
  runs_.clear();
  time_stamps_.clear();
  queries_.clear();
  deliveries_.clear();
  kept_.clear();
  for (; blocks_used_ > 0; --blocks_used_) *blocks_[blocks_used_ - 1] = HostBlock();
  errors_.clear();
}

const std::vector<Command>& Batch::start(std::uint64_t number) {
  for (const Run& run : runs_) {
    clear_report(run.report_block->data());
    if (run.profile != nullptr)
      std::memset(run.profile->data(), 0, run.def.row_count * sizeof(hw::RowProfile));
  }
  std::memset(closing_fence_.data(), 0, sizeof(hw::FenceRecord));
  errors_.clear();
  lost_errors_ = 0;
  device_text_.clear();
  delivered_ = false;
  started_ = commands_;
  started_.push_back(fence_command(closing_fence_.address(), number, true));
  number_ = number;
  under_way_ = true;
  return started_;
}

bool Batch::fence_written() const {
  // Another thread of this process may be writing it just now.
  return __atomic_load_n(&closing_fence_.as<hw::FenceRecord>()->value, __ATOMIC_ACQUIRE) == number_;
}

void Batch::end(Session& session) {
  under_way_ = false;
  for (Run& run : runs_) {
    run.report = read_report(run.report_block->data());
    if (run.report.status == PPU_RUN_MISMATCH) device_text_ = session.device_text();
  }
  for (const Run& run : runs_) take_profile(session, run);
  std::stable_sort(
      errors_.begin(), errors_.end(),
      [](const CommandError& a, const CommandError& b) { return a.command < b.command; });
}

void Batch::take_profile(Session& session, const Run& run) const {
  if (run.profile == nullptr || run.report.status != PPU_RUN_OK) return;
  // The device keeps the profile of the last run of each engine.
  const auto takes_it = [&run](const Run& other) {
    return other.command > run.command && other.report.status != PPU_RUN_BAD_COMMAND &&
           other.report.engine == run.report.engine;
  };
  if (std::any_of(runs_.begin(), runs_.end(), takes_it)) return;
  const std::uint32_t records = session.copy_profile(run.report.engine, run.profile->address());
  if (records != run.def.row_count)
    fail(PPU_ERROR_DEVICE_LOST, "the device gave a profile of ", records, " rows for a run of ",
         run.def.row_count);
}

std::string Batch::commands_text() const {
  constexpr std::uint32_t kMostKinds = 8;
  const std::uint32_t count = command_count() - 1;
  std::string text;
  std::uint32_t kinds = 0;
  for (std::uint32_t begin = 0, end = 0; begin < count; begin = end) {
    if (++kinds > kMostKinds) return text + ", ...";
    const std::string name = name_of(command(begin));
    while (end < count && name == name_of(command(end))) ++end;
    if (!text.empty()) text += ", ";
    if (end - begin > 1) text += std::to_string(end - begin) + " x ";
    text += name;
  }
  return text.empty() ? "no command" : text;
}

bool Batch::wants_profile() const {
  return std::any_of(runs_.begin(), runs_.end(),
                     [](const Run& run) { return run.profile != nullptr; });
}

bool Batch::has_chained_run() const {
  return std::any_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.def.chained; });
}

std::optional<std::uint32_t> Batch::run_of(std::uint32_t index) const {
  for (std::uint32_t run = 0; run < runs(); ++run)
    if (runs_[run].command == index) return run;
  return std::nullopt;
}

std::uint64_t Batch::time_stamp(std::uint32_t index) const {
  return read_fence(*time_stamps_[index]).device_cycle;
}

hw::DeviceCounters Batch::counters(std::uint32_t query) const {
  hw::DeviceCounters counters{};
  if (memory_.of_client())
    counters[PPU_DEVICE_COUNTER_DEVICE_CYCLES] = read_fence(*queries_[query]).device_cycle;
  else
    std::memcpy(counters.data(), queries_[query]->data(), sizeof counters);
  return counters;
}

void Batch::deliver() {
  if (std::exchange(delivered_, true)) return;
  for (const Delivery& delivery : deliveries_)
    std::memcpy(delivery.target, delivery.source, delivery.size_bytes);
}

}  // namespace ppu::driver
