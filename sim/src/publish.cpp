// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a command hands out: files and standard output, all of them or an error.
#include "publish.hpp"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli_error.hpp"

namespace ppu::sim {
namespace {

/// Waves and event logs are written in place, by the device.
void check_in_place(const std::string& path, const std::string& what) {
  if (path.empty()) return;
  model::check_replaceable(path);
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw CliError(kExitEnvironment, path + ": cannot be written: is a device or a pipe, " + what +
                                         " need a regular file");
  }
}

}  // namespace

void check_outputs(const Options& options) {
  check_wave_options(options);
  if (!options.output.empty()) model::check_replaceable(options.output);
  if (options.json_to_file()) model::check_replaceable(options.json);
  check_in_place(options.wave, "waves");
  check_in_place(options.trace, "event logs");
}

void flush_stdout() {
  if (!std::cout.flush()) throw CliError(kExitEnvironment, "standard output: cannot be written");
}

void publish(const nlohmann::ordered_json& json, const std::string& text, const Options& options,
             std::vector<model::FileReplacement> files) {
  const std::string object = json.dump(2) + "\n";
  if (options.json_to_file()) files.emplace_back(options.json, object);
  std::cout << (options.json_to_stdout() ? object : text);
  flush_stdout();
  for (model::FileReplacement& file : files) file.commit();
}

}  // namespace ppu::sim
