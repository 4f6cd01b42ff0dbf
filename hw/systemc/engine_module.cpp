// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/engine_module.hpp"

#include <utility>

namespace ppu::systemc {

EngineRows::EngineRows(const sc_core::sc_module_name& name, const hw::Config& config,
                       RtlChoice& rtl)
    : sc_module(name) {
  for (std::uint32_t n = 0; n < config.pipes; ++n) {
    const std::string pipe = "gen_pipe[" + std::to_string(n) + "]";
    pipes.bind(gen_pipe_.emplace_back(pipe.c_str(), config, rtl).u_pipe.u_pipe.rows);
  }
}

hw::RowObserver* EngineRows::observer() {
  std::vector<hw::PipeChecker*> rtl;
  bool any = false;
  for (std::optional<hw::PipeChecker>* pipe : pipes.all()) {
    rtl.push_back(pipe->has_value() ? &**pipe : nullptr);
    any |= pipe->has_value();
  }
  return any ? &lockstep_.emplace(std::move(rtl)) : nullptr;
}

ModelEngine::ModelEngine(const sc_core::sc_module_name& name, const Around& around,
                         std::uint32_t index, hw::RowObserver* observer, RtlChoice& rtl)
    : Engine(name, around, index),
      u_rows("u_rows", around.config, rtl),
      around_(around),
      index_(index),
      observer_(observer) {
  sequencer.bind(u_sequencer.part);
  arrival.bind(u_rows.u_arrival.part);
  scan.bind(u_rows.u_scan.part);
  issue.bind(u_rows.u_issue.part);
  set.bind(u_rows.u_set.part);
}

void ModelEngine::end_of_elaboration() {
  if (observer_ == nullptr) observer_ = u_rows.observer();
  const hw::EngineSurroundings surroundings{around_.config, index_,    around_.device_memory,
                                            port,           observer_, around_.trace};
  const hw::EngineParts parts{sequencer.get(), issue.get(), arrival.get(), scan.get(), set.get()};
  unit_ = std::make_unique<hw::TimedEngine>(surroundings, &around_.message, parts);
  block.connect(*unit_, memory.get(), registers.get());
}

RtlEngine::RtlEngine(const sc_core::sc_module_name& name, const Around& around, std::uint32_t index)
    : Engine(name, around, index),
      unit_(hw::RtlEngine::create(around.config, index, around.device_memory, port)) {
}

EngineScope::EngineScope(const sc_core::sc_module_name& name, const Engine::Around& around,
                         std::uint32_t index, hw::RowObserver* observer, RtlChoice& rtl)
    : sc_module(name) {
  if (rtl.takes(*this, "u_engine"))
    u_engine = std::make_unique<RtlEngine>("u_engine", around, index);
  else
    u_engine = std::make_unique<ModelEngine>("u_engine", around, index, observer, rtl);
}

}  // namespace ppu::systemc
