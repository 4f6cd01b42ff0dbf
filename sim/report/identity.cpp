// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Hashes and settings of a solve.
#include "sim/report/identity.hpp"

#include <nlohmann/json.hpp>

#include "hw/contract/config.hpp"
#include "hw/contract/fnv.hpp"
#include "ppu_spec.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
Json value_or_none(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

}  // namespace

std::string hash_of_problem(const model::RowProblem& problem) {
  hw::Fnv1a hash;
  const auto add = [&hash](const auto& values) {
    const std::uint64_t count = values.size();
    hash.add(&count, sizeof count);
    hash.add(values.data(), count * sizeof values[0]);
  };
  add(problem.body);
  add(problem.kind);
  add(problem.parent);
  for (const auto* values :
       {&problem.jacobian, &problem.inv_mass_jacobian, &problem.rate_bias, &problem.inv_diagonal,
        &problem.lower, &problem.upper, &problem.friction, &problem.compliance, &problem.impulse,
        &problem.velocity_change})
    add(*values);
  return hex64(hash.value());
}

std::string hash_of_program(const Options& options) {
  const std::vector<std::byte> image = firmware::to_bytes(program_of(options).assembly.image);
  hw::Fnv1a hash;
  hash.add(image.data(), image.size());
  return hex64(hash.value());
}

Json identity_of(const Options& options, const std::string& problem_hash) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  Json keys = Json::object();
  for (const spec::ConfigKey& key : spec::kConfigKeys)
    keys[std::string(key.name)] = config.*key.member;
  Json identity{{"version", ppu_version()},
                {"specification", hex64(PPU_SPEC_HASH)},
                {"backend", options.backend},
                {"problem", problem_hash},
                {"program", hash_of_program(options)},
                {"sweeps", options.sweeps},
                {"threshold", value_or_none(options.threshold)},
                {"mark_threshold", value_or_none(options.mark_threshold)},
                {"budget_us", value_or_none(options.budget_us)},
                {"relaxation", options.relaxation},
                {"order", options.order},
                {"friction", options.friction},
                {"start", options.start},
                {"stream", options.stream},
                {"early", options.early},
                {"config", keys}};
  if (!options.sweeps_of.empty()) identity["sweeps_of"] = options.sweeps_of;
  return identity;
}

}  // namespace ppu::sim
