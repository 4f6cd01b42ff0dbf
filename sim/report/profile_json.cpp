// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A profile as JSON.
#include "sim/report/profile_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "ppu_spec.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/profile_groups.hpp"
#include "sim/measure/roofline.hpp"
#include "sim/measure/row_holds.hpp"
#include "sim/measure/row_records.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/report_json.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kListed = 10;  ///< Rows of a list that would have all.

template <class Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

/// `group`, which says which one it is, with what its rows cost.
Json group_json(Json group, const RowGroup& rows) {
  const auto number = [](double value) { return std::isnan(value) ? Json() : Json(value); };
  const bool waited = !rows.top_stall.empty();
  group["rows"] = rows.rows;
  group["row_updates"] = rows.updates;
  group["cycles"] = rows.cycles;
  group["share"] = rows.share;
  group["cycles_per_row"] = number(rows.cycles_per_row());
  group["rows_per_cycle"] = number(rows.rows_per_cycle());
  group["top_stall"] = waited ? Json(rows.top_stall) : Json();
  group["top_stall_share"] = rows.top_stall_share;
  return group;
}

void add_groups(const model::RowProblem& problem, const SolveResult& result, Json* json) {
  for (const KindGroup& kind : kinds_of(problem, result))
    (*json)["kinds"][kind_name(kind.kind)] = group_json(Json::object(), kind.rows);
  (*json)["cycles_of_no_row"] = cycles_of_no_row(result);
  for (const IslandGroup& island : islands_of(problem, result)) {
    (*json)["by_island"].push_back(group_json({{"island", island.island},
                                               {"bodies", island.bodies},
                                               {"longest_chain_rows", island.chain_rows}},
                                              island.rows));
  }
  for (const BodyGroup& body : bodies_of(problem, result)) {
    (*json)["by_body"].push_back(
        group_json({{"body", body.body}, {"island", body.island}}, body.rows));
  }
}

/// The waits of a row by the classes of their cycles.
Json waits_json(const ppu_row_profile& cycles) {
  Json waits = Json::object();
  for (const RowWait& wait : kRowWaits)
    waits[std::string(spec::kCounters[static_cast<std::size_t>(wait.reason)].label)] =
        cycles.*wait.cycles;
  return waits;
}

void add_rows(const model::RowProblem& problem, const Options& options, const SolveResult& result,
              Json* json) {
  for (const HistogramBin& bin : cycle_histogram(result))
    (*json)["cycle_histogram"].push_back(Json{{"from_cycles", bin.low}, {"rows", bin.rows}});
  for (const int percent : kPercents)
    (*json)["cycles_per_visit"]["p" + std::to_string(percent)] = cycles_percentile(result, percent);
  const bool slots = result.report.runs == 1;
  const std::vector<std::uint32_t> order = slot_order(problem, options);
  for (const std::size_t row : slowest_rows(result, kListed)) {
    (*json)["slowest_rows"].push_back(Json{{"row", row},
                                           {"slot", slots ? Json(slot_of(order, row)) : Json()},
                                           {"kind", kind_name(problem.kind[row])},
                                           {"body", problem.body[row]},
                                           {"visits", result.profile[row].visits},
                                           {"cycles", result.profile[row].cycles},
                                           {"cycles_per_visit", cycles_per_visit(result, row)},
                                           {"waits", waits_json(result.profile[row])}});
  }
  for (const RowHold& hold : top_holds(problem, options, result, kListed)) {
    (*json)["longest_waits"].push_back(
        Json{{"row", hold.row},
             {"slot", value_or_null(hold.slot)},
             {"kind", kind_name(problem.kind[hold.row])},
             {"reason", spec::kCounters[static_cast<std::size_t>(hold.reason)].label},
             {"cycles", hold.cycles},
             {"cycles_per_visit", wait_per_visit(result, hold)},
             {"bodies", hold.bodies},
             {"by_row", value_or_null(hold.by)},
             {"slots_before", value_or_null(hold.slots_before)}});
  }
}

}  // namespace

Json profile_json(const model::RowProblem& problem, const Options& options,
                  const SolveResult& result) {
  Json json = to_json(problem, options, result);
  json["bound"] = bound_in_words(problem, options, result);
  json["frame_bound"] = cost_bound_in_words(cost_parts(result), options.config);
  json["islands"] = island_rows(problem).size();
  for (const UnitUse& use : unit_uses(result, options)) json["busy"][use.key] = use.share;
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i) {
    const auto counter = static_cast<ppu_device_counter>(i);
    json["device_counters"][ppu_device_counter_name(counter)] = result.counter(counter);
  }
  const std::optional<Roofline> roofline = roofline_of(options, result);
  json["roofline"] = roofline ? json_of(*roofline) : Json();
  json["kinds"] = Json::object();
  json["cycles_per_visit"] = Json::object();
  for (const char* list :
       {"by_island", "by_body", "cycle_histogram", "slowest_rows", "longest_waits"})
    json[list] = Json::array();
  if (mean_visits(result) == 0) return json;
  add_groups(problem, result, &json);
  add_rows(problem, options, result, &json);
  return json;
}

}  // namespace ppu::sim
