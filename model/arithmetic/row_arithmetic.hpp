// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The arithmetic of one row update, bit for bit: the only definition of it in C++. The functional
// back end, the SystemC model and the RTL checker all call `update_row`.
//
// IEEE-754 binary32, round to nearest even, subnormals kept, every multiply and add rounded on its
// own (compile with -ffp-contract=off). The order of additions is part of the specification:
//
//   rate form (US 7,079,145, Pseudo-Code Examples 4-6, eq. (20)-(25)); b is the 13th leaf of a tree
//   4 deep
//     u  = (((p0+p1)+(p2+p3)) + ((p6+p7)+(p8+p9))) + (((p4+p5)+(p10+p11)) + b'),   p = J*v
//     b' = b + cfm*x where cfm != 0, else b
//     t  = x - d*u;  x' = clamp(t);  dx = x' - x
//   impulse form (Bullet 3.24, gResolveSingleConstraintRowGeneric_scalar_reference)
//     q1 = ((p0+p1)+p2) + ((p3+p4)+p5);  q2 = ((p6+p7)+p8) + ((p9+p10)+p11)
//     e  = ((b - x*cfm) - q1*d) - q2*d;  t = x + e
//     x' = lo, dx = lo - x  if t < lo;   x' = hi, dx = hi - x  if t > hi;   else x' = t, dx = e
//   both
//     v' = v + JM*dx
//     quotient residual: |dx/d|, 0 where dx is 0
//     marks (US 7,079,145, Example 8), threshold T: those of body a (k = 0..5), of body b (6..11),
//     where |JM_k*dx| > T of any k; of both, where not lo = hi, and x' <= lo and u < 0, x' >= hi
//     and u > 0 or lo < x' < hi and |u| > T
//     lead (Nesterov's extrapolation; rate form), xs the impulse that was stored before, where x is
//     its lead: y = x' + beta*(x' - xs)
//
// Lanes (lanes.hpp) hold the elements as {0 1 2 3}, {6 7 8 9} and {4 5 10 11}, so that each level
// of both trees is one or two vector additions.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/arithmetic/lanes.hpp"
#include "ppu_spec.hpp"

namespace ppu::model {

inline constexpr int kRowElements = 12;  ///< Linear a, angular a, linear b, angular b.
using RowVector = std::array<float, kRowElements>;

/// What a row reads. Static bodies and rows without a parent read as zero.
struct RowOperands {
  const float* jacobian;           ///< J, 12 elements.
  const float* inv_mass_jacobian;  ///< JM, 12 elements.
  float bias;                      ///< b.
  float inv_diagonal;              ///< d.
  float lower;                     ///< lo.
  float upper;                     ///< hi, or mu where `has_parent`.
  float compliance;                ///< cfm.
  float impulse;                   ///< x.
  float parent_impulse;            ///< x of the parent row.
  bool has_parent;
  RowVector velocity;        ///< v of body a, then of body b.
  float mark_threshold = 0;  ///< T of `mark`.
  float stored = 0;          ///< xs of `lead`: x as it is stored, where `impulse` is its lead.
  float lead_factor = 0;     ///< beta of `lead`.
};

/// What the record of a row holds of them, which must last; the impulses and the velocities are 0.
PPU_INLINE RowOperands operands_of(const ppu_row& row) {
  return {row.jacobian,
          row.inv_mass_jacobian,
          row.bias,
          row.inv_diagonal,
          row.lower,
          row.upper,
          row.compliance,
          0,
          0,
          row.parent != PPU_NONE,
          {}};
}

/// What a row computes, every value that leaves the row pipe or can be observed in it.
struct RowResult {
  float rate = 0;     ///< u (rate form; 0 in the impulse form).
  float target = 0;   ///< t, the impulse before the clamp.
  float impulse = 0;  ///< x'.
  float delta = 0;    ///< dx.
  RowVector velocity{};
  float residual = 0;    ///< Contribution to the residual maximum, >= 0.
  float lead = 0;        ///< y in the rate form under `lead`, else x'.
  bool mark_a = false;   ///< Sets the next tag of body a; never of a row that is held or faults.
  bool mark_b = false;   ///< The same for body b.
  bool skipped = false;  ///< The `skip` rule held the row; x' = x, dx = 0, v' = v.
  bool fault = false;    ///< Not a number, infinite, or bounds not lo <= hi: must not be written.
};

/// A control word known at compile time, for the functional back end's specialised loops.
template <std::uint32_t kBits>
struct StaticControl {
  static constexpr spec::ControlWord kWord{kBits};
  static constexpr auto form() { return kWord.form(); }
  static constexpr auto bias() { return kWord.bias(); }
  static constexpr auto step() { return kWord.step(); }
  static constexpr auto bounds() { return kWord.bounds(); }
  static constexpr auto skip() { return kWord.skip(); }
  static constexpr auto clamp() { return kWord.clamp(); }
  static constexpr auto axpy() { return kWord.axpy(); }
  static constexpr auto store_velocity() { return kWord.store_velocity(); }
  static constexpr auto store_impulse() { return kWord.store_impulse(); }
  static constexpr auto resid() { return kWord.resid(); }
  static constexpr auto filter() { return kWord.filter(); }
  static constexpr auto mark() { return kWord.mark(); }
  static constexpr auto matrix() { return kWord.matrix(); }
  static constexpr auto lead() { return kWord.lead(); }
};

inline bool is_finite(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return (bits & 0x7f800000U) != 0x7f800000U;
}

/// How far a row is from its boxing condition, US 7,079,145 (4)-(7) and (23): |u| inside the
/// bounds, max(0, -u) at lo, max(0, u) at hi, 0 where lo = hi. Same unit as u.
template <class Scalar>
inline Scalar boxing_violation(Scalar u, Scalar x, Scalar lo, Scalar hi) {
  const bool at_lower = x <= lo;
  const bool at_upper = x >= hi;
  if (at_lower && at_upper) return Scalar{0};
  if (at_lower) return u < 0 ? -u : Scalar{0};
  if (at_upper) return u > 0 ? u : Scalar{0};
  return std::fabs(u);
}

/// True if u takes a row away from the bound that it is at or, inside its bounds, is above the
/// threshold: both its bodies must be looked at again. Never where lo = hi.
inline bool violates(float u, float x, float lo, float hi, float threshold) {
  if (lo == hi) return false;
  const bool inside = lo < x && x < hi;
  return (x <= lo && u < 0) || (x >= hi && u > 0) || (inside && std::fabs(u) > threshold);
}

/// med(lo, t, hi), t if that is not a number. Where rows come as they become ready no branch
/// predictor knows which of them are at a bound, so the compiler is asked not to branch.
PPU_INLINE float median(float lo, float t, float hi) {
  const float bounded = t > hi ? hi : t;
  return __builtin_expect_with_probability(t < lo, true, 0.5) ? lo : bounded;
}

/// u of the rate form: the tree over the products p with b as its 13th leaf.
PPU_INLINE float sum_rate(const Lanes& p, float b) {
  // p0+p1, p2+p3, p6+p7, p8+p9 and, in elements 0 and 2, p4+p5, p10+p11.
  const Quad pairs =
      __builtin_shufflevector(p.a, p.b, 0, 2, 4, 6) + __builtin_shufflevector(p.a, p.b, 1, 3, 5, 7);
  const Quad ends = p.ends + __builtin_shufflevector(p.ends, p.ends, 1, 0, 3, 2);
  const Quad s = __builtin_shufflevector(pairs, ends, 0, 2, 4, 4) +
                 __builtin_shufflevector(pairs, ends, 1, 3, 6, 6);
  return (s[0] + s[1]) + (s[2] + b);
}

/// q1 and q2 of the impulse form, in elements 0 and 1.
PPU_INLINE Quad sum_bodies(const Lanes& p) {
  const Quad front = __builtin_shufflevector(p.a, p.b, 0, 4, 1, 5);       // 0 6 1 7
  const Quad back = __builtin_shufflevector(p.a, p.b, 2, 6, 3, 7);        // 2 8 3 9
  const Quad ends = __builtin_shufflevector(p.ends, p.ends, 0, 2, 1, 3);  // 4 10 5 11
  const Quad sums = (__builtin_shufflevector(front, back, 0, 1, 6, 7) +   // 0 6 3 9
                     __builtin_shufflevector(front, ends, 2, 3, 4, 5)) +  // 1 7 4 10
                    __builtin_shufflevector(back, ends, 0, 1, 6, 7);      // 2 8 5 11
  return sums + __builtin_shufflevector(sums, sums, 2, 3, 0, 1);
}

/// What the dot product leaves, in the form that the row has.
struct DotProduct {
  Quad bodies{};   ///< q1 and q2 of the impulse form, in elements 0 and 1.
  float rate = 0;  ///< u of the rate form.
};

/// J against `v`, the velocities of the row.
template <class Control>
PPU_INLINE DotProduct dot(Control control, const RowOperands& in, const Lanes& v) {
  using namespace spec;
  const Lanes p = Lanes::load(in.jacobian) * v;
  DotProduct out;
  if (control.form() == Form::kImpulse) {
    out.bodies = sum_bodies(p);
    return out;
  }
  float b = in.bias;
  if (control.bias() == Bias::kSoft && in.compliance != 0.0F) b = b + in.compliance * in.impulse;
  out.rate = sum_rate(p, b);
  return out;
}

/// The rate form up to dx.
template <class Control>
PPU_INLINE void step_rate(Control control, const RowOperands& in, float u, float lo, float hi,
                          RowResult& out) {
  using namespace spec;
  const float x = in.impulse;
  const float t = control.step() == Step::kOn ? x - in.inv_diagonal * u : x;
  out.rate = u;
  out.target = t;
  out.impulse = t;
  if (control.step() == Step::kOn) {
    if (control.clamp() == Clamp::kMax) out.impulse = t < 0.0F ? 0.0F : t;
    if (control.clamp() == Clamp::kMed) out.impulse = median(lo, t, hi);
    out.delta = out.impulse - x;
  }
  if (control.resid() == Resid::kBoxed) out.residual = boxing_violation(u, out.impulse, lo, hi);
}

/// The impulse form up to dx.
template <class Control>
PPU_INLINE void step_impulse(Control control, const RowOperands& in, const Quad& bodies, float lo,
                             float hi, RowResult& out) {
  using namespace spec;
  const float x = in.impulse;
  const Quad qd = bodies * in.inv_diagonal;
  float e = in.bias;
  if (control.bias() == Bias::kSoft) e = e - x * in.compliance;
  e = e - qd[0];
  e = e - qd[1];
  const float t = x + e;
  out.target = t;
  if (control.step() == Step::kOff) {
    out.impulse = x;
    return;
  }
  out.impulse = t;
  out.delta = e;
  if (control.clamp() == Clamp::kMed && (t < lo || t > hi)) {
    out.impulse = t < lo ? lo : hi;
    out.delta = out.impulse - x;
  }
}

/// What a row adds to the residual maximum, but for the boxing condition (`step_rate`).
template <class Control>
PPU_INLINE float change_residual(Control control, float d, const RowResult& out) {
  using namespace spec;
  if (control.resid() == Resid::kDelta) return std::fabs(out.delta);
  if (control.resid() == Resid::kQuotient && out.delta != 0.0F) return std::fabs(out.delta / d);
  return out.residual;
}

/// From the dot product to the change of the impulse: all of a result but for the velocities, and
/// for what these add to marks and faults.
template <class Control>
PPU_INLINE RowResult step(Control control, const RowOperands& in, const DotProduct& dot) {
  using namespace spec;
  RowResult out;

  // Bounds: the row's own, or the friction cone's section given by the parent's impulse.
  float lo = in.lower;
  float hi = in.upper;
  if (control.bounds() == Bounds::kCone && in.has_parent) {
    hi = in.upper * (in.parent_impulse > 0.0F ? in.parent_impulse : 0.0F);
    lo = -hi;
  }

  if (control.form() == Form::kRate) {
    step_rate(control, in, dot.rate, lo, hi, out);
  } else {
    step_impulse(control, in, dot.bodies, lo, hi, out);
  }
  out.residual = change_residual(control, in.inv_diagonal, out);
  out.lead = out.impulse;
  if (control.lead() == Lead::kOn && control.form() == Form::kRate)
    out.lead = out.impulse + in.lead_factor * (out.impulse - in.stored);
  if (control.mark() == Mark::kOn)
    out.mark_a = out.mark_b = violates(out.rate, out.impulse, lo, hi, in.mark_threshold);

  // Faults: u, t or dx not finite, or bounds not in order. A product with an infinity or a NaN is
  // never finite (0*inf is NaN), nor is a sum, so t = x - d*u tells of u, and v' = v + JM*dx of dx.
  const bool computed = control.axpy() == Axpy::kOn || is_finite(out.delta);
  const bool observed = control.step() == Step::kOn || is_finite(out.rate);
  const bool ordered = control.clamp() != Clamp::kMed || lo <= hi;
  out.fault = !(is_finite(out.target) && ordered && computed && observed);
  return out;
}

/// From the change of the impulse back to the velocities, which are `v`: completes a result.
template <class Control>
PPU_INLINE void axpy(Control control, const RowOperands& in, const Lanes& v, RowResult& out) {
  const bool adds = control.axpy() == spec::Axpy::kOn;
  const Lanes changes = adds ? Lanes::load(in.inv_mass_jacobian) * out.delta : Lanes{};
  const Lanes w = adds ? v + changes : v;
  w.store(out.velocity.data());
  out.fault = out.fault || (adds && !w.finite());
  if (control.mark() == spec::Mark::kOff) return;
  Lanes::Bodies large{};
  if (adds) large = changes.above(in.mark_threshold);
  out.mark_a = (out.mark_a || large.a) && !out.fault;
  out.mark_b = (out.mark_b || large.b) && !out.fault;
}

/// One row update but for the `skip` rule.
template <class Control>
PPU_INLINE RowResult update_free_row(Control control, const RowOperands& in) {
  const Lanes v = Lanes::load(in.velocity.data());
  RowResult out = step(control, in, dot(control, in, v));
  axpy(control, in, v, out);
  return out;
}

/// True if the `skip` rule holds the row: nothing of it is written.
template <class Control>
PPU_INLINE bool is_held(Control control, bool has_parent, float parent_impulse) {
  return control.skip() == spec::Skip::kOn && has_parent && !(parent_impulse > 0.0F);
}

/// The result of a row that is held.
PPU_INLINE void hold(const RowOperands& in, RowResult& out) {
  out.impulse = out.lead = in.impulse;
  out.delta = 0.0F;
  out.velocity = in.velocity;
  out.residual = 0.0F;
  out.mark_a = out.mark_b = false;
  out.skipped = true;
  out.fault = false;
}

/// One row update under `control` (a spec::ControlWord or a StaticControl).
template <class Control>
PPU_INLINE RowResult update_row(Control control, const RowOperands& in) {
  RowResult out = update_free_row(control, in);
  if (is_held(control, in.has_parent, in.parent_impulse)) hold(in, out);
  return out;
}

}  // namespace ppu::model
