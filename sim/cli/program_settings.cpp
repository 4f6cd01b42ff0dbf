// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What each program is given when programs are compared.
#include "sim/cli/program_settings.hpp"

#include <charconv>

#include "sim/base/cli_error.hpp"
#include "sim/cli/firmware_file.hpp"

namespace ppu::sim {
namespace {

/// The program that takes sweeps for kinds of rows, and Bullet's own way to use them: more for
/// joints.
constexpr const char* kClassesProgram = "classes";
constexpr std::uint32_t kJointSweepsPerSweep = 2;

std::string sweeps_of_kinds(std::uint32_t sweeps) {
  const std::string others = std::to_string(sweeps);
  return "joint=" + std::to_string(kJointSweepsPerSweep * sweeps) + ",contact=" + others +
         ",friction=" + others;
}

}  // namespace

Options fair_options(const std::string& program, const FairSettings& settings,
                     const Options& base) {
  Options options = base;
  options.program = program;
  options.sweeps = settings.sweeps;
  if (load_firmware(program).tests_residual) {
    options.threshold = settings.threshold;
    options.sweeps = settings.most_sweeps;
  }
  if (program == kClassesProgram) options.sweeps_of = sweeps_of_kinds(settings.sweeps);
  return options;
}

Options with_program(const std::string& program, const Options& base) {
  Options options = base;
  const std::size_t at = program.find('@');
  options.program = program.substr(0, at);
  if (at == std::string::npos) return options;
  const char* const end = program.data() + program.size();
  const auto [stop, error] = std::from_chars(program.data() + at + 1, end, options.relaxation);
  if (error != std::errc() || stop != end)
    throw CliError(kExitUsage, "--programs: '" + program + "', expected a number after the @");
  return options;
}

Options convergence_options(const std::string& program, const Options& base) {
  Options options = with_program(program, base);
  if (!load_firmware(options.program).tests_residual) {
    options.threshold.reset();
    options.mark_threshold.reset();
  }
  return options;
}

}  // namespace ppu::sim
