// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu asm FILE|NAME`: assemble firmware and say what a row of it costs.
#include <iostream>

#include "commands.hpp"
#include "firmware_file.hpp"
#include "options.hpp"
#include "ppu/firmware/cost.hpp"
#include "ppu/hw/config.hpp"
#include "ppu/model/file_replacement.hpp"
#include "publish.hpp"

namespace ppu::sim {
namespace {

struct AsmOptions {
  std::string source;
  std::string output;
  bool listing = false;
  Options device;  ///< --config and --set only.
};

void assemble(const AsmOptions& options) {
  check_apart({program_file(options.source), config_file(options.device.config)},
              {{"--output", options.output}});
  const hw::Config config = hw::resolve_config(options.device.config, options.device.overrides);
  const Firmware program = load_firmware(options.source);
  for (const firmware::Diagnostic& warning : program.assembly.warnings) {
    std::cerr << firmware::format(warning);
  }
  if (!options.output.empty()) {
    const std::vector<std::byte> bytes = firmware::to_bytes(program.assembly.image);
    model::FileReplacement(options.output,
                           {reinterpret_cast<const char*>(bytes.data()), bytes.size()})
        .commit();
  }
  if (options.listing) {
    std::cout << firmware::schedule(program.assembly, config) << "\n";
  }
  std::cout << program.name << ": " << program.assembly.image.words.size() << " of "
            << config.instruction_memory_words << " words, config " << options.device.config << "\n"
            << firmware::cost_report(program.assembly, config);
}

}  // namespace

void add_asm(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<AsmOptions>();
  CLI::App* command = app.add_subcommand("asm", "Assemble firmware and report its cost per row");
  command->add_option("file", options->source, "Assembly file (.s) or " + program_names())
      ->required();
  command->add_option("-o,--output", options->output, "Write the program image")
      ->type_name("OUT.ppu");
  command->add_flag(
      "--listing", options->listing,
      "Print address, word and text of every line, and when in the row pipe it happens");
  add_config_options(*command, options->device);
  command->callback([options] { assemble(*options); });
}

}  // namespace ppu::sim
