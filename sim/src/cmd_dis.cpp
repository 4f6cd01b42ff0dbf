// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu dis FILE`: a program image as assembly text that assembles to the same image.
#include <iostream>

#include "commands.hpp"
#include "firmware_file.hpp"
#include "ppu/firmware/disassembler.hpp"

namespace ppu::sim {

void add_dis(CLI::App& app, int& /*exit_code*/) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("dis", "Disassemble a program image");
  command->add_option("file", *file, "Program image (.ppu), or any program that asm takes")
      ->required();
  command->callback(
      [file] { std::cout << firmware::disassemble(load_firmware(*file).assembly.image); });
}

}  // namespace ppu::sim
