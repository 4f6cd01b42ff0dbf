// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/timed_engine.hpp"

namespace ppu::hw {

void TimedEngine::load_program(std::uint32_t address, const std::uint32_t* words,
                               std::uint32_t count) {
  words_.load(address, words, count, flip_);
}

void TimedEngine::start(std::uint64_t cycle, const RunCommand& command) {
  profile_.assign(command.row_count, {});
  run_.emplace(surroundings_, parts_, command,
               Program{words_, command.entry, command.program_words}, flip_, profile_);
  run_->start(cycle);
}

void TimedEngine::cancel(std::uint64_t cycle) {
  if (run_) run_->cancel(cycle);
}

void TimedEngine::release() {
  if (message_ != nullptr && !message().empty()) *message_ = message();
  run_.reset();
  flip_ = {};
  surroundings_.port = {};
}

}  // namespace ppu::hw
