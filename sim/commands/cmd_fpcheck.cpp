// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu fpcheck add|mul|div`: the floating-point units of the RTL alone, for suites of others and
// against this machine.
#include <chrono>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "hw/contract/config.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/fpcheck/fpcheck.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {
namespace {

constexpr std::int64_t kMostPairs = 1'000'000'000'000;

struct FpcheckOptions {
  std::string operation;
  bool exponents = false;
  std::uint64_t random = 0;
  std::uint64_t seed = 1;
  Options device;  ///< --config, --set and --json only.
};

ExitCode run_fpcheck(const FpcheckOptions& options) {
  check_outputs(options.device);
  const hw::Config config = hw::resolve_config(options.device.config, options.device.overrides);
  FloatCheck check(options.operation, config);
  const auto start = std::chrono::steady_clock::now();
  const bool reads = !options.exponents && options.random == 0;
  if (reads) check.answer(std::cin, std::cout);
  if (options.exponents) check.check_exponents();
  if (options.random > 0) check.check_random(options.random, options.seed);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

  std::string text = options.operation + ", " + std::to_string(check.stages()) +
                     " stages: " + grouped(check.pairs()) + " pairs, " +
                     grouped(check.differences()) + " differences; " + fixed(time.count(), 1) +
                     " s\n";
  for (const std::string& line : check.lines()) text += "  " + line + "\n";
  const ExitCode code = check.differences() == 0 ? kExitOk : kExitMismatch;
  if (reads) {
    // Standard output has the results.
    if (code != kExitOk) std::cerr << text;
    return code;
  }
  publish({{"operation", options.operation},
           {"config", options.device.config},
           {"stages", check.stages()},
           {"pairs", check.pairs()},
           {"differences", check.differences()},
           {"lines", check.lines()},
           {"seconds", time.count()}},
          text, options.device);
  return code;
}

}  // namespace

void add_fpcheck(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FpcheckOptions>();
  Command command =
      add_command(app, "fpcheck", "Drive the RTL's floating-point units, or check them");
  command.add_option("operation", options->operation, "The unit")
      .required()
      .check(member_of({"add", "mul", "div"}));
  command.add_flag(
      "--exponents", options->exponents,
      "Check every pair of exponents, with directed mantissas, against this machine's float32. "
      "Without this and --random: read lines of two hexadecimal words, write the results; a third "
      "word is the result that is expected");
  Option random = command
                      .add_option("--random", options->random,
                                  "Check this many random pairs against this machine's float32")
                      .type_name("PAIRS")
                      .check(in_range(std::int64_t{1}, kMostPairs));
  command.add_option("--seed", options->seed, "Of the random pairs")
      .capture_default_str()
      .needs(random)
      .check(in_range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  add_config_options(command, options->device);
  add_json_option(command, options->device);
  add_examples(command, {"ppu fpcheck add --exponents", "ppu fpcheck mul --random 1000000000"});
  command.callback([options, &exit_code] { exit_code = run_fpcheck(*options); });
}

}  // namespace ppu::sim
