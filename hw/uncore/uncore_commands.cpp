// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The command processor: when commands begin, and what is left to do at their ends.
#include <algorithm>

#include "hw/contract/row_records.hpp"
#include "hw/uncore/uncore.hpp"

namespace ppu::hw {

using spec::CommandOpcode;

void Uncore::execute() {
  if (fetch_.empty()) return;
  const CommandWords& command = fetch_.front();
  const ppu_command_error error = fetch_.error();
  if (error != PPU_COMMAND_ERROR_NONE) {
    rejection_ = {fetch_.head(), error, 0};
    ++counters_[PPU_DEVICE_COUNTER_COMMANDS_REJECTED];
    trace(TraceKind::kCommandReject, cycle_, 0, fetch_.head(), error);
  } else if (can_begin(opcode_of(command))) {
    trace(TraceKind::kCommandBegin, cycle_, 0, fetch_.head(),
          static_cast<std::uint64_t>(opcode_of(command)));
    begin(command);
  } else {
    activity_.command_waits = true;
    return;
  }
  activity_.changed = true;
  ++counters_[PPU_DEVICE_COUNTER_COMMANDS];
  fetch_.pop();
}

bool Uncore::can_begin(CommandOpcode opcode) const {
  const bool all_idle = dma_.idle() && busy_engines_ == 0;
  switch (opcode) {
    case CommandOpcode::kNop:
      return true;
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
      return dma_.idle();
    case CommandOpcode::kLoadProgram:
    case CommandOpcode::kBarrier:
      return all_idle;
    case CommandOpcode::kRun:
      return busy_engines_ < engines_.size() && !dma_.loading();
    case CommandOpcode::kFence:
    case CommandOpcode::kQuery:
    case CommandOpcode::kReset:
      return all_idle && writer_.idle();
  }
  return false;
}

void Uncore::begin(const CommandWords& command) {
  namespace field = spec::command_field;
  const auto get = [&command](const spec::CommandField& which) {
    return get_field(command, which);
  };
  switch (opcode_of(command)) {
    case CommandOpcode::kNop:
    case CommandOpcode::kBarrier:
      break;
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
    case CommandOpcode::kLoadProgram:
      dma_.begin(command, fetch_.head());
      break;
    case CommandOpcode::kRun:
      begin_run(command);
      break;
    case CommandOpcode::kFence:
      writer_.begin_fence(
          get(field::kHostAddress),
          {get(field::kValueLo) | std::uint64_t{get(field::kValueHi)} << 32U, cycle_},
          has_flag(command, spec::kFlagInterrupt));
      break;
    case CommandOpcode::kQuery:
      writer_.begin_query(get(field::kHostAddress));
      break;
    case CommandOpcode::kReset:
      reset_ = true;
      break;
  }
}

void Uncore::begin_run(const CommandWords& command) {
  const auto engine = std::find_if(engines_.begin(), engines_.end(),
                                   [](const Engine& candidate) { return !candidate.busy; });
  engine->busy = true;
  engine->report_address = get_field(command, spec::command_field::kReportAddress);
  ++busy_engines_;
  ++counters_[PPU_DEVICE_COUNTER_RUNS];
  const RunCommand run = decode_run(command, fetch_.head());
  memory_target_.peek(run.rows_address, RowRecords::bytes(run.reduced, 0, run.row_count));
  engine->unit->start(cycle_, run);
  engine_limit_ = std::min(engine_limit_, limit_of(*engine));
}

void Uncore::take_report() {
  for (std::size_t n = 0; n < engines_.size(); ++n) {
    const Engine& engine = engines_[n];
    if (!engine.busy || engine.port->done_cycle > cycle_) continue;
    activity_.changed = true;
    reported_ = n;
    writer_.begin_report(engine.report_address, engine.unit->report());
    return;
  }
}

void Uncore::work_dma() {
  const std::uint32_t number = dma_.number();
  switch (dma_.work()) {
    case Dma::Work::kNone:
      return;
    case Dma::Work::kDone:
      break;
    case Dma::Work::kBadDescriptor:
      bad_descriptor_ = {number, PPU_COMMAND_ERROR_DESCRIPTOR, dma_.list_index()};
      break;
  }
  activity_.changed = true;
}

void Uncore::finish_write() {
  switch (writer_.job()) {
    case HostWriter::Job::kNone:
    case HostWriter::Job::kQuery:
      break;
    case HostWriter::Job::kFence:
      ++counters_[PPU_DEVICE_COUNTER_FENCES];
      raise_fence_ = writer_.interrupt();
      trace(TraceKind::kFenceWritten, cycle_, 0, writer_.fence().value, 0);
      break;
    case HostWriter::Job::kReport:
      finish_report();
      break;
  }
  writer_.finish();
}

void Uncore::finish_report() {
  const RunReport& report = writer_.report();
  if (report.status != PPU_RUN_OK)
    run_failed_ = {report.command, PPU_COMMAND_ERROR_RUN_FAILED, report.status};
  trace(TraceKind::kReportWritten, cycle_, reported_, 0, 0);
  trace(TraceKind::kEnginePhase, cycle_ + 1, reported_,
        static_cast<std::uint64_t>(EnginePhase::kIdle), 0);
  take_signals();
  Engine& engine = engines_[reported_];
  engine.unit->release();
  engine.busy = false;
  --busy_engines_;
}

}  // namespace ppu::hw
