// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lines that repeat a run, to be pasted into a shell.
#include "sim/cli/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <regex>

namespace ppu::sim {
namespace {

/// Row-pipe cycles dumped before and after a difference.
constexpr std::uint64_t kWaveMargin = 100;

bool is_plain(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
         std::string("_-./=:,+@%").find(letter) != std::string::npos;
}

/// The fewest digits that read back as the same number.
template <class Number>
std::string exact(Number value) {
  constexpr int kEnough = 17;
  char text[32];
  for (int digits = 1; digits <= kEnough; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
    if (static_cast<Number>(std::strtod(text, nullptr)) == value) break;
  }
  return text;
}

/// The command that repeats a lockstep run with waves around the cycle that `difference`, the
/// driver's message, names.
std::string replay_command(const Options& options, const std::string& difference) {
  std::string command = command_line("cosim", options) + " --wave mismatch.fst";
  std::smatch match;
  if (std::regex_search(difference, match, std::regex("cycle ([0-9]+)"))) {
    const std::uint64_t cycle = std::stoull(match[1]);
    command += " --wave-window " + std::to_string(cycle - std::min(cycle, kWaveMargin)) + ":" +
               std::to_string(cycle + kWaveMargin);
  }
  return command;
}

}  // namespace

std::string shell_word(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string word = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      word += "'\\''";
    } else {
      word += letter;
    }
  }
  return word + "'";
}

std::string command_line(const std::string& subcommand, const Options& options) {
  const Options defaults;
  std::string line = "ppu " + subcommand;
  const auto add = [&line](const std::string& name, const std::string& value,
                           const std::string& standard) {
    if (value != standard) line += " " + name + " " + shell_word(value);
  };
  line += " " + shell_word(options.problem);
  if (subcommand != "cosim") add("--backend", options.backend, defaults.backend);
  add("--program", options.program, defaults.program);
  add("--sweeps", std::to_string(options.sweeps), std::to_string(defaults.sweeps));
  if (options.threshold) line += " --threshold " + exact(*options.threshold);
  if (options.mark_threshold) line += " --mark-threshold " + exact(*options.mark_threshold);
  if (options.budget_us) line += " --budget-us " + exact(*options.budget_us);
  add("--relaxation", exact(options.relaxation), exact(defaults.relaxation));
  if (subcommand == "solve") add("--sweeps-of", options.sweeps_of, defaults.sweeps_of);
  add("--order", options.order, defaults.order);
  add("--friction", options.friction, defaults.friction);
  add("--start", options.start, defaults.start);
  if (options.stream) line += " --stream";
  if (options.early) line += " --early";
  add("--config", options.config, defaults.config);
  for (const std::string& text : options.overrides) line += " --set " + shell_word(text);
  return line;
}

std::string explained(const FailedSolve& error) {
  const std::string what = error.what();
  if (error.result != PPU_ERROR_MISMATCH) return what;
  return what + "\nreplay it with waves: " + replay_command(error.options, error.reason);
}

}  // namespace ppu::sim
