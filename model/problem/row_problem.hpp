// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A row problem in memory, and what makes it one.
// Units: m, kg, s; impulses N s; velocities m/s and rad/s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ppu::model {

/// The largest problem that is accepted.
inline constexpr std::size_t kMaxRows = 1048576;
inline constexpr std::size_t kMaxBodies = 1048576;

enum class RowKind : std::uint8_t { kJoint = 0, kContact = 1, kFriction = 2 };

/// Impulses of m rows and velocity changes of n bodies (n x 6: linear, angular), in file order.
struct Solution {
  std::vector<float> impulse;
  std::vector<float> velocity_change;
};

/// The engine's own answer, with how it was computed.
struct Reference : Solution {
  int sweeps = 0;
  std::string start;          ///< "warm" or "cold".
  std::string friction_rule;  ///< "skip" or "clamp".
};

/// A boxed LCP in rows: m rows over n bodies, in the engine's order. Arrays are row-major.
struct RowProblem {
  std::string name;
  std::string scene;
  std::string params;
  std::string engine;
  std::string row_order;
  std::int64_t seed = 0;
  std::int64_t frame = 0;
  double dt = 0;

  std::vector<std::array<std::int32_t, 2>> body;  ///< m x 2; -1 = static world.
  std::vector<RowKind> kind;                      ///< m.
  std::vector<std::int32_t> parent;               ///< m; an earlier row, or -1.
  std::vector<float> jacobian;                    ///< m x 12.
  std::vector<float> inv_mass_jacobian;           ///< m x 12.
  std::vector<float> rate_bias;                   ///< m; b in u = b + J v + cfm x.
  std::vector<float> inv_diagonal;                ///< m; d in x' = clamp(x - d u).
  std::vector<float> lower, upper;                ///< m; unused where parent >= 0.
  std::vector<float> friction;                    ///< m; mu of rows with a parent.
  std::vector<float> compliance;                  ///< m; cfm.
  std::vector<float> impulse;                     ///< m; warm-start x0.
  std::vector<float> velocity_change;             ///< n x 6; v at the warm start.

  // Informative, world frame; empty where the file has none.
  std::vector<float> velocity_free;  ///< n x 6.
  std::vector<float> position;       ///< n x 3.
  std::vector<float> inv_mass;       ///< n.
  std::vector<float> inv_inertia;    ///< n x 3 x 3.

  std::optional<Reference> reference;
  std::optional<Solution> solution;

  [[nodiscard]] std::size_t rows() const { return parent.size(); }
  [[nodiscard]] std::size_t bodies() const { return velocity_change.size() / 6; }
};

/// A file or a problem that is not what the schema says. `what()` is one sentence that names the
/// file, the dataset, the row where there is one, what was found and what was expected.
class RowProblemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Checks sizes, indices, parents (earlier row, of kind contact normal or joint), finite numbers,
/// lo <= hi, d, mu and cfm >= 0, zero Jacobians for static bodies. `name` stands for the file in
/// messages. Throws RowProblemError.
void validate(const RowProblem& problem, const std::string& name);

}  // namespace ppu::model
