// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/timed_engine.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hw/engine/engine_run.hpp"

namespace ppu::hw {

class TimedEngine::State {
 public:
  State(const Config& config, std::uint32_t index, Memory memory, EnginePort& port,
        RowObserver* observer, TraceSink* trace)
      : surroundings{config, index, memory, port, observer, trace},
        words(config.instruction_memory_words) {}

  EngineSurroundings surroundings;
  std::vector<std::uint32_t> words;  ///< Instruction memory.
  std::optional<EngineRun> run;
  std::vector<RowProfile> profile;  ///< Of the last run.
};

TimedEngine::TimedEngine(const Config& config, std::uint32_t index, Memory device_memory,
                         EnginePort& port, RowObserver* observer, TraceSink* trace)
    : state_(std::make_unique<State>(config, index, device_memory, port, observer, trace)) {
}

TimedEngine::~TimedEngine() = default;

void TimedEngine::load_program(std::uint32_t address, const std::uint32_t* words,
                               std::uint32_t count) {
  std::copy_n(words, count, state_->words.begin() + address);
}

void TimedEngine::start(std::uint64_t cycle, const RunCommand& command) {
  state_->profile.assign(command.row_count, {});
  state_->run.emplace(state_->surroundings, command,
                      Program{&state_->words[command.entry], command.program_words},
                      state_->profile);
  state_->run->start(cycle);
}

void TimedEngine::advance() {
  if (state_->run) state_->run->advance();
}

bool TimedEngine::busy() const {
  return state_->run.has_value();
}

const RunReport& TimedEngine::report() const {
  return state_->run->report();
}

const std::string& TimedEngine::message() const {
  return state_->run->message();
}

const std::vector<RowProfile>& TimedEngine::profile() const {
  return state_->profile;
}

void TimedEngine::release() {
  state_->run.reset();
  state_->surroundings.port = {};
}

void TimedEngine::cancel(std::uint64_t cycle) {
  if (state_->run) state_->run->cancel(cycle);
}

void TimedEngine::accept_write() {
  state_->run->accept_write();
}

}  // namespace ppu::hw
