// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows as the device gets them: Bullet's numbers, bit for bit, in the impulse form. A first look at
// all rows finds out how many there are, and takes their impulses; then a solve of them can begin,
// and one pass writes them where the device reads them, block by block. From there the answer goes
// back to Bullet's rows and bodies.
//
// A rolling row is bounded by min(mu*x, mu), x the impulse of its contact, which is mu*min(x, 1): a
// cap row stands between the two, without bodies, whose impulse becomes min(x, 1). It is bounded by
// its contact with mu = 1, and has b = cfm = d = 1, so that it aims at x0 + fl(1 - x0), which is 1
// for every float from 0 to 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "driver/bullet/part.hpp"
#include "driver/bullet/visits.hpp"
#include "ppu/ppu.hpp"

namespace ppu::bullet {

/// Bullet's two sets of velocities and impulses.
enum class Bank {
  kVelocity,  ///< m_appliedImpulse and the changes of the velocities.
  kPush       ///< m_appliedPushImpulse, push and turn velocities, of split impulses.
};

class ImpulseRows {
 public:
  /// Memory is taken from the device at the first rows, and kept.
  explicit ImpulseRows(ppu_device device) : device_(device) {}

  /// Begins anew with all that `each` adds: it gets a function to be called with (row, kind,
  /// parent), as for_each_visit() does. Rolling rows come last. `pools` must last until
  /// write_back(). Throws SolveError.
  template <class Each>
  void look(const Pools& pools, Bank bank, Each each) {
    // Every rolling row may have a cap of its own.
    begin(pools, bank, most_rows(pools), nullptr);
    each([this](const btSolverConstraint& row, RowKind kind, std::int32_t parent) {
      if (kind == RowKind::kRolling) return rolling_.push_back({&row, kind, parent});
      memory_.impulses[plain_] = impulse_of(row);
      keep(row, kind);
    });
  }
  /// Writes what look() has looked at, but for the rolling rows.
  template <class Each>
  void convert(Each each) {
    std::uint32_t place = 0;
    each([&](const btSolverConstraint& row, RowKind kind, std::int32_t parent) {
      if (kind == RowKind::kRolling) return;
      if (place + kAhead < plain_) fetch(*row_[place + kAhead], memory_.rows + place + kAhead);
      write(place, row, kind, static_cast<std::uint32_t>(parent));
      if (++place % kBlock == 0) records_->commit(place);
    });
  }
  /// The same with the rows of a part alone, which begins with `first`. Rows that Bullet leaves out
  /// are none. Returns false if it is the last one.
  template <class Each>
  bool convert_part(const Pools& pools, Bank bank, const BulletLimits& limits, std::uint32_t* first,
                    Each each) {
    part_.begin(pools, limits, *first);
    each([this](const btSolverConstraint& row, RowKind kind, std::int32_t) {
      part_.look(row, kind);
    });
    begin(pools, bank, part_.rows(), &part_);
    turns_.clear();
    each([this](const btSolverConstraint& row, RowKind kind, std::int32_t parent) {
      add_of_part(row, kind, parent);
    });
    *first = part_.end();
    return !part_.is_last();
  }
  /// After convert_part(): rows that Bullet leaves out.
  [[nodiscard]] std::uint32_t left_out() const { return part_.rows() - plain_; }
  /// Rows of the device that a group may need at most.
  [[nodiscard]] static std::uint32_t most_rows(const Pools& pools) {
    return static_cast<std::uint32_t>(pools.joints.size() + pools.contacts.size() +
                                      pools.friction.size() + 2 * pools.rolling.size());
  }
  /// Gives the rolling rows their caps: with `own_caps` each of them has one of its own, else those
  /// of a contact have one. Now all impulses are there, and the number of rows is.
  void add_caps(bool own_caps);
  /// All others are written: the rolling rows and their caps. Throws SolveError.
  void finish();
  [[nodiscard]] const Records& records() const { return *records_; }
  /// Puts the answer into Bullet's rows and bodies.
  void write_back() const;

  /// Bullet's rows; those before the rolling ones; those of joints, which come first.
  [[nodiscard]] std::uint32_t visits() const {
    return plain_ + static_cast<std::uint32_t>(rolling_.size());
  }
  [[nodiscard]] std::uint32_t plain() const { return plain_; }
  [[nodiscard]] std::uint32_t joints() const { return joints_; }
  [[nodiscard]] const btSolverConstraint& visit(std::size_t number) const {
    return number < plain_ ? *row_[number] : *rolling_[number - plain_].row;
  }
  /// Bullet's rows up to and with the last one without effective mass (d = 0).
  [[nodiscard]] std::uint32_t up_to_massless() const;

  /// After add_caps(): all rows of the device, and the caps among them.
  [[nodiscard]] std::uint32_t rows() const { return plain_ + caps_ + rolling_count(); }
  [[nodiscard]] std::uint32_t caps() const { return caps_; }
  /// Bullet's row that row `number` is for; a cap's is its contact.
  [[nodiscard]] const btSolverConstraint& row_of(std::size_t number) const;

 private:
  using Four = float __attribute__((vector_size(16)));
  using FourBits = std::uint32_t __attribute__((vector_size(16)));
  /// What the rows on a body have of it, next to each other.
  struct alignas(64) Body {
    Four inv_mass, linear_factor, angular_factor;
    std::uint32_t mask;    ///< All ones; 0 for what is no body, whose half of M^-1 J^T is +0.
    std::uint32_t number;  ///< On the device.
  };
  /// Rows that are written before they are checked: few enough for the nearest cache.
  static constexpr std::uint32_t kBlock = 64;
  /// Rows that are on their way to the nearest cache: their reads take longer than a row's work.
  static constexpr std::uint32_t kAhead = 8;
  static constexpr std::size_t kLine = 64;  ///< Bytes of a line of the cache.

  /// The row in its turn, in an iteration in parts.
  struct Turn {
    const btSolverConstraint* row;
    std::uint32_t place;  ///< Or PPU_NONE.
  };

  /// All bodies, or those of `part`.
  void begin(const Pools& pools, Bank bank, std::uint32_t most_rows, const Part* part);
  void add_body(const btSolverBody& body, bool movable);
  void write_velocities();
  [[nodiscard]] float impulse_of(const btSolverConstraint& row) const {
    return bank_ == Bank::kVelocity ? row.m_appliedImpulse : row.m_appliedPushImpulse;
  }
  void add_of_part(const btSolverConstraint& row, RowKind kind, std::int32_t parent);
  /// The next row has place `plain_`.
  void keep(const btSolverConstraint& row, RowKind kind) {
    row_[plain_] = &row;
    joints_ += kind == RowKind::kJoint ? 1 : 0;
    ++plain_;
    if (row.m_jacDiagABInv == 0) massless_ = plain_;
  }
  static void fetch(const btSolverConstraint& row, ppu_row* record) {
    const char* const bytes = reinterpret_cast<const char*>(&row);
    for (std::size_t at = 0; at < sizeof row; at += kLine) __builtin_prefetch(bytes + at);
    __builtin_prefetch(record, 1);
    __builtin_prefetch(reinterpret_cast<char*>(record) + kLine, 1);
  }
  void write(std::uint32_t place, const btSolverConstraint& row, RowKind kind,
             std::uint32_t parent);
  void write_cap(std::uint32_t place, std::uint32_t contact);
  [[nodiscard]] std::uint32_t rolling_count() const {
    return static_cast<std::uint32_t>(rolling_.size());
  }

  static Four load(const btVector3& vector) {
    Four four;
    std::memcpy(&four, &vector[0], sizeof four);
    return four;
  }
  static Four masked(Four four, std::uint32_t mask) {
    FourBits bits;
    std::memcpy(&bits, &four, sizeof bits);
    bits &= mask;
    std::memcpy(&four, &bits, sizeof four);
    return four;
  }
  /// Three numbers; a fourth one is written behind them, where the next ones come.
  static void store(Four four, float* elements) { std::memcpy(elements, &four, sizeof four); }

  ppu_device device_;
  std::optional<Records> records_;
  ppu_record_memory memory_{};
  const Pools* pools_ = nullptr;
  Bank bank_ = Bank::kVelocity;
  std::uint32_t plain_ = 0, joints_ = 0, caps_ = 0, massless_ = 0;
  std::vector<Body> body_;                      ///< By place in the pool.
  std::vector<int> solver_bodies_;              ///< Number -> place in the pool.
  std::vector<const btSolverConstraint*> row_;  ///< The plain ones.
  std::vector<Visit> rolling_;
  std::vector<std::uint32_t> cap_of_contact_, contact_of_cap_;
  Part part_;
  std::vector<Turn> turns_;
};

inline void ImpulseRows::write(std::uint32_t place, const btSolverConstraint& row, RowKind kind,
                               std::uint32_t parent) {
  const Body& a = body_[static_cast<std::size_t>(row.m_solverBodyIdA)];
  const Body& b = body_[static_cast<std::size_t>(row.m_solverBodyIdB)];
  const Four normal_a = load(row.m_contactNormal1);
  const Four normal_b = load(row.m_contactNormal2);
  ppu_row& record = memory_.rows[place];
  float* const elements = record.jacobian;
  store(normal_a, elements);
  store(load(row.m_relpos1CrossNormal), elements + 3);
  store(normal_b, elements + 6);
  store(load(row.m_relpos2CrossNormal), elements + 9);
  // In the order in which Bullet multiplies.
  store(masked(normal_a * a.inv_mass * a.linear_factor, a.mask), elements + 12);
  store(masked(load(row.m_angularComponentA) * a.angular_factor, a.mask), elements + 15);
  store(masked(normal_b * b.inv_mass * b.linear_factor, b.mask), elements + 18);
  store(masked(load(row.m_angularComponentB) * b.angular_factor, b.mask), elements + 21);

  const bool velocity = bank_ == Bank::kVelocity;
  const bool bounded_by_parent = parent != PPU_NONE;
  record.bias = velocity ? row.m_rhs : row.m_rhsPenetration;
  record.inv_diagonal = row.m_jacDiagABInv;
  record.lower = bounded_by_parent ? 0.0F : row.m_lowerLimit;
  // Bullet's solver of contact rows looks at no upper limit.
  const float upper = kind == RowKind::kContact ? std::numeric_limits<float>::infinity()
                                                : static_cast<float>(row.m_upperLimit);
  record.upper = bounded_by_parent ? row.m_friction : upper;
  record.compliance = row.m_cfm;
  record.body_a = a.number;
  record.body_b = b.number;
  record.parent = parent;
}

}  // namespace ppu::bullet
