// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a command hands out: files and standard output, all of them or an error.
#include "sim/cli/publish.hpp"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hw/contract/clock.hpp"
#include "hw/contract/config.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

namespace fs = std::filesystem;

/// Of all schemas in sim/schema: one more when a key goes, or means something else.
constexpr int kSchemaVersion = 1;

/// Where a path leads, links followed, also to a file that is not there yet.
fs::path place_of(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i)
    path = path.parent_path() / fs::read_symlink(path, error);
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  const fs::file_status status = fs::status(a, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  return fs::equivalent(a, b, error) || place_of(a) == place_of(b);
}

/// Waves and event logs are written in place, by the device.
void check_in_place(const std::string& path, const std::string& what) {
  if (path.empty()) return;
  files::check_replaceable(path);
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    throw CliError(kExitEnvironment, path + ": cannot be written: is a device or a pipe, " + what +
                                         " need a regular file");
  }
}

hw::Clock clock_of(const Options& options) {
  return hw::clock_of(hw::draft_config(options.config, options.overrides));
}

/// Which schema the JSON of a command has, and what it was made with.
nlohmann::ordered_json heading_of(const Options& options) {
  nlohmann::ordered_json heading{
      {"schema", "ppu-" + options.schema + "-" + std::to_string(kSchemaVersion)},
      {"version", ppu_version()},
      {"specification", hex64(PPU_SPEC_HASH)}};
  if (!options.takes_config) return heading;
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  nlohmann::ordered_json keys;
  for (const spec::ConfigKey& key : spec::kConfigKeys)
    keys[std::string(key.name)] = config.*key.member;
  const hw::Clock clock = clock_of(options);
  heading["configuration"] = {{"name", options.config},
                              {"overrides", options.overrides},
                              {"clock", hw::origin_of(clock)},
                              {"keys", keys}};
  return heading;
}

}  // namespace

NamedFile program_file(const std::string& program) {
  const bool file = ends_with(program, ".s") || ends_with(program, ".ppu");
  return {"the program", file ? program : ""};
}

void add_config_files(const std::string& config, NamedFiles* files) {
  std::istringstream names(config);
  for (std::string name; std::getline(names, name, '+');)
    if (ends_with(name, ".toml") || name.find('/') != std::string::npos)
      files->push_back({"the configuration", name});
}

void check_apart(const NamedFiles& inputs, const NamedFiles& outputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->path.empty()) continue;
    const auto refuse_if_same = [&output](const NamedFile& other, const std::string& why) {
      if (!other.path.empty() && is_same_file(output->path, other.path))
        throw CliError(kExitUsage, output->name + ": '" + output->path + "' is the file of " +
                                       other.name + " as well, " + why);
    };
    for (const NamedFile& input : inputs) refuse_if_same(input, "which it would overwrite");
    for (auto other = outputs.begin(); other != output; ++other)
      refuse_if_same(*other, "expected a file for each");
  }
}

void check_outputs(const Options& options, NamedFiles inputs, NamedFiles outputs) {
  check_device_options(options);
  outputs.push_back({"--output", options.output});
  outputs.push_back({"--json", options.json_to_file() ? options.json : ""});
  for (const NamedFile& output : outputs)
    if (!output.path.empty()) files::check_replaceable(output.path);
  check_in_place(options.wave, "waves");
  check_in_place(options.trace, "event logs");
  outputs.push_back({"--wave", options.wave});
  outputs.push_back({"--trace", options.trace});
  inputs.push_back({"the problem", options.problem == kEmbeddedProblem ? "" : options.problem});
  inputs.push_back(program_file(options.program));
  add_config_files(options.config, &inputs);
  check_apart(inputs, outputs);
}

std::string report_file(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return (fs::path(folder) / "report.html").string();
}

void flush_stdout() {
  if (!std::cout.flush()) throw CliError(kExitEnvironment, "standard output: cannot be written");
}

void warn_of_clock(const Options& options) {
  const hw::Clock clock = clock_of(options);
  if (clock.origin == hw::ClockOrigin::kSlowestEngine)
    std::cerr << "ppu: warning: times are those of a clock of " << clock.mhz
              << " MHz: " << hw::origin_of(clock) << "\n";
}

void publish(const nlohmann::ordered_json& result, const std::string& text, const Options& options,
             std::vector<files::FileReplacement> files) {
  nlohmann::ordered_json json = heading_of(options);
  json.update(result);
  const std::string object =
      json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (options.json_to_file()) files.emplace_back(options.json, object);
  std::cout << (options.json_to_stdout() ? object : text);
  flush_stdout();
  for (files::FileReplacement& file : files) file.commit();
  if (options.takes_config) warn_of_clock(options);
}

}  // namespace ppu::sim
