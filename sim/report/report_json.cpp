// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results as JSON: the keys that scripts rely on.
#include "sim/report/report_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/report/identity.hpp"
#include "sim/report/reference_check.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) {
  return std::isnan(value) ? Json() : Json(value);
}

/// Device cycles part by part, and the seconds of the host around them.
Json cost_json(const SolveResult& result) {
  Json frame = Json::object();
  if (result.timed()) {
    for (const CostPart& part : cost_parts(result)) frame[part.key] = part.cycles;
    frame["device_cycles"] = result.report.device_cycles;
  }
  frame["plan_seconds"] = result.report.plan_seconds;
  frame["packing_seconds"] = result.report.transfer_seconds;
  frame["overlap_seconds"] = result.report.overlap_seconds;
  frame["device_seconds"] = result.report.device_seconds;
  return frame;
}

}  // namespace

Json to_json(const model::RowProblem& problem, const Options& options, const SolveResult& result) {
  const auto timed = [&result](ppu_counter counter) {
    return result.timed() ? Json(result.counter(counter)) : Json();
  };
  Json stalls = Json::object();
  if (result.timed()) {
    for (const Stall& stall : stalls_of(result)) stalls[std::string(stall.label)] = stall.cycles;
  }
  const std::optional<bool> stopped = converged(result);
  return Json{
      {"identity", identity_of(options, hash_of_problem(problem))},
      {"problem", options.problem},
      {"backend", options.backend},
      {"config", options.config},
      {"config_hash", hex64(result.device.config_hash)},
      {"program", options.program},
      {"order", options.order},
      {"friction", options.friction},
      {"start", options.start},
      {"stream", options.stream},
      {"early", options.early},
      {"rows", problem.rows()},
      {"bodies", problem.bodies()},
      {"engines", result.device.engines},
      {"pipes", result.device.pipes},
      {"velocity_banks", result.device.velocity_banks},
      {"runs", result.report.runs},
      {"sweeps", result.report.sweeps},
      {"sweeps_of", options.sweeps_of.empty() ? Json() : Json(options.sweeps_of)},
      {"relaxation", options.relaxation},
      {"budget_cycles", result.budget_cycles > 0 ? Json(result.budget_cycles) : Json()},
      {"late", result.timed() ? Json(result.report.late) : Json()},
      {"threshold", stopped ? Json(*result.threshold) : Json()},
      {"last_residual", stopped ? Json(result.report.run.last_residual) : Json()},
      {"converged", stopped ? Json(*stopped) : Json()},
      {"stops_above", stopped ? Json(stops_above(result)) : Json()},
      {"row_updates", result.counter(PPU_COUNTER_ROW_UPDATES)},
      {"rows_skipped", result.counter(PPU_COUNTER_ROWS_SKIPPED)},
      {"rows_filtered", result.counter(PPU_COUNTER_ROWS_FILTERED)},
      {"cycles", timed(PPU_COUNTER_CYCLES)},
      {"engine_cycles", result.timed() ? Json(result.report.engine_cycles) : Json()},
      {"load_cycles", timed(PPU_COUNTER_LOAD_CYCLES)},
      {"store_cycles", timed(PPU_COUNTER_STORE_CYCLES)},
      {"rows_per_cycle", number_or_null(result.rows_per_cycle())},
      {"cycles_per_row", number_or_null(result.cycles_per_row())},
      {"flops_per_row", number_or_null(result.flops_per_row())},
      {"bytes_per_row", number_or_null(result.bytes_per_row())},
      {"max_residual", result.report.max_residual},
      {"reference_error", number_or_null(error_against_engine(problem, options, result))},
      {"lockstep_rows", result.lockstep_rows},
      {"state_hash", hex64(result.state_hash)},
      {"wall_seconds", result.wall_seconds},
      {"stalls", stalls},
      {"frame", cost_json(result)},
  };
}

}  // namespace ppu::sim
