// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Firmware for the subcommands: a shipped program by name, assembly text, or an image.
#include "sim/solve/firmware_file.hpp"

#include <algorithm>
#include <filesystem>

#include "firmware/assembler/disassembler.hpp"
#include "firmware/programs/programs.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

bool has(const firmware::Image& image, spec::Opcode opcode) {
  return std::any_of(image.words.begin(), image.words.end(), [opcode](std::uint32_t word) {
    return spec::decode(word).opcode == static_cast<std::uint32_t>(opcode);
  });
}

bool any_kernel(const firmware::Assembly& assembly, bool (*is)(spec::ControlWord)) {
  return std::any_of(assembly.kernels.begin(), assembly.kernels.end(),
                     [is](const firmware::Kernel& kernel) { return is(kernel.control); });
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
  loaded.tests_residual = has(loaded.assembly.image, spec::Opcode::kRdmax) ||
                          has(loaded.assembly.image, spec::Opcode::kBmax);
  loaded.takes_budget = has(loaded.assembly.image, spec::Opcode::kBudget);
  const auto cones = [](spec::ControlWord c) { return c.bounds() == spec::Bounds::kCone; };
  const auto skips = [](spec::ControlWord c) { return c.skip() == spec::Skip::kOn; };
  const auto marks = [](spec::ControlWord c) { return c.mark() == spec::Mark::kOn; };
  loaded.takes_skip = !any_kernel(loaded.assembly, cones) || any_kernel(loaded.assembly, skips);
  loaded.marks = any_kernel(loaded.assembly, marks);
  return loaded;
}

std::string program_names(bool tests_residual) {
  std::vector<std::string> names;
  for (const firmware::Program& program : firmware::programs()) {
    const std::string name(program.name);
    if (!tests_residual || load_firmware(name).tests_residual) names.push_back(name);
  }
  return joined(names);
}

}  // namespace ppu::sim
