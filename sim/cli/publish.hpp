// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a command hands out: files and standard output, all of them or an error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/files/file_replacement.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// A file that a command reads or writes.
struct NamedFile {
  std::string name;  ///< For people: "--json", "the problem".
  std::string path;  ///< Empty: none.
};
using NamedFiles = std::vector<NamedFile>;

/// The file of `program`: of a shipped one, none.
NamedFile program_file(const std::string& program);
/// Adds the files of `config` and its parts; named ones have none.
void add_config_files(const std::string& config, NamedFiles* files);
/// Throws CliError (usage) if one of `outputs` is the same file as one of `inputs`, or as another
/// output. Several may go to one device or pipe.
void check_apart(const NamedFiles& inputs, const NamedFiles& outputs);

/// Throws std::system_error or CliError (environment) if --output, --json, --wave, --trace or one
/// of `outputs` cannot be written; CliError (usage) if options of waves do not go together, and
/// what check_apart() throws of all files, those of `options` and `inputs` and `outputs`: said
/// before the work, not after it.
void check_outputs(const Options& options, NamedFiles inputs = {}, NamedFiles outputs = {});

/// report.html in `folder`, which is made if it is not there.
std::string report_file(const std::string& folder);

/// Throws CliError (environment) if standard output did not take everything.
void flush_stdout();

/// Says on standard error where times are at the clock of an engine that says nothing of the one
/// that was asked for.
void warn_of_clock(const Options& options);

/// Writes the schema, the version and the configuration, then the keys of `result`, to --json and
/// `text` to standard output (not where the JSON goes there), then lets `files` and the JSON file
/// appear; warns of the clock.
void publish(const nlohmann::ordered_json& result, const std::string& text, const Options& options,
             std::vector<files::FileReplacement> files = {});

}  // namespace ppu::sim
