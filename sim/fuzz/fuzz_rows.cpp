// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random rows, impulses and velocities for the fuzz.
#include "sim/fuzz/fuzz_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/bits/float_bits.hpp"

namespace ppu::sim {
namespace {

using firmware::Random;

constexpr std::uint32_t kSign = 0x80000000;
constexpr std::uint32_t kMantissa = 0x007fffff;
/// Magnitudes at the borders of the format, the finite ones first.
constexpr std::array<std::uint32_t, 16> kBorders = {
    0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
    0x33800000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x5d5e0b6b, 0x7f7fffff, 0x7f800000, 0x7fc00000};
constexpr std::uint32_t kTinyBorders = 8;
constexpr std::uint32_t kSafeBorders = 13;

/// About a normal distribution: between -3 and 3, most of them near 0.
float normal(Random& random) {
  float sum = 0;
  for (int i = 0; i < 6; ++i) sum += static_cast<float>(random.below(1U << 20U));
  return sum / static_cast<float>(1U << 20U) - 3.0F;
}

/// Zeros, subnormal numbers, numbers with few bits, and some that are large but not huge.
float edge_value(Random& random) {
  const std::uint32_t sign = random.below(2) * kSign;
  switch (random.below(5)) {
    case 0:
      return float_of(sign | kBorders[random.below(kTinyBorders)]);
    case 1:
      return float_of(sign | (static_cast<std::uint32_t>(random.bits()) & kMantissa));
    case 2:
      return float_of(sign | kBorders[random.below(kSafeBorders)]);
    case 3:
      return std::ldexp(normal(random), static_cast<int>(random.below(80)) - 60);
    default:
      return std::ldexp(sign != 0 ? -1.0F : 1.0F, static_cast<int>(random.below(30)) - 20);
  }
}

float hostile_value(Random& random) {
  const std::uint32_t sign = random.below(2) * kSign;
  if (random.one_in(3)) return float_of(sign | random.of(kBorders));
  if (random.one_in(3)) return edge_value(random);
  return float_of(static_cast<std::uint32_t>(random.bits()));
}

/// Which bodies a row names.
class BodyChoice {
 public:
  BodyChoice(Random& random, const RowPlan& plan)
      : random_(random), plan_(plan), style_(plan.independent ? 3 : random.below(6)) {}

  void choose(std::uint32_t slot, ppu_row* row) {
    row->body_a = body(2 * slot);
    row->body_b = body(2 * slot + 1);
    if (row->body_a == row->body_b) row->body_b = PPU_NONE;
    if (random_.one_in(8)) std::swap(row->body_a, row->body_b);
  }

 private:
  std::uint32_t body(std::uint32_t place) {
    const std::uint32_t bodies = plan_.bodies;
    if (bodies == 0 || random_.one_in(6)) return PPU_NONE;
    const std::uint32_t in_bank = (bodies - 1) / plan_.velocity_banks + 1;
    switch (style_) {
      case 0:  // A chain.
        return (place / 2 + place % 2) % bodies;
      case 1:  // Of one bank of velocity memory.
      case 5:
        return random_.below(in_bank) * plan_.velocity_banks;
      case 2:  // A few that many rows share.
        return random_.below(std::min(bodies, 3U));
      case 3:
        return place % bodies;
      default:
        return random_.below(bodies);
    }
  }

  Random& random_;
  const RowPlan& plan_;
  std::uint32_t style_;
};

/// A slot other than the row's own: mostly one shortly before it.
std::uint32_t parent_of(Random& random, std::uint32_t slot, std::uint32_t rows) {
  if (slot > 0 && !random.one_in(4)) return slot - 1 - random.below(std::min(slot, 4U));
  const std::uint32_t other = random.below(rows - 1);
  return other < slot ? other : other + 1;
}

void fill_half(Random& random, bool present, float* jacobian, float* inv_mass_jacobian) {
  for (int k = 0; k < spec::kRowElements / 2; ++k) {
    jacobian[k] = present ? normal(random) : 0.0F;
    inv_mass_jacobian[k] = present ? 0.1F * normal(random) : 0.0F;
  }
}

ppu_row tame_row(Random& random, const RowPlan& plan, std::uint32_t slot, BodyChoice& bodies) {
  ppu_row row{};
  bodies.choose(slot, &row);
  // Solvers leave the half of a static body zero, the device does not ask for it.
  constexpr int kHalf = spec::kRowElements / 2;
  const bool both = random.one_in(4);
  fill_half(random, both || row.body_a != PPU_NONE, row.jacobian, row.inv_mass_jacobian);
  fill_half(random, both || row.body_b != PPU_NONE, row.jacobian + kHalf,
            row.inv_mass_jacobian + kHalf);
  row.bias = normal(random);
  row.inv_diagonal = 0.05F;
  row.lower = -std::fabs(normal(random));
  row.upper = std::fabs(normal(random));
  row.compliance = random.one_in(3) ? 0.0F : 0.01F;
  row.parent = PPU_NONE;
  if (plan.parents && plan.rows > 1 && random.one_in(3))
    row.parent = parent_of(random, slot, plan.rows);
  return row;
}

/// The values of a row, in no order.
std::vector<float*> values_of(ppu_row* row) {
  std::vector<float*> values = {&row->bias, &row->inv_diagonal, &row->lower, &row->upper,
                                &row->compliance};
  for (float& value : row->jacobian) values.push_back(&value);
  for (float& value : row->inv_mass_jacobian) values.push_back(&value);
  return values;
}

void copy_jacobian(ppu_row* row) {
  std::copy(std::begin(row->jacobian), std::end(row->jacobian), row->inv_mass_jacobian);
}

/// Bounds that a solver may well give: equal, none, only one.
void spread_bounds(Random& random, ppu_row* row) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (random.one_in(4)) row->lower = row->upper;
  // The upper bound of a row with a parent is its coefficient of friction.
  if (row->parent != PPU_NONE) return;
  if (random.one_in(3)) row->lower = -kInfinity;
  if (random.one_in(3)) row->upper = kInfinity;
}

}  // namespace

RowSet random_rows(Random& random, const RowPlan& plan) {
  RowSet set;
  BodyChoice bodies(random, plan);
  for (std::uint32_t slot = 0; slot < plan.rows; ++slot) {
    set.rows.push_back(tame_row(random, plan, slot, bodies));
    if (plan.reduced) copy_jacobian(&set.rows.back());
    set.impulses.push_back(random.one_in(4) ? 0.0F : normal(random));
  }
  for (std::uint32_t body = 0; body < plan.bodies; ++body) {
    ppu_velocity velocity{};
    for (float& value : velocity.linear) value = normal(random);
    for (float& value : velocity.angular) value = normal(random);
    for (std::uint32_t& word : velocity.ignored) word = static_cast<std::uint32_t>(random.bits());
    set.velocities.push_back(velocity);
  }
  return set;
}

void spoil(Random& random, RowNature nature, const RowPlan& plan, ppu_row* row) {
  if (nature == RowNature::kTame) return;
  const std::vector<float*> values = values_of(row);
  const bool hostile = nature == RowNature::kHostile;
  const bool all = random.one_in(6);
  const auto some = all ? static_cast<std::uint32_t>(values.size()) : random.between(1, 3);
  for (std::uint32_t i = 0; i < some; ++i) {
    float* const value = all ? values[i] : random.of(values);
    *value = hostile ? hostile_value(random) : edge_value(random);
  }
  if (hostile && random.one_in(4)) std::swap(row->lower, row->upper);
  if (!hostile) {
    if (row->lower > row->upper) std::swap(row->lower, row->upper);
    spread_bounds(random, row);
    if (row->parent != PPU_NONE) row->upper = std::fabs(row->upper);
  }
  if (plan.reduced) copy_jacobian(row);
}

void spoil_state(Random& random, RowNature nature, std::uint32_t share, RowSet* set) {
  if (nature == RowNature::kTame) return;
  const auto change = [&](float* value) {
    if (!random.one_in(share)) return;
    *value = nature == RowNature::kHostile ? hostile_value(random) : edge_value(random);
  };
  for (float& impulse : set->impulses) change(&impulse);
  for (ppu_velocity& velocity : set->velocities) {
    for (float& value : velocity.linear) change(&value);
    for (float& value : velocity.angular) change(&value);
  }
}

void set_far_apart(Random& random, ppu_row* row, float* impulse) {
  const float far = random.one_in(2) ? 3e38F : -3e38F;
  *impulse = -far;
  row->lower = std::min(far, far / 2);
  row->upper = std::max(far, far / 2);
}

void scale(Random& random, RowSet* set) {
  constexpr int kExponents[] = {-149, -140, -126, -100, -40, 20};
  const int exponent = kExponents[random.below(std::size(kExponents))];
  const auto shift = [exponent](float* value) { *value = std::ldexp(*value, exponent); };
  for (ppu_row& row : set->rows) {
    shift(&row.bias);
    shift(&row.lower);
    if (row.parent == PPU_NONE) shift(&row.upper);
  }
  for (float& impulse : set->impulses) shift(&impulse);
  for (ppu_velocity& velocity : set->velocities) {
    for (float& value : velocity.linear) shift(&value);
    for (float& value : velocity.angular) shift(&value);
  }
}

void make_bad_record(Random& random, RowSet* set) {
  if (set->rows.empty()) return;
  const auto rows = static_cast<std::uint32_t>(set->rows.size());
  const auto bodies = static_cast<std::uint32_t>(set->velocities.size());
  const std::uint32_t slot = random.below(rows);
  ppu_row& row = set->rows[slot];
  const auto beyond = [&](std::uint32_t count) {
    return random.one_in(2) ? count : count + random.below(PPU_NONE - count);
  };
  switch (random.below(5)) {
    case 0:
      row.body_a = beyond(bodies);
      break;
    case 1:
      row.body_b = beyond(bodies);
      break;
    case 2:
      row.body_a = row.body_b = bodies == 0 ? 0 : random.below(bodies);
      break;
    case 3:
      row.parent = beyond(rows);
      break;
    default:
      row.parent = slot;
  }
}

std::vector<std::uint8_t> row_records(const std::vector<ppu_row>& rows, bool reduced) {
  std::vector<std::uint8_t> bytes;
  if (!reduced) {
    bytes.resize(rows.size() * sizeof(ppu_row));
    if (!rows.empty()) std::memcpy(bytes.data(), rows.data(), bytes.size());
    return bytes;
  }
  constexpr std::size_t kBlockRows = PPU_REDUCED_BLOCK_ROWS;
  std::vector<ppu_reduced_block> blocks((rows.size() + kBlockRows - 1) / kBlockRows);
  for (std::size_t slot = 0; slot < rows.size(); ++slot) {
    const ppu_row& row = rows[slot];
    ppu_reduced_block& block = blocks[slot / kBlockRows];
    ppu_reduced_head& head = block.head[slot % kBlockRows];
    std::copy(std::begin(row.jacobian), std::end(row.jacobian), head.jacobian);
    head.bias = row.bias;
    head.inv_diagonal = row.inv_diagonal;
    head.lower = row.lower;
    head.upper = row.upper;
    block.tail[slot % kBlockRows] = {row.compliance, row.body_a, row.body_b, row.parent};
  }
  bytes.resize(blocks.size() * sizeof(ppu_reduced_block));
  if (!blocks.empty()) std::memcpy(bytes.data(), blocks.data(), bytes.size());
  return bytes;
}

}  // namespace ppu::sim
