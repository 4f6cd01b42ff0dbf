// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems for the subcommands: a file, or a problem that comes with the command.
#include "sim/problem/problem.hpp"

#include <algorithm>
#include <filesystem>

#include "model/files/row_problem_file.hpp"
#include "sim/base/embedded.hpp"
#include "sim/base/files.hpp"
#include "sim/base/progress.hpp"
#include "sim/problem/islands.hpp"
#include "sim/problem/stance.hpp"

namespace ppu::sim {

namespace {

/// What to write for a file that is not there.
std::string hint(const std::string& source) {
  const std::string of_tree = "tests/data/" + source + ".h5";
  std::error_code error;
  if (std::filesystem::exists(of_tree, error)) return ", did you mean '" + of_tree + "'?";
  return "; `ppu record` writes the rows of a scene";
}

}  // namespace

model::RowProblem load_problem(const std::string& source) {
  if (source == kEmbeddedProblem) {
    const std::string_view image = embedded_scene("wall10_f012");
    return model::read_row_problem(image.data(), image.size(), source);
  }
  if (source == kStanceProblem) return make_stance();
  check_exists(source, std::string(", expected a path to a .h5 file of rows, '") +
                           kEmbeddedProblem + "' or '" + kStanceProblem + "'" + hint(source));
  const Progress progress("reads " + source);
  return model::read_row_problem(source);
}

ppu_problem view(const model::RowProblem& problem) {
  ppu_problem out{};
  out.row_count = static_cast<std::uint32_t>(problem.rows());
  out.body_count = static_cast<std::uint32_t>(problem.bodies());
  out.body = reinterpret_cast<const std::int32_t(*)[2]>(problem.body.data());
  out.parent = problem.parent.data();
  out.jacobian = problem.jacobian.data();
  out.inv_mass_jacobian = problem.inv_mass_jacobian.data();
  out.rate_bias = problem.rate_bias.data();
  out.inv_diagonal = problem.inv_diagonal.data();
  out.lower = problem.lower.data();
  out.upper = problem.upper.data();
  out.friction = problem.friction.data();
  out.compliance = problem.compliance.data();
  out.impulse = problem.impulse.data();
  out.velocity_change = problem.velocity_change.data();
  out.inv_mass = problem.inv_mass.empty() ? nullptr : problem.inv_mass.data();
  out.inv_inertia = problem.inv_inertia.empty() ? nullptr : problem.inv_inertia.data();
  return out;
}

const char* kind_name(model::RowKind kind) {
  switch (kind) {
    case model::RowKind::kJoint:
      return "joint";
    case model::RowKind::kContact:
      return "contact";
    case model::RowKind::kFriction:
      return "friction";
  }
  return "?";
}

std::string body_name(std::int32_t body) {
  return body < 0 ? "static" : std::to_string(body);
}

std::vector<std::uint32_t> rows_per_body(const model::RowProblem& problem) {
  std::vector<std::uint32_t> counts(problem.bodies());
  for (const auto& pair : problem.body) {
    for (const std::int32_t body : pair) {
      if (body >= 0) ++counts[static_cast<std::size_t>(body)];
    }
  }
  return counts;
}

std::vector<std::uint64_t> island_rows(const model::RowProblem& problem) {
  const Islands islands = find_islands(problem);
  std::vector<std::uint64_t> count(islands.count);
  for (const std::int32_t island : islands.of_row)
    if (island >= 0) ++count[static_cast<std::size_t>(island)];
  return count;
}

}  // namespace ppu::sim
