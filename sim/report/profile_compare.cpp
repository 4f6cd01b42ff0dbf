// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The same rows on several configurations, side by side.
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

/// A number of all sides; NaN where one has none.
struct Numbers {
  std::string section;
  std::string name;
  std::vector<double> value;
  int digits;
  /// Of a side over the first one.
  [[nodiscard]] double ratio(std::size_t side) const {
    return value[0] == 0 ? std::numeric_limits<double>::quiet_NaN() : value[side] / value[0];
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

/// Numbers that all have stand beside each other; what some have alone comes last in its section.
std::vector<Numbers> numbers_of(const ComparedProfiles& sides) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<Numbers> all;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    for (const Fact& fact : facts_of(sides[side])) {
      auto place = std::find_if(all.begin(), all.end(), [&fact](const Numbers& numbers) {
        return numbers.section == fact.section && numbers.name == fact.name;
      });
      if (place == all.end()) {
        const auto last = std::find_if(all.rbegin(), all.rend(), [&fact](const Numbers& numbers) {
          return numbers.section == fact.section;
        });
        place = all.insert(
            last == all.rend() ? all.end() : last.base(),
            {fact.section, fact.name, std::vector<double>(sides.size(), kNone), fact.digits});
      }
      place->value[side] = fact.value;
    }
  }
  return all;
}

std::string cell(double value, int digits) {
  if (digits > 0 || std::isnan(value)) return fixed(value, digits);
  return grouped(static_cast<std::uint64_t>(value));
}

std::vector<std::string> titles_of(const ComparedProfiles& sides) {
  std::vector<std::string> titles;
  for (const ComparedProfile& side : sides) titles.push_back(side.title);
  return titles;
}

/// A column for each side, then one for the ratio of each to the first.
std::string number_table(const ComparedProfiles& sides) {
  std::vector<std::string> titles = titles_of(sides);
  titles.insert(titles.begin(), "");
  const bool many = sides.size() > 2;
  for (std::size_t side = 1; side < sides.size(); ++side)
    titles.push_back(many ? "ratio " + std::to_string(side + 1) + ":1" : "ratio");
  Table table(titles);
  std::string section;
  for (const Numbers& numbers : numbers_of(sides)) {
    if (numbers.section != section) {
      std::vector<std::string> cells(titles.size());
      cells[0] = section = numbers.section;
      table.add(cells);
    }
    std::vector<std::string> cells = {"  " + numbers.name};
    for (const double value : numbers.value) cells.push_back(cell(value, numbers.digits));
    for (std::size_t side = 1; side < sides.size(); ++side)
      cells.push_back(fixed(numbers.ratio(side), 3));
    table.add(cells);
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

std::string key_table(const ComparedProfiles& sides) {
  std::vector<std::vector<std::pair<std::string, std::string>>> keys;
  for (const ComparedProfile& side : sides) keys.push_back(keys_of(side.solve.config_toml));
  const std::string all = sides.size() == 2 ? "Both" : "All";
  if (std::count(keys.begin(), keys.end(), keys[0]) == static_cast<std::ptrdiff_t>(keys.size()))
    return all + " are the same device.\n";
  std::vector<std::string> titles = titles_of(sides);
  titles.insert(titles.begin(), "configuration");
  Table table(titles);
  for (std::size_t key = 0; key < keys[0].size(); ++key) {
    std::vector<std::string> cells = {keys[0][key].first};
    bool differs = false;
    for (const auto& side : keys) {
      cells.push_back(side[key].second);
      differs = differs || side[key] != keys[0][key];
    }
    if (differs) table.add(cells);
  }
  return table.str();
}

std::string bits_in_words(const ComparedProfiles& sides) {
  const std::string first = hex64(sides[0].solve.state_hash);
  if (same_bits(sides))
    return "Same bits on " + std::string(sides.size() == 2 ? "both" : "all") + ": state hash " +
           first;
  std::vector<std::string> hashes;
  for (const ComparedProfile& side : sides) hashes.push_back(hex64(side.solve.state_hash));
  const std::string differ = ": state hashes " + joined(hashes);
  if (!bits_are_right(sides)) return "The bits DIFFER, which they must not" + differ;
  return "Other bits" + differ + ", as " +
         (order_of(sides[0].options) == PPU_ORDER_COLOUR
              ? "the colour order is another one for each device"
              : "the budget ends the run after other rows on each device");
}

}  // namespace

bool same_bits(const ComparedProfiles& sides) {
  return std::all_of(sides.begin(), sides.end(), [&sides](const ComparedProfile& side) {
    return side.solve.state_hash == sides[0].solve.state_hash;
  });
}

Options with_config(Options options, const std::string& text) {
  std::istringstream words(text);
  std::getline(words, options.config, ',');
  for (std::string word; std::getline(words, word, ',');) options.overrides.push_back(word);
  return options;
}

bool bits_are_right(const ComparedProfiles& sides) {
  const Options& options = sides[0].options;
  return same_bits(sides) || order_of(options) == PPU_ORDER_COLOUR || options.budget_us.has_value();
}

std::string compare_text(const model::RowProblem& problem, const ComparedProfiles& sides) {
  const Options& options = sides[0].options;
  std::string text =
      wrapped(options.problem + ": " + counted(problem.rows(), "row") + ", " +
              grouped(problem.bodies()) + (problem.bodies() == 1 ? " body" : " bodies") +
              "; back end " + options.backend + ", program " + options.program + ", order " +
              options.order + ", friction " + options.friction + ", start " + options.start);
  for (const ComparedProfile& side : sides)
    text += wrapped(side.title + ": " + device_in_words(side.solve.device) + ", " +
                    std::to_string(side.solve.device.clock_mhz) + " MHz, config hash " +
                    hex64(side.solve.device.config_hash));
  text += "\n" + key_table(sides) + "\n" + number_table(sides) +
          "ratio: " + (sides.size() == 2 ? "the second over the first" : "over the first") +
          "; ceilings: what each level alone allows\n\n";
  for (const ComparedProfile& side : sides)
    text += side.title + "\n" + bounds_in_words(problem, side.options, side.solve) + "\n";
  return text + bits_in_words(sides) + "\n";
}

Json compare_json(const model::RowProblem& problem, const ComparedProfiles& sides) {
  const auto number = [](double value) { return std::isnan(value) ? Json() : Json(value); };
  Json json{{"problem", sides[0].options.problem},
            {"same_bits", same_bits(sides)},
            {"configs", titles_of(sides)},
            {"comparison", Json::object()},
            {"profiles", Json::array()}};
  for (const Numbers& numbers : numbers_of(sides)) {
    Json& place = json["comparison"][numbers.section][numbers.name];
    for (std::size_t side = 0; side < sides.size(); ++side) {
      place["values"].push_back(number(numbers.value[side]));
      place["ratios"].push_back(number(numbers.ratio(side)));
    }
  }
  for (const ComparedProfile& side : sides)
    json["profiles"].push_back(profile_json(problem, side.options, side.solve));
  return json;
}

}  // namespace ppu::sim
