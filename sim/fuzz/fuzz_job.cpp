// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A case of the fuzz on one device.
#include "sim/fuzz/fuzz_job.hpp"

#include <algorithm>

namespace ppu::sim {
namespace {

/// Runs of a case take milliseconds; a machine may be very busy.
constexpr std::uint64_t kTimeoutNs = 600'000'000'000;

}  // namespace

FuzzJob::FuzzJob(const Device& device, const FuzzCase& fuzz, const std::vector<std::byte>& image,
                 bool reduced)
    : program_(Program::from_image(device, image.data(), image.size())), job_(device) {
  const std::vector<std::uint8_t> rows = row_records(fuzz.set.rows, reduced);
  for (std::uint32_t copy = 0; copy < fuzz.copies; ++copy)
    buffers_.emplace_back(device, rows, fuzz.set.rows.size(), fuzz.set.impulses,
                          fuzz.set.velocities);
  memory_ = {{"impulse", sizeof(float), {}}, {"velocity", sizeof(ppu_velocity), {}}};
  memory_[0].bytes.resize(fuzz.copies * fuzz.set.impulses.size() * sizeof(float));
  memory_[1].bytes.resize(fuzz.copies * fuzz.set.velocities.size() * sizeof(ppu_velocity));
  record(fuzz);
  job_.submit();
}

template <class Each>
void FuzzJob::for_each_result(Each each) {
  std::vector<std::size_t> at(memory_.size());
  for (const RunBuffers& buffers : buffers_) {
    const std::vector<Extent> results = buffers.results();
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      each(*results[i].buffer, memory_[i].bytes.data() + at[i], results[i].size_bytes);
      at[i] += results[i].size_bytes;
    }
  }
}

void FuzzJob::record(const FuzzCase& fuzz) {
  const Commands& commands = job_.commands();
  for (const RunBuffers& buffers : buffers_)
    fuzz.early ? buffers.upload_state(commands) : buffers.upload(commands);
  commands.barrier();
  for (const RunBuffers& buffers : buffers_) {
    ppu_run_def def = buffers.run(program_);
    std::copy(fuzz.arguments.begin(), fuzz.arguments.end(), def.arguments);
    def.stream = fuzz.stream;
    def.chained = def.early = fuzz.early;
    job_.run(def);
    if (fuzz.early) buffers.upload_rows(commands, 0, buffers.row_bytes());
  }
  commands.barrier();
  for_each_result([&commands](const Buffer& buffer, std::uint8_t* bytes, std::size_t size) {
    commands.copy_out(buffer, bytes, size);
  });
}

void FuzzJob::read_memory() {
  for_each_result([](const Buffer& buffer, std::uint8_t* bytes, std::size_t size) {
    buffer.read(bytes, size);
  });
}

Outcome FuzzJob::finish() {
  Outcome outcome = job_.finish({}, kTimeoutNs);
  const bool ended = outcome.result != PPU_ERROR_TIMEOUT && outcome.result != PPU_ERROR_DEVICE_LOST;
  if (!outcome.ok() && ended) read_memory();
  outcome.memory = std::move(memory_);
  return outcome;
}

}  // namespace ppu::sim
