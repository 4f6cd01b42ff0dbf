// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/config.hpp"

#include <algorithm>

#include "hw/contract/clock.hpp"
#include "hw/contract/config_draft.hpp"
#include "hw/contract/fnv.hpp"

namespace ppu::hw {
namespace {

using spec::ConfigKey;

/// Refuses keys that do not go together.
void check_together(const Config& config) {
  if (config.dram_refresh_interval_ns <= config.dram_refresh_ns)
    throw ConfigError(
        "dram_refresh_interval_ns is " + std::to_string(config.dram_refresh_interval_ns) +
            ", expected more than dram_refresh_ns, which is " +
            std::to_string(config.dram_refresh_ns) + ": memory answers between two refreshes only",
        false);
  const bool in_between = config.pipes > 1 || config.lanes > 4;
  if (config.dataflow == 0 && config.choice_stages != 0 && in_between)
    throw ConfigError("choice_stages is " + std::to_string(config.choice_stages) +
                          ", expected 0 with dataflow = 0 and " +
                          (config.pipes > 1 ? std::to_string(config.pipes) + " pipes"
                                            : std::to_string(config.lanes) + " lanes") +
                          ": rows issue in slot order, and what holds one back must be known " +
                          "before the one in front of it issues",
                      false);
}

}  // namespace

bool is_value_of(const ConfigKey& key, std::int64_t value) {
  const bool listed = key.allowed[0] == 0 ||
                      std::find(key.allowed.begin(), key.allowed.end(), value) != key.allowed.end();
  return value >= key.min && value <= key.max && listed && value % key.multiple == 0;
}

std::string range_of(const ConfigKey& key) {
  if (key.allowed[0] == 0)
    return std::to_string(key.min) + " to " + std::to_string(key.max) +
           (key.multiple > 1 ? ", a multiple of " + std::to_string(key.multiple) : "");
  std::string list;
  for (const std::uint32_t value : key.allowed)
    if (value != 0) list += (list.empty() ? "" : ", ") + std::to_string(value);
  return "one of " + list;
}

Config resolve_config(const std::string& name, const std::vector<std::string>& overrides) {
  ConfigDraft draft = draft_config(name, overrides);
  draft.config.clock_mhz = clock_of(draft).mhz;
  check_together(draft.config);
  return draft.config;
}

std::string to_toml(const Config& config) {
  std::string text;
  for (const ConfigKey& key : spec::kConfigKeys)
    text += std::string(key.name) + " = " + std::to_string(config.*(key.member)) + "\n";
  return text;
}

std::uint64_t config_hash(const Config& config) {
  const std::string text = to_toml(config);
  Fnv1a hash;
  hash.add(text.data(), text.size());
  return hash.value();
}

int initiation_interval(const Config& config) {
  return spec::kRowElements / static_cast<int>(config.lanes);
}

int row_pipe_latency(const Config& config) {
  return spec::kPipeEnd.mul_stages * static_cast<int>(config.fp_mul_stages) +
         spec::kPipeEnd.add_stages * static_cast<int>(config.fp_add_stages) +
         spec::kPipeEnd.cycles + 2 * (initiation_interval(config) - 1);
}

int operand_cycles(const Config& config) {
  return spec::kOperandCycles + static_cast<int>(config.choice_stages);
}

int looked_at_cycles(const Config& config) {
  return config.dataflow == 0 ? static_cast<int>(config.choice_stages) : 0;
}

int word_cycles(const Config& config) {
  return 1 + looked_at_cycles(config);
}

int body_latency(const Config& config) {
  return operand_cycles(config) + row_pipe_latency(config);
}

int last_jm_read(const Config& config) {
  const int mul = static_cast<int>(config.fp_mul_stages);
  const int add = static_cast<int>(config.fp_add_stages);
  // What is read is there in the next cycle.
  return operand_cycles(config) + 2 * (mul + 3 * add + initiation_interval(config) - 1) - 1;
}

}  // namespace ppu::hw
