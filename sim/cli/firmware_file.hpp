// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Firmware for the subcommands: a shipped program by name, assembly text, or an image.
#pragma once

#include <string>

#include "firmware/assembler/assembler.hpp"

namespace ppu::sim {

struct Firmware {
  std::string name;             ///< As given.
  firmware::Assembly assembly;  ///< Of an image, from its canonical text.
  bool tests_residual = false;  ///< It reads the residual maximum: --threshold means something.
  bool takes_budget = false;    ///< It sets a budget: it can be held to a time.
  bool takes_skip = true;       ///< No kernel has friction bounds, or one has the skip rule.
  bool marks = false;           ///< A kernel tags bodies: --mark-threshold means something.
};

/// Loads the shipped program `name`, the assembly file `name` (ending in ".s") or the image `name`
/// (ending in ".ppu"). Throws CliError (usage) listing the shipped ones if there is none, and
/// AssemblyError or ImageError for a bad file.
Firmware load_firmware(const std::string& name);

/// Names of the shipped programs; with `tests_residual`, only of those that take --threshold.
std::string program_names(bool tests_residual = false);

}  // namespace ppu::sim
