// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Kinds of rows as classes.
#include "sim/solve/sweep_classes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/cli_error.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

constexpr std::array kKinds = {model::RowKind::kJoint, model::RowKind::kContact,
                               model::RowKind::kFriction};
constexpr unsigned kMostSweeps = 1000000;

/// Sweeps by kind.
using Sweeps = std::array<std::optional<std::uint32_t>, kKinds.size()>;

/// False if `part` is not "KIND=N".
bool take(const std::string& part, Sweeps* sweeps) {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const std::string name = std::string(kind_name(kKinds[i])) + "=";
    if (part.compare(0, name.size(), name) != 0) continue;
    const std::string number = part.substr(name.size());
    unsigned count = 0;
    char rest = 0;
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos ||
        number.size() > 7 || std::sscanf(number.c_str(), "%u%c", &count, &rest) != 1 ||
        count > kMostSweeps || (*sweeps)[i]) {
      return false;
    }
    (*sweeps)[i] = count;
    return true;
  }
  return false;
}

Sweeps parse(const std::string& text) {
  Sweeps sweeps;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    if (!take(part, &sweeps)) {
      throw CliError(kExitUsage, "--sweeps-of: got '" + part +
                                     "', expected joint=N, contact=N or friction=N, each once, N "
                                     "from 0 to " +
                                     std::to_string(kMostSweeps));
    }
  }
  return sweeps;
}

struct Class {
  model::RowKind kind;
  std::uint32_t rows;
};

std::vector<Class> classes_of(const model::RowProblem& problem, const std::string& name) {
  std::vector<Class> classes;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const model::RowKind kind = problem.kind[row];
    if (classes.empty() || classes.back().kind != kind) {
      if (std::any_of(classes.begin(), classes.end(),
                      [kind](const Class& other) { return other.kind == kind; })) {
        throw CliError(kExitUsage, "--sweeps-of: " + name + ": row " + std::to_string(row) +
                                       " is a " + kind_name(kind) + " row behind " +
                                       kind_name(classes.back().kind) +
                                       " rows, expected the rows of a kind one after another");
      }
      classes.push_back({kind, 0});
    }
    ++classes.back().rows;
  }
  return classes;
}

}  // namespace

void set_classes(const model::RowProblem& problem, const Options& options, ppu_solve_def* def) {
  const Sweeps sweeps = parse(options.sweeps_of);
  const std::vector<Class> classes = classes_of(problem, options.problem);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::uint32_t count =
        sweeps[static_cast<std::size_t>(classes[i].kind)].value_or(options.sweeps);
    if (i < 2) {
      def->class_rows[i] = classes[i].rows;
      def->class_sweeps[i] = count;
    } else {
      def->max_sweeps = count;
    }
  }
}

}  // namespace ppu::sim
