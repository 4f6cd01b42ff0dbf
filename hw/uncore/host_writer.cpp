// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/host_writer.hpp"

namespace ppu::hw {

void HostWriter::begin(Job job, std::uint32_t address, std::uint32_t beats) {
  job_ = job;
  address_ = address;
  beats_ = beats;
  sent_ = 0;
  acknowledged_ = 0;
}

void HostWriter::begin_fence(std::uint32_t address, const FenceRecord& fence, bool interrupt,
                             ContextId id) {
  begin(Job::kFence, address, 1);
  fence_ = fence;
  interrupt_ = interrupt;
  id_ = id;
}

void HostWriter::begin_query(std::uint32_t address) {
  begin(Job::kQuery, address, kCounterBeats);
}

bool HostWriter::work(std::uint64_t cycle) {
  if (!idle()) return false;
  for (EngineLink* engine : ports_.engines) {
    if (!engine->done(cycle)) continue;
    reported_ = engine;
    begin(Job::kReport, engine->report_address(), kReportBeats);
    return true;
  }
  return false;
}

void HostWriter::ask() {
  if (!requests(0) || beat_) return;
  beat_ = job_ == Job::kReport ? report_beat(reported_->report(), sent_)
                               : counter_beat(ports_.counters->values(), sent_);
}

BeatRequest HostWriter::accept(std::uint64_t) {
  const StrobedBeat beat = job_ == Job::kFence
                               ? fence_beat(address_, fence_)
                               : StrobedBeat{*beat_, strobe_of(0, spec::kBeatBytes)};
  beat_.reset();
  const std::uint32_t address = beat_address(address_) + sent_++ * spec::kBeatBytes;
  return {address, true, beat.strobe, beat.data};
}

bool HostWriter::receive(std::uint64_t cycle) {
  if (next_event() != cycle) return false;
  answers_.pop_front();
  if (++acknowledged_ == beats_) finish(cycle);
  return true;
}

void HostWriter::finish(std::uint64_t cycle) {
  if (job_ == Job::kFence) {
    ports_.counters->add(PPU_DEVICE_COUNTER_FENCES);
    if (interrupt_) ports_.registers->raise_fence(id_);
    trace(TraceKind::kFenceWritten, cycle, 0, fence_.value);
  }
  if (job_ == Job::kReport) finish_report(cycle);
  begin(Job::kNone, 0, 0);
}

void HostWriter::finish_report(std::uint64_t cycle) {
  const RunReport& report = reported_->report();
  const bool spent = report.status == PPU_RUN_CANCELLED && reported_->is_spent(cycle);
  const ppu_command_error reason = spent ? PPU_COMMAND_ERROR_QUOTA : PPU_COMMAND_ERROR_RUN_FAILED;
  if (report.status != PPU_RUN_OK)
    ports_.registers->fail_run(
        {reported_->context(),
         {report.command, reason, static_cast<std::uint32_t>(report.status)}});
  trace(TraceKind::kReportWritten, cycle, reported_->index(), 0);
  trace(TraceKind::kEnginePhase, cycle + 1, reported_->index(),
        static_cast<std::uint64_t>(spec::EnginePhase::kIdle));
  reported_->release(cycle);
}

}  // namespace ppu::hw
