// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu dis FILE`: a program image as assembly text that assembles to the same image, with the costs
// of its kernels as comments.
#include <iostream>
#include <memory>
#include <sstream>

#include "firmware/assembler/cost.hpp"
#include "firmware/assembler/disassembler.hpp"
#include "hw/contract/config.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/commands/commands.hpp"
#include "sim/solve/firmware_file.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {
namespace {

struct DisOptions {
  std::string file;
  Options device;  ///< --config and --set only.
};

void disassemble(const DisOptions& options) {
  const hw::Config config = hw::resolve_config(options.device.config, options.device.overrides);
  const firmware::Image image = load_firmware(options.file).assembly.image;
  std::cout << firmware::disassemble(image) << "\n";
  std::istringstream costs(firmware::cost_report(firmware::reassemble(image), config));
  for (std::string line; std::getline(costs, line);) std::cout << "; " << line << "\n";
}

}  // namespace

void add_dis(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<DisOptions>();
  Command command = add_command(app, "dis", "Disassemble a program image");
  command.add_option("file", options->file, "Program image (.ppu), or any program that asm takes")
      .required();
  add_config_options(command, options->device);
  add_examples(command, {"ppu dis boxed", "ppu dis boxed.ppu --config wide"});
  command.callback([options] { disassemble(*options); });
}

}  // namespace ppu::sim
