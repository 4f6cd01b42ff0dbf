// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lists of parity workloads.
#include "sim/parity/parity_job.hpp"

#include <algorithm>

#include "hw/contract/fnv.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

/// A buffer has at least a byte.
template <class T>
Buffer buffer_for(const Device& device, const std::vector<T>& values) {
  return Buffer(device, std::max<std::size_t>(values.size() * sizeof(T), 1));
}

template <class T>
void copy_in(const Commands& commands, const Buffer& buffer, const std::vector<T>& values) {
  commands.copy_in(buffer, values.data(), values.size() * sizeof(T));
}

RowLayout scheduled(const Device& device, const model::RowProblem& problem, RowLayout layout) {
  const ppu_problem rows = view(problem);
  const ppu_device_info info = device.info();
  layout.row_of_slot.resize(problem.rows());
  check(ppu_schedule(&rows, PPU_ORDER_SCHEDULED, &info, layout.row_of_slot.data(), nullptr));
  return layout;
}

}  // namespace

std::vector<std::uint8_t> pattern(std::size_t size_bytes, std::uint32_t seed) {
  std::vector<std::uint8_t> bytes(size_bytes);
  std::uint32_t state = seed * 2U + 1U;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return bytes;
}

ListJob::ListJob(const Bench& bench)
    : device_(bench.device), commands_(bench.device), first_query_(commands_.query()) {
}

void ListJob::run(const ppu_run_def& def) {
  commands_.run(def);
  ++runs_;
}

void ListJob::reset_counters() {
  commands_.raw(raw_command(spec::CommandOpcode::kReset));
  reset_ = true;
}

Measurement ListJob::finish(const std::vector<Extent>& results) {
  const std::uint32_t last_query = commands_.query();
  const Fence fence = commands_.submit();
  Measurement measurement;
  try {
    fence.wait();
  } catch (const Error& error) {
    const bool fails = !times_count_ && error.result == PPU_ERROR_FAULT;
    if (error.result != PPU_ERROR_COMMAND && !fails) throw;
    measurement.error = error.what();
  }
  for (std::uint32_t run = 0; run < runs_; ++run) measurement.runs.push_back(fence.report(run));
  const DeviceCounters before = reset_ ? DeviceCounters{} : fence.counters(first_query_);
  const DeviceCounters after = fence.counters(last_query);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (times_count_ || !spec::kDeviceCounters[i].timed)
      measurement.counters[i] = after[i] - before[i];
  hw::Fnv1a hash;
  for (const Extent& result : results) {
    std::vector<std::uint8_t> bytes(result.size_bytes);
    result.buffer->read(bytes.data(), bytes.size());
    hash.add(bytes.data(), bytes.size());
  }
  measurement.state_hash = hash.value();
  return measurement;
}

std::uint32_t host_scratch(const Bench& bench) {
  constexpr std::uint64_t kScratchBytes = 256U << 10U;
  return static_cast<std::uint32_t>(bench.device.info().host_memory_bytes - kScratchBytes);
}

RunMemory::RunMemory(const Device& device, std::vector<ppu_row> rows, std::uint32_t body_count)
    : host_rows_(std::move(rows)),
      host_impulses_(host_rows_.size(), 0.0F),
      host_velocities_(body_count),
      rows_(buffer_for(device, host_rows_)),
      impulses_(buffer_for(device, host_impulses_)),
      velocities_(buffer_for(device, host_velocities_)) {
  for (std::size_t body = 0; body < host_velocities_.size(); ++body)
    host_velocities_[body].linear[1] = -0.125F * static_cast<float>(body % 5);
}

RunMemory::RunMemory(const Device& device, const model::RowProblem& problem,
                     const RowLayout& layout)
    : RunMemory(device, device_rows(problem, scheduled(device, problem, layout)),
                static_cast<std::uint32_t>(problem.bodies()) * layout.body_stride) {
}

void RunMemory::upload(const Commands& commands) const {
  copy_in(commands, rows_, host_rows_);
  copy_in(commands, impulses_, host_impulses_);
  copy_in(commands, velocities_, host_velocities_);
}

ppu_run_def RunMemory::run(const Program& program, std::uint32_t sweeps) const {
  ppu_run_def def = ppu_default_run_def();
  def.program = program.get();
  def.rows = rows_.get();
  def.impulses = impulses_.get();
  def.velocities = velocities_.get();
  def.row_count = static_cast<std::uint32_t>(host_rows_.size());
  def.body_count = static_cast<std::uint32_t>(host_velocities_.size());
  def.arguments[static_cast<std::size_t>(spec::Argument::kRowCount)] = def.row_count;
  def.arguments[static_cast<std::size_t>(spec::Argument::kMaxSweeps)] = sweeps;
  return def;
}

std::vector<Extent> RunMemory::results() const {
  return {{&impulses_, host_impulses_.size() * sizeof(float)},
          {&velocities_, host_velocities_.size() * sizeof(ppu_velocity)}};
}

RawCommand raw_command(spec::CommandOpcode opcode) {
  RawCommand command{};
  set_field(&command, spec::command_field::kOpcode, static_cast<std::uint32_t>(opcode));
  return command;
}

void set_field(RawCommand* command, const spec::CommandField& field, std::uint32_t value) {
  (*command)[field.word] |= value << field.lsb;
}

RawCommand raw_copy(spec::CommandOpcode opcode, std::uint32_t host_address,
                    std::uint32_t device_address, std::uint32_t bytes) {
  RawCommand command = raw_command(opcode);
  set_field(&command, spec::command_field::kHostAddress, host_address);
  set_field(&command, spec::command_field::kDeviceAddress, device_address);
  set_field(&command, spec::command_field::kBytes, bytes);
  return command;
}

RawCommand raw_fence(std::uint32_t host_address, std::uint64_t value, bool interrupt) {
  RawCommand command = raw_command(spec::CommandOpcode::kFence);
  set_field(&command, spec::command_field::kFlags, interrupt ? spec::kFlagInterrupt : 0);
  set_field(&command, spec::command_field::kHostAddress, host_address);
  set_field(&command, spec::command_field::kValueLo, static_cast<std::uint32_t>(value));
  set_field(&command, spec::command_field::kValueHi, static_cast<std::uint32_t>(value >> 32U));
  return command;
}

}  // namespace ppu::sim
