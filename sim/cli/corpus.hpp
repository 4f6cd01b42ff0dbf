// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Lists of problems and programs for the commands that measure many of them.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// Which problems: those that are named, else every one of a folder.
struct Corpus {
  std::vector<std::string> problems;  ///< Files; empty: those of `folder`.
  std::string folder = "tests/data";
};

/// --problems and --data.
void add_corpus_options(Command command, Corpus& corpus);
/// The problems that are named; without names, the *.h5 of the folder, then those of its folder
/// `large`, each in the order of their names. Throws CliError (usage) if that gives none.
std::vector<std::string> problems_of(const Corpus& corpus);

/// --programs: names, separated by commas.
void add_programs_option(Command command, std::vector<std::string>& programs,
                         const std::string& help);

/// What studies of programs that end at a residual share.
struct ResidualStudy {
  Options solve;
  std::vector<std::string> programs;  ///< Empty: all that end at a residual.
  bool frozen = false;
};
/// --programs, `which` of them, --frozen, the back end, and what a solve takes, but for the program
/// and the budget.
void add_residual_study_options(Command command, ResidualStudy& study, const std::string& which);

/// `programs`; if there are none, the shipped ones in the order of the patent.
std::vector<std::string> named_programs(const std::vector<std::string>& programs);
/// The same, without names only those that end at a residual and go with `options`: with their
/// friction rule and their budget.
std::vector<std::string> residual_programs(const std::vector<std::string>& programs,
                                           const Options& options);

}  // namespace ppu::sim
