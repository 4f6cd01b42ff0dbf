// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu asm FILE|NAME`: assemble firmware and say what a row of it costs; `ppu asm --explain CODE`.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/file_replacement.hpp"
#include "firmware/assembler/cost.hpp"
#include "firmware/assembler/explanations.hpp"
#include "firmware/assembler/listing.hpp"
#include "hw/contract/config.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/report/identity.hpp"
#include "sim/solve/firmware_file.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

struct AsmOptions {
  std::string source;
  std::string output;
  std::string explain;
  bool listing = false;
  Options device;  ///< --config, --set and --json only.
};

void explain(const std::string& code) {
  const firmware::Explanation* explanation = firmware::find_explanation(code);
  if (explanation == nullptr) {
    throw CliError(kExitUsage, "no message has the code '" + code + "': expected one of " +
                                   firmware::code_ranges());
  }
  std::cout << firmware::format(*explanation);
}

Json per_row(const firmware::PerRow& cost) {
  return {{"always", cost.always}, {"with_cfm", cost.with_cfm}, {"with_parent", cost.with_parent}};
}

Json line_json(const firmware::ListingLine& line) {
  Json json = {{"address", line.address},
               {"word", line.word},
               {"label", line.label},
               {"source", line.source},
               {"waits_for", line.waits_for}};
  if (!line.operation) return json;
  json["unit"] = line.unit;
  json["first_cycle"] = line.first_cycle;
  json["last_cycle"] = line.last_cycle;
  json["bytes_read"] = per_row(line.bytes_read);
  json["bytes_written"] = per_row(line.bytes_written);
  json["flops"] = per_row(line.flops);
  return json;
}

Json kernel_json(const firmware::Kernel& kernel, const hw::Config& config) {
  return {
      {"name", kernel.name},
      {"address", kernel.address},
      {"words", kernel.words},
      {"flops", per_row({kernel.flops.always, kernel.flops.with_cfm, kernel.flops.with_parent})},
      {"bytes_read", per_row({kernel.bytes_read, 0, kernel.bytes_read_with_parent})},
      {"bytes_written", per_row({kernel.bytes_written, 0, 0})},
      {"initiation_interval", firmware::initiation_interval(config)},
      {"latency", firmware::latency(kernel, config)}};
}

Json to_json(const Firmware& program, const hw::Config& config) {
  Json json = {{"program", program.name},
               {"words", program.assembly.image.words.size()},
               {"instruction_memory_words", config.instruction_memory_words},
               {"kernels", Json::array()},
               {"listing", Json::array()},
               {"warnings", Json::array()}};
  for (const firmware::Kernel& kernel : program.assembly.kernels) {
    json["kernels"].push_back(kernel_json(kernel, config));
  }
  for (const firmware::ListingLine& line : firmware::list(program.assembly, config)) {
    json["listing"].push_back(line_json(line));
  }
  for (const firmware::Diagnostic& warning : program.assembly.warnings) {
    json["warnings"].push_back(Json{{"code", warning.code},
                                    {"line", warning.place.line},
                                    {"column", warning.place.column},
                                    {"reason", warning.reason}});
  }
  return json;
}

void assemble(const AsmOptions& options) {
  if (!options.explain.empty()) return explain(options.explain);
  if (options.source.empty()) {
    throw CliError(kExitUsage, "asm: expected a file, the name of a program or --explain CODE");
  }
  NamedFiles inputs = {program_file(options.source)};
  add_config_files(options.device.config, &inputs);
  check_apart(inputs, {{"--output", options.output}});
  const hw::Config config = hw::resolve_config(options.device.config, options.device.overrides);
  const Firmware program = load_firmware(options.source);
  for (const firmware::Diagnostic& warning : program.assembly.warnings) {
    std::cerr << firmware::format(warning);
  }
  if (!options.output.empty()) {
    const std::vector<std::byte> bytes = firmware::to_bytes(program.assembly.image);
    files::FileReplacement(options.output,
                           {reinterpret_cast<const char*>(bytes.data()), bytes.size()})
        .commit();
  }
  const std::string words = std::to_string(program.assembly.image.words.size()) + " of " +
                            std::to_string(config.instruction_memory_words) + " words";
  Json json = to_json(program, config);
  Options solve;
  solve.program = options.source;
  json["program_hash"] = hash_of_program(solve);
  publish(json,
          (options.listing ? firmware::format_listing(program.assembly, config) + "\n" : "") +
              program.name + ": " + words + ", config " + options.device.config + "\n" +
              firmware::cost_report(program.assembly, config),
          options.device);
}

}  // namespace

void add_asm(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<AsmOptions>();
  Command command = add_command(app, "asm", "Assemble firmware and report its cost per row");
  command.add_option("file", options->source, "Assembly file (.s) or " + program_names());
  command.add_option("-o,--output", options->output, "Write the program image").is_path("OUT.ppu");
  command.add_flag(
      "--listing", options->listing,
      "Print address, word and text of every line; of kernel operations unit, cycles and costs");
  command.add_option("--explain", options->explain, "Explain a message, with examples")
      .type_name("CODE");
  add_config_options(command, options->device);
  add_json_option(command, options->device);
  add_examples(command,
               {"ppu asm boxed --listing", "ppu asm firmware/programs/boxed.s -o boxed.ppu"});
  command.callback([options] { assemble(*options); });
}

}  // namespace ppu::sim
