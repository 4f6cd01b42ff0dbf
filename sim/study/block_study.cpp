// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the rows of a contact as one operation would bring.
#include "sim/study/block_study.hpp"

#include <algorithm>

#include "hw/contract/config.hpp"
#include "sim/parity/parity.hpp"
#include "sim/parity/parity_problems.hpp"
#include "sim/problem/stance.hpp"
#include "sim/study/block_bound.hpp"
#include "sim/study/scaling.hpp"

namespace ppu::sim {
namespace {

constexpr int kRowsOfContact = 3;

/// One contact of a body with the world.
model::RowProblem one_contact() {
  IslandsShape shape;
  shape.min_rows = shape.max_rows = kRowsOfContact;
  return make_islands(shape);
}

BlockLatency measure_block_latency(const std::string& title, const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  BlockLatency latency;
  latency.config = title;
  latency.loop = row_loop(config);
  latency.measured = measure_scaling(one_contact(), options).engine_order;
  latency.as_rows = cycles_as_rows(config, kRowsOfContact);
  latency.as_block = cycles_as_block(config, kRowsOfContact);
  latency.with_other_bits = cycles_with_other_bits(config, kRowsOfContact);
  return latency;
}

Options with(Options options, const std::string& setting) {
  options.overrides.push_back(setting);
  return options;
}

}  // namespace

std::string shorter_multipliers(const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  return "fp_mul_stages=" + std::to_string(std::max(config.fp_mul_stages - 1, 1U));
}

std::vector<BlockLatency> measure_block_latencies(const Options& options) {
  std::vector<std::string> names;
  for (const spec::NamedConfig& config : spec::kNamedConfigs) names.emplace_back(config.name);
  if (std::find(names.begin(), names.end(), options.config) == names.end())
    names.push_back(options.config);
  std::vector<BlockLatency> latencies;
  for (const std::string& name : names) {
    Options mine = options;
    mine.config = name;
    latencies.push_back(measure_block_latency(name, mine));
  }
  const std::string shorter = shorter_multipliers(options);
  latencies.push_back(
      measure_block_latency(options.config + ", " + shorter, with(options, shorter)));
  return latencies;
}

BlockStudy study_blocks(const model::RowProblem& problem, const Options& options) {
  // On several engines islands would be spread, each with an order of its own.
  const Options one_engine = with(options, "engines=1");
  const ScalingPoint point = measure_scaling(problem, one_engine);
  const ScalingPoint pipes = measure_scaling(problem, reshaped(one_engine, {kMorePipes}));
  const ScalingPoint multipliers =
      measure_scaling(problem, with(one_engine, shorter_multipliers(options)));

  BlockStudy study;
  study.problem = problem.name;
  study.rows = problem.rows();
  study.bodies = problem.bodies();
  study.blocks = block_counts(problem);
  study.chain_rows = point.bound.chain_rows;
  study.chain_cycles = point.bound.chain_cycles;
  study.pipe_cycles = point.bound.pipe_cycles;
  for (const bool in_order : {true, false}) {
    const auto bound = [&](Blocks blocks) {
      return std::max(dependence_bound(problem, point.config, {in_order, blocks}),
                      static_cast<double>(point.bound.pipe_cycles));
    };
    const auto measured = [in_order](const ScalingPoint& of) {
      return in_order ? of.engine_order : of.scheduled;
    };
    study.gains.push_back({in_order ? "engine" : "scheduled", measured(point), bound(Blocks::kNone),
                           bound(Blocks::kForwarded), bound(Blocks::kOneOperation), measured(pipes),
                           measured(multipliers)});
  }
  return study;
}

std::vector<model::RowProblem> block_problems() {
  Scenes scenes("");
  std::vector<model::RowProblem> problems;
  for (const char* name : {"wall10_f012", "wall10_f040", "ragdoll_f140", "ragdollcfm_f070"})
    problems.push_back(scenes.get(name));
  problems.push_back(make_stance());
  return problems;
}

}  // namespace ppu::sim
