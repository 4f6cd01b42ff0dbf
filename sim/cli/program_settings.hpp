// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What each program is given when programs are compared: the one place that knows one from another.
#pragma once

#include <cstdint>
#include <string>

#include "sim/cli/options.hpp"

namespace ppu::sim {

/// What programs that end at a residual are compared with.
inline constexpr const char* kPlainProgram = "threshold";
/// The threshold of the patent's headline case, in m/s and rad/s.
inline constexpr float kPatentThreshold = 0.01F;

/// The same for all programs of a kind.
struct FairSettings {
  std::uint32_t sweeps = 10;        ///< Of programs with a fixed number of sweeps.
  float threshold = 0.05F;          ///< Of programs that end at a residual, in m/s or rad/s.
  std::uint32_t most_sweeps = 200;  ///< ... and where they give up.
};

/// `base` with `program` and what is fair for it: sweeps, or a threshold and most sweeps, or sweeps
/// for each kind of row. Throws what load_firmware() throws.
Options fair_options(const std::string& program, const FairSettings& settings, const Options& base);

/// `base` with `program`, NAME or NAME@W, which over-relaxes: steps of W times theirs. Throws
/// CliError (usage) for a W that is no number.
Options with_program(const std::string& program, const Options& base);

/// The same; the threshold of `base` is dropped where the program tests none. Throws what
/// load_firmware() throws, too.
Options convergence_options(const std::string& program, const Options& base);

}  // namespace ppu::sim
