// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Firmware for the subcommands: a shipped program by name, assembly text, or an image.
#include "firmware_file.hpp"

#include <algorithm>
#include <filesystem>

#include "cli_error.hpp"
#include "files.hpp"
#include "ppu/firmware/disassembler.hpp"
#include "ppu/firmware/programs.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

bool has(const firmware::Image& image, spec::Opcode opcode) {
  return std::any_of(image.words.begin(), image.words.end(), [opcode](std::uint32_t word) {
    return spec::decode(word).opcode == static_cast<std::uint32_t>(opcode);
  });
}

bool reads_residual(const firmware::Image& image) {
  return has(image, spec::Opcode::kRdmax);
}

firmware::Assembly load_assembly(const std::string& name) {
  if (ends_with(name, ".s")) return firmware::assemble(name, read_file(name));
  if (ends_with(name, ".ppu")) {
    const std::string bytes = read_file(name);
    try {
      return firmware::reassemble(firmware::from_bytes(bytes.data(), bytes.size()));
    } catch (const firmware::ImageError& error) {
      throw firmware::ImageError(name + ": " + error.what(), error.version);
    }
  }
  const firmware::Program* program = firmware::find_program(name);
  if (program == nullptr && std::filesystem::is_regular_file(name)) {
    throw CliError(kExitUsage, name +
                                   ": the name does not say what the file is, expected one that "
                                   "ends in .s (program text) or .ppu (program image)");
  }
  if (program == nullptr) {
    throw CliError(kExitUsage, "unknown program '" + name + "': expected " + program_names() +
                                   ", a .s file or a .ppu image");
  }
  return firmware::assemble(name + ".s", program->source);
}

}  // namespace

Firmware load_firmware(const std::string& name) {
  Firmware loaded;
  loaded.name = name;
  loaded.assembly = load_assembly(name);
  loaded.tests_residual = reads_residual(loaded.assembly.image);
  loaded.takes_budget = has(loaded.assembly.image, spec::Opcode::kBudget);
  return loaded;
}

std::string program_names(bool tests_residual) {
  std::vector<std::string> names;
  for (const firmware::Program& program : firmware::programs()) {
    if (!tests_residual || reads_residual(firmware::assemble(program.name, program.source).image)) {
      names.emplace_back(program.name);
    }
  }
  return joined(names);
}

}  // namespace ppu::sim
