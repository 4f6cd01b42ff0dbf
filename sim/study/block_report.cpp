// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the study of contact blocks found, as text, Markdown and JSON.
#include "sim/study/block_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/words.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

double saved(int now, int before) {
  return 1 - static_cast<double>(now) / before;
}

std::string whole(double cycles) {
  return grouped(static_cast<std::uint64_t>(std::llround(cycles)));
}

std::string blocks_text(const std::map<std::uint32_t, std::uint64_t>& blocks) {
  std::vector<std::string> words;
  for (const auto& [rows, count] : blocks)
    words.push_back(grouped(count) + " of " + std::to_string(rows));
  return words.empty() ? "none" : joined(words);
}

/// "2.1 %", or "2.1 to 9.4 %": what `share` is in the scheduled order.
std::string range_of(const std::vector<BlockStudy>& studies, double (BlockGain::*share)() const) {
  std::vector<double> shares;
  for (const BlockStudy& study : studies) shares.push_back((study.gains.back().*share)());
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  const std::string low = percent(*least);
  const std::string high = percent(*most);
  return low == high ? high : low.substr(0, low.size() - 2) + " to " + high;
}

Json json_of(const BlockLatency& latency) {
  const RowLoop& loop = latency.loop;
  return {{"config", latency.config},
          {"stages",
           {{"read", loop.read},
            {"dot", loop.dot},
            {"step", loop.step},
            {"clamp", loop.clamp},
            {"difference", loop.difference},
            {"scaled_add", loop.scaled_add},
            {"write", loop.write}}},
          {"body_latency_cycles", loop.latency()},
          {"measured_cycles", latency.measured},
          {"rows_cycles", latency.as_rows},
          {"block_cycles", latency.as_block},
          {"other_bits_block_cycles", latency.with_other_bits}};
}

Json json_of(const BlockStudy& study) {
  Json json{{"problem", study.problem},         {"rows", study.rows},
            {"bodies", study.bodies},           {"blocks", Json::object()},
            {"chain_rows", study.chain_rows},   {"chain_cycles", study.chain_cycles},
            {"pipe_cycles", study.pipe_cycles}, {"orders", Json::array()}};
  for (const auto& [rows, count] : study.blocks) json["blocks"][std::to_string(rows)] = count;
  for (const BlockGain& gain : study.gains)
    json["orders"].push_back({{"order", gain.order},
                              {"cycles_per_sweep", gain.measured},
                              {"bound_as_rows", gain.as_rows},
                              {"bound_forwarded", gain.forwarded},
                              {"bound_one_operation", gain.as_blocks},
                              {"cycles_per_sweep_more_pipes", gain.more_pipes},
                              {"cycles_per_sweep_shorter_multipliers", gain.shorter_multipliers}});
  return json;
}

const char* const kLatencyTitle = "The three rows of one contact, in cycles";
const char* const kGainTitle = "A steady sweep, in cycles, config ";

}  // namespace

bool BlockReport::as_expected() const {
  return std::all_of(latencies.begin(), latencies.end(),
                     [](const BlockLatency& latency) { return latency.as_expected(); });
}

Table BlockReport::latency_table() const {
  Table table({"config", "read", "dot", "step", "clamp", "difference", "scaled add", "write", "L",
               "measured", "3 L", "block", "saves", "other bits, not built", "saves"});
  for (const BlockLatency& latency : latencies) {
    const RowLoop& loop = latency.loop;
    std::vector<std::string> cells = {latency.config};
    for (const int cycles : {loop.read, loop.dot, loop.step, loop.clamp, loop.difference,
                             loop.scaled_add, loop.write, loop.latency()})
      cells.push_back(std::to_string(cycles));
    cells.push_back(fixed(latency.measured, 1));
    cells.push_back(std::to_string(latency.as_rows));
    for (const int cycles : {latency.as_block, latency.with_other_bits}) {
      cells.push_back(std::to_string(cycles));
      cells.push_back(percent(saved(cycles, latency.as_rows)));
    }
    table.add(std::move(cells));
  }
  return table;
}

Table BlockReport::gain_table() const {
  Table table({"problem", "rows", "bodies", "blocks", "chain", "chain bound", "pipe bound", "order",
               "cycles/sweep", "cycles/row", "bound", "forwarded", "saves", "one operation",
               "saves", std::string(kMorePipes) + " saves", shorter + " saves"});
  for (const BlockStudy& study : studies) {
    for (const BlockGain& gain : study.gains)
      table.add({study.problem, grouped(study.rows), grouped(study.bodies),
                 blocks_text(study.blocks), grouped(study.chain_rows), grouped(study.chain_cycles),
                 grouped(study.pipe_cycles), gain.order, whole(gain.measured),
                 fixed(gain.measured / static_cast<double>(study.rows), 2), whole(gain.as_rows),
                 whole(gain.forwarded), percent(gain.most_of_forwarding()), whole(gain.as_blocks),
                 percent(gain.most_of_blocks()), percent(gain.of_pipes()),
                 percent(gain.of_multipliers())});
  }
  return table;
}

std::string BlockReport::conclusion() const {
  const auto latency =
      std::find_if(latencies.begin(), latencies.end(),
                   [this](const BlockLatency& each) { return each.config == config; });
  const BlockLatency& shortened = latencies.back();
  const double of_block = saved(latency->as_block, latency->as_rows);
  const double of_multipliers = saved(shortened.as_rows, latency->as_rows);
  const auto range = [this](double (BlockGain::*share)() const) {
    return range_of(studies, share);
  };
  const std::string text =
      "On " + config + " a block with the same bits saves " +
      std::to_string(latency->as_rows - latency->as_block) + " of the " +
      std::to_string(latency->as_rows) + " cycles of its rows (" + percent(of_block) +
      "). Of the scheduled sweeps it saves at most " + range(&BlockGain::most_of_forwarding) +
      " by forwarding, or " + range(&BlockGain::most_of_blocks) +
      " if it also leaves the issue stage as one operation, so that the next sweep begins "
      "sooner; " +
      shorter + " saves " + percent(of_multipliers) + " of its rows and " +
      range(&BlockGain::of_multipliers) + " of the sweeps, " + kMorePipes + " " +
      range(&BlockGain::of_pipes) + " of the sweeps. ";
  return text + (of_block < of_multipliers
                     ? "So the rows of a contact are issued as rows: other contacts and islands "
                       "fill the loop, and shorter stages shorten it."
                     : "So shorter stages do not save more here.");
}

std::string BlockReport::text() const {
  return std::string(kLatencyTitle) + "\n" + latency_table().str() + "\n" + kGainTitle + config +
         "\n" + gain_table().str() + "\n" + conclusion() + "\n";
}

std::string BlockReport::markdown() const {
  return std::string(kLatencyTitle) + ":\n\n" + latency_table().markdown() + "\n" + kGainTitle +
         config + ":\n\n" + gain_table().markdown() + "\n" + conclusion() + "\n";
}

Json BlockReport::json() const {
  Json json{{"config", config},
            {"as_expected", as_expected()},
            {"contact", Json::array()},
            {"problems", Json::array()},
            {"conclusion", conclusion()}};
  for (const BlockLatency& latency : latencies) json["contact"].push_back(json_of(latency));
  for (const BlockStudy& study : studies) json["problems"].push_back(json_of(study));
  return json;
}

}  // namespace ppu::sim
