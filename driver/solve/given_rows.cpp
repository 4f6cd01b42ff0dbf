// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The loops have no branch that depends on a row but for friction, and take four numbers at once.
#include "driver/solve/given_rows.hpp"

#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "driver/solve/problem.hpp"
#include "driver/solve/run_packing.hpp"

namespace ppu::driver {
namespace {

constexpr float kUnbounded = std::numeric_limits<float>::infinity();

/// Whether all numbers were finite: x - x is 0 for a finite x, else none, which has other bits.
class Finite {
 public:
  void look(float value) {
    const float zero = value - value;
    std::uint32_t bits;
    std::memcpy(&bits, &zero, sizeof bits);
    one_ |= bits;
  }
  /// `kCount` numbers, a multiple of 4.
  template <std::size_t kCount>
  void look(const float* values) {
    for (std::size_t i = 0; i < kCount; i += 4) {
      Four four;
      std::memcpy(&four, values + i, sizeof four);
      const Four zero = four - four;
      FourBits bits;
      std::memcpy(&bits, &zero, sizeof bits);
      four_ |= bits;
    }
  }
  [[nodiscard]] bool all() const { return (one_ | four_[0] | four_[1] | four_[2] | four_[3]) == 0; }

 private:
  using Four = float __attribute__((vector_size(16)));
  using FourBits = std::uint32_t __attribute__((vector_size(16)));
  std::uint32_t one_ = 0;
  FourBits four_{};
};

/// True if a row names two bodies that it may; `a` and `b` are -1 for none.
bool good_bodies(std::int32_t a, std::int32_t b, std::uint32_t body_count) {
  // -1 becomes 0, what is below it very large.
  const bool in_range = (static_cast<std::uint32_t>(a) + 1 <= body_count) &
                        (static_cast<std::uint32_t>(b) + 1 <= body_count);
  return in_range & !((a == b) & (a >= 0));
}

/// A parent is an earlier row.
bool good_parent(std::int32_t parent, std::uint32_t row) {
  return static_cast<std::uint32_t>(parent) + 1 <= row;
}

/// Written so that a NaN is refused, too.
bool good_bounds(float lower, float upper) {
  return (lower <= upper) & (lower < kUnbounded) & (upper > -kUnbounded);
}
bool good_friction(float friction) {
  return (friction >= 0) & (friction < kUnbounded);
}

/// Arrays of what a table holds, under the names that a problem has for them.
struct Arrays {
  std::vector<std::int32_t> body, parent;
  std::vector<float> jacobian, inv_mass_jacobian, bias, inv_diagonal, lower, upper, compliance;
};

Arrays arrays_of(const ppu_row* rows, std::uint32_t row_count) {
  Arrays arrays;
  for (std::uint32_t i = 0; i < row_count; ++i) {
    const ppu_row& row = rows[i];
    arrays.body.push_back(static_cast<std::int32_t>(row.body_a));
    arrays.body.push_back(static_cast<std::int32_t>(row.body_b));
    arrays.parent.push_back(static_cast<std::int32_t>(row.parent));
    arrays.jacobian.insert(arrays.jacobian.end(), row.jacobian, row.jacobian + kRowElements);
    arrays.inv_mass_jacobian.insert(arrays.inv_mass_jacobian.end(), row.inv_mass_jacobian,
                                    row.inv_mass_jacobian + kRowElements);
    arrays.bias.push_back(row.bias);
    arrays.inv_diagonal.push_back(row.inv_diagonal);
    arrays.lower.push_back(row.lower);
    arrays.upper.push_back(row.upper);
    arrays.compliance.push_back(row.compliance);
  }
  return arrays;
}

}  // namespace

bool pack_given(const ppu_problem& problem, const RowScale& scale, std::uint32_t first,
                std::uint32_t end, ppu_row* rows) {
  Finite finite;
  bool good = true;
  for (std::uint32_t row = first; row < end; ++row) {
    ppu_row& record = rows[row];
    const float* const jacobian = problem.jacobian + row * kRowElements;
    const float* const inv_mass_jacobian = problem.inv_mass_jacobian + row * kRowElements;
    std::memcpy(record.jacobian, jacobian, sizeof record.jacobian);
    std::memcpy(record.inv_mass_jacobian, inv_mass_jacobian, sizeof record.inv_mass_jacobian);
    finite.look<kRowElements>(jacobian);
    finite.look<kRowElements>(inv_mass_jacobian);

    const float b = problem.rate_bias[row];
    const float cfm = problem.compliance[row];
    const float d = problem.inv_diagonal[row];
    for (const float value : {b, cfm, d}) finite.look(value);
    const float relaxed = d * scale.relaxation;
    const Softness soft = softness_of(b, cfm, relaxed, scale);
    record.bias = soft.bias;
    record.inv_diagonal = relaxed;
    record.compliance = soft.compliance;

    const std::int32_t* const body = problem.body[row];
    const std::int32_t parent = problem.parent[row];
    good &= good_bodies(body[0], body[1], problem.body_count) & good_parent(parent, row);
    record.body_a = static_cast<std::uint32_t>(body[0]);
    record.body_b = static_cast<std::uint32_t>(body[1]);
    record.parent = static_cast<std::uint32_t>(parent);
    if (parent < 0) {
      record.lower = problem.lower[row];
      record.upper = problem.upper[row];
      good &= good_bounds(record.lower, record.upper);
    } else {
      record.lower = 0;
      record.upper = problem.friction[row];
      good &= good_friction(record.upper);
      // Not looked at where the row's own parent is no row.
      if (good && !problem.impulse_form) good = problem.parent[parent] < 0;
    }
  }
  return good && finite.all();
}

bool pack_start(const ppu_problem& problem, bool warm, float* impulses, ppu_velocity* velocities) {
  if (!warm) {
    std::memset(impulses, 0, problem.row_count * sizeof *impulses);
    if (problem.body_count > 0) std::memset(velocities, 0, problem.body_count * sizeof *velocities);
    return true;
  }
  Finite finite;
  for (std::uint32_t row = 0; row < problem.row_count; ++row) {
    finite.look(problem.impulse[row]);
    impulses[row] = problem.impulse[row];
  }
  for (std::uint32_t body = 0; body < problem.body_count; ++body) {
    const float* const velocity = problem.velocity_change + body * kVelocityFloats;
    for (std::size_t i = 0; i < kVelocityFloats; ++i) finite.look(velocity[i]);
    ppu_velocity record{};
    std::memcpy(&record, velocity, kVelocityFloats * sizeof *velocity);
    velocities[body] = record;
  }
  return finite.all();
}

void unpack_given(const ppu_problem& problem, const float* impulses, const ppu_velocity* velocities,
                  float* impulse, float* velocity_change) {
  std::memcpy(impulse, impulses, problem.row_count * sizeof *impulse);
  for (std::uint32_t body = 0; body < problem.body_count; ++body)
    std::memcpy(velocity_change + body * kVelocityFloats, velocities + body,
                kVelocityFloats * sizeof *velocity_change);
}

bool good_records(const ppu_row* rows, const float* impulses, std::uint32_t first,
                  std::uint32_t end, std::uint32_t body_count) {
  Finite finite;
  bool good = true;
  for (std::uint32_t i = first; i < end; ++i) {
    const ppu_row& row = rows[i];
    finite.look<kRowElements>(row.jacobian);
    finite.look<kRowElements>(row.inv_mass_jacobian);
    for (const float value : {row.bias, row.inv_diagonal, row.compliance, impulses[i]})
      finite.look(value);
    const auto parent = static_cast<std::int32_t>(row.parent);
    good &= good_bodies(static_cast<std::int32_t>(row.body_a),
                        static_cast<std::int32_t>(row.body_b), body_count) &
            good_parent(parent, i);
    good &= parent < 0 ? good_bounds(row.lower, row.upper) : good_friction(row.upper);
  }
  return good && finite.all();
}

bool good_velocities(const ppu_velocity* velocities, std::uint32_t count) {
  Finite finite;
  for (std::uint32_t body = 0; body < count; ++body)
    for (std::size_t i = 0; i < 3; ++i) {
      finite.look(velocities[body].linear[i]);
      finite.look(velocities[body].angular[i]);
    }
  return finite.all();
}

void refuse_records(const ppu_row* rows, const float* impulses, std::uint32_t row_count,
                    std::uint32_t body_count) {
  const Arrays arrays = arrays_of(rows, row_count);
  ppu_problem problem{};
  problem.row_count = row_count;
  problem.body_count = body_count;
  problem.body = reinterpret_cast<const std::int32_t(*)[2]>(arrays.body.data());
  problem.parent = arrays.parent.data();
  problem.jacobian = arrays.jacobian.data();
  problem.inv_mass_jacobian = arrays.inv_mass_jacobian.data();
  problem.rate_bias = arrays.bias.data();
  problem.inv_diagonal = arrays.inv_diagonal.data();
  problem.lower = arrays.lower.data();
  problem.upper = arrays.upper.data();
  problem.friction = arrays.upper.data();
  problem.compliance = arrays.compliance.data();
  problem.impulse_form = true;
  graph_of(problem);
  check_numbers(problem, PPU_START_COLD);
  check_finite(impulses, "impulse", "row", row_count, 1);
}

void refuse_velocities(const ppu_velocity* velocities, std::uint32_t count) {
  std::vector<float> numbers(count * kVelocityFloats);
  for (std::uint32_t body = 0; body < count; ++body)
    std::memcpy(numbers.data() + body * kVelocityFloats, velocities + body,
                kVelocityFloats * sizeof(float));
  check_finite(numbers.data(), "velocity_change", "body", count, kVelocityFloats);
}

}  // namespace ppu::driver
