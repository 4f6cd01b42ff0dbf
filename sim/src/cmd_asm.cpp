// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu asm FILE|NAME`: assemble firmware and say what a row of it costs.
#include <iostream>

#include "commands.hpp"
#include "files.hpp"
#include "firmware_file.hpp"
#include "options.hpp"
#include "ppu/hw/config.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

struct AsmOptions {
  std::string source;
  std::string output;
  bool listing = false;
  Options device;  ///< --config and --set only.
};

std::string flops_text(const firmware::FlopCount& flops) {
  std::string text = std::to_string(flops.always);
  if (flops.with_cfm > 0) text += ", +" + std::to_string(flops.with_cfm) + " with cfm";
  if (flops.with_parent > 0) text += ", +" + std::to_string(flops.with_parent) + " with a parent";
  return text;
}

std::string cost_report(const Firmware& program, const hw::Config& config) {
  Table table({"kernel", "address", "words", "flops/row", "interval", "pipe latency",
               "body latency", "bytes/row"});
  for (const firmware::Kernel& kernel : program.assembly.kernels) {
    table.add({kernel.name, std::to_string(kernel.address), std::to_string(kernel.words),
               flops_text(kernel.flops), std::to_string(hw::initiation_interval(config)),
               std::to_string(hw::row_pipe_latency(config)),
               std::to_string(hw::body_latency(config)),
               std::to_string(kernel.bytes_read) + " in, " + std::to_string(kernel.bytes_written) +
                   " out"});
  }
  return table.str();
}

void assemble(const AsmOptions& options) {
  const hw::Config config = hw::resolve_config(options.device.config, options.device.overrides);
  const Firmware program = load_firmware(options.source);
  if (!options.output.empty()) {
    const std::vector<std::byte> bytes = firmware::to_bytes(program.assembly.image);
    write_file(options.output,
               std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  if (options.listing) {
    for (const std::string& line : program.assembly.listing) std::cout << line << "\n";
    std::cout << "\n";
  }
  std::cout << program.name << ": " << program.assembly.image.words.size() << " of "
            << config.instruction_memory_words << " words, config " << options.device.config
            << " (intervals and latencies in cycles)\n"
            << cost_report(program, config);
}

}  // namespace

void add_asm(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<AsmOptions>();
  CLI::App* command = app.add_subcommand("asm", "Assemble firmware and report its cost per row");
  command->add_option("file", options->source, "Assembly file (.s) or " + program_names())
      ->required();
  command->add_option("-o,--output", options->output, "Write the program image")
      ->type_name("OUT.ppu");
  command->add_flag("--listing", options->listing, "Print address, word and text of every line");
  add_config_options(*command, options->device);
  command->callback([options] { assemble(*options); });
}

}  // namespace ppu::sim
