// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results as JSON: the keys that scripts rely on.
#include "report_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "measures.hpp"
#include "reference_check.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) {
  return std::isnan(value) ? Json() : Json(value);
}

}  // namespace

Json to_json(const model::RowProblem& problem, const Options& options, const Run& run) {
  const auto timed = [&run](ppu_counter counter) {
    return run.timed() ? Json(run.counter(counter)) : Json();
  };
  Json stalls = Json::object();
  if (run.timed()) {
    for (const Stall& stall : stalls_of(run)) stalls[std::string(stall.label)] = stall.cycles;
  }
  return Json{
      {"problem", options.problem},
      {"backend", options.backend},
      {"config", options.config},
      {"config_hash", hex64(run.device.config_hash)},
      {"program", options.program},
      {"order", options.order},
      {"friction", options.friction},
      {"start", options.start},
      {"rows", problem.rows()},
      {"bodies", problem.bodies()},
      {"sweeps", run.report.sweeps},
      {"row_updates", run.counter(PPU_COUNTER_ROW_UPDATES)},
      {"rows_skipped", run.counter(PPU_COUNTER_ROWS_SKIPPED)},
      {"cycles", timed(PPU_COUNTER_CYCLES)},
      {"load_cycles", timed(PPU_COUNTER_LOAD_CYCLES)},
      {"store_cycles", timed(PPU_COUNTER_STORE_CYCLES)},
      {"rows_per_cycle", number_or_null(run.rows_per_cycle())},
      {"cycles_per_row", number_or_null(run.cycles_per_row())},
      {"flops_per_row", number_or_null(run.flops_per_row())},
      {"bytes_per_row", number_or_null(run.bytes_per_row())},
      {"max_residual", run.report.max_residual},
      {"reference_error", number_or_null(error_against_engine(problem, options, run))},
      {"lockstep_rows", run.counter(PPU_COUNTER_LOCKSTEP_ROWS)},
      {"state_hash", hex64(run.state_hash)},
      {"wall_seconds", run.wall_seconds},
      {"stalls", stalls},
  };
}

}  // namespace ppu::sim
