// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a command hands out: files and standard output, all of them or an error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "options.hpp"
#include "ppu/model/file_replacement.hpp"

namespace ppu::sim {

/// Throws std::system_error or CliError (environment) if --output, --json, --wave or --trace cannot
/// be written, CliError (usage) if options of waves do not go together: said before the work, not
/// after it.
void check_outputs(const Options& options);

/// Throws CliError (environment) if standard output did not take everything.
void flush_stdout();

/// Writes `json` to --json and `text` to standard output (not where the JSON goes there), then lets
/// `files` and the JSON file appear.
void publish(const nlohmann::ordered_json& json, const std::string& text, const Options& options,
             std::vector<model::FileReplacement> files = {});

}  // namespace ppu::sim
