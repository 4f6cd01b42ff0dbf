// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu info [PROBLEM]`: what this build can do, or what a row problem contains.
#include <algorithm>
#include <iostream>
#include <memory>

#include "hw/contract/clock.hpp"
#include "hw/contract/config.hpp"
#include "ppu/ppu.h"
#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/commands/commands.hpp"
#include "sim/measure/sweep_bound.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/firmware_file.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {
namespace {

/// Every named configuration, or the one that the options ask for.
std::string config_table(const Options& options, bool config_given) {
  Table table({"config", "hash", "engines", "pipes", "lanes", "banks", "pipe latency",
               "body latency", "rows on chip", "link MB/s", "clock MHz", "from"});
  const auto add = [&table](const std::string& name, const std::string& given,
                            const std::vector<std::string>& overrides) {
    const hw::Config config = hw::resolve_config(given, overrides);
    table.add({name, hex64(hw::config_hash(config)), std::to_string(config.engines),
               std::to_string(config.pipes), std::to_string(config.lanes),
               std::to_string(config.velocity_banks), std::to_string(hw::row_pipe_latency(config)),
               std::to_string(hw::body_latency(config)), grouped(config.row_memory_rows),
               grouped(config.link_mb_per_s), std::to_string(config.clock_mhz),
               hw::origin_of(hw::clock_of(hw::draft_config(given, overrides)))});
  };
  if (config_given) {
    std::string name = options.config;
    for (const std::string& text : options.overrides) name += " " + text;
    add(name, options.config, options.overrides);
  } else {
    for (const spec::NamedConfig& named : spec::kNamedConfigs)
      add(std::string(named.name), std::string(named.name), {});
  }
  return table.str();
}

void print_build(const std::string& configs) {
  std::cout << "ppu " << ppu_version() << ", specification " << hex64(PPU_SPEC_HASH).substr(0, 2)
            << hex64(PPU_SPEC_HASH).substr(10) << ", compiled by " << PPU_SIM_COMPILER << "\n"
            << "back ends: " << joined(backend_names()) << "\n"
            << "programs: " << program_names() << "\n\n";
  std::vector<std::string> parts;
  for (const spec::NamedConfig& part : spec::kConfigParts) parts.emplace_back(part.name);
  const std::vector<std::string_view> technologies = hw::technologies();
  std::cout << configs << "parts to put after a config, with a +: " << joined(parts)
            << "\ntechnologies, as parts: " << joined({technologies.begin(), technologies.end()})
            << "\n";
}

void print_problem(const Options& options) {
  const model::RowProblem problem = load_problem(options.problem);
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const auto count = [&problem](model::RowKind kind) {
    return grouped(static_cast<std::uint64_t>(
               std::count(problem.kind.begin(), problem.kind.end(), kind))) +
           " " + kind_name(kind);
  };
  const SweepBound bound = sweep_bound(problem, config, config.engines);
  const std::string latency = std::to_string(hw::body_latency(config));

  Table table({"problem", options.problem});
  table.add({"name", problem.name + ", scene " + problem.scene + ", frame " +
                         std::to_string(problem.frame) + ", " + problem.engine});
  table.add({"rows", grouped(problem.rows()) + ": " + count(model::RowKind::kJoint) + ", " +
                         count(model::RowKind::kContact) + ", " +
                         count(model::RowKind::kFriction)});
  table.add({"bodies", grouped(problem.bodies()) + " in " + grouped(island_rows(problem).size()) +
                           " islands"});
  if (bound.body_rows > 0) {
    table.add({"busiest body",
               std::to_string(bound.body) + " with " + grouped(bound.body_rows) + " rows"});
  }
  table.add({"pipe bound",
             grouped(bound.pipe_cycles) + " cycles per sweep (config " + options.config + ")"});
  table.add({"body bound", grouped(bound.body_cycles) + ": the rows of the busiest body x " +
                               latency + " cycles"});
  const std::string where =
      config.dataflow != 0 ? " rows per sweep that follow each other around the rings of bodies, "
                           : " rows that follow each other from body to body, ";
  table.add({"chain bound", grouped(bound.chain_cycles) + ": " + grouped(bound.chain_rows) + where +
                                latency + " cycles apart"});
  if (problem.rows() > 0) {
    table.add(
        {"best rows/cycle",
         fixed(static_cast<double>(problem.rows()) / static_cast<double>(bound.cycles()), 3)});
  }
  std::cout << table.str();
}

}  // namespace

void add_info(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<Options>();
  Command command = add_command(app, "info", "Describe this build, or a row problem");
  command.add_option("problem", options->problem,
                     std::string("HDF5 row problem or '") + kEmbeddedProblem + "'");
  add_config_options(command, *options);
  const Option config = command.get_option("--config");
  add_examples(command, {"ppu info", "ppu info wall10"});
  command.callback([options, config] {
    if (options->problem.empty()) {
      print_build(config_table(*options, config.count() > 0 || !options->overrides.empty()));
    } else {
      print_problem(*options);
    }
  });
}

}  // namespace ppu::sim
