// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The same rows on two configurations, side by side.
#include "sim/report/profile_compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/roofline.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/report/profile_json.hpp"
#include "sim/report/profile_text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

/// A number of one run.
struct Fact {
  std::string section;
  std::string name;
  double value;
  int digits;
};

/// A number of both runs; NaN where one has none.
struct Pair {
  std::string section;
  std::string name;
  std::array<double, 2> value;
  int digits;
  [[nodiscard]] double ratio() const {
    return value[0] == 0 ? std::numeric_limits<double>::quiet_NaN() : value[1] / value[0];
  }
};

void add_sweeps(const SolveResult& result, std::vector<Fact>* facts) {
  const std::string section = "sweeps";
  const auto cycles = static_cast<double>(result.counter(PPU_COUNTER_CYCLES));
  const auto updates = static_cast<double>(result.counter(PPU_COUNTER_ROW_UPDATES));
  facts->push_back({section, "cycles", cycles, 0});
  facts->push_back({section, "µs", cycles / result.device.clock_mhz, 1});
  facts->push_back({section, "row updates", updates, 0});
  facts->push_back({section, "rows/cycle", result.rows_per_cycle(), 4});
  facts->push_back({section, "cycles/row", result.cycles_per_row(), 3});
}

void add_cost(const SolveResult& result, const Options& options, std::vector<Fact>* facts) {
  const std::vector<CostPart> parts = cost_parts(result);
  const std::uint64_t whole = result.report.device_cycles;
  for (const CostPart& part : parts)
    facts->push_back({"frame, cycles", part.name, static_cast<double>(part.cycles), 0});
  facts->push_back({"frame, cycles", "whole", static_cast<double>(whole), 0});
  for (const CostPart& part : parts)
    facts->push_back({"frame, µs", part.name, microseconds(result, part.cycles), 1});
  facts->push_back({"frame, µs", "whole", microseconds(result, whole), 1});
  for (const UnitUse& use : unit_uses(result, options))
    facts->push_back({"busy, % of the frame", use.name, 100 * use.share, 1});
}

void add_roofline(const SolveResult& result, const Options& options, std::vector<Fact>* facts) {
  const std::optional<Roofline> roofline = roofline_of(options, result);
  if (!roofline) return;
  const std::string ceilings = "ceilings, millions of row updates/s";
  facts->push_back({ceilings, "row pipes", roofline->mega_rows(roofline->ceiling), 1});
  for (const RooflineLevel& level : roofline->levels)
    facts->push_back({ceilings, level.name, roofline->mega_rows(level.ceiling()), 1});
  const std::string reached = "reached, millions of row updates/s";
  facts->push_back({reached, "in the sweeps", roofline->mega_rows(roofline->rows_per_cycle), 1});
  facts->push_back(
      {reached, "over the frame", roofline->mega_rows(roofline->rows_per_frame_cycle), 1});
}

std::vector<Fact> facts_of(const ComparedProfile& side) {
  std::vector<Fact> facts;
  add_sweeps(side.solve, &facts);
  for (const Stall& stall : stalls_of(side.solve))
    facts.push_back(
        {"cycles by reason", std::string(stall.label), static_cast<double>(stall.cycles), 0});
  add_cost(side.solve, side.options, &facts);
  add_roofline(side.solve, side.options, &facts);
  return facts;
}

/// Numbers that both have stand beside each other; what one has alone comes last in its section.
std::vector<Pair> pairs_of(const ComparedProfiles& runs) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<Pair> pairs;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Fact& fact : facts_of(runs[side])) {
      auto place = std::find_if(pairs.begin(), pairs.end(), [&fact](const Pair& pair) {
        return pair.section == fact.section && pair.name == fact.name;
      });
      if (place == pairs.end()) {
        const auto last = std::find_if(pairs.rbegin(), pairs.rend(), [&fact](const Pair& pair) {
          return pair.section == fact.section;
        });
        place = pairs.insert(last == pairs.rend() ? pairs.end() : last.base(),
                             {fact.section, fact.name, {kNone, kNone}, fact.digits});
      }
      place->value[side] = fact.value;
    }
  }
  return pairs;
}

std::string cell(double value, int digits) {
  if (digits > 0 || std::isnan(value)) return fixed(value, digits);
  return grouped(static_cast<std::uint64_t>(value));
}

std::string pair_table(const ComparedProfiles& runs) {
  Table table({"", runs[0].title, runs[1].title, "ratio"});
  std::string section;
  for (const Pair& pair : pairs_of(runs)) {
    if (pair.section != section) table.add({pair.section, "", "", ""});
    section = pair.section;
    table.add({"  " + pair.name, cell(pair.value[0], pair.digits), cell(pair.value[1], pair.digits),
               fixed(pair.ratio(), 3)});
  }
  return table.str();
}

/// Keys and values of a configuration, in the order of the specification.
std::vector<std::pair<std::string, std::string>> keys_of(const std::string& toml) {
  const std::string equals = " = ";
  std::vector<std::pair<std::string, std::string>> keys;
  std::istringstream lines(toml);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(equals);
    if (at != std::string::npos)
      keys.emplace_back(line.substr(0, at), line.substr(at + equals.size()));
  }
  return keys;
}

std::string key_table(const ComparedProfiles& runs) {
  const auto first = keys_of(runs[0].solve.config_toml);
  const auto second = keys_of(runs[1].solve.config_toml);
  if (first == second) return "Both are the same device.\n";
  Table table({"configuration", runs[0].title, runs[1].title});
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] != second[i]) table.add({first[i].first, first[i].second, second[i].second});
  return table.str();
}

std::string bits_in_words(const ComparedProfiles& runs) {
  const std::string first = hex64(runs[0].solve.state_hash);
  const std::string second = hex64(runs[1].solve.state_hash);
  if (first == second) return "Same bits on both: state hash " + first;
  const std::string differ = ": state hashes " + first + " and " + second;
  if (!bits_are_right(runs)) return "The bits DIFFER, which they must not" + differ;
  return "Other bits" + differ + ", as " +
         (order_of(runs[0].options) == PPU_ORDER_COLOUR
              ? "the colour order is another one for each device"
              : "the budget ends the run after other rows on each device");
}

}  // namespace

Options with_config(Options options, const std::string& text) {
  std::istringstream words(text);
  std::getline(words, options.config, ',');
  for (std::string word; std::getline(words, word, ',');) options.overrides.push_back(word);
  return options;
}

bool bits_are_right(const ComparedProfiles& runs) {
  const Options& options = runs[0].options;
  return runs[0].solve.state_hash == runs[1].solve.state_hash ||
         order_of(options) == PPU_ORDER_COLOUR || options.budget_us.has_value();
}

std::string compare_text(const model::RowProblem& problem, const ComparedProfiles& runs) {
  const Options& options = runs[0].options;
  std::string text =
      wrapped(options.problem + ": " + counted(problem.rows(), "row") + ", " +
              grouped(problem.bodies()) + (problem.bodies() == 1 ? " body" : " bodies") +
              "; back end " + options.backend + ", program " + options.program + ", order " +
              options.order + ", friction " + options.friction + ", start " + options.start);
  for (const ComparedProfile& side : runs)
    text += wrapped(side.title + ": " + device_in_words(side.solve.device) + ", " +
                    std::to_string(side.solve.device.clock_mhz) + " MHz, config hash " +
                    hex64(side.solve.device.config_hash));
  text += "\n" + key_table(runs) + "\n" + pair_table(runs) +
          "ratio: the second over the first; ceilings: what each level alone allows\n\n";
  for (const ComparedProfile& side : runs)
    text += side.title + "\n" + bounds_in_words(problem, side.options, side.solve) + "\n";
  return text + bits_in_words(runs) + "\n";
}

Json compare_json(const model::RowProblem& problem, const ComparedProfiles& runs) {
  const auto number = [](double value) { return std::isnan(value) ? Json() : Json(value); };
  Json json{{"problem", runs[0].options.problem},
            {"same_bits", runs[0].solve.state_hash == runs[1].solve.state_hash},
            {"configs", {runs[0].title, runs[1].title}},
            {"comparison", Json::object()},
            {"profiles", Json::array()}};
  for (const Pair& pair : pairs_of(runs)) {
    json["comparison"][pair.section][pair.name] = Json{{"first", number(pair.value[0])},
                                                       {"second", number(pair.value[1])},
                                                       {"ratio", number(pair.ratio())}};
  }
  for (const ComparedProfile& side : runs)
    json["profiles"].push_back(profile_json(problem, side.options, side.solve));
  return json;
}

}  // namespace ppu::sim
