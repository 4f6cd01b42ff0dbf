// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results as JSON: the keys that scripts rely on.
#include "sim/report/report_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "sim/measure/frame_cost.hpp"
#include "sim/measure/measures.hpp"
#include "sim/report/reference_check.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) {
  return std::isnan(value) ? Json() : Json(value);
}

/// Device cycles part by part, and the seconds of the host around them.
Json frame_json(const Run& run) {
  Json frame = Json::object();
  if (run.timed()) {
    for (const FramePart& part : frame_parts(run)) frame[part.key] = part.cycles;
    frame["device_cycles"] = run.report.device_cycles;
  }
  frame["schedule_seconds"] = run.report.schedule_seconds;
  frame["packing_seconds"] = run.report.transfer_seconds;
  frame["device_seconds"] = run.report.device_seconds;
  return frame;
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
  const std::optional<bool> stopped = converged(run);
  return Json{
      {"problem", options.problem},
      {"backend", options.backend},
      {"config", options.config},
      {"config_hash", hex64(run.device.config_hash)},
      {"program", options.program},
      {"order", options.order},
      {"friction", options.friction},
      {"start", options.start},
      {"stream", options.stream},
      {"rows", problem.rows()},
      {"bodies", problem.bodies()},
      {"engines", run.device.engines},
      {"pipes", run.device.pipes},
      {"velocity_banks", run.device.velocity_banks},
      {"runs", run.report.runs},
      {"sweeps", run.report.sweeps},
      {"sweeps_of", options.sweeps_of.empty() ? Json() : Json(options.sweeps_of)},
      {"relaxation", options.relaxation},
      {"budget_cycles", run.budget_cycles > 0 ? Json(run.budget_cycles) : Json()},
      {"late", run.timed() ? Json(run.report.late) : Json()},
      {"threshold", stopped ? Json(*run.threshold) : Json()},
      {"last_residual", stopped ? Json(run.report.run.last_residual) : Json()},
      {"converged", stopped ? Json(*stopped) : Json()},
      {"stops_above", stopped ? Json(stops_above(run)) : Json()},
      {"row_updates", run.counter(PPU_COUNTER_ROW_UPDATES)},
      {"rows_skipped", run.counter(PPU_COUNTER_ROWS_SKIPPED)},
      {"rows_filtered", run.counter(PPU_COUNTER_ROWS_FILTERED)},
      {"cycles", timed(PPU_COUNTER_CYCLES)},
      {"engine_cycles", run.timed() ? Json(run.report.engine_cycles) : Json()},
      {"load_cycles", timed(PPU_COUNTER_LOAD_CYCLES)},
      {"store_cycles", timed(PPU_COUNTER_STORE_CYCLES)},
      {"rows_per_cycle", number_or_null(run.rows_per_cycle())},
      {"cycles_per_row", number_or_null(run.cycles_per_row())},
      {"flops_per_row", number_or_null(run.flops_per_row())},
      {"bytes_per_row", number_or_null(run.bytes_per_row())},
      {"max_residual", run.report.max_residual},
      {"reference_error", number_or_null(error_against_engine(problem, options, run))},
      {"lockstep_rows", run.lockstep_rows},
      {"state_hash", hex64(run.state_hash)},
      {"wall_seconds", run.wall_seconds},
      {"stalls", stalls},
      {"frame", frame_json(run)},
  };
}

}  // namespace ppu::sim
