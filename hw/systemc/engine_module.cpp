// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/engine_module.hpp"

#include <utility>

namespace ppu::systemc {

WorkingSet::WorkingSet(const sc_core::sc_module_name& name, const hw::Config& config)
    : sc_module(name) {
  const auto add = [this] { u_velocities.emplace_back("u_velocities"); };
  const std::uint32_t copies = hw::velocity_copies(config);
  if (copies == 1) {
    block_ = std::make_unique<Scope>("gen_once", add);
    return;
  }
  block_ = std::make_unique<Scope>("gen_twice", [&] {
    for (std::uint32_t n = 0; n < copies; ++n)
      copies_.emplace_back(("gen_copy[" + std::to_string(n) + "]").c_str(), add);
  });
}

EngineRows::EngineRows(const sc_core::sc_module_name& name, const hw::Config& config,
                       RtlChoice& rtl)
    : sc_module(name), u_set("u_set", config) {
  if (config.dataflow != 0) {
    gen_issue_ = std::make_unique<Scope>("gen_dataflow", [this] {
      u_dataflow = std::make_unique<EnginePart<hw::DataflowIssue>>("u_dataflow");
    });
    u_issue = std::make_unique<EnginePart<hw::IssueStage>>("u_activity");
  } else {
    gen_issue_ = std::make_unique<Scope>("gen_ordered", [this] {
      u_issue = std::make_unique<EnginePart<hw::IssueStage>>("u_issue");
    });
  }
  for (std::uint32_t n = 0; n < config.pipes; ++n) {
    const std::string scope = "gen_pipe[" + std::to_string(n) + "]";
    EnginePipe& pipe = gen_pipe_.emplace_back(scope.c_str(), config, rtl).u_pipe;
    rows.bind(pipe.u_rows.part);
    pipes.bind(pipe.u_pipe.rows);
    twins.bind(pipe.u_pipe.twin);
  }
  for (Lasting<hw::VelocityMemory>& copy : u_set.u_velocities) velocities.bind(copy.part);
  impulses.bind(u_set.u_impulses.part);
  tags.bind(u_live.part);
}

void EngineRows::end_of_elaboration() {
  block.connect({rows.all(), pipes.all(), velocities.all(), &impulses.get(), &tags.get()});
}

hw::RowObserver* EngineRows::observer() {
  std::vector<hw::PipeChecker*> rtl;
  bool any = false;
  for (std::optional<hw::PipeChecker>* pipe : twins.all()) {
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
  issue.bind(u_rows.u_issue->part);
  if (u_rows.u_dataflow != nullptr) dataflow.bind(u_rows.u_dataflow->part);
  path.bind(u_rows.path);
}

void ModelEngine::end_of_elaboration() {
  if (observer_ == nullptr) observer_ = u_rows.observer();
  const hw::EngineSurroundings surroundings{around_.config, index_,    around_.device_memory,
                                            port,           observer_, around_.trace};
  const hw::EngineParts parts{
      sequencer.get(), issue.get(), dataflow.size() > 0 ? &dataflow->get() : nullptr,
      arrival.get(),   scan.get(),  path.get()};
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
