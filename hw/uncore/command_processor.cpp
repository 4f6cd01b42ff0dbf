// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/command_processor.hpp"

#include <algorithm>

namespace ppu::hw {

using spec::CommandOpcode;

void CommandProcessor::ask() {
  fetch_.ask(ports_.registers->device());
}

CommandProcessor::Work CommandProcessor::work(std::uint64_t cycle) {
  if (fetch_.empty()) return Work::kNone;
  const CommandWords& command = fetch_.front();
  const ContextTable& contexts = ports_.registers->contexts();
  const bool lost = fetch_.front_is_lost(contexts);
  const ppu_command_error error =
      lost ? PPU_COMMAND_ERROR_NONE : fetch_.front_error(checker_, contexts);
  if (lost || error != PPU_COMMAND_ERROR_NONE) {
    if (!lost) ports_.registers->reject({fetch_.front_id(), {number(), error, 0}});
    ports_.counters->add(PPU_DEVICE_COUNTER_COMMANDS_REJECTED);
    trace(TraceKind::kCommandReject, cycle, error);
  } else if (can_begin(opcode_of(command))) {
    trace(TraceKind::kCommandBegin, cycle, static_cast<std::uint64_t>(opcode_of(command)));
    begin(command, cycle);
  } else {
    return Work::kWaits;
  }
  ports_.counters->add(PPU_DEVICE_COUNTER_COMMANDS);
  fetch_.pop(contexts);
  return Work::kBegun;
}

bool CommandProcessor::receive(std::uint64_t cycle) {
  if (next_event() != cycle) return false;
  fetch_.receive(answers_.front().data);
  answers_.pop_front();
  return true;
}

bool CommandProcessor::engines_idle() const {
  return std::all_of(ports_.engines.begin(), ports_.engines.end(),
                     [](const EngineLink* engine) { return engine->idle(); });
}

bool CommandProcessor::can_begin(CommandOpcode opcode) const {
  const bool dma_idle = ports_.dma->idle();
  switch (opcode) {
    case CommandOpcode::kNop:
      return true;
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
      return dma_idle;
    case CommandOpcode::kLoadProgram:
    case CommandOpcode::kBarrier:
    case CommandOpcode::kFlip:
      return dma_idle && engines_idle();
    case CommandOpcode::kRun:
      return !ports_.dma->loading() &&
             std::any_of(ports_.engines.begin(), ports_.engines.end(),
                         [](const EngineLink* engine) { return engine->idle(); });
    case CommandOpcode::kFence:
    case CommandOpcode::kQuery:
    case CommandOpcode::kReset:
    case CommandOpcode::kScrub:
      return dma_idle && engines_idle() && ports_.writer->idle();
  }
  return false;
}

void CommandProcessor::begin(const CommandWords& command, std::uint64_t cycle) {
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
      ports_.dma->begin(command, fetch_.front_id(), number(), cycle);
      break;
    case CommandOpcode::kScrub:
      ports_.registers->begin_scrub(scrubbed_context(command));
      ports_.dma->begin(command, scrubbed_context(command), number(), cycle);
      break;
    case CommandOpcode::kRun:
      begin_run(command, cycle);
      break;
    case CommandOpcode::kFence:
      ports_.writer->begin_fence(
          get(field::kHostAddress),
          {get(field::kValueLo) | std::uint64_t{get(field::kValueHi)} << 32U, cycle},
          has_flag(command, spec::kFlagInterrupt), fetch_.front_id());
      break;
    case CommandOpcode::kQuery:
      ports_.writer->begin_query(get(field::kHostAddress));
      break;
    case CommandOpcode::kReset:
      ports_.registers->clear();
      break;
    case CommandOpcode::kFlip:
      begin_flip(command);
      break;
  }
}

void CommandProcessor::begin_flip(const CommandWords& command) {
  const MemoryFlip flip = decode_flip(command);
  if (flip.memory == PPU_FAULT_DEVICE_MEMORY) return ports_.memory->flip(flip.word, flip.two);
  for (EngineLink* engine : ports_.engines) engine->flip(command);
}

void CommandProcessor::begin_run(const CommandWords& command, std::uint64_t cycle) {
  EngineLink& engine =
      **std::find_if(ports_.engines.begin(), ports_.engines.end(),
                     [](const EngineLink* candidate) { return candidate->idle(); });
  ports_.counters->add(PPU_DEVICE_COUNTER_RUNS);
  RunCommand run = decode_run(command, number());
  run.quota = ports_.registers->contexts()[fetch_.front_id()].quota;
  engine.start(cycle, run, get_field(command, spec::command_field::kReportAddress),
               fetch_.front_id());
}

}  // namespace ppu::hw
