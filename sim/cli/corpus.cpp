// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Lists of problems and programs.
#include "sim/cli/corpus.hpp"

#include <algorithm>
#include <filesystem>

#include "firmware/programs/programs.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/solve/firmware_file.hpp"

namespace ppu::sim {
namespace {

namespace fs = std::filesystem;

void append_problems(const fs::path& folder, std::vector<std::string>* problems) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".h5") found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  problems->insert(problems->end(), found.begin(), found.end());
}

}  // namespace

void add_corpus_options(Command command, Corpus& corpus) {
  command.add_option("--problems", corpus.problems, "HDF5 row problems; without it, all of --data")
      .type_name("FILE...");
  command.add_option("--data", corpus.folder, "Folder of problems, with large ones in its 'large'")
      .capture_default_str();
}

std::vector<std::string> problems_of(const Corpus& corpus) {
  if (!corpus.problems.empty()) return corpus.problems;
  std::vector<std::string> problems;
  append_problems(corpus.folder, &problems);
  append_problems(fs::path(corpus.folder) / "large", &problems);
  if (problems.empty())
    throw CliError(kExitUsage,
                   "--data: no .h5 file in '" + corpus.folder + "', expected row problems");
  return problems;
}

void add_programs_option(Command command, std::vector<std::string>& programs,
                         const std::string& help) {
  command.add_option("--programs", programs, help)
      .type_name("NAME,...")
      .delimiter(',')
      .allow_extra_args(false);
}

void add_residual_study_options(Command command, ResidualStudy& study, const std::string& which) {
  add_programs_option(command, study.programs,
                      "Firmware to compare, separated by commas, " + which +
                          "NAME@W over-relaxed by W; without it, all that end at a residual and "
                          "take the other options");
  command.add_flag(
      "--frozen", study.frozen,
      "Fix the bounds of friction rows at those of the file's own answer: a boxed LCP");
  add_backend_option(command, study.solve);
  add_solve_options(command, study.solve);
  // Every program has its solves; the time is not that of one of them.
  for (const char* name : {"--program", "--budget-us"}) command.remove_option(name);
}

std::vector<std::string> named_programs(const std::vector<std::string>& programs) {
  if (!programs.empty()) return programs;
  std::vector<std::string> names;
  for (const firmware::Program& program : firmware::programs()) names.emplace_back(program.name);
  return names;
}

std::vector<std::string> residual_programs(const std::vector<std::string>& programs,
                                           const Options& options) {
  std::vector<std::string> names = named_programs(programs);
  const auto goes_without = [&options](const std::string& name) {
    const Firmware firmware = load_firmware(name);
    return !firmware.tests_residual || (options.budget_us && !firmware.takes_budget) ||
           (friction_of(options) == PPU_FRICTION_SKIP && !firmware.takes_skip);
  };
  if (programs.empty())
    names.erase(std::remove_if(names.begin(), names.end(), goes_without), names.end());
  return names;
}

}  // namespace ppu::sim
