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
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

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
  RowVector velocity;  ///< v of body a, then of body b.
};

/// What a row computes, every value that leaves the row pipe or can be observed in it.
struct RowResult {
  float rate = 0;     ///< u (rate form; 0 in the impulse form).
  float target = 0;   ///< t, the impulse before the clamp.
  float impulse = 0;  ///< x'.
  float delta = 0;    ///< dx.
  RowVector velocity{};
  float residual = 0;    ///< Contribution to the residual maximum, >= 0.
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
  static constexpr auto resid() { return kWord.resid(); }
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

/// One row update under `control` (a spec::ControlWord or a StaticControl).
template <class Control>
inline RowResult update_row(Control control, const RowOperands& in) {
  using namespace spec;
  RowResult out;
  const float* j = in.jacobian;
  const RowVector& v = in.velocity;
  const float x = in.impulse;
  const float d = in.inv_diagonal;

  // Bounds: the row's own, or the friction cone's section given by the parent's impulse.
  float lo = in.lower;
  float hi = in.upper;
  if (control.bounds() == Bounds::kCone && in.has_parent) {
    hi = in.upper * (in.parent_impulse > 0.0F ? in.parent_impulse : 0.0F);
    lo = -hi;
  }

  float dx = 0.0F;
  if (control.form() == Form::kRate) {
    const float p0 = j[0] * v[0], p1 = j[1] * v[1], p2 = j[2] * v[2], p3 = j[3] * v[3];
    const float p4 = j[4] * v[4], p5 = j[5] * v[5], p6 = j[6] * v[6], p7 = j[7] * v[7];
    const float p8 = j[8] * v[8], p9 = j[9] * v[9], p10 = j[10] * v[10], p11 = j[11] * v[11];
    float b = in.bias;
    if (control.bias() == Bias::kSoft && in.compliance != 0.0F) b = b + in.compliance * x;
    const float s0 = (p0 + p1) + (p2 + p3);
    const float s1 = (p6 + p7) + (p8 + p9);
    const float s2 = (p4 + p5) + (p10 + p11);
    const float u = (s0 + s1) + (s2 + b);
    float t = x;
    if (control.step() == Step::kOn) {
      t = x - d * u;
      float clamped = t;
      if (control.clamp() == Clamp::kMax) clamped = t < 0.0F ? 0.0F : t;
      if (control.clamp() == Clamp::kMed) clamped = t < lo ? lo : (t > hi ? hi : t);
      out.impulse = clamped;
      dx = clamped - x;
    } else {
      out.impulse = x;
    }
    out.rate = u;
    out.target = t;
    if (control.resid() == Resid::kBoxed) out.residual = boxing_violation(u, out.impulse, lo, hi);
    out.fault = !is_finite(u);
  } else {
    const float q1 =
        ((j[0] * v[0] + j[1] * v[1]) + j[2] * v[2]) + ((j[3] * v[3] + j[4] * v[4]) + j[5] * v[5]);
    const float q2 = ((j[6] * v[6] + j[7] * v[7]) + j[8] * v[8]) +
                     ((j[9] * v[9] + j[10] * v[10]) + j[11] * v[11]);
    float e = in.bias;
    if (control.bias() == Bias::kSoft) e = e - x * in.compliance;
    e = e - q1 * d;
    e = e - q2 * d;
    const float t = x + e;
    out.impulse = control.step() == Step::kOn ? t : x;
    dx = control.step() == Step::kOn ? e : 0.0F;
    if (control.step() == Step::kOn && control.clamp() == Clamp::kMed) {
      if (t < lo) {
        out.impulse = lo;
        dx = lo - x;
      } else if (t > hi) {
        out.impulse = hi;
        dx = hi - x;
      }
    }
    out.target = t;
  }

  // Skipped rows leave the pipe as they came.
  if (control.skip() == Skip::kOn && in.has_parent && !(in.parent_impulse > 0.0F)) {
    out.impulse = x;
    out.delta = 0.0F;
    out.velocity = v;
    out.residual = 0.0F;
    out.skipped = true;
    out.fault = false;
    return out;
  }

  out.delta = dx;
  if (control.resid() == Resid::kDelta) out.residual = std::fabs(dx);
  out.fault = out.fault || !is_finite(out.target) || !is_finite(dx);
  if (control.clamp() == Clamp::kMed) out.fault = out.fault || !(lo <= hi);
  if (control.axpy() == Axpy::kOn) {
    bool finite = true;
    for (int i = 0; i < kRowElements; ++i) {
      out.velocity[i] = v[i] + in.inv_mass_jacobian[i] * dx;
      finite = finite && is_finite(out.velocity[i]);
    }
    out.fault = out.fault || !finite;
  } else {
    out.velocity = v;
  }
  return out;
}

}  // namespace ppu::model
