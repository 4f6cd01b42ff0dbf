// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lists of parity workloads.
#include "sim/parity/parity_job.hpp"

#include <cstring>

#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

std::vector<std::uint8_t> records(const std::vector<ppu_row>& rows) {
  std::vector<std::uint8_t> bytes(rows.size() * sizeof(ppu_row));
  if (!rows.empty()) std::memcpy(bytes.data(), rows.data(), bytes.size());
  return bytes;
}

std::vector<ppu_velocity> first_velocities(std::uint32_t body_count) {
  std::vector<ppu_velocity> velocities(body_count);
  for (std::size_t body = 0; body < velocities.size(); ++body)
    velocities[body].linear[1] = -0.125F * static_cast<float>(body % 5);
  return velocities;
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

Outcome finish(RecordedJob* job, const std::vector<Extent>& results) {
  job->submit();
  Outcome outcome = job->finish(results);
  const bool expected = outcome.result == PPU_OK || outcome.result == PPU_ERROR_COMMAND ||
                        (outcome.result == PPU_ERROR_FAULT && job->expects_faults());
  if (!expected) throw Error(outcome.result, outcome.error);
  return outcome;
}

std::uint32_t host_scratch(const Bench& bench) {
  constexpr std::uint64_t kScratchBytes = 256U << 10U;
  return static_cast<std::uint32_t>(bench.device.info().host_memory_bytes - kScratchBytes);
}

ParityBuffers::ParityBuffers(const Device& device, const std::vector<ppu_row>& rows,
                             std::uint32_t body_count)
    : buffers_(device, records(rows), rows.size(), std::vector<float>(rows.size()),
               first_velocities(body_count)) {
}

ParityBuffers::ParityBuffers(const Device& device, const model::RowProblem& problem,
                             const RowLayout& layout)
    : ParityBuffers(device, device_rows(problem, layout),
                    static_cast<std::uint32_t>(problem.bodies()) * layout.body_stride) {
}

ppu_run_def ParityBuffers::run(const Program& program, std::uint32_t sweeps) const {
  ppu_run_def def = buffers_.run(program);
  def.arguments[static_cast<std::size_t>(spec::Argument::kRowCount)] = def.row_count;
  def.arguments[static_cast<std::size_t>(spec::Argument::kMaxSweeps)] = sweeps;
  return def;
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
