// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu rtl build CONFIG`: the RTL of a shape of the user's own, as a device process in a cache.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/files/file_replacement.hpp"
#include "hw/contract/own_rtl.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/source_tree.hpp"

namespace ppu::sim {
namespace {

namespace fs = std::filesystem;

std::string source_tree() {
  std::string tree = named_source_tree();
  if (!is_source_tree(tree))
    throw CliError(kExitEnvironment,
                   "rtl build: there is no RTL" + (tree.empty() ? "" : " in '" + tree + "'") +
                       ", expected the source tree of this version; PPU_SOURCE names it");
  return tree;
}

/// Runs a command of the shell; what it says goes to standard error.
void run_shell(const std::string& command) {
  std::cerr << "$ " << command << std::endl;
  const int status = std::system(("exec 1>&2; " + command).c_str());
  if (status != 0) throw CliError(kExitEnvironment, "rtl build: failed: " + command);
}

void build_rtl(const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const std::string device = hw::own_rtl_device(config);
  if (device.empty())
    throw CliError(kExitEnvironment,
                   "rtl build: there is no folder for a cache, expected HOME or PPU_RTL_CACHE");
  const std::string source = source_tree();
  const fs::path folder = hw::own_rtl_folder(config);
  const fs::path shape = folder / "shape.txt";
  const fs::path tree = folder / "build";
  fs::create_directories(folder);
  files::FileReplacement(shape.string(), hw::own_rtl_parameters(config)).commit();
  const char* const named = std::getenv("PPU_CMAKE");
  const std::string cmake = named != nullptr ? named : "cmake";
  run_shell(cmake + " -S " + shell_word(source) + " -B " + shell_word(tree.string()) +
            " -G Ninja -DCMAKE_BUILD_TYPE=Release -DPPU_BUILD_TESTS=OFF -DPPU_RTL_CONFIGS=Own"
            " -DPPU_RTL_OWN=" +
            shell_word(shape.string()));
  run_shell(cmake + " --build " + shell_word(tree.string()) + " --target ppu-device");
  // It appears as a whole.
  const fs::path fresh = folder / "ppu-device.new";
  fs::copy_file(tree / "bin/ppu-device", fresh, fs::copy_options::overwrite_existing);
  fs::rename(fresh, device);
  std::cout << "built: " << device << "\n"
            << "ppu solve --backend rtl --config " << shell_word(options.config)
            << ", cosim and parity use it\n";
  flush_stdout();
}

void list_rtl() {
  const std::string cache = hw::own_rtl_cache();
  std::error_code none;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(cache, none)) {
    if (!fs::exists(entry.path() / "ppu-device")) continue;
    ++count;
    std::cout << (entry.path() / "ppu-device").string() << "\n"
              << read_file((entry.path() / "shape.txt").string());
  }
  std::cout << counted(count, "device") << " in " << cache << "\n";
  flush_stdout();
}

}  // namespace

void add_rtl(CLI::App& app, int& /*exit_code*/) {
  CLI::App* rtl = app.add_subcommand("rtl", "Build the RTL of a shape of your own, by Verilator");
  rtl->require_subcommand(1);
  auto options = std::make_shared<Options>();
  Command build_command =
      add_command(*rtl, "build", "Build the RTL of a configuration into the cache");
  build_command.add_option("config", options->config, "As --config takes it: my.toml").required();
  build_command
      .add_option("--set", options->overrides,
                  "Override one key of the configuration; may be repeated")
      .type_name("KEY=VALUE")
      .allow_extra_args(false);
  add_examples(build_command,
               {"ppu rtl build my.toml", "ppu rtl build default --set velocity_banks=16"});
  build_command.callback([options] { build_rtl(*options); });
  Command list_command = add_command(*rtl, "list", "Name the devices in the cache");
  add_examples(list_command, {"ppu rtl list", "ppu rtl list | grep ppu-device"});
  list_command.callback([] { list_rtl(); });
  add_examples(*rtl, {"ppu rtl build my.toml", "ppu rtl list"});
}

}  // namespace ppu::sim
