// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A command list between two queries of the counters.
#include "sim/outcome/recorded_job.hpp"

#include <algorithm>

#include "hw/contract/fnv.hpp"
#include "ppu_spec.hpp"

namespace ppu::sim {
namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

/// A buffer has at least a byte.
template <class T>
Buffer buffer_for(const Device& device, const std::vector<T>& values) {
  return Buffer(device, std::max<std::size_t>(bytes_of(values), 1));
}

std::uint64_t hash_of(const std::vector<Extent>& results) {
  hw::Fnv1a hash;
  for (const Extent& result : results) {
    std::vector<std::uint8_t> bytes(result.size_bytes);
    result.buffer->read(bytes.data(), bytes.size());
    hash.add(bytes.data(), bytes.size());
  }
  return hash.value();
}

}  // namespace

void RecordedJob::run(const ppu_run_def& def) {
  commands_.run(def);
  ++runs_;
}

void RecordedJob::reset_counters() {
  std::array<std::uint32_t, spec::kCommandBytes / sizeof(std::uint32_t)> command{};
  command[spec::command_field::kOpcode.word] =
      static_cast<std::uint32_t>(spec::CommandOpcode::kReset) << spec::command_field::kOpcode.lsb;
  commands_.raw(command);
  reset_ = true;
}

void RecordedJob::submit() {
  last_query_ = commands_.query();
  fence_ = commands_.submit();
}

Outcome RecordedJob::finish(const std::vector<Extent>& results, std::uint64_t timeout_ns) const {
  Outcome outcome;
  try {
    fence_->wait(timeout_ns);
  } catch (const Error& error) {
    outcome.result = error.result;
    outcome.error = error.what();
    outcome.lost = error.result != PPU_ERROR_FAULT && error.result != PPU_ERROR_COMMAND;
    if (error.result == PPU_ERROR_TIMEOUT || error.result == PPU_ERROR_DEVICE_LOST) return outcome;
  }
  measure(&outcome);
  outcome.state_hash = hash_of(results);
  return outcome;
}

void RecordedJob::measure(Outcome* outcome) const {
  for (std::uint32_t run = 0; run < runs_; ++run) outcome->runs.push_back(fence_->report(run));
  const DeviceCounters before = reset_ ? DeviceCounters{} : fence_->counters(first_query_);
  const DeviceCounters after = fence_->counters(last_query_);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!expects_faults_ || !spec::kDeviceCounters[i].timed)
      outcome->counters[i] = after[i] - before[i];
}

RunBuffers::RunBuffers(const Device& device, std::vector<std::uint8_t> rows, std::size_t row_count,
                       std::vector<float> impulses, std::vector<ppu_velocity> velocities)
    : host_rows_(std::move(rows)),
      row_count_(row_count),
      host_impulses_(std::move(impulses)),
      host_velocities_(std::move(velocities)),
      rows_(buffer_for(device, host_rows_)),
      impulses_(buffer_for(device, host_impulses_)),
      velocities_(buffer_for(device, host_velocities_)) {
}

void RunBuffers::upload(const Commands& commands) const {
  upload_rows(commands, 0, host_rows_.size());
  upload_state(commands);
}

void RunBuffers::upload_rows(const Commands& commands, std::size_t offset,
                             std::size_t size_bytes) const {
  commands.copy_in(rows_, host_rows_.data() + offset, size_bytes, offset);
}

void RunBuffers::upload_state(const Commands& commands) const {
  commands.copy_in(impulses_, host_impulses_.data(), bytes_of(host_impulses_));
  commands.copy_in(velocities_, host_velocities_.data(), bytes_of(host_velocities_));
}

ppu_run_def RunBuffers::run(const Program& program) const {
  ppu_run_def def = ppu_default_run_def();
  def.program = program.get();
  def.rows = rows_.get();
  def.impulses = impulses_.get();
  def.velocities = velocities_.get();
  def.row_count = static_cast<std::uint32_t>(row_count_);
  def.body_count = static_cast<std::uint32_t>(host_velocities_.size());
  return def;
}

std::vector<Extent> RunBuffers::results() const {
  return {{&impulses_, bytes_of(host_impulses_)}, {&velocities_, bytes_of(host_velocities_)}};
}

}  // namespace ppu::sim
