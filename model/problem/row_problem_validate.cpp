// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a row problem must satisfy before anything runs on it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "model/problem/problem_error.hpp"
#include "model/problem/row_problem.hpp"
#include "model/problem/schema.hpp"

namespace ppu::model {
namespace {

std::string text_of(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return text;
}

std::string path_of(const FloatArray& array) {
  return std::string("/") + group_of(array) + "/" + array.name;
}

void check_size(const std::string& name, const std::string& path, std::size_t found,
                std::size_t expected) {
  if (found != expected) {
    refuse(name, path, std::to_string(found) + " values", std::to_string(expected));
  }
}

void check_sizes(const RowProblem& p, const std::string& name) {
  const std::size_t m = p.rows();
  const std::size_t n = p.bodies();
  if (m < 1 || m > kMaxRows) {
    refuse(name, "/rows/parent", std::to_string(m) + " rows", "1 to " + std::to_string(kMaxRows));
  }
  if (n < 1 || n > kMaxBodies) {
    refuse(name, "/bodies/velocity_change", std::to_string(n) + " bodies",
           "1 to " + std::to_string(kMaxBodies));
  }
  check_size(name, "/rows/body", p.body.size(), m);
  check_size(name, "/rows/kind", p.kind.size(), m);
  for (const auto& array : kFloatArrays) {
    const std::size_t size = (p.*array.member).size();
    if (!array.required && size == 0) continue;
    check_size(name, path_of(array), size, (is_row_array(array) ? m : n) * array.columns);
  }
}

void check_arrays_finite(const RowProblem& p, const std::string& name) {
  for (const auto& array : kFloatArrays) {
    // Bounds may be infinite; check_bounds() looks at them.
    if (array.member == &RowProblem::lower || array.member == &RowProblem::upper) continue;
    check_finite(p.*array.member, array.columns, name, path_of(array));
  }
}

void check_kind(const RowProblem& p, const std::string& name, std::size_t i) {
  if (p.kind[i] > RowKind::kFriction) {
    refuse(name, "/rows/kind", i, std::to_string(static_cast<int>(p.kind[i])),
           "0 (joint), 1 (contact normal) or 2 (friction)");
  }
}

void check_bodies(const RowProblem& p, const std::string& name, std::size_t i) {
  const auto n = static_cast<std::int32_t>(p.bodies());
  const auto [a, b] = p.body[i];
  for (const std::int32_t body : {a, b}) {
    if (body < -1 || body >= n) {
      refuse(name, "/rows/body", i, "body " + std::to_string(body),
             "-1 to " + std::to_string(n - 1));
    }
  }
  if (a == b && a >= 0) {
    refuse(name, "/rows/body", i, "body " + std::to_string(a) + " twice", "two different bodies");
  }
  for (std::size_t half = 0; half < 2; ++half) {
    if (p.body[i][half] >= 0) continue;
    for (std::size_t k = 12 * i + 6 * half; k < 12 * i + 6 * half + 6; ++k) {
      const std::string column = " in column " + std::to_string(k % 12);
      if (p.jacobian[k] != 0) {
        refuse(name, "/rows/jacobian", i, text_of(p.jacobian[k]) + column, "0 for a static body");
      }
      if (p.inv_mass_jacobian[k] != 0) {
        refuse(name, "/rows/inv_mass_jacobian", i, text_of(p.inv_mass_jacobian[k]) + column,
               "0 for a static body");
      }
    }
  }
}

void check_parent(const RowProblem& p, const std::string& name, std::size_t i) {
  const std::int32_t parent = p.parent[i];
  if (parent < -1 || parent >= static_cast<std::int32_t>(i)) {
    refuse(name, "/rows/parent", i, "row " + std::to_string(parent), "-1 or an earlier row");
  }
  if (parent < 0) return;
  const auto j = static_cast<std::size_t>(parent);
  if (p.kind[j] == RowKind::kFriction) {
    refuse(name, "/rows/parent", i, "row " + std::to_string(parent) + ", a friction row",
           "a joint or contact normal row");
  }
  if (p.parent[j] >= 0) {
    refuse(name, "/rows/parent", i, "row " + std::to_string(parent) + ", which has a parent itself",
           "a row without a parent");
  }
}

void check_bounds(const RowProblem& p, const std::string& name, std::size_t i) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float lo = p.lower[i];
  const float hi = p.upper[i];
  if (std::isnan(lo) || lo == kInfinity) {
    refuse(name, "/rows/lower", i, text_of(lo), "a number below infinity");
  }
  if (std::isnan(hi) || hi == -kInfinity) {
    refuse(name, "/rows/upper", i, text_of(hi), "a number above -infinity");
  }
  if (p.parent[i] < 0 && lo > hi) {
    refuse(name, "/rows/lower", i, text_of(lo), "at most /rows/upper, " + text_of(hi));
  }
}

void check_not_negative(const std::vector<float>& values, const std::string& name,
                        const std::string& path, std::size_t i) {
  if (values[i] < 0) refuse(name, path, i, text_of(values[i]), "a number >= 0");
}

void check_solution(const Solution& solution, const RowProblem& p, const std::string& name,
                    const std::string& group) {
  check_size(name, group + "/impulse", solution.impulse.size(), p.rows());
  check_size(name, group + "/velocity_change", solution.velocity_change.size(), 6 * p.bodies());
  check_finite(solution.impulse, 1, name, group + "/impulse");
  check_finite(solution.velocity_change, 6, name, group + "/velocity_change");
}

void check_reference(const Reference& reference, const RowProblem& p, const std::string& name) {
  if (reference.sweeps < 0) {
    refuse(name, "attribute sweeps of /reference", std::to_string(reference.sweeps), "0 or more");
  }
  if (reference.start != "warm" && reference.start != "cold") {
    refuse(name, "attribute start of /reference", "\"" + reference.start.substr(0, 40) + "\"",
           "\"warm\" or \"cold\"");
  }
  if (reference.friction_rule != "skip" && reference.friction_rule != "clamp") {
    refuse(name, "attribute friction_rule of /reference",
           "\"" + reference.friction_rule.substr(0, 40) + "\"", "\"skip\" or \"clamp\"");
  }
  check_solution(reference, p, name, "/reference");
}

}  // namespace

void check_finite(const std::vector<float>& values, std::size_t columns, const std::string& name,
                  const std::string& path) {
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  const auto index = static_cast<std::size_t>(bad - values.begin());
  const std::string place = columns == 1 ? "" : " in column " + std::to_string(index % columns);
  refuse(name, path, index / columns, text_of(*bad) + place, "a finite number");
}

void validate(const RowProblem& problem, const std::string& name) {
  check_sizes(problem, name);
  check_arrays_finite(problem, name);
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    check_kind(problem, name, i);
    check_bodies(problem, name, i);
    check_parent(problem, name, i);
    check_bounds(problem, name, i);
    check_not_negative(problem.inv_diagonal, name, "/rows/inv_diagonal", i);
    check_not_negative(problem.friction, name, "/rows/friction", i);
    check_not_negative(problem.compliance, name, "/rows/compliance", i);
  }
  if (problem.reference) check_reference(*problem.reference, problem, name);
  if (problem.solution) check_solution(*problem.solution, problem, name, "/solution");
}

}  // namespace ppu::model
