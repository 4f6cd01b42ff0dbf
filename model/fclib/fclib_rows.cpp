// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cones as pyramids of rows.
#include "model/fclib/fclib_rows.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/problem/problem_error.hpp"
#include "model/reference/reference_mass.hpp"

namespace ppu::model::fclib {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Rows of a contact as combinations of its normal and tangents.
struct Pyramid {
  std::size_t dimension, directions;
  double reach = 1;  ///< Bound of a friction row, in parts of mu.
  std::vector<std::array<double, 3>> row;

  Pyramid(const Problem& problem, std::size_t asked)
      : dimension(place_of(problem.dimension)), directions(dimension == 2 ? 1 : asked) {
    row.push_back({1, 0, 0});
    if (dimension == 2) {
      row.push_back({0, 1, 0});
      return;
    }
    const double n = static_cast<double>(directions);
    reach = directions == 2 ? 1 : std::tan(kPi / (2 * n));
    for (std::size_t k = 0; k < directions; ++k) {
      const double angle = kPi * static_cast<double>(k) / n;
      if (directions == 2) {
        row.push_back({0, k == 0 ? 1.0 : 0.0, k == 0 ? 0.0 : 1.0});
      } else {
        row.push_back({0, std::cos(angle), std::sin(angle)});
      }
    }
  }
  [[nodiscard]] std::size_t rows() const { return row.size(); }
};

/// D: the columns of H, or the rows of W, as rows of the pyramids: x = D' y per contact.
Matrix pyramid_matrix(const Problem& problem, const Pyramid& pyramid) {
  Matrix d;
  d.rows = static_cast<std::int32_t>(problem.contacts() * pyramid.rows());
  d.columns = static_cast<std::int32_t>(problem.contacts() * pyramid.dimension);
  for (std::size_t c = 0; c < problem.contacts(); ++c)
    for (std::size_t i = 0; i < pyramid.rows(); ++i)
      for (std::size_t k = 0; k < pyramid.dimension; ++k)
        if (pyramid.row[i][k] != 0)
          d.entry.push_back({static_cast<std::int32_t>(c * pyramid.rows() + i),
                             static_cast<std::int32_t>(c * pyramid.dimension + k),
                             pyramid.row[i][k]});
  return d;
}

Matrix transposed(const Matrix& matrix) {
  Matrix turned;
  turned.rows = matrix.columns;
  turned.columns = matrix.rows;
  for (const Entry& e : matrix.entry) turned.entry.push_back({e.column, e.row, e.value});
  turned.put_in_order();
  return turned;
}

/// a b, by rows.
Matrix product(const Matrix& a, const Matrix& b) {
  std::vector<std::size_t> start(place_of(b.rows) + 1);
  for (const Entry& e : b.entry) ++start[place_of(e.row) + 1];
  for (std::size_t i = 0; i + 1 < start.size(); ++i) start[i + 1] += start[i];
  Matrix made;
  made.rows = a.rows;
  made.columns = b.columns;
  for (const Entry& e : a.entry)
    for (std::size_t q = start[place_of(e.column)]; q < start[place_of(e.column) + 1]; ++q)
      made.entry.push_back({e.row, b.entry[q].column, e.value * b.entry[q].value});
  made.put_in_order();
  return made;
}

methods::CompressedMatrix compressed(const Matrix& matrix) {
  methods::CompressedMatrix made;
  made.columns = place_of(matrix.columns);
  made.start.assign(place_of(matrix.rows) + 1, 0);
  for (const Entry& e : matrix.entry) {
    ++made.start[place_of(e.row) + 1];
    made.column.push_back(static_cast<std::uint32_t>(e.column));
    made.value.push_back(e.value);
  }
  for (std::size_t i = 0; i + 1 < made.start.size(); ++i) made.start[i + 1] += made.start[i];
  return made;
}

/// The matrix A of the rows: D (W + W') / 2 D'. Files have W of single precision or of contacts
/// that were linearized one by one; what differs by more than kAsymmetry of the diagonal is
/// refused.
constexpr double kAsymmetry = 1e-2;
Matrix row_matrix(const Problem& local, const Matrix& d) {
  const Matrix turned = transposed(local.w);
  Matrix mean = local.w;
  std::vector<double> diagonal(place_of(mean.rows));
  for (const Entry& e : mean.entry)
    if (e.row == e.column) diagonal[place_of(e.row)] = e.value;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    if (!(diagonal[i] > 0))
      refuse(local.name, "W", i, number_text(diagonal[i]) + " on the diagonal", "a number above 0");
  Matrix difference = local.w;
  for (Entry& e : mean.entry) e.value /= 2;
  for (const Entry& e : turned.entry) {
    mean.entry.push_back({e.row, e.column, e.value / 2});
    difference.entry.push_back({e.row, e.column, -e.value});
  }
  mean.put_in_order();
  difference.put_in_order();
  for (const Entry& e : difference.entry) {
    const double scale =
        std::sqrt(diagonal[place_of(e.row)]) * std::sqrt(diagonal[place_of(e.column)]);
    if (std::fabs(e.value) > kAsymmetry * scale)
      refuse(local.name, "W column " + std::to_string(e.column), place_of(e.row),
             number_text(e.value) + " more than on the other side of the diagonal",
             "a symmetric matrix");
  }
  return product(product(d, mean), transposed(d));
}

/// The one number of a body's mass, and whether the rest is an inertia of its own.
double inverse_mass_of(const Problem& global, const InverseMass& inverse, std::size_t body) {
  const double mass = inverse.at(body, 0, 0);
  double most = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) most = std::max(most, std::fabs(inverse.at(body, i, k)));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double expected = i == k ? mass : 0;
      if (std::fabs(inverse.at(body, i, k) - expected) > 1e-9 * most)
        refuse(global.name, "M", 6 * body + i,
               "a mass that differs with the direction, or is coupled to the inertia",
               "m, m, m and a 3 x 3 inertia for each body");
    }
  }
  return mass;
}

void set_bodies(const Problem& global, const InverseMass& inverse, RowProblem& rows) {
  const std::size_t bodies = place_of(global.m.rows) / 6;
  rows.velocity_change.assign(6 * bodies, 0);
  const std::vector<double> free = inverse.times(global.force);
  rows.velocity_free.assign(free.begin(), free.end());
  for (std::size_t body = 0; body < bodies; ++body) {
    rows.inv_mass.push_back(static_cast<float>(inverse_mass_of(global, inverse, body)));
    for (std::size_t i = 3; i < 6; ++i)
      for (std::size_t k = 3; k < 6; ++k)
        rows.inv_inertia.push_back(static_cast<float>(inverse.at(body, i, k)));
  }
}

/// Rows are float32.
void check_single_precision(const Problem& global, std::size_t rows_of_contact,
                            const RowProblem& rows) {
  const auto check_each = [&](const std::vector<float>& values, std::size_t per_item,
                              const std::string& item) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        refuse(global.name, item + std::to_string(i / per_item),
               "a number beyond single precision, which rows have", "other units");
  };
  check_each(rows.inv_mass, 1, "M: the mass of body ");
  check_each(rows.inv_inertia, 9, "M: the inertia of body ");
  check_each(rows.velocity_free, 6, "M, f: the velocity of body ");
  check_each(rows.jacobian, 12 * rows_of_contact, "H: a row of contact ");
  check_each(rows.inv_mass_jacobian, 12 * rows_of_contact, "M, H: a row of contact ");
  check_each(rows.friction, rows_of_contact, "mu: the friction of contact ");
  check_each(rows.rate_bias, rows_of_contact, "f, w: the velocity of contact ");
  check_each(rows.inv_diagonal, rows_of_contact, "M, H: the mass of contact ");
  for (std::size_t i = 0; i < rows.inv_diagonal.size(); ++i)
    if (rows.inv_diagonal[i] == 0)
      refuse(global.name, "M, H: the mass of contact " + std::to_string(i / rows_of_contact),
             "a number below single precision, which rows have", "other units");
}

/// The bodies of each contact, at most two.
std::vector<std::array<std::int32_t, 2>> bodies_of(const Problem& global) {
  std::vector<std::array<std::int32_t, 2>> bodies(global.contacts(), {-1, -1});
  for (const Entry& e : global.h.entry) {
    if (e.value == 0) continue;
    const std::size_t contact = place_of(e.column) / 3;
    const std::int32_t body = e.row / 6;
    auto& [a, b] = bodies[contact];
    if (a == body || b == body) continue;
    if (a >= 0 && b >= 0)
      refuse(global.name, "H column " + std::to_string(e.column), place_of(e.row),
             "a third body of contact " + std::to_string(contact), "at most two");
    (a < 0 ? a : b) = body;
  }
  for (std::size_t c = 0; c < bodies.size(); ++c)
    if (bodies[c][0] < 0)
      refuse(global.name, "H", "no body at contact " + std::to_string(c), "one or two");
  return bodies;
}

void add_solution(const Problem& global, const InverseMass& inverse, RowProblem& rows) {
  rows.solution.emplace();
  rows.solution->impulse.assign(global.solution.begin(), global.solution.end());
  const std::vector<double> change = inverse.times(global.h.times(global.solution));
  rows.solution->velocity_change.assign(change.begin(), change.end());
}

}  // namespace

RowProblem rows_of(const Problem& global, std::size_t directions) {
  if (!global.is_global)
    refuse(global.name, "/", "/fclib_local, a problem without bodies",
           "/fclib_global for two-body rows (a local one has the method explicit)");
  if (global.dimension != 3)
    refuse(global.name, "spacedim", std::to_string(global.dimension), "3 for two-body rows");
  const InverseMass inverse(global);
  const Pyramid pyramid(global, directions);
  const auto bodies = bodies_of(global);
  RowProblem rows;
  rows.name = global.title.empty() ? global.name : global.title;
  rows.engine = "FCLIB";
  rows.row_order = "contact by contact: normal, then friction";
  set_bodies(global, inverse, rows);
  const std::size_t m = global.contacts() * pyramid.rows();
  rows.jacobian.assign(12 * m, 0);
  rows.inv_mass_jacobian.assign(12 * m, 0);
  for (std::size_t c = 0; c < global.contacts(); ++c) {
    for (std::size_t i = 0; i < pyramid.rows(); ++i) {
      rows.body.push_back(bodies[c]);
      rows.kind.push_back(i == 0 ? RowKind::kContact : RowKind::kFriction);
      rows.parent.push_back(i == 0 ? -1 : static_cast<std::int32_t>(c * pyramid.rows()));
      rows.friction.push_back(i == 0 ? 0 : static_cast<float>(pyramid.reach * global.friction[c]));
      rows.lower.push_back(0);
      rows.upper.push_back(i == 0 ? kInfinity : 0);
    }
  }
  const Matrix j = product(pyramid_matrix(global, pyramid), transposed(global.h));
  std::vector<double> jacobian(12 * m), scaled(12 * m), diagonal(m);
  for (const Entry& e : j.entry) {
    const std::size_t half = rows.body[place_of(e.row)][0] == e.column / 6 ? 0 : 1;
    jacobian[12 * place_of(e.row) + 6 * half + place_of(e.column) % 6] = e.value;
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t half = 0; half < 2; ++half) {
      if (rows.body[i][half] < 0) continue;
      const double* const mine = &jacobian[12 * i + 6 * half];
      for (std::size_t k = 0; k < 6; ++k) {
        double& jm = scaled[12 * i + 6 * half + k];
        for (std::size_t l = 0; l < 6; ++l)
          jm += inverse.at(place_of(rows.body[i][half]), k, l) * mine[l];
        diagonal[i] += mine[k] * jm;
      }
    }
    if (!(diagonal[i] > 0))
      refuse(global.name, "H",
             "a direction of contact " + std::to_string(i / pyramid.rows()) +
                 " in which nothing can move",
             "columns that are not 0");
  }
  rows.jacobian.assign(jacobian.begin(), jacobian.end());
  rows.inv_mass_jacobian.assign(scaled.begin(), scaled.end());
  const std::vector<double> q = localized(global).offset;
  for (const double bias : pyramid_matrix(global, pyramid).times(q))
    rows.rate_bias.push_back(static_cast<float>(bias));
  for (const double own : diagonal) rows.inv_diagonal.push_back(static_cast<float>(1 / own));
  rows.compliance.assign(m, 0);
  rows.impulse.assign(m, 0);
  check_single_precision(global, pyramid.rows(), rows);
  if (!global.solution.empty() && directions == 2) add_solution(global, inverse, rows);
  return rows;
}

methods::ExplicitProblem explicit_of(const Problem& problem, std::size_t directions) {
  const Pyramid pyramid(problem, directions);
  const Problem local = localized(problem);
  const Matrix d = pyramid_matrix(problem, pyramid);
  methods::ExplicitProblem made;
  made.name = problem.name;
  made.a = compressed(row_matrix(local, d));
  made.bias = d.times(local.offset);
  const std::size_t m = made.bias.size();
  made.compliance.assign(m, 0);
  made.lower.assign(m, 0);
  made.upper.assign(m, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t contact = i / pyramid.rows(), place = i % pyramid.rows();
    made.parent.push_back(place == 0 ? -1 : static_cast<std::int32_t>(i - place));
    made.friction.push_back(place == 0 ? 0 : pyramid.reach * problem.friction[contact]);
  }
  if (problem.is_global) {
    const InverseMass inverse(problem);
    const Matrix j = product(d, transposed(problem.h));
    made.j = compressed(j);
    Matrix mass;
    mass.rows = mass.columns = problem.m.rows;
    const std::size_t size = inverse.block();
    for (std::size_t i = 0; i < place_of(mass.rows); ++i)
      for (std::size_t k = 0; k < size; ++k)
        mass.entry.push_back({static_cast<std::int32_t>(i),
                              static_cast<std::int32_t>(i - i % size + k),
                              inverse.at(i / size, i % size, k)});
    made.jm = compressed(product(j, mass));
  }
  return made;
}

std::vector<double> contact_impulses(const Problem& problem, std::size_t directions,
                                     const std::vector<double>& x) {
  return pyramid_matrix(problem, Pyramid(problem, directions)).transposed_times(x);
}

Problem global_of(const RowProblem& rows) {
  const std::string name = rows.name;
  const auto n = rows.bodies();
  if (rows.inv_mass.size() != n || rows.inv_inertia.size() != 9 * n)
    refuse(name, "/bodies/inv_mass", "nothing", "the masses, for M");
  Problem made;
  made.name = made.title = name;
  made.is_global = true;
  made.m.rows = made.m.columns = static_cast<std::int32_t>(6 * n);
  made.h.rows = made.m.rows;
  for (std::size_t body = 0; body < n; ++body) {
    const Eigen::Matrix<double, 6, 6> inverse = inverse_mass(rows, body);
    const Eigen::LLT<Eigen::Matrix<double, 6, 6>> factor(inverse);
    if (factor.info() != Eigen::Success)
      refuse(name, "/bodies/inv_mass", body, "a body that cannot move in every direction",
             "a mass matrix");
    const Eigen::Matrix<double, 6, 6> mass = factor.solve(Eigen::Matrix<double, 6, 6>::Identity());
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k)
        if (i == k || mass(i, k) != 0)
          made.m.entry.push_back({static_cast<std::int32_t>(6 * body) + i,
                                  static_cast<std::int32_t>(6 * body) + k,
                                  (mass(i, k) + mass(k, i)) / 2});
  }
  // Contacts in the order of their normals; the friction rows of each.
  std::vector<std::array<std::size_t, 3>> contacts;
  std::vector<std::size_t> contact_of(rows.rows()), children(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.compliance[i] != 0)
      refuse(name, "/rows/compliance", i, number_text(static_cast<double>(rows.compliance[i])),
             "0 in FCLIB");
    if (rows.parent[i] >= 0) {
      const auto parent = place_of(rows.parent[i]);
      if (++children[parent] > 2)
        refuse(name, "/rows/parent", i, "a third friction row of row " + std::to_string(parent),
               "two");
      contacts[contact_of[parent]][children[parent]] = i;
      continue;
    }
    if (rows.lower[i] != 0 || !(rows.upper[i] >= 1e10F))
      refuse(name, "/rows/kind", i, "a row that is neither contact nor friction",
             "contacts alone: FCLIB has no joints here");
    contact_of[i] = contacts.size();
    contacts.push_back({i, 0, 0});
  }
  std::vector<double> free(rows.velocity_free.begin(), rows.velocity_free.end());
  free.resize(6 * n);
  made.force = made.m.times(free);
  made.h.columns = static_cast<std::int32_t>(3 * contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const auto [normal, first, second] = contacts[c];
    if (children[normal] != 2)
      refuse(name, "/rows/parent", normal,
             std::to_string(children[normal]) + " friction rows of this contact", "two");
    if (rows.friction[first] != rows.friction[second])
      refuse(name, "/rows/friction", second,
             number_text(static_cast<double>(rows.friction[second])),
             number_text(static_cast<double>(rows.friction[first])) +
                 " as in the other direction of the contact");
    made.friction.push_back(static_cast<double>(rows.friction[first]));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t row = contacts[c][k];
      double moving = 0;
      for (std::size_t half = 0; half < 2; ++half) {
        if (rows.body[row][half] < 0) continue;
        for (std::size_t l = 0; l < 6; ++l) {
          const auto value = static_cast<double>(rows.jacobian[12 * row + 6 * half + l]);
          const std::size_t place = 6 * place_of(rows.body[row][half]) + l;
          moving += value * free[place];
          if (value != 0)
            made.h.entry.push_back(
                {static_cast<std::int32_t>(place), static_cast<std::int32_t>(3 * c + k), value});
        }
      }
      made.offset.push_back(static_cast<double>(rows.rate_bias[row]) - moving);
    }
  }
  made.h.put_in_order();
  return made;
}

}  // namespace ppu::model::fclib
