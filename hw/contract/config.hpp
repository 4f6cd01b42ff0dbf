// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Device configurations: named ones, TOML files and key=value overrides, resolved to one struct,
// and the latencies that follow from it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ppu_spec.hpp"

namespace ppu::hw {

using spec::Config;

/// Whether a configuration may have this value of the key, and the values that it may have, in
/// words.
bool is_value_of(const spec::ConfigKey& key, std::int64_t value);
std::string range_of(const spec::ConfigKey& key);

/// A configuration that cannot be used. `unknown` is true where a name or key does not exist.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(const std::string& what, bool is_unknown)
      : std::runtime_error(what), unknown(is_unknown) {}
  bool unknown;
};

/// Resolves a named configuration or a TOML file (anything with a '/' or ending in ".toml"), with
/// parts after it ("default+p1_gddr3+pci"), then applies the overrides, "key=value" each, in order.
/// Throws ConfigError.
Config resolve_config(const std::string& name, const std::vector<std::string>& overrides = {});

/// Every key with its value, one per line, in the order of the specification.
std::string to_toml(const Config& config);

/// FNV-1a of to_toml(): equal for equal devices, whatever they are called.
std::uint64_t config_hash(const Config& config);

/// Cycles between two rows that a full pipe takes: 12 / lanes.
int initiation_interval(const Config& config);

/// Cycles from a row's operands at the row pipe's input to its result at the output: the end of the
/// last kernel operation (spec::kPipeEnd); fewer lanes lengthen the dot product and
/// the scaled add by (initiation interval - 1) each.
int row_pipe_latency(const Config& config);

/// Cycles from the issue of a row to its operands in the row pipe: a register behind the choice of
/// the row if there is one, the read of the memories, a register.
int operand_cycles(const Config& config);
/// Cycles for which a row is looked at before it may issue, and a window that a search has read
/// before its tags are: where rows issue in slot order, `choice_stages`, else 0.
int looked_at_cycles(const Config& config);
/// Cycles that a word of a program takes if it waits for nothing: where a row is looked at before
/// it may issue, the next word is fetched in a cycle of its own, too.
int word_cycles(const Config& config);

/// Cycles from the issue of a row to the issue of the next row on the same body: its operands come,
/// then the row pipe; the write is bypassed to the read port.
int body_latency(const Config& config);

/// Cycles from the issue of a row to the last read of its JM.
int last_jm_read(const Config& config);

}  // namespace ppu::hw
