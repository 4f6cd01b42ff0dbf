// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The search of the fuzz.
#include "sim/fuzz/fuzz_search.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/fuzz/fuzz_bench.hpp"
#include "sim/fuzz/fuzz_file.hpp"
#include "sim/fuzz/fuzz_shrink.hpp"

namespace ppu::sim {
namespace {

/// From the first seed of a configuration to that of the next one.
constexpr std::uint64_t kSeedsOfConfig = 1'000'000;
/// Runs of a case while it is made smaller.
constexpr std::uint32_t kShrinkTries = 400;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream list(text);
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

std::vector<std::string> chosen_backends(const FuzzOptions& options) {
  if (options.backends.empty()) return backend_names();
  std::vector<std::string> names = split(options.backends);
  for (const std::string& name : names)
    if (std::find(backend_names().begin(), backend_names().end(), name) == backend_names().end())
      throw CliError(kExitUsage, "--backends: unknown back end '" + name + "', expected of " +
                                     joined(backend_names()));
  if (names.size() < 2)
    throw CliError(kExitUsage, "--backends: got '" + options.backends +
                                   "', expected two at least, with commas between them");
  return names;
}

std::vector<std::string> chosen_configs(const FuzzOptions& options) {
  if (!options.configs.empty()) return split(options.configs);
  std::vector<std::string> names;
  for (const spec::NamedConfig& config : spec::kNamedConfigs) names.emplace_back(config.name);
  return names;
}

FuzzType type_of(const FuzzOptions& options) {
  return options.type == "program"    ? FuzzType::kProgram
         : options.type == "row-pipe" ? FuzzType::kRowPipe
                                      : FuzzType::kBoth;
}

/// Differences of a case on devices that have done nothing before; none where it cannot be run.
std::vector<std::string> differences_alone(FuzzBench* bench, const FuzzCase& fuzz) {
  try {
    return bench->run(fuzz).differences;
  } catch (const Error&) {
    return {};
  }
}

/// Runs a case that differs by itself, and makes it smaller if it is to be saved.
FuzzFinding examine(const FuzzOptions& options, FuzzBench* bench, const std::string& config,
                    FuzzCase fuzz, std::vector<std::string> lines, std::uint64_t programs_before) {
  FuzzFinding finding{std::move(fuzz), config, std::move(lines), {}, true, false};
  bench->reopen();
  if (differences_alone(bench, finding.fuzz).empty()) {
    finding.alone = false;
    finding.command = fuzz_command(options, config,
                                   "--seed " + std::to_string(options.seed) + " --programs " +
                                       std::to_string(programs_before + 1));
    return finding;
  }
  const bool from_file = !finding.fuzz.text.empty();
  finding.command = fuzz_command(
      options, config,
      "--replay " + (from_file ? shell_word(options.replay) : std::to_string(finding.fuzz.seed)));
  if (options.save.empty() || from_file) return finding;
  const auto differs = [&](const FuzzCase& candidate) {
    return !differences_alone(bench, candidate).empty();
  };
  FuzzCase small = shrink(finding.fuzz, differs, kShrinkTries);
  bench->reopen();
  std::vector<std::string> small_lines = differences_alone(bench, small);
  if (small_lines.empty()) return finding;
  finding.fuzz = std::move(small);
  finding.lines = std::move(small_lines);
  finding.shrunk = true;
  return finding;
}

/// Says in which case something went wrong that is no difference of back ends.
FuzzResult run_named(FuzzBench* bench, const FuzzCase& fuzz, const std::string& config) {
  try {
    return bench->run(fuzz);
  } catch (const Error& error) {
    throw Error(error.result,
                "seed " + std::to_string(fuzz.seed) + " on " + config + ": " + error.what());
  }
}

/// Goes on until there are `cases` rows or as many programs as asked for, or back ends differ.
void run_config(const FuzzOptions& options, const std::string& config, std::uint64_t cases,
                FuzzSearch* fuzz) {
  FuzzBench bench(fuzz->backends, config, options.overrides);
  const FuzzTarget target = bench.target(type_of(options));
  FuzzCoverage coverage;
  {
    const Progress progress("fuzz: " + config);
    const auto more = [&] {
      return options.programs > 0 ? coverage.programs() < options.programs
                                  : coverage.rows() < cases;
    };
    for (std::uint64_t n = 0; more() && !fuzz->finding; ++n) {
      FuzzCase next = make_case(options.seed + n, target);
      FuzzResult result = run_named(&bench, next, config);
      coverage.add(next, result);
      if (!result.differences.empty())
        fuzz->finding =
            examine(options, &bench, config, std::move(next), std::move(result.differences), n);
    }
  }
  fuzz->coverage.add(coverage);
  fuzz->lockstep_rows += bench.lockstep_rows();
}

bool is_number(const std::string& text) {
  constexpr std::size_t kMostDigits = 19;
  return !text.empty() && text.size() <= kMostDigits &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

void replay(const FuzzOptions& options, FuzzSearch* fuzz) {
  const std::string& config = fuzz->configs.front();
  FuzzBench bench(fuzz->backends, config, options.overrides);
  FuzzCase one = is_number(options.replay)
                     ? make_case(std::stoull(options.replay), bench.target(type_of(options)))
                     : load_case(options.replay);
  const FuzzResult result = run_named(&bench, one, config);
  fuzz->coverage.add(one, result);
  fuzz->lockstep_rows += bench.lockstep_rows();
  if (!result.differences.empty())
    fuzz->finding = examine(options, &bench, config, std::move(one), result.differences, 0);
}

}  // namespace

std::string fuzz_command(const FuzzOptions& options, const std::string& config,
                         const std::string& what) {
  const FuzzOptions defaults;
  std::string line = "ppu fuzz " + what + " --config " + shell_word(config);
  if (!options.backends.empty()) line += " --backends " + shell_word(options.backends);
  if (options.type != defaults.type) line += " --type " + options.type;
  for (const std::string& text : options.overrides) line += " --set " + shell_word(text);
  return line;
}

FuzzSearch search(const FuzzOptions& options) {
  FuzzSearch fuzz;
  fuzz.backends = chosen_backends(options);
  fuzz.configs = chosen_configs(options);
  const auto begin = std::chrono::steady_clock::now();
  if (!options.replay.empty()) {
    fuzz.configs.resize(1);
    replay(options, &fuzz);
  } else {
    const std::uint64_t share = (options.cases + fuzz.configs.size() - 1) / fuzz.configs.size();
    FuzzOptions of_config = options;
    for (const std::string& config : fuzz.configs) {
      if (!fuzz.finding) run_config(of_config, config, share, &fuzz);
      of_config.seed += kSeedsOfConfig;
    }
  }
  fuzz.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return fuzz;
}

}  // namespace ppu::sim
